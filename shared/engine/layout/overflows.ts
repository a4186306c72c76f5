/** Texts of a finished frame that are larger than their boxes, or that leave the picture. Pure. */
import type { Problem } from '../../renderscript/source.ts';
import { enclosing, identity, multiply, translation, type Rect } from '../geometry.ts';
import { homographyOf, joinHomographies, projectedBounds, type Homography } from '../homography.ts';
import type { Box, Frame } from './box.ts';

/** Pixels of the document that nobody sees. */
const tolerance = 1;
/** Most to tell of. */
const most = 50;

/**
 * A warning for each text, in whole pixels of the document. Movement counts: what flies in is outside at first. A text
 * that fits itself to its box is never larger than it, unless its smallest size is.
 *
 * @param nameOf The name of the element at a path.
 */
export function overflowsOf(frame: Frame, nameOf: (path: string) => string): Problem[] {
  const found = new Map<string, Problem>();
  const tell = ({ element: { path } }: Box, code: string, message: string): void => {
    const key = `${path} ${code}`;
    if (found.size >= most || found.has(key)) return;
    const element = nameOf(path);
    found.set(key, { path, element, property: '', severity: 'warning', code, message });
  };
  const visit = (box: Box, parent: Homography): void => {
    const { bend, transform, content } = box;
    const place = joinHomographies(parent, bend?.projection ?? homographyOf(transform));
    if (content.kind === 'composition') {
      const { originX, originY, children } = content;
      const inside = multiply(box.contentTransform ?? identity, translation(originX, originY));
      const room = joinHomographies(place, homographyOf(inside));
      for (const child of children) visit(child, room);
    }
    if (content.kind !== 'text' || content.pieces.length === 0) return;
    const text = enclosing(content.pieces.map(({ bounds }) => bounds));
    const wider = beyond(text.x, text.width, box.width);
    const higher = beyond(text.y, text.height, box.height);
    const more = [
      ...(wider > tolerance ? [`${Math.round(wider)} pixels wider`] : []),
      ...(higher > tolerance ? [`${Math.round(higher)} pixels higher`] : []),
    ];
    if (more.length > 0)
      tell(box, 'text_overflows', `The text is ${more.join(' and ')} than its box`);
    const outside = outsideOf(text, place, frame);
    if (outside !== '') tell(box, 'text_leaves_picture', `The text leaves the picture: ${outside}`);
  };
  for (const box of frame.boxes) visit(box, homographyOf(identity));
  return [...found.values()];
}

/** By how much a stretch is longer than its room, on both sides together. */
function beyond(from: number, length: number, room: number): number {
  return Math.max(0, -from) + Math.max(0, from + length - room);
}

/** E.g. `40 pixels on the left`; empty where all of it is inside. */
function outsideOf(text: Rect, map: Homography, picture: Pick<Frame, 'width' | 'height'>): string {
  const bounds = projectedBounds(map, text);
  if (bounds === null) return '';
  const { x, y, width, height } = bounds;
  const sides = [
    ['on the left', -x],
    ['on the right', x + width - picture.width],
    ['at the top', -y],
    ['at the bottom', y + height - picture.height],
  ] as const;
  return sides
    .filter(([, pixels]) => pixels > tolerance)
    .map(([side, pixels]) => `${Math.round(pixels)} pixels ${side}`)
    .join(', ');
}
