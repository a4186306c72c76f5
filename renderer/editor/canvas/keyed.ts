/**
 * Changes that are written as keyframes at one moment: what an element has then, and a document's text with other
 * values at that moment. Pure.
 */
import { easingOr, defaultEasing, momentIn } from '../../../shared/engine/compile/clock.ts';
import { ease } from '../../../shared/engine/compile/easing.ts';
import { formatColor, parseColor } from '../../../shared/renderscript/color.ts';
import { keyframesOf, type RawKeyframe } from '../../../shared/renderscript/keyframes.ts';
import { defaultOf, property } from '../../../shared/renderscript/properties.ts';
import {
  elementTypes,
  type ElementType,
  type Json,
  type JsonObject,
} from '../../../shared/renderscript/source.ts';
import { parseAmount } from '../../../shared/renderscript/units.ts';
import { applied, insertItem, parsePath, setValue, type Node } from '../source/json-text.ts';
import { PatchedText, type Patch } from '../source/patch.ts';
import { tidySeconds } from '../timeline/seconds.ts';
import { pixelsIn, respelled, type LengthContext } from './length.ts';

/** An element at a moment of its own clock. */
export interface ElementMoment {
  /** Its place in the document. */
  readonly path: string;
  readonly element: JsonObject;
  /** Seconds from its start, and how long it lasts. */
  readonly at: number;
  readonly duration: number;
  /** Seconds of a frame. */
  readonly frame: number;
}

/** Says what the lengths of a property count of; null where that is not known. */
export type ContextOf = (name: string) => LengthContext | null;

const typeOf = ({ type }: JsonObject): ElementType | undefined =>
  elementTypes.find((one) => one === type);

/** A property whose value can move: a number or a colour. What only switches is better written by hand. */
export function canMove(element: JsonObject, name: string): boolean {
  const type = typeOf(element);
  const row = type && property(type, name);
  const kind = row?.rule.kind;
  return row?.keyframable === true && (kind === 'number' || kind === 'color' || kind === 'fill');
}

/** The value of a property at a moment, for one that has keyframes; else as written. */
export function valueAt(
  { element, at, duration }: ElementMoment,
  name: string,
  contextOf: ContextOf = () => null,
): Json | undefined {
  const keys = keyframesOf(element[name]);
  if (!keys) return element[name];
  const inTime = keys
    .map((key) => ({ key, time: momentIn(key.time, duration) ?? 0 }))
    .sort((a, b) => a.time - b.time);
  const after = inTime.findIndex(({ time }) => time > at);
  const [before, next] = [
    inTime[after < 0 ? inTime.length - 1 : after - 1],
    after < 0 ? undefined : inTime[after],
  ];
  if (!before) return next?.key.value;
  if (!next) return before.key.value;
  const share = ease(
    easingOr(next.key.easing, defaultEasing),
    (at - before.time) / (next.time - before.time),
  );
  return mixed(before.key, next.key, share, contextOf(name));
}

/** Between two keyframes, in the spelling of the first one. What has no values between keeps the first. */
function mixed(
  { value: from }: RawKeyframe,
  { value: to }: RawKeyframe,
  share: number,
  context: LengthContext | null,
): Json {
  const [a, b] = [parseAmount(from), parseAmount(to)];
  if (a && b) {
    if (a.unit === b.unit) return respelled(from, a.value + (b.value - a.value) * share, a.unit, 3);
    const [one, other] = [context && pixelsIn(from, context), context && pixelsIn(to, context)];
    const unit = context && a.value !== 0 && one !== null ? one / a.value : null;
    if (one === null || other === null || unit === null) return from;
    return respelled(from, (one + (other - one) * share) / unit, a.unit, 3);
  }
  const [red, blue] = [parseColor(from), parseColor(to)];
  if (!red || !blue) return from;
  const between = (index: 0 | 1 | 2 | 3): number => red[index] + (blue[index] - red[index]) * share;
  const whole = (index: 0 | 1 | 2): number => Math.round(between(index));
  return formatColor([whole(0), whole(1), whole(2), Number(between(3).toFixed(3))]);
}

/** The properties of an element that have keyframes and can move. */
export const movingNames = (element: JsonObject): readonly string[] =>
  Object.keys(element).filter(
    (name) => keyframesOf(element[name]) !== null && canMove(element, name),
  );

/** The element with the values of its moment in place of keyframes, of all that can move. */
export function elementAtMoment(moment: ElementMoment, contextOf?: ContextOf): JsonObject {
  const { element } = moment;
  const keyed = movingNames(element);
  if (keyed.length === 0) return element;
  const values = keyed.map((name) => [name, valueAt(moment, name, contextOf)] as const);
  return { ...element, ...Object.fromEntries(values) };
}

/** True if a time is that of a moment. The end of an element, which no frame shows, belongs to its last frame. */
export function isAtMoment({ at, duration, frame }: ElementMoment, time: number): boolean {
  const isLast = at > duration - frame * 1.5 && time > duration - frame / 2;
  return isLast || Math.abs(time - at) < frame / 2;
}

