/** Reads a foreign document. Whatever of it no one asks for is noted, so that nothing is lost in silence. Pure. */
import { isJsonObject, type Json, type JsonObject } from '../renderscript/source.ts';

/** Something of the foreign document that is not in ours, or not as it was. */
export interface ImportNote {
  /** Its place there, e.g. `timeline.tracks[0].clips[2].filter`. */
  readonly path: string;
  /** In plain words: what became of it. */
  readonly message: string;
}

/** Takes notes. */
export type NoteTaker = (path: string, message: string) => void;

/** An object of a foreign document. Each look at a property counts as reading it. */
export interface Foreign {
  readonly path: string;
  /** The value as it stands; undefined if it is absent or null. */
  readonly get: (key: string) => Json | undefined;
  /** Undefined for what isn't a text with letters, or a number. */
  readonly text: (key: string) => string | undefined;
  /** Also of a text that is a number. Undefined for all else. */
  readonly number: (key: string) => number | undefined;
  readonly flag: (key: string) => boolean;
  /** An empty one if there is none. */
  readonly object: (key: string) => Foreign;
  /** The objects of a list, or the one object that stands in place of a list. */
  readonly objects: (key: string) => Foreign[];
  /** Leaves out properties that change nothing of the film. */
  readonly ignore: (...keys: string[]) => void;
  /** Notes a property, if it is there, as lost or changed. */
  readonly note: (key: string, message: string) => void;
  /** Notes the whole object as lost. */
  readonly skip: (message: string) => void;
  /** Notes everything that no one has read, here and below. */
  readonly finish: () => void;
}

/** Opens an object. */
export function openForeign(value: JsonObject, path: string, note: NoteTaker): Foreign {
  const read = new Set<string>();
  const opened: Foreign[] = [];
  let isSkipped = false;
  const placeOf = (key: string): string => (path === '' ? key : `${path}.${key}`);
  const get = (key: string): Json | undefined => {
    read.add(key);
    return Object.hasOwn(value, key) ? (value[key] ?? undefined) : undefined;
  };
  const open = (found: JsonObject, at: string): Foreign => {
    const foreign = openForeign(found, at, note);
    opened.push(foreign);
    return foreign;
  };
  return {
    path,
    get,
    text: (key) => {
      const found = get(key);
      if (typeof found === 'number') return String(found);
      return typeof found === 'string' && found.trim() !== '' ? found : undefined;
    },
    number: (key) => {
      const found = get(key);
      const number = typeof found === 'string' && found.trim() !== '' ? Number(found) : found;
      return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
    },
    flag: (key) => get(key) === true,
    object: (key) => {
      const found = get(key);
      return open(isJsonObject(found) ? found : {}, placeOf(key));
    },
    objects: (key) => {
      const found = get(key);
      if (isJsonObject(found)) return [open(found, placeOf(key))];
      if (!isList(found)) return [];
      return found.flatMap((entry, index) =>
        isJsonObject(entry) ? [open(entry, `${placeOf(key)}[${index}]`)] : [],
      );
    },
    ignore: (...keys) => {
      for (const key of keys) read.add(key);
    },
    note: (key, message) => {
      if (get(key) !== undefined) note(placeOf(key), message);
    },
    skip: (message) => {
      note(path, message);
      isSkipped = true;
    },
    finish: () => {
      if (isSkipped) return;
      for (const [key, found] of Object.entries(value)) {
        if (found !== null && !read.has(key)) note(placeOf(key), 'there is no such thing here');
      }
      for (const foreign of opened) foreign.finish();
    },
  };
}

/** The object without what is undefined. */
export function defined(entries: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined));
}

/** True for a list. Array.isArray alone makes `any` of its entries, because ours can't be written. */
export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** The type that an element of ours has. */
export function typeIn({ type }: JsonObject): string {
  return typeof type === 'string' ? type : '';
}

/** A share as percent, e.g. 0.255 as `25.5%`; undefined stays. */
export function percent(share: number): string;
export function percent(share: number | undefined): string | undefined;
export function percent(share: number | undefined): string | undefined {
  return share === undefined ? undefined : `${Number((share * 100).toFixed(3))}%`;
}

/** Places along one side: of the box's anchor and of its content alike. */
export const sides = {
  left: '0%',
  top: '0%',
  center: '50%',
  middle: '50%',
  right: '100%',
  bottom: '100%',
} as const;

/** What a word for a side says; undefined for another. */
export function sideFor(word: string | undefined): string | undefined {
  return word !== undefined && Object.hasOwn(sides, word)
    ? sides[word as keyof typeof sides]
    : undefined;
}

/** 0 or 1 for a word with that side in it, and 0.5 for others: `bottomLeft` is 0 from left to right. */
export function shareIn(word: string, first: RegExp, last: RegExp): number {
  if (first.test(word)) return 0;
  return last.test(word) ? 1 : 0.5;
}

/** A size of CSS: `72px` and 72 as 72, `5vw` as `5 vw`; undefined for units that we don't have. */
export function cssSize(size: Json | undefined): Json | undefined {
  if (typeof size === 'number') return size;
  const text = typeof size === 'string' ? size.trim() : '';
  const [, number, unit = 'px'] = /^([\d.]{1,9})\s?(px|vw|vh|vmin|vmax)?$/.exec(text) ?? [];
  if (number === undefined) return undefined;
  return unit === 'px' ? Number(number) : `${number} ${unit}`;
}

/** The first of the families of CSS, without quotes. */
export function cssFamily(families: string | undefined): string | undefined {
  return families?.split(',')[0]?.replace(/['"]/g, '').trim();
}

/** Names like `Text-2`, as the editor gives them. */
export function nameGiver(): (type: string) => string {
  const counts = new Map<string, number>();
  return (type) => {
    const count = (counts.get(type) ?? 0) + 1;
    counts.set(type, count);
    return `${type.charAt(0).toUpperCase()}${type.slice(1)}-${count}`;
  };
}
