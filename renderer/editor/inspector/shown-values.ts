/** What the inspector shows of a property of one or several elements. Pure. */
import { keyframesOf, looksLikeKeyframes } from '../../../shared/renderscript/keyframes.ts';
import {
  defaultOf,
  property,
  type Property,
  type PropertyOwner,
} from '../../../shared/renderscript/properties.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../shared/renderscript/source.ts';

/** An element, or the document itself, whose properties are shown. */
export interface Subject {
  /** '' for the document. */
  readonly path: string;
  readonly owner: PropertyOwner;
  readonly values: JsonObject;
}

/** What is shown of a property. */
export type Shown =
  /** None has it: what that means is `value`; undefined where it means different things. */
  | { readonly kind: 'default'; readonly value: Json | undefined }
  /** All have this value. */
  | { readonly kind: 'same'; readonly value: Json }
  | { readonly kind: 'mixed' }
  /** It changes over time, in `of` of the elements; `count` keyframes in the first of these. */
  | { readonly kind: 'keyframes'; readonly count: number; readonly of: number }
  /** Filled in by variables of the document: `{{name}}`. */
  | { readonly kind: 'placeholder'; readonly text: string };

/** Properties whose text may hold placeholders and is typed all the same. */
const isTyped = ({ rule }: Property): boolean =>
  rule.kind === 'string' || rule.kind === 'transcript';

/** What all of them have of a property that they share. */
export function shownOf(subjects: readonly Subject[], name: string): Shown {
  const [first] = subjects;
  const row = first && property(first.owner, name);
  if (!first || !row) return { kind: 'mixed' };
  const values = subjects.map((subject) => subject.values[name]);
  const keyed = row.keyframable ? values.filter(isKeyed) : [];
  if (keyed.length > 0) {
    const [list] = keyed;
    return { kind: 'keyframes', count: Array.isArray(list) ? list.length : 0, of: keyed.length };
  }
  const [value] = values;
  if (values.every((other) => other === undefined)) {
    const standards = new Set(subjects.map(({ owner }) => JSON.stringify(defaultOf(owner, name))));
    return {
      kind: 'default',
      value: standards.size === 1 ? defaultOf(first.owner, name) : undefined,
    };
  }
  if (value === undefined || !values.every((other) => isSame(other, value)))
    return { kind: 'mixed' };
  if (typeof value === 'string' && value.includes('{{') && !isTyped(row))
    return { kind: 'placeholder', text: value };
  return { kind: 'same', value };
}

/** Keyframes, complete or not. */
function isKeyed(value: Json | undefined): boolean {
  return keyframesOf(value) !== null || looksLikeKeyframes(value);
}

function isSame(a: Json | undefined, b: Json): boolean {
  if (a === b) return true;
  return typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b);
}

/** Whether a property is written in any of them. */
export function isSet(subjects: readonly Subject[], name: string): boolean {
  return subjects.some(({ values }) => values[name] !== undefined);
}

/** The value at a path inside of another one, e.g. `[0].duration`; '' is the value itself. */
export function insideOf(
  value: Json | undefined,
  path: readonly (string | number)[],
): Json | undefined {
  let found = value;
  for (const step of path) {
    if (typeof step === 'number')
      found = Array.isArray(found) ? (found as readonly Json[])[step] : undefined;
    else found = isJsonObject(found) ? found[step] : undefined;
  }
  return found;
}

/** The kinds of what is selected. */
export const ownersOf = (subjects: readonly Subject[]): ReadonlySet<PropertyOwner> =>
  new Set(subjects.map(({ owner }) => owner));

/** Things by their places in the document. */
export const byPath = <Thing>(
  entries: readonly (readonly [path: string, thing: Thing])[],
): ReadonlyMap<string, Thing> => new Map(entries);

/** The place of a subject's property in the source. */
export const pathIn = ({ path }: Pick<Subject, 'path'>, name: string): string =>
  path === '' ? name : `${path}.${name}`;