/** The index of the keyframe at a moment, the nearest of several; -1 for none. */
export function keyIndexAt(moment: ElementMoment, name: string): number {
  const { element, at, duration } = moment;
  const ways = (keyframesOf(element[name]) ?? []).flatMap(({ time }, index) => {
    const found = momentIn(time, duration);
    return found !== null && isAtMoment(moment, found)
      ? [{ index, way: Math.abs(found - at) }]
      : [];
  });
  const [nearest] = ways.sort((a, b) => a.way - b.way);
  return nearest?.index ?? -1;
}

/**
 * What a change makes of a property without keyframes: it is simply set, gets its first keyframe, or also one with its
 * value before at its beginning, unless that is the moment: else the new one would count for all the time.
 */
export type Plain = 'set' | 'key' | 'keys';

/**
 * Texts with other values at the moments of elements: what has keyframes gets one there, or another value of that one.
 * Has the form of `PatchedText`.
 */
export class KeyedText {
  readonly #text: string;
  readonly #tree: Node | null | undefined;
  readonly #moments: readonly ElementMoment[];
  readonly #plain: Plain;
  readonly #prepared = new Map<
    string,
    { readonly patched: PatchedText; readonly places: ReadonlyMap<string, string> }
  >();

  /** @param tree That of the text, if it is known already. */
  constructor(text: string, moments: readonly ElementMoment[], plain: Plain, tree?: Node | null) {
    this.#text = text;
    this.#moments = moments;
    this.#plain = plain;
    this.#tree = tree;
  }

  /** The document with values at the moments; those that can't move are simply set. */
  with(patch: Patch): string {
    const paths = Object.keys(patch);
    const key = paths.join('\n');
    const { patched, places } = this.#prepared.get(key) ?? this.#prepare(paths);
    this.#prepared.set(key, { patched, places });
    return patched.with(
      Object.fromEntries(
        Object.entries(patch).map(([path, value]) => [places.get(path) ?? path, value]),
      ),
    );
  }

  #prepare(paths: readonly string[]): {
    readonly patched: PatchedText;
    readonly places: ReadonlyMap<string, string>;
  } {
    const places = new Map<string, string>();
    let text = this.#text;
    for (const path of paths) {
      const at = path.lastIndexOf('.');
      const name = path.slice(at + 1);
      const moment = this.#moments.find((one) => one.path === path.slice(0, at));
      if (!moment || !canMove(moment.element, name)) continue;
      if (this.#plain === 'set' && !keyframesOf(moment.element[name])) continue;
      const found = this.#withKey(text, moment, name);
      text = found.text;
      places.set(path, `${path}[${found.index}].value`);
    }
    return {
      patched: new PatchedText(text, text === this.#text ? this.#tree : undefined),
      places,
    };
  }

  /** The text with a keyframe of a property at a moment, and that keyframe's index. */
  #withKey(
    text: string,
    moment: ElementMoment,
    name: string,
  ): { readonly text: string; readonly index: number } {
    const { path, element, at, duration, frame } = moment;
    const place = parsePath(`${path}.${name}`);
    const keys = keyframesOf(element[name]);
    const time = tidySeconds(at);
    if (keys) {
      const known = keyIndexAt(moment, name);
      if (known >= 0) return { text, index: known };
      const next = keys.findIndex((key) => (momentIn(key.time, duration) ?? 0) > at);
      const index = next < 0 ? keys.length : next;
      // The way to the next one keeps its easing, and the new one takes the same.
      const easing = keys[next]?.easing;
      const key = { time, value: 0, ...(easing !== undefined && { easing }) };
      return { text: applied(text, insertItem(text, place, key, index)), index };
    }
    const type = typeOf(element);
    const before = element[name] ?? (type ? defaultOf(type, name) : null);
    const isLater = this.#plain === 'keys' && at > frame / 2 && before !== null;
    const list: Json = [...(isLater ? [{ time: 0, value: before }] : []), { time, value: 0 }];
    return { text: applied(text, setValue(text, place, list)), index: list.length - 1 };
  }
}

/**
 * The text with keyframes at the moments that change nothing at them.
 *
 * @param names The properties; what is not known of them is passed over.
 */
export function withKeysAt(
  text: string,
  moments: readonly ElementMoment[],
  names: (element: JsonObject) => readonly string[],
  contextOf?: (path: string) => ContextOf,
): string {
  const patch: Record<string, Json> = {};
  for (const moment of moments) {
    const { element, path } = moment;
    const type = typeOf(element);
    for (const name of names(element)) {
      if (!type || !canMove(element, name)) continue;
      const value = valueAt(moment, name, contextOf?.(path)) ?? defaultOf(type, name);
      if (value !== null) patch[`${path}.${name}`] = value;
    }
  }
  return Object.keys(patch).length === 0 ? text : new KeyedText(text, moments, 'key').with(patch);
}

/** The properties to give keyframes to: those that have some; else its place. */
export function keyedNames(element: JsonObject): readonly string[] {
  const keyed = movingNames(element);
  return keyed.length > 0 ? keyed : ['x', 'y'];
}

/** Without the keyframe of a property at a moment; of the last one, its value stays. */
export function withoutKeyAt(text: string, moment: ElementMoment, name: string): string {
  const index = keyIndexAt(moment, name);
  const keys = keyframesOf(moment.element[name]);
  if (!keys || index < 0) return text;
  const place = parsePath(`${moment.path}.${name}`);
  return applied(
    text,
    keys.length > 1
      ? setValue(text, [...place, index], undefined)
      : setValue(text, place, keys[0]?.value ?? null),
  );
}
