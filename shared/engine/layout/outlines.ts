/** Where the elements of a finished frame are, for outlines and handles in the editor. Pure. */
import type { Outline, Plane } from '../../preview.ts';
import { identity, multiply, translation } from '../geometry.ts';
import { homographyOf, joinHomographies, project, type Homography } from '../homography.ts';
import type { Box, Frame } from './box.ts';
import type { Space } from './length.ts';

/** Outlines of one picture at most: nobody takes hold of more elements, and answers stay small. */
const mostOutlines = 4_000;
/** Steps per side of the picture: finer than a pixel of any drawn picture. */
const precision = 1e5;

/**
 * The outlines of all visible boxes, by the paths of their elements and in drawing order, as `PreviewFacts.outlines`
 * has them. An element that is drawn several times has the outline of the whole. Bent surfaces have the corners of the
 * flat box.
 */
export function outlinesOf(frame: Frame): Record<string, Outline> {
  const found: Record<string, Outline> = {};
  const visit = (box: Box, parent: Homography): void => {
    const { bend, transform, content, element } = box;
    const last = parent === whole && lastOutlines.get(box);
    if (last && last.width === frame.width && last.height === frame.height) {
      if (!Object.hasOwn(found, element.path)) found[element.path] = last.outline;
      return;
    }
    const place = joinHomographies(parent, bend?.projection ?? homographyOf(transform));
    const pulled = bend?.warp?.kind === 'quad' ? joinHomographies(place, bend.warp.map) : place;
    const plane = planeOf(box, pulled, frame);
    const isNew = plane !== null && !Object.hasOwn(found, element.path);
    if (content.kind === 'media' && isNew) {
      const { x, y, width, height } = content.rect;
      const all = joinHomographies(pulled, homographyOf(translation(x, y)));
      found[element.path] = { ...plane, picture: planeOf({ width, height }, all, frame) ?? plane };
      return;
    }
    if (content.kind !== 'composition') {
      if (!isNew) return;
      found[element.path] = plane;
      const { width, height } = frame;
      if (parent === whole) lastOutlines.set(box, { width, height, outline: plane });
      return;
    }
    const { originX, originY, children } = content;
    const inside = multiply(box.contentTransform ?? identity, translation(originX, originY));
    const room = joinHomographies(pulled, homographyOf(inside));
    const size = {
      width: Math.max(0, box.width - 2 * originX),
      height: Math.max(0, box.height - 2 * originY),
    };
    if (isNew) found[element.path] = { ...plane, inside: planeOf(size, room, frame) ?? plane };
    for (const child of children) visit(child, room);
  };
  for (const box of frame.boxes) visit(box, whole);
  // Of too many, those on top.
  const all = Object.entries(found);
  return all.length <= mostOutlines ? found : Object.fromEntries(all.slice(-mostOutlines));
}

/** The picture itself: what lies in no composition lies there. */
const whole = homographyOf(identity);

/**
 * The last outline of each box that lies in no composition, and the sides of its picture: unchanged elements keep their
 * boxes.
 */
const lastOutlines = new WeakMap<
  Box,
  { readonly width: number; readonly height: number; readonly outline: Outline }
>();

/** Null if a corner is behind the eye. */
function planeOf({ width, height }: Space, map: Homography, picture: Space): Plane | null {
  const corners = [
    project(map, 0, 0),
    project(map, width, 0),
    project(map, width, height),
    project(map, 0, height),
  ];
  const numbers = corners.flatMap((corner) =>
    corner ? [corner[0] / picture.width, corner[1] / picture.height] : [],
  );
  if (numbers.length < 8) return null;
  const rounded = numbers.map((share) => Math.round(share * precision) / precision);
  return { corners: rounded, width, height };
}
