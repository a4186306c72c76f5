/**
 * Sounds: everything that sounds in a document, at any depth, laid flat on the document's clock. Compile phase; pure.
 */
import type { JsonObject } from '../../../shared/renderscript/source.ts';
import { parseAmount, parseSeconds } from '../../../shared/renderscript/units.ts';
import { RenderError } from '../errors.ts';
import type { Schedule, ScheduledElement } from './schedule.ts';
import type { Sound } from './timeline.ts';

/** A looping composition with sound may repeat this often; more is a slip, and would only cost memory. */
const mostPasses = 10_000;

/** A stretch of the document's clock in which what sounds rises or falls: the overlap of a transition. */
interface Fade {
  readonly kind: 'in' | 'out';
  readonly from: number;
  readonly to: number;
}

/** What a composition does to the sounds in it. */
interface Surroundings {
  /** Where its clock begins on the document's clock. */
  readonly offset: number;
  /** Nothing sounds after this. */
  readonly until: number;
  readonly fades: readonly Fade[];
}

/**
 * All sounds of a document, in document order; those of looping compositions once per pass.
 *
 * Silent and hidden elements give none. A sound ends with its element, its file, its pass of a loop, whatever cuts its
 * composition short, and the document, but not with a composition's own `duration`, which doesn't cut its content. A
 * sound that is cut still fades out at its end. Transitions fade the sound of both sides across.
 *
 * @throws RenderError `limit_exceeded` for a loop that repeats its sounds more than 10,000 times.
 */
export function soundsOf({ duration, elements }: Schedule): Sound[] {
  return collect(elements, { offset: 0, until: duration, fades: [] });
}

function collect(elements: readonly ScheduledElement[], surroundings: Surroundings): Sound[] {
  const fades = transitionFades(elements, surroundings.offset);
  return elements.flatMap((element, index) => {
    if (element.json.visible === false || element.duration === 0) return [];
    const around = { ...surroundings, fades: [...surroundings.fades, ...(fades.get(index) ?? [])] };
    if (element.type === 'composition') return collectInside(element, around);
    return element.type === 'audio' || element.type === 'video' ? soundOf(element, around) : [];
  });
}

/** The fades that transitions between siblings ask for, by the element's index. */
function transitionFades(
  elements: readonly ScheduledElement[],
  offset: number,
): Map<number, Fade[]> {
  const fades = new Map<number, Fade[]>();
  const add = (index: number, fade: Fade): void =>
    void fades.set(index, [...(fades.get(index) ?? []), fade]);
  elements.forEach(({ predecessor, overlap, start }, index) => {
    const before = predecessor === null ? undefined : elements[predecessor];
    if (!before || predecessor === null || overlap === 0) return;
    const window = { from: offset + start, to: offset + before.start + before.duration };
    add(index, { kind: 'in', ...window });
    add(predecessor, { kind: 'out', ...window });
  });
  return fades;
}

function collectInside(composition: ScheduledElement, surroundings: Surroundings): Sound[] {
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

function soundOf(element: ScheduledElement, { offset, until, fades }: Surroundings): Sound[] {
  const { json, file, path, name } = element;
  const volume = volumeOf(json);
  if (!file?.info.hasAudio || volume === 0) return [];
  const { clip } = file;
  const start = offset + element.start;
  const playable = clip.trimDuration / clip.speed;
  if (playable <= 0) return [];
  const end = Math.min(
    start + (clip.loop ? element.duration : Math.min(element.duration, playable)),
    until,
  );
  if (end <= Math.max(0, start)) return [];
  const duration = end - start;
  const rises = fades
    .filter(({ kind, to }) => kind === 'in' && to > start)
    .map(({ to }) => to - start);
  const falls = fades
    .filter(({ kind, from }) => kind === 'out' && from < end)
    .map(({ from }) => end - from);
  return [
    {
      path,
      name,
      source: file.source,
      start,
      duration,
      clip,
      volume,
      fadeIn: Math.min(duration, Math.max(seconds(json, 'audio_fade_in'), ...rises)),
      fadeOut: Math.min(duration, Math.max(seconds(json, 'audio_fade_out'), ...falls)),
    },
  ];
}

/** 1 = as recorded; 0 = silent. A number without a unit is a percentage too. */
function volumeOf(json: JsonObject): number {
  if (json.muted === true) return 0;
  return Math.max(0, parseAmount(json.volume)?.value ?? 100) / 100;
}

function seconds(json: JsonObject, name: string): number {
  return Math.max(0, parseSeconds(json[name]) ?? 0);
}
