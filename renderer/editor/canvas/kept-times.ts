/** Elements that get another parent keep their times. Pure. */
import { isJsonObject, type Json } from '../../../shared/renderscript/source.ts';
import { changedText } from '../timeline/change.ts';
import { clipsOf, endOf, type Clip, type Clips } from '../timeline/clips.ts';
import { secondsLike } from '../timeline/seconds.ts';

/** Sums of fractions that differ by less are the same moment. */
export const tolerance = 0.0015;

/** An element and its time before, to be kept. */
export interface Wanted {
  /** Of the element in the new text. */
  readonly path: string;
  /** What it was before. */
  readonly clip: Clip;
}

/**
 * The text with the times written out that would otherwise have changed.
 *
 * @returns null where that is not enough
 */
export function keptTimes(
  text: string,
  wanted: readonly Wanted[],
  lengths: Readonly<Record<string, number>>,
): string | null {
  let made = text;
  // What follows another element moves with it: each round settles those before the next ones.
  for (let round = 0; round < 4; round++) {
    const clips = readClips(made, lengths);
    if (!clips) return null;
    const values: Record<string, Json> = {};
    for (const { path, clip } of wanted) {
      const now = clips.byPath.get(path);
      if (!now) return null;
      const isLate = Math.abs(now.start - clip.start) > tolerance;
      const isLong = Math.abs(shownEnd(now, clips) - endOf(clip)) > tolerance;
      if (isLate)
        values[`${path}.time`] = secondsLike(clip.element.time, clip.start - now.offset, now.whole);
      else if (isLong)
        values[`${path}.duration`] = secondsLike(clip.element.duration, clip.duration, now.whole);
    }
    if (Object.keys(values).length === 0) return made;
    made = changedText(made, { values, order: null });
  }
  return null;
}

/** Pictures end with what they are in. */
export function shownEnd(clip: Clip, { byPath }: Clips): number {
  const around = clip.type === 'audio' ? undefined : byPath.get(clip.parent);
  return around ? Math.min(endOf(clip), endOf(around)) : endOf(clip);
}

function readClips(text: string, lengths: Readonly<Record<string, number>>): Clips | null {
  try {
    const source: unknown = JSON.parse(text);
    return isJsonObject(source) ? clipsOf(source, lengths) : null;
  } catch {
    // With a comma behind the last item it is no JSON that can be read so.
    return null;
  }
}
