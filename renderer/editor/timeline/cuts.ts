/** Cuts: where a clip follows another one without a gap, with a transition or without. Pure. */
import { lanesOf } from '../../../shared/renderscript/tracks.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../shared/renderscript/source.ts';
import { endOf, siblingsOf, type Clip, type Clips } from './clips.ts';
import { rowOf } from './rows.ts';

/** Two clips that follow each other. */
export interface Cut {
  readonly before: Clip;
  readonly after: Clip;
}

/** The transition of a clip among its animations. */
export interface Entry {
  readonly index: number;
  readonly values: JsonObject;
}

/** The transition that a clip comes in with; null for none. */
export function entryOf({ element }: Pick<Clip, 'element'>): Entry | null {
  const list = Array.isArray(element.animations) ? (element.animations as readonly Json[]) : [];
  const index = list.findIndex((entry) => isJsonObject(entry) && entry.transition === true);
  const values = list[index];
  return isJsonObject(values) ? { index, values } : null;
}

/** Seconds of the document's clock in the middle of a cut. */
export function middleOf({ before, after }: Cut): number {
  return (after.start + Math.max(after.start, Math.min(endOf(before), endOf(after)))) / 2;
}

/** More is a gap. */
const tolerance = 0.0015;

/** @param frame Seconds: a gap that shows at no frame is none. */
function touch(before: Clip, after: Clip, frame: number): boolean {
  if (before.type === 'audio' || after.type === 'audio') return false;
  if (before.duration <= tolerance || after.duration <= tolerance) return false;
  const gap = after.start - endOf(before);
  return after.start > before.start + tolerance && gap < frame + tolerance;
}

/** The cuts of one row. @param row In the order of time. */
export function cutsOf(row: readonly Clip[], frame: number): readonly Cut[] {
  const seen = row.filter(({ type, duration }) => type !== 'audio' && duration > tolerance);
  return seen.flatMap((after, index): Cut[] => {
    const before = seen[index - 1];
    return before && touch(before, after, frame) ? [{ before, after }] : [];
  });
}

/**
 * The cut at which a clip begins: with the one before it on its row, else, of pictures and videos, with the only one on
 * another row that ends there and lies beside it with nothing in between.
 */
export function cutBefore(clips: Clips, after: Clip, frame: number): Cut | null {
  const own = cutsOf(rowOf(clips, after), frame).find((cut) => cut.after === after);
  if (own || !isMedia(after)) return own ?? null;
  const siblings = siblingsOf(clips, after);
  const ending = siblings.filter(
    (one) =>
      isMedia(one) && Math.abs(endOf(one) - after.start) < tolerance && touch(one, after, frame),
  );
  const [before] = ending;
  if (!before || ending.length > 1) return null;
  const isFollowed = cutsOf(rowOf(clips, before), frame).some((cut) => cut.before === before);
  const lanes = lanesOf(siblings.map(({ track }) => track));
  const ends = [before, after].map((one) => lanes[siblings.indexOf(one)] ?? 0);
  const isBetween = siblings.some((one, index) => {
    const lane = lanes[index] ?? 0;
    const isThere = one.start < endOf(after) - tolerance && endOf(one) > after.start + tolerance;
    return one !== after && isThere && lane >= Math.min(...ends) && lane <= Math.max(...ends);
  });
  return isFollowed || isBetween ? null : { before, after };
}

const isMedia = ({ type }: Clip): boolean => type === 'image' || type === 'video';
