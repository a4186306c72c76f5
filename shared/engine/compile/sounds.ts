/**
 * Sounds: everything audible in a document, at any depth, on the document's clock. Compile phase; pure.
 */
import type { Json, JsonObject } from '../../renderscript/source.ts';
import { parseAmount, parseSeconds } from '../../renderscript/units.ts';
import { RenderError } from '../errors.ts';
import { defaultEasing } from './clock.ts';
import { duckingLine, withFactors } from './ducking.ts';
import { curveOf } from './keyframes.ts';
import { pointsOf, type CurvePoint } from './points.ts';
import type { Schedule, ScheduledElement } from './schedule.ts';
import { timePlayed } from './speed.ts';
import type { Sound, SoundFade } from './timeline.ts';

/** A looping composition with sound may repeat this often; more is a mistake, and would only cost memory. */
const mostPasses = 10_000;

/**
 * The budget for all sounds of a document: 1 for each visited element, once per pass of the loops around it, and
 * `soundCost` for a sound and each of its own passes. Nested loops multiply.
 */
const mostWork = 1_000_000;
const soundCost = 10;

/** Counts the work, and names the element that exceeds the budget. */
interface Budget {
  left: number;
}

/** A stretch of the document's clock in which sounds fade in or out: the overlap of a transition. */
interface Crossing {
  readonly kind: 'in' | 'out';
  readonly from: number;
  readonly to: number;
}

/** What a composition does to the sounds in it. */
interface Surroundings {
  /** Where its clock begins on the document's clock. */
  readonly offset: number;
  /** Silent after this. */
  readonly until: number;
  readonly crossings: readonly Crossing[];
  /** Of the whole document. */
  readonly budget: Budget;
}

/**
 * All sounds of a document, in document order; those of looping compositions once per pass.
 *
 * Silent and hidden elements have none. A sound ends with its element, its file, its pass of a loop, anything that cuts
 * its composition short, or the document, but not with a composition's own `duration`, which doesn't cut its content. A
 * cut sound still fades out at its end. Transitions cross-fade the sound of both sides at equal power. One with `duck`
 * is lower while others are heard that have none and are no loops.
 *
 * @throws RenderError `limit_exceeded` for a loop that repeats its sounds more than 10,000 times, and for loops (of
 * single sounds, too) that together repeat more than 100,000 times.
 */
export function soundsOf({ duration, elements }: Schedule): Sound[] {
  const budget = { left: mostWork };
  const heard = collect(elements, { offset: 0, until: duration, crossings: [], budget });
  const spans = heard
    .filter(({ duck, sound }) => duck === 0 && (!sound.clip.loop || sound.withPicture))
    .map(({ sound: { start, duration } }) => ({ from: start, to: start + duration }));
  return heard.map(({ duck, sound }) => {
    if (duck === 0) return sound;
    const { start } = sound;
    const beside = spans.map(({ from, to }) => ({ from: from - start, to: to - start }));
    const line = duckingLine(beside, sound.duration, duck);
    return { ...sound, volume: withFactors(sound.volume, line) };
  });
}

/** A sound, and by how many dB it makes way for others. */
interface Heard {
  readonly sound: Sound;
  readonly duck: number;
}

function collect(elements: readonly ScheduledElement[], surroundings: Surroundings): Heard[] {
  const crossings = crossingsOf(elements, surroundings.offset);
  return elements.flatMap((element, index) => {
    spend(surroundings.budget, 1, element);
    if (element.json.visible === false || element.duration === 0) return [];
    const own = crossings.get(index) ?? [];
    const around = { ...surroundings, crossings: [...surroundings.crossings, ...own] };
    if (element.type === 'composition') return collectInside(element, around);
    return element.type === 'audio' || element.type === 'video' ? soundOf(element, around) : [];
  });
}

function spend(budget: Budget, work: number, { name, path }: ScheduledElement): void {
  budget.left -= work;
  if (budget.left >= 0) return;
  const most = mostWork / soundCost;
  throw new RenderError(
    'limit_exceeded',
    `Source error: ${name}: With it the sounds of the document repeat more than ${most} times, which is the limit`,
    { path },
  );
}

/** The crossings that transitions between siblings cause, by the element's index. */
function crossingsOf(
  elements: readonly ScheduledElement[],
  offset: number,
): Map<number, Crossing[]> {
  const crossings = new Map<number, Crossing[]>();
  const add = (index: number, crossing: Crossing): void =>
    void crossings.set(index, [...(crossings.get(index) ?? []), crossing]);
  elements.forEach(({ predecessor, overlap, start }, index) => {
    const before = predecessor === null ? undefined : elements[predecessor];
    if (!before || predecessor === null || overlap === 0) return;
    const window = { from: offset + start, to: offset + before.start + before.duration };
    add(index, { kind: 'in', ...window });
    add(predecessor, { kind: 'out', ...window });
  });
  return crossings;
}

