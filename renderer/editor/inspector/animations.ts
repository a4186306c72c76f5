/** Animations of an element while they are edited: when they run, and what becomes of them with another type. Pure. */
import {
  animationOption,
  animationTypes,
  commonAnimationOptions,
  type AnimationOption,
} from '../../../shared/renderscript/animation-types.ts';
import type { PropertyOwner } from '../../../shared/renderscript/properties.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../shared/renderscript/source.ts';

/** When an animation runs. `whole`: as long as its element; `at`: from a moment on. */
export const moments = ['start', 'end', 'whole', 'at', 'transition'] as const;
export type Moment = (typeof moments)[number];

/** Types that go on for as long as their element rather than bring it in. */
const lasting: ReadonlySet<string> = new Set([
  'pan',
  'shake',
  'bounce',
  'wiggle',
  'text-wave',
  'text-counter',
]);

/** The entries of a list; null for what is none, or holds something else. */
export function entriesOf(value: Json | undefined): readonly JsonObject[] | null {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) return null;
  const entries = (value as readonly Json[]).filter(isJsonObject);
  return entries.length === value.length ? entries : null;
}

/** When an entry runs. */
export function momentOf({ time, duration, transition }: JsonObject): Moment {
  if (transition === true) return 'transition';
  if (time === 'start' || time === 'end') return time;
  const isTimed = time !== undefined && time !== null;
  if (isTimed) return 'at';
  return duration === undefined || duration === null ? 'whole' : 'start';
}

/** New values of an entry; undefined takes one away. */
export type EntryChange = Readonly<Record<string, Json | undefined>>;

/** Types that in a transition show half of both pictures, or what lies behind, while they also fade: the default. */
const mixing: ReadonlySet<string> = new Set(['wipe', 'circular-wipe', 'scale']);

/** A transition of this type shows whole pictures, unless its author says otherwise. */
const wholeIn = ({ fade }: JsonObject, type: Json | undefined): EntryChange =>
  typeof type === 'string' && mixing.has(type) && fade === undefined ? { fade: false } : {};

/** What an entry needs to run then. */
export function changeTo(moment: Moment, entry: JsonObject): EntryChange {
  const { duration } = entry;
  switch (moment) {
    case 'start':
    case 'end':
      return { time: moment, transition: undefined };
    case 'whole':
      return { time: undefined, duration: undefined, transition: undefined };
    case 'at':
      return { time: 0, transition: undefined };
    case 'transition':
      return {
        time: 'start',
        duration: duration ?? 1,
        transition: true,
        ...wholeIn(entry, entry.type),
      };
  }
}

/** A new entry of a type. */
export function newEntry(type: string): JsonObject {
  return lasting.has(type) ? { type } : { time: 'start', duration: 1, type };
}

/** An entry of another type: what the new one has no word for goes. */
export function changeOfType(entry: JsonObject, type: string): EntryChange {
  const foreign = Object.keys(entry).filter(
    (name) => name !== 'type' && animationOption(type, name) === undefined,
  );
  const gone = Object.fromEntries(foreign.map((name) => [name, undefined]));
  return { type, ...gone, ...(entry.transition === true ? wholeIn(entry, type) : {}) };
}

/** Options that the inspector shows by itself. */
const apart = new Set(['time', 'transition', 'easing']);

/** The options of a type, common ones first, without those that have a place of their own. */
export function optionsOf(type: string, moment: Moment): readonly AnimationOption[] {
  const common = commonAnimationOptions.filter(
    ({ name }) => !apart.has(name) && !(name === 'duration' && moment === 'whole'),
  );
  return [...common, ...(animationTypes.get(type)?.options ?? [])];
}

/** The types that all of these owners can have, those of texts first. */
export function typesFor(owners: ReadonlySet<PropertyOwner>): readonly string[] {
  const isText = [...owners].every((owner) => owner === 'text');
  const all = [...animationTypes.values()];
  const texts = all.filter(({ target }) => target === 'text');
  return [...(isText ? texts : []), ...all.filter(({ target }) => target === 'element')].map(
    ({ name }) => name,
  );
}
