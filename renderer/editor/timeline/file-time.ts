/** When in its file a clip is. Pure. */
import { playedAt } from '../../../shared/engine/compile/speed.ts';
import type { MediaClip } from '../../../shared/engine/compile/timeline.ts';

/** Seconds into the file at a moment of the element's clock; what is over holds its last picture. */
export function fileTimeAt(clip: MediaClip | null, time: number): number {
  if (!clip) return 0;
  const played = Math.max(0, playedAt(clip, time));
  const within = clip.loop && clip.trimDuration > 0 ? played % clip.trimDuration : played;
  return clip.trimStart + Math.min(within, clip.trimDuration);
}
