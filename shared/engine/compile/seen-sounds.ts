/**
 * Sounds made visible: which shapes follow the sound of which element, and when. Compile phase; pure. Layout makes
 * their outlines (layout/sound-path.ts).
 */
import { looseName } from '../../renderscript/same-name.ts';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  type Problem,
} from '../../renderscript/source.ts';
import { parseAmount } from '../../renderscript/units.ts';
import { defaultOf } from '../../renderscript/properties.ts';
import type { Schedule, ScheduledElement } from './schedule.ts';
import {
  soundForms,
  type CompositionElement,
  type SeenSound,
  type TimelineElement,
} from './timeline.ts';
import { readWord } from './values.ts';

/** Samples of a file's sound, one byte each (128 = silence), `sampleRate` a second, all channels in one. */
export type SoundSamples = Uint8Array;

/** Of `SoundSamples`: enough for tones up to 8 kHz. */
export const sampleRate = 16_000;

/** Whether a document has a shape that follows a sound. */
export function showsSound({ elements }: JsonObject): boolean {
  const lists = [elements];
  // Grows while it is read: documents may be nested deeper than the stack.
  for (const list of lists) {
    if (!Array.isArray(list)) continue;
    for (const element of list as readonly Json[]) {
      if (!isJsonObject(element)) continue;
      if (isSet(element.sound_source)) return true;
      if (element.elements !== undefined) lists.push(element.elements);
    }
  }
  return false;
}

const isSet = (name: Json | undefined): name is string =>
  typeof name === 'string' && name.trim() !== '';

/** A shape and the element whose sound it follows; null for a name that leads to none. */
interface Following {
  readonly shape: Placed;
  readonly heard: Placed | null;
}

interface Placed {
  readonly element: ScheduledElement;
  /** Seconds on the document's clock; in a looping composition, of its first pass. */
  readonly start: number;
  /** Of the composition that it is in. */
  readonly parent: string;
}

function followings({ elements }: Schedule): Following[] {
  const placed: Placed[] = [];
  const visit = (siblings: readonly ScheduledElement[], origin: number, parent: string): void => {
    for (const element of siblings) {
      const start = origin + element.start;
      placed.push({ element, start, parent });
      visit(element.children, start, element.path);
    }
  };
  visit(elements, 0, '');
  const byName = new Map<string, Placed[]>();
  for (const one of placed) {
    const { type, json, file } = one.element;
    if ((type !== 'audio' && type !== 'video') || (file && !file.info.hasAudio)) continue;
    for (const name of new Set([json.name, json.id].filter(isSet).map(looseName))) {
      const others = byName.get(name);
      if (others) others.push(one);
      else byName.set(name, [one]);
    }
  }
  return placed.flatMap((shape): Following[] => {
    const { type, json } = shape.element;
    if (type !== 'shape' || !isSet(json.sound_source)) return [];
    const found = byName.get(looseName(json.sound_source)) ?? [];
    // One beside it first.
    const heard = found.find(({ parent }) => parent === shape.parent) ?? found[0] ?? null;
    return [{ shape, heard }];
  });
}

/** The addresses of the files whose samples a document shows. */
export function seenFiles(schedule: Schedule): ReadonlySet<string> {
  return new Set(followings(schedule).flatMap(({ heard }) => heard?.element.file?.source ?? []));
}

/** What each such shape follows, by its path, and warnings for those that follow nothing. */
export function seenSounds(
  schedule: Schedule,
  samples: ReadonlyMap<string, SoundSamples>,
): { readonly byPath: ReadonlyMap<string, SeenSound>; readonly warnings: readonly Problem[] } {
  const byPath = new Map<string, SeenSound>();
  const warnings: Problem[] = [];
  for (const { shape, heard } of followings(schedule)) {
    const { json, path, name } = shape.element;
    if (!heard) {
      const wanted = isSet(json.sound_source) ? json.sound_source : '';
      const message = `No video or audio element with a sound is called '${wanted}': the shape shows silence`;
      warnings.push({
        ...{ path: `${path}.sound_source`, element: name, property: 'sound_source' },
        ...{ severity: 'warning', code: 'no_such_sound', message },
      });
    }
    const file = heard?.element.file;
    const amount = (key: string): number =>
      parseAmount(json[key] ?? defaultOf('shape', key))?.value ?? 0;
    byPath.set(path, {
      form: readWord(json, 'shape', shape.element, 'sound_form', soundForms),
      bars: amount('sound_bars'),
      gap: amount('sound_gap') / 100,
      samples: (file && samples.get(file.source)) ?? null,
      clip: file?.clip ?? null,
      from: heard ? heard.start - shape.start : 0,
      duration: heard?.element.duration ?? 0,
    });
  }
  return { byPath, warnings };
}

/** A composition whose shapes know what they follow. */
export function withSounds(
  composition: CompositionElement,
  sounds: ReadonlyMap<string, SeenSound>,
): CompositionElement {
  if (sounds.size === 0) return composition;
  const fill = (element: TimelineElement): TimelineElement => {
    if (element.type === 'composition') return withSounds(element, sounds);
    const sound = element.type === 'shape' ? sounds.get(element.path) : undefined;
    return sound && element.type === 'shape' ? { ...element, sound } : element;
  };
  return { ...composition, children: composition.children.map(fill) };
}
