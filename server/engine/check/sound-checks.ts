/** Sounds that are not heard, and mixes that are too loud. Pure. */
import type { Sound } from '../../../shared/engine/compile/timeline.ts';
import { stepsOf, valueAt } from '../../../shared/renderscript/fixes.ts';
import { pointerOf, type PatchStep } from '../../../shared/renderscript/json-patch.ts';
import type { Source } from '../../../shared/renderscript/source.ts';
import { parseAmount } from '../../../shared/renderscript/units.ts';
import type { CheckFacts, CheckRow, Fault } from './facts.ts';

/** Sounds with nothing in them. Videos are often recorded without; they count where nothing else is heard. */
const silent = ({ film }: CheckFacts): Fault[] => {
  if (!film?.sounds) return [];
  const { silent: all, peak } = film.sounds;
  return all
    .filter(({ withPicture }) => !withPicture || peak === null)
    .map(({ path, name }) => ({
      path,
      element: name,
      message: 'Expected a sound, found silence: nothing above −60 dB is heard of this part',
      cure: 'Use another file, or another part of it; look at its volume and fades.',
    }));
};

/** A mix that the limiter must turn down to fit into the file. */
const clipping = ({ source, film }: CheckFacts): Fault[] => {
  if (!film?.sounds) return [];
  const { peak, isLevelled, sounds } = film.sounds;
  if (peak === null || isLevelled || peak < 1) return [];
  const [loudest] = sounds.toSorted((a, b) => highest(b) - highest(a));
  if (!loudest) return [];
  const decibels = 20 * Math.log10(peak);
  const patch = quieter(source, sounds, headroom / peak);
  const what = sounds.length > 1 ? 'the sounds together' : 'it';
  return [
    {
      path: `${loudest.path}.volume`,
      element: loudest.name,
      // What is recorded at full scale is only just too loud.
      ...(decibels < 3 && { level: 'hint' as const }),
      message: `Expected a peak below 0 dB, found +${decibels.toFixed(1)} dB: ${what} would clip, and the limiter turns the loud moments down`,
      cure: 'Turn the sounds down, or set target_loudness for the film.',
      ...(patch && { patch }),
    },
  ];
};

/** −1 dB, as of finished files. */
const headroom = 10 ** (-1 / 20);

const highest = ({ volume }: Sound): number => Math.max(...volume.map(({ value }) => value));

/** All volumes by one factor, so that their balance stays; null where one of them moves. */
function quieter(
  source: Source,
  sounds: readonly Sound[],
  factor: number,
): readonly PatchStep[] | null {
  const steps: PatchStep[] = [];
  for (const { path } of sounds) {
    const written = valueAt(source, stepsOf(`${path}.volume`)) ?? '100%';
    const amount = parseAmount(written);
    if (amount === null || steps.length >= 20) return null;
    const value = `${Math.floor(amount.value * factor)}%`;
    steps.push({ op: 'add', path: pointerOf(stepsOf(`${path}.volume`)), value });
  }
  return steps;
}

/** The rows. */
export const soundChecks: readonly CheckRow[] = [
  { code: 'silent_sound', level: 'warning', find: silent },
  { code: 'sound_clips', level: 'warning', find: clipping },
];
