/** Animations of a clip as the timeline shows and changes them. Pure. */
import { animationSpan } from '../../../shared/engine/compile/clock.ts';
import { transitionLength } from '../../../shared/renderscript/tracks.ts';
import { isJsonObject, type Json } from '../../../shared/renderscript/source.ts';
import type { Change } from './change.ts';
import type { Clip } from './clips.ts';
import { secondsLike } from './seconds.ts';

/** A part of a clip that is animated. */
export interface Region {
  /** In the element's `animations`. */
  readonly index: number;
  readonly type: string;
  /** `whole`: as long as the clip, so there is no length to change. */
  readonly kind: 'transition' | 'in' | 'out' | 'between' | 'whole';
  /** Seconds of the element's clock. */
  readonly from: number;
  readonly to: number;
}

const tolerance = 0.0015;

const entriesOf = ({ element }: Clip): readonly Json[] =>
  Array.isArray(element.animations) ? (element.animations as readonly Json[]) : [];

/** The animations of a clip, in the element's order. */
export function regionsOf(clip: Clip): readonly Region[] {
  return entriesOf(clip).flatMap((entry, index): Region[] => {
    if (!isJsonObject(entry) || typeof entry.type !== 'string') return [];
    const { type } = entry;
    if (entry.transition === true)
      return [{ index, type, kind: 'transition', from: 0, to: transitionLength(entry) }];
    const { start, duration } = animationSpan(entry, clip.duration);
    const isWhole =
      entry.duration === undefined && (entry.time === undefined || entry.time === null);
    const kind = isWhole
      ? 'whole'
      : entry.time === 'end'
        ? 'out'
        : start <= tolerance
          ? 'in'
          : 'between';
    return [{ index, type, kind, from: start, to: start + duration }];
  });
}

/** Where the handle of a region is, in seconds of the element's clock: the end that is not the clip's own. */
export const handleOf = ({ kind, from, to }: Region): number => (kind === 'out' ? from : to);

/** An animation made longer (or shorter) by dragging its handle; it fits into its clip, and lasts a frame at least. */
export function stretched(clip: Clip, index: number, by: number, frame: number): Change {
  const region = regionsOf(clip).find((one) => one.index === index);
  const entry = entriesOf(clip)[index];
  if (!region || region.kind === 'whole' || !isJsonObject(entry))
    return { values: {}, order: null };
  const before = region.to - region.from;
  const room = region.kind === 'between' ? clip.duration - region.from : clip.duration;
  const wished = before + (region.kind === 'out' ? -by : by);
  const length = Math.max(frame, Math.min(Math.max(room, before), wished));
  const path = `${clip.path}.animations[${index}].duration`;
  return { values: { [path]: secondsLike(entry.duration, length, 0) }, order: null };
}
