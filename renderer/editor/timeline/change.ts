/** What a gesture in time does to a document: values, and the order of elements; for the text, and for a try. Pure. */
import {
  isJsonObject,
  type Json,
  type JsonObject,
  type Source,
} from '../../../shared/renderscript/source.ts';
import { applied, arrangeItems, parsePath, setValue } from '../source/json-text.ts';
import { PatchedText, type Patch } from '../source/patch.ts';

/**
 * Elements of a list that change places among themselves: at each of `places` stands then what stood at that of
 * `items`.
 */
export interface Arranged {
  readonly list: string;
  readonly places: readonly number[];
  readonly items: readonly number[];
}

/** New values by path, undefined = none; then new places. */
export interface Change {
  readonly values: Readonly<Record<string, Json | undefined>>;
  readonly order: Arranged | null;
}

export const noChange: Change = { values: {}, order: null };

export function isNone({ values, order }: Change): boolean {
  return Object.keys(values).length === 0 && order === null;
}

/** Its values, where a text of it needs no more than those. */
export function plainPatch({ values, order }: Change): Patch | null {
  const isPlain = order === null && Object.values(values).every((value) => value !== undefined);
  // None is undefined.
  return isPlain ? (values as Patch) : null;
}

/** A document's text after a change. */
export function changedText(text: string, { values, order }: Change): string {
  const made = Object.entries(values).reduce(
    (so, [path, value]) => applied(so, setValue(so, parsePath(path), value)),
    text,
  );
  if (!order) return made;
  return applied(made, arrangeItems(made, parsePath(order.list), order.places, order.items));
}

/** A document's text after several changes, one after the other; new values stand as its author writes them. */
export function textAfter(text: string, changes: readonly Change[]): string {
  return changes.reduce((made, change) => {
    const patch = plainPatch(change);
    return patch ? new PatchedText(made).with(patch) : changedText(made, change);
  }, text);
}

/** The same for what was read from it; what does not change is shared. */
export function changedSource(source: Source, { values, order }: Change): Source {
  const made = Object.entries(values).reduce<Json>(
    (so, [path, value]) => withValue(so, parsePath(path), value),
    source,
  );
  if (!order) return made as Source;
  const list = valueAt(made, parsePath(order.list));
  if (!Array.isArray(list)) return made as Source;
  const arranged = [...(list as readonly Json[])];
  order.places.forEach((place, at) => {
    arranged[place] = (list as readonly Json[])[order.items[at] ?? place] ?? null;
  });
  return withValue(made, parsePath(order.list), arranged) as Source;
}

/** Where the element of a path stands after a change. */
export function pathAfter(path: string, { order }: Change): string {
  if (!order || !path.startsWith(`${order.list}[`)) return path;
  const rest = path.slice(order.list.length + 1);
  const index = Number.parseInt(rest, 10);
  const at = order.items.indexOf(index);
  const place = at < 0 ? index : (order.places[at] ?? index);
  return `${order.list}[${place}${rest.slice(rest.indexOf(']'))}`;
}

type Key = string | number;

function valueAt(value: Json | undefined, path: readonly Key[]): Json | undefined {
  return path.reduce<Json | undefined>((at, key) => {
    if (Array.isArray(at)) return (at as readonly Json[])[Number(key)];
    return isJsonObject(at) ? at[key] : undefined;
  }, value);
}

function withValue(at: Json, [key, ...rest]: readonly Key[], value: Json | undefined): Json {
  if (key === undefined) return value ?? null;
  if (Array.isArray(at)) {
    const list = at as readonly Json[];
    if (rest.length === 0 && value === undefined) return list.toSpliced(Number(key), 1);
    if (Number(key) >= list.length) return [...list, withValue({}, rest, value)];
    return list.map((one, index) => (index === key ? withValue(one, rest, value) : one));
  }
  const object: JsonObject = isJsonObject(at) ? at : {};
  if (rest.length === 0 && value === undefined) {
    return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
  }
  return { ...object, [key]: withValue(object[key] ?? {}, rest, value) };
}
