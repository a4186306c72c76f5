/**
 * Compiling again a document of which only painted values differ, as at each step of a gesture and each letter typed:
 * what it costs depends on the change, not on the document. Pure. The result is that of compile.ts;
 * test/engine/recompile.test.ts holds both to each other.
 */
import { property, withoutUnset, type PropertyOwner } from '../../renderscript/properties.ts';
import {
  elementTypes,
  isJsonObject,
  type ElementType,
  type Json,
  type JsonObject,
  type Source,
} from '../../renderscript/source.ts';
import type { Animated, FillValues } from './property-values.ts';
import type { CompositionElement, Timeline, TimelineElement } from './timeline.ts';
import { camelCase, isPainted, readValues, unitsOf, type Units } from './values.ts';

/** An element, or the document, of which painted values differ. */
export interface ValueChange {
  /** '' for the document. */
  readonly path: string;
  /** What it is now, without its elements. */
  readonly json: JsonObject;
  /** Names of the properties that differ, e.g. `fill_color`. */
  readonly names: ReadonlySet<string>;
}

/**
 * The painted values in which two documents differ, outermost first; null if they differ in anything else: elements,
 * times, files, animations, or whether something is visible, which decides what is heard, too.
 */
export function valueChanges(before: Source, after: Source): readonly ValueChange[] | null {
  const changes: ValueChange[] = [];
  return collect(before, after, 'root', () => '', changes) ? changes : null;
}

/**
 * Runs over the whole document at each step of a gesture, so makes nothing for what is the same.
 *
 * @returns whether only painted values differ
 */
function collect(
  before: JsonObject,
  after: JsonObject,
  owner: PropertyOwner,
  pathOf: () => string,
  changes: ValueChange[],
): boolean {
  if (before === after) return true;
  const names = differingNames(before, after);
  if (names) {
    for (const name of names) {
      const row = property(owner, name);
      if (!row || !isPainted(row) || name === 'visible' || name === 'look_lut') return false;
    }
    changes.push({ path: pathOf(), json: { ...withoutUnset(after, owner), elements: [] }, names });
  }
  return collectInside(before.elements, after.elements, pathOf, changes);
}

function differingNames(before: JsonObject, after: JsonObject): Set<string> | null {
  let names: Set<string> | null = null;
  for (const name of Object.keys(after)) {
    if (name !== 'elements' && !isSameJson(before[name], after[name]))
      names = (names ?? new Set()).add(name);
  }
  for (const name of Object.keys(before)) {
    // What is in both has been compared.
    if (after[name] === undefined && !Object.hasOwn(after, name))
      names = (names ?? new Set()).add(name);
  }
  return names;
}

function collectInside(
  before: Json | undefined,
  after: Json | undefined,
  pathOf: () => string,
  changes: ValueChange[],
): boolean {
  if (before === after) return true;
  if (!Array.isArray(before) || !Array.isArray(after) || before.length !== after.length)
    return false;
  // `Array.isArray` widens read-only lists to any[].
  const [old, now]: (readonly unknown[])[] = [before, after];
  const within = (index: number): string =>
    [pathOf(), `elements[${index}]`].filter((part) => part !== '').join('.');
  return (now ?? []).every((element, index) => {
    const last = old?.[index];
    if (!isJsonObject(element) || !isJsonObject(last)) return false;
    const owner = elementTypes.find((type) => type === element.type);
    return (
      owner !== undefined &&
      owner === last.type &&
      collect(last, element, owner, () => within(index), changes)
    );
  });
}

function isSameJson(one: Json | undefined, other: Json | undefined): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const names = Object.keys(one);
  if (names.length !== Object.keys(other).length) return false;
  // Both are lists, whose names are places, or objects.
  const [left, right] = [one as JsonObject, other as JsonObject];
  return names.every((name) => Object.hasOwn(right, name) && isSameJson(left[name], right[name]));
}

/**
 * The timeline of a document of which only these values differ. What has not changed is the identical object, so that
 * layout keeps what it made of it (`Layout.follow`).
 *
 * @param before The timeline of the document without the changes.
 * @throws RenderError `invalid_source` as compiling does.
 */
export function recompiled(before: Timeline, changes: readonly ValueChange[]): Timeline {
  const units = unitsOf(before.width, before.height);
  return changes.reduce((timeline: Timeline, change): Timeline => {
    if (change.path === '') {
      const { fill, root } = timeline;
      const { duration } = root;
      const read = readValues<FillValues>(change.json, 'root', documentPlace, { units, duration });
      return { ...timeline, fill: withKept(fill, read, change.names) };
    }
    return { ...timeline, root: changedIn(timeline.root, change, units) };
  }, before);
}

const documentPlace = { path: '', name: '' };

/** A composition with a change to itself or anything in it. */
function changedIn(
  composition: CompositionElement,
  change: ValueChange,
  units: Units,
): CompositionElement {
  const { path } = change;
  const index = composition.children.findIndex(
    (child) => path === child.path || path.startsWith(`${child.path}.`),
  );
  const child = composition.children[index];
  if (!child) throw new Error(`${path} is not in the compiled document`);
  const children = composition.children.slice();
  children[index] =
    child.path !== path && child.type === 'composition'
      ? changedIn(child, change, units)
      : changedElement(child, change, units);
  return { ...composition, children };
}

function changedElement(
  element: TimelineElement,
  change: ValueChange,
  units: Units,
): TimelineElement {
  // As it is named in the document: a picture may be shown by a video element.
  const owner = elementTypes.find((type): type is ElementType => type === change.json.type);
  if (!owner) throw new Error(`${change.path} has no type`);
  const scales = { units, duration: element.duration };
  const read = readValues<object>(change.json, owner, element, scales);
  // `as`: of the same type as before, and so have the same values.
  return { ...element, values: withKept(element.values, read, change.names) } as TimelineElement;
}

/** Lists and objects that were not changed stay the same objects: layout asks whether they are. */
function withKept<P extends object>(
  before: Animated<P>,
  now: Animated<P>,
  names: ReadonlySet<string>,
): Animated<P> {
  const changed = new Set(Array.from(names, camelCase));
  return {
    base: keep(before.base, now.base, changed),
    curves: keep(before.curves, now.curves, changed),
  };
}

function keep<T extends object>(before: T, now: T, changed: ReadonlySet<string>): T {
  const kept = { ...now };
  for (const name in now) {
    const value = before[name];
    if (!changed.has(name) && typeof value === 'object' && value !== null) kept[name] = value;
  }
  return kept;
}
