/** The order in which siblings are drawn, and which masks belong to which of them. Pure. */
import type { VisualValues } from '../compile/property-values.ts';
import type { TimelineElement } from '../compile/timeline.ts';
import type { Box } from './box.ts';

/** A sibling that is visible at this moment. */
export interface Member {
  readonly element: TimelineElement;
  readonly values: VisualValues;
  /** Null if nothing of it would be visible. */
  readonly box: Box | null;
}

/** A member to be drawn, with its masks. */
interface Group {
  readonly target: Member;
  readonly masks: Member[];
}

/**
 * Boxes in drawing order: as given (track by track, then as defined), except that everything with a z-index comes above
 * everything without, by z-index. A mask follows the element that it masks through all of this.
 *
 * @param siblings All children of the composition, visible or not: they determine the lane of a mask.
 */
export function orderBoxes(
  members: readonly Member[],
  siblings: readonly TimelineElement[],
): Box[] {
  const groups: Group[] = [];
  for (const member of members) {
    if (member.values.maskMode !== null) maskedGroup(member, groups, siblings)?.masks.push(member);
    else groups.push({ target: member, masks: [] });
  }
  if (groups.some(({ target }) => target.values.zIndex !== null)) {
    groups.sort((a, b) => level(a) - level(b)); // sorting is stable
  }
  return groups.flatMap(boxesOf);
}

/**
 * [Note: What a mask masks] The element in the lane just below: on a numbered track whatever shows there at this moment
 * (the last one during a transition), without tracks the element defined just before. If nothing shows in that lane,
 * the mask is not drawn and masks nothing further below. Several masks in a row share their target.
 */
function maskedGroup(
  mask: Member,
  groups: readonly Group[],
  siblings: readonly TimelineElement[],
): Group | undefined {
  const below = siblings
    .slice(0, siblings.indexOf(mask.element))
    .findLast((sibling) => sibling.values.base.maskMode === null);
  return below && groups.findLast(({ target }) => target.element.track === below.track);
}

function level({ target }: Group): number {
  return target.values.zIndex ?? -Number.MAX_VALUE;
}

/** Target and masks; nothing if the target isn't visible, or if a non-inverted mask is empty. */
function boxesOf({ target, masks }: Group): Box[] {
  if (!target.box) return [];
  const boxes = [target.box];
  for (const { box, values } of masks) {
    if (box) boxes.push(box);
    else if (values.visible && !values.maskMode?.endsWith('-inverted')) return [];
  }
  return boxes;
}
