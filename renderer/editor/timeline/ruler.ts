/** The scale of the timeline: pixels and seconds, and the marks of the ruler. Pure. */
import { clock } from '../preview/time.ts';

/** Pixels for a second: the least and the most. */
export const zooms = { least: 0.05, most: 2400 } as const;
/** Height of a clip, in pixels. */
export const clipHeight = 28;
export const zoomStep = 1.5;

/** Seconds between marks with a time, the first that leaves room for it. */
const steps = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600, 7200] as const;
/** Pixels that a time needs. */
const room = 72;

/** A mark at some pixels from the beginning; the small ones have no text. */
export interface Mark {
  readonly at: number;
  readonly text: string;
}

/** The marks of a part of the ruler, in pixels from the beginning. */
export function marksOf(
  scale: number,
  frameRate: number,
  from: number,
  to: number,
): readonly Mark[] {
  const frame = 1 / frameRate;
  // Closer than tenths it is frames that count.
  const frames = [1, 2, 5, 10].map((count) => count * frame).filter((step) => step < 0.1);
  const step = [...frames, ...steps].find((one) => one * scale >= room) ?? 14_400;
  const parts = step === 15 || step === 30 || step === 60 ? 3 : step <= frame ? 1 : 5;
  const small = step / parts;
  const first = Math.max(0, Math.floor(from / scale / small));
  const last = Math.ceil(to / scale / small);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => {
    const count = first + index;
    const isLarge = count % parts === 0;
    return {
      at: count * small * scale,
      text: isLarge ? textOf(count * small, step, frameRate) : '',
    };
  });
}

/** As short as the step allows. */
function textOf(seconds: number, step: number, frameRate: number): string {
  if (step >= 1) return clock(seconds, 1).slice(0, -2);
  if (step >= 0.1) return clock(seconds, 1);
  const frames = Math.round(seconds * frameRate);
  const [whole, rest] = [Math.floor(frames / frameRate), Math.round(frames % frameRate)];
  return rest === 0 ? clock(whole, 1).slice(0, -2) : `${rest}f`;
}

/** Keeps a scale within its bounds. */
export const boundScale = (scale: number): number =>
  Math.min(zooms.most, Math.max(zooms.least, scale));
