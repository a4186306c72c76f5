/** Music turned down under speech: keyframes of its volume, where other clips are heard. Pure. */
import { duckingLine, usualDucking, type Span } from '../../../shared/engine/compile/ducking.ts';
import type { Json } from '../../../shared/renderscript/source.ts';
import { parseAmount } from '../../../shared/renderscript/units.ts';
import type { Change } from './change.ts';
import type { Clip, Clips } from './clips.ts';
import { fileTimeAt } from './file-time.ts';
import { hasSound, loudnessLine } from './sound.ts';

/** How loud a file is: its loudest moments, 0–255, so many for a second; `Peaks` of the engine in the page fits. */
export interface Loudness {
  readonly values: Uint8Array;
  readonly perSecond: number;
}

/** Of the loudest moment of a file, and of full scale: what is below is a pause. */
const pause = { share: 0.06, least: 0.008 } as const;
/** Seconds of a pause between two words. */
const breath = 0.5;

/**
 * The change that turns music down while other clips are heard. The whole loudness of each stays what it was at its
 * loudest, so that the change can be made again after clips were moved.
 *
 * @param music The clips that make way; every other one that is heard and no loop counts as speech.
 * @param peaksOf The sound of a clip as far as it is known: its pauses are then left out.
 * @returns null if nothing is heard beside the music
 */
export function duckedMusic(
  { byPath }: Clips,
  music: readonly Clip[],
  peaksOf: (clip: Clip) => Loudness | null,
): Change | null {
  const spans = [...byPath.values()]
    .filter((clip) => !music.includes(clip) && speaks(clip))
    .flatMap((clip) => heardIn(clip, peaksOf(clip)));
  const values = Object.fromEntries(
    music.flatMap((clip): [string, Json | undefined][] => {
      const { path, element, start, duration } = clip;
      const beside = spans.map(({ from, to }) => ({ from: from - start, to: to - start }));
      const decibels = parseAmount(element.duck)?.value || usualDucking;
      const line = duckingLine(beside, duration, decibels);
      if (line.length === 0) return [];
      const whole = Math.max(...loudnessLine(clip).map(({ percent }) => percent));
      const keys = line.map(({ time, value }) => ({
        time: Number(time.toFixed(3)),
        value: `${Number((whole * value).toFixed(1))}%`,
        easing: 'linear',
      }));
      const made: [string, Json | undefined][] = [[`${path}.volume`, keys]];
      // It is in the keyframes now.
      if (element.duck !== undefined) made.push([`${path}.duck`, undefined]);
      return made;
    }),
  );
  return Object.keys(values).length === 0 ? null : { values, order: null };
}

function speaks(clip: Clip): boolean {
  const { element, media } = clip;
  return (
    hasSound(clip) &&
    element.visible !== false &&
    media?.clip.loop !== true &&
    !parseAmount(element.duck)?.value &&
    loudnessLine(clip).some(({ percent }) => percent > 0)
  );
}

/** When a clip is heard, on the document's clock. */
function heardIn({ start, duration, media }: Clip, peaks: Loudness | null): readonly Span[] {
  if (!media || !peaks || media.clip.speeds) return [{ from: start, to: start + duration }];
  const { trimDuration, speed } = media.clip;
  const { values, perSecond } = peaks;
  const least = Math.max(
    255 * pause.least,
    pause.share * values.reduce((a, b) => Math.max(a, b), 0),
  );
  const end = Math.min(duration, trimDuration / speed);
  const found: { from: number; to: number }[] = [];
  const step = 1 / perSecond;
  for (let at = 0; at < end; at += step) {
    if ((values[Math.floor(fileTimeAt(media.clip, at) * perSecond)] ?? 0) < least) continue;
    const last = found.at(-1);
    const moment = start + at;
    if (last && moment - last.to < breath) last.to = moment + step;
    else found.push({ from: moment, to: moment + step });
  }
  return found;
}
