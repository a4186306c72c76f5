/** When in its file a clip is. Pure. */
import { playedAt } from '../../../shared/engine/compile/speed.ts';
import type { MediaClip } from '../../../shared/engine/compile/timeline.ts';
import type { Clip } from './clips.ts';

/** Seconds into the file at a moment of the element's clock; what is over holds its last picture. */
export function fileTimeAt(clip: MediaClip | null, time: number): number {
  if (!clip) return 0;
  const played = Math.max(0, playedAt(clip, time));
  const within = clip.loop && clip.trimDuration > 0 ? played % clip.trimDuration : played;
  return clip.trimStart + Math.min(within, clip.trimDuration);
}

/* The beats of a sound where its clip plays them. */

/** Beats of one clip at most: an hour of fast music. */
const most = 12_000;

/**
 * Moments on the document's clock, in order. A clip whose speed changes has none.
 *
 * @param beats Seconds of the file, in order.
 */
export function beatsOfClip(
  { start, duration, media }: Pick<Clip, 'start' | 'duration' | 'media'>,
  beats: readonly number[],
): readonly number[] {
  if (!media || media.clip.speeds || media.clip.speed <= 0) return [];
  const { trimStart, trimDuration, speed, loop, plays = Infinity } = media.clip;
  const played = beats.filter((at) => at >= trimStart && at < trimStart + trimDuration);
  const pass = trimDuration / speed;
  const passes = loop && pass > 0 ? Math.min(plays, Math.ceil(duration / pass)) : 1;
  const found: number[] = [];
  for (let turn = 0; turn < passes; turn++) {
    for (const at of played) {
      const moment = turn * pass + (at - trimStart) / speed;
      if (moment > duration || found.length >= most) return found;
      found.push(start + moment);
    }
  }
  return found;
}
