/** Where the elements of a finished frame lie, for frames around them. Pure. */
import { identity, multiply, translation } from '../geometry.ts';
import { homographyOf, joinHomographies, project, type Homography } from '../homography.ts';
import type { Box, Frame } from './box.ts';

/** Of the picture's side: finer than a pixel of any picture that is drawn. */
const precision = 1e5;

/**
 * The corners of all boxes that show, by the paths of their elements, as `PreviewFacts.outlines` has them. An element that is
 * drawn several times has the outline of the whole. Surfaces that are bent have the corners of what they were bent from.
 */
export function outlinesOf({ width, height, boxes }: Frame): Record<string, readonly number[]> {
  const found: Record<string, readonly number[]> = {};
  const visit = (box: Box, parent: Homography): void => {
    const { bend, transform, content, element } = box;
    const place = joinHomographies(parent, bend?.projection ?? homographyOf(transform));
    const pulled = bend?.warp?.kind === 'quad' ? joinHomographies(place, bend.warp.map) : place;
    const corners = cornersOf(box, pulled, width, height);
    if (corners && !Object.hasOwn(found, element.path)) found[element.path] = corners;
    if (content.kind !== 'composition') return;
    const padding = translation(content.originX, content.originY);
    const inside = multiply(box.contentTransform ?? identity, padding);
    const room = joinHomographies(pulled, homographyOf(inside));
    for (const child of content.children) visit(child, room);
  };
  for (const box of boxes) visit(box, homographyOf(identity));
  return found;
}

/** Null where a corner is behind the eye. */
function cornersOf(
  box: Box,
  map: Homography,
  width: number,
  height: number,
): readonly number[] | null {
  const corners = [
    project(map, 0, 0),
    project(map, box.width, 0),
    project(map, box.width, box.height),
    project(map, 0, box.height),
  ];
  const numbers = corners.flatMap((corner) =>
    corner ? [corner[0] / width, corner[1] / height] : [],
  );
  if (numbers.length < 8) return null;
  return numbers.map((share) => Math.round(share * precision) / precision);
}