function collectInside(composition: ScheduledElement, surroundings: Surroundings): Heard[] {
  const { children, start, duration, cut, loop, plays, contentDuration, path, name } = composition;
  const offset = surroundings.offset + start;
  const end = Math.min(surroundings.until, offset + duration);
  if (!loop || contentDuration <= 0) {
    return collect(children, { ...surroundings, offset, until: cut ? end : surroundings.until });
  }
  if (!hasSound(children)) return [];
  const passes = Math.min(
    plays ?? Number.POSITIVE_INFINITY,
    Math.ceil((end - offset) / contentDuration - 1e-9),
  );
  if (passes > mostPasses) {
    throw new RenderError(
      'limit_exceeded',
      `Source error: ${name}: It repeats its sounds ${passes} times; the limit is ${mostPasses}`,
      { path },
    );
  }
  return Array.from({ length: Math.max(0, passes) }, (_, pass) => {
    const passStart = offset + pass * contentDuration;
    return collect(children, {
      ...surroundings,
      offset: passStart,
      until: Math.min(end, passStart + contentDuration),
    });
  }).flat();
}

function hasSound(elements: readonly ScheduledElement[]): boolean {
  return elements.some(({ file, children }) => file?.info.hasAudio === true || hasSound(children));
}

function soundOf(element: ScheduledElement, surroundings: Surroundings): Heard[] {
  const { offset, until, crossings, budget } = surroundings;
  const { json, file, path, name } = element;
  if (!file?.info.hasAudio) return [];
  const volume = loudnessOf(json, element.duration);
  if (volume.every(({ value }) => value === 0)) return [];
  const { clip, info } = file;
  const start = offset + element.start;
  const playable = timePlayed(clip, clip.trimDuration);
  if (playable <= 0) return [];
  const end = Math.min(
    start + (clip.loop ? element.duration : Math.min(element.duration, playable)),
    until,
  );
  if (end <= Math.max(0, start)) return [];
  spend(budget, soundCost * (clip.loop ? Math.ceil((end - start) / playable) : 1), element);
  const sound = {
    path,
    name,
    source: file.source,
    start,
    duration: end - start,
    clip,
    fileStart: info.picture?.start ?? 0,
    ...(info.soundTrack !== undefined && { track: info.soundTrack }),
    withPicture: info.kind === 'video',
    noiseReduction: parseAmount(json.noise_reduction)?.value || undefined,
    volume,
    fades: fadesOf(json, start, end, crossings),
  };
  return [{ sound, duck: parseAmount(json.duck)?.value ?? 0 }];
}

/**
 * The fades of a sound from `start` to `end`: its own, and those of audible transitions around it. An own fade at least
 * as long as a transition on the same side replaces it: two would be too much.
 */
function fadesOf(
  json: JsonObject,
  start: number,
  end: number,
  crossings: readonly Crossing[],
): SoundFade[] {
  const duration = end - start;
  const rise = Math.min(duration, seconds(json, 'audio_fade_in'));
  const fall = Math.min(duration, seconds(json, 'audio_fade_out'));
  const fades: SoundFade[] = [];
  if (rise > 0) fades.push({ kind: 'in', from: 0, to: rise, shape: 'straight' });
  if (fall > 0) fades.push({ kind: 'out', from: duration - fall, to: duration, shape: 'straight' });
  for (const { kind, from, to } of crossings) {
    const heard = kind === 'in' ? to - start : end - from;
    if (heard <= 0 || (kind === 'in' ? rise : fall) >= heard) continue;
    fades.push({ kind, from: from - start, to: to - start, shape: 'equal-power' });
  }
  return fades;
}

function seconds(json: JsonObject, name: string): number {
  return Math.max(0, parseSeconds(json[name]) ?? 0);
}

/**
 * The loudness of an element, 1 = 100 %, as points, so that mixing needs no easing: one point if constant.
 *
 * A number without a unit is a percentage too; above 100 % is louder than recorded, below 0 % is silent.
 *
 * @param duration Seconds of the element, for `end` and percent times of keyframes.
 */
export function loudnessOf(json: JsonObject, duration: number): CurvePoint[] {
  if (json.muted === true) return [{ time: 0, value: 0 }];
  const curve = curveOf(json.volume, 'number', volumeOf, { duration, easing: defaultEasing });
  if (!curve) return [{ time: 0, value: volumeOf(json.volume) }];
  // Overshooting easings must not invert a sound.
  const points = pointsOf(curve).map(({ time, value }) => ({ time, value: Math.max(0, value) }));
  const first = points[0]?.value;
  return points.every(({ value }) => value === first) ? points.slice(0, 1) : points;
}

function volumeOf(value: Json | undefined): number {
  return Math.max(0, parseAmount(value)?.value ?? 100) / 100;
}
