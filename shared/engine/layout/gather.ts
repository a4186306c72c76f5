/**
 * Elements that are temporarily drawn as several things: copies, or themselves under a cover. These become the children
 * of a group that replaces the element, so that paint needs no special case. Pure.
 */
import type { TimelineElement } from '../compile/timeline.ts';
import { identity, translation } from '../geometry.ts';
import type { Box } from './box.ts';
import type { JoinedEffects } from './effects.ts';
import { rectanglePath } from './path.ts';
import { remember } from './remember.ts';

/** Returns the box unchanged, or the group that its effects make of it. */
export type Gatherer = (box: Box, effects: Pick<JoinedEffects, 'copies' | 'covers'>) => Box;

/** A gatherer for one element. */
export function createGatherer(): Gatherer {
  // Covers are siblings of their element, and siblings are identified by path.
  const coverOf = remember((element: TimelineElement): TimelineElement => ({
    ...element,
    path: `${element.path}/cover`,
  }));

  return (box, { copies, covers }) => {
    if (!copies && covers.length === 0) return box;
    const coverElement = coverOf(box.element);
    const { bend, ...flat } = box;
    // The group takes over what applies to the whole element; its face keeps the rest.
    let face: Box = {
      ...flat,
      transform: identity,
      opacity: 1,
      blendMode: 'none',
      shadow: null,
      mask: null,
      repeat: false,
    };
    // Copies pass behind the outline of the box. A shape has its own outline.
    const hasWindow =
      copies !== null && box.content.kind !== 'shape' && box.content.kind !== 'text';
    if (hasWindow) face = { ...face, borderRadius: 0 };
    const faces = copies
      ? copies.map(([x, y]) => ({ ...face, transform: translation(x, y) }))
      : [face];
    const coats = covers.map(({ path, color }, index): Box => ({
      ...face,
      borderRadius: box.borderRadius,
      element:
        index === 0 ? coverElement : { ...coverElement, path: `${coverElement.path}${index}` },
      contentTransform: null,
      fill: { kind: 'solid', color },
      stroke: null,
      effects: null,
      clip: false,
      clipPaths: [path],
      content:
        box.content.kind === 'shape'
          ? box.content
          : { kind: 'shape', path: rectanglePath(box.width, box.height) },
    }));
    return {
      ...face,
      transform: box.transform,
      ...(bend && { bend }),
      opacity: box.opacity,
      blendMode: box.blendMode,
      shadow: box.shadow,
      mask: box.mask,
      repeat: box.repeat,
      contentTransform: null,
      fill: null,
      stroke: null,
      effects: null,
      borderRadius: hasWindow ? box.borderRadius : 0,
      clip: hasWindow,
      clipPaths: copies ? [rectanglePath(box.width, box.height)] : [],
      content: { kind: 'composition', originX: 0, originY: 0, children: [...faces, ...coats] },
    };
  };
}
