/**
 * Compiles an element's animations: times in seconds, options with defaults. Compile phase; pure. Their effects are in
 * animations.ts and text-animations.ts.
 */
import { animationTypes, type AnimationOption } from '../../renderscript/animation-types.ts';
import { keepsRule } from '../../renderscript/rules.ts';
import { isJsonObject, type Json, type JsonObject } from '../../renderscript/source.ts';
import { directionAngles } from './animation-options.ts';
import { isElementAnimation } from './animations.ts';
import { animationSpan, defaultEasing, easingOr } from './clock.ts';
import { transitionLength } from '../../renderscript/tracks.ts';
import type { ScheduledElement } from './schedule.ts';
import { isTextAnimation } from './text-animations.ts';
import type { Color, Length } from './property-values.ts';
import type { Animation } from './timeline.ts';
import { camelCase, settle, type Units } from './values.ts';

/** An element that comes in with a transition while this one is still visible. */
export interface Successor {
  readonly json: JsonObject;
  /** Seconds on this element's clock at which it comes in. */
  readonly start: number;
}

/**
 * The animations of an element: its own, and each successor's transition seen from the other side. Unknown types are
 * left out; validation has warned about them.
 */
export function readAnimations(
  { json, type, duration }: Pick<ScheduledElement, 'json' | 'type' | 'duration'>,
  successors: readonly Successor[],
  units: Units,
): Animation[] {
  const isText = type === 'text';
  const own = entriesOf(json.animations, isText).map((entry) => readEntry(entry, duration, units));
  const outgoing = successors.flatMap((successor) =>
    entriesOf(successor.json.animations, isText)
      .filter((entry) => entry.transition === true)
      .map((entry) => ({
        ...readEntry(entry, duration, units),
        start: successor.start,
        side: 'outgoing' as const,
      })),
  );
  return [...own, ...outgoing];
}

/** An entry of a known type. */
interface Entry extends JsonObject {
  readonly type: string;
}

function entriesOf(animations: Json | undefined, isText: boolean): Entry[] {
  if (!Array.isArray(animations)) return [];
  return animations.filter((entry: unknown): entry is Entry => {
    if (!isJsonObject(entry) || typeof entry.type !== 'string') return false;
    return isElementAnimation(entry.type) || (isText && isTextAnimation(entry.type));
  });
}

function readEntry(entry: Entry, elementDuration: number, units: Units): Animation {
  const { type } = entry;
  const options = readOptions(type, entry, units);
  const transition = entry.transition === true;
  const { start, duration } = transition
    ? { start: 0, duration: transitionLength(entry) }
    : animationSpan(entry, elementDuration);
  const easing = easingOr(entry.easing, defaultEasing);
  const reversed =
    entry.reversed === true || (!transition && entry.time === 'end' && entersOnly(type, options));
  return { type, start, duration, easing, reversed, transition, side: 'own', options };
}

/** Types that lead from hidden to shown with any options. */
const entrances = new Set([
  'fade',
  'slide',
  'rotate-slide',
  'wipe',
  'circular-wipe',
  'color-wipe',
  'stripe',
  'squash',
  'film-roll',
]);

/**
 * True if an animation leads from hidden to shown. At the element's end such an animation is an exit even if `reversed`
 * is missing: played forwards it would hide the element until its last moments.
 */
function entersOnly(type: string, options: Animation['options']): boolean {
  // Counting has its own direction.
  if (type === 'text-counter') return false;
  if (entrances.has(type) || isTextAnimation(type)) return true;
  return type === 'scale' && options.endScale === 1 && options.startScale !== 1;
}

/** Every option of a type; absent and (silently) invalid ones get the table's default. */
function readOptions(type: string, entry: JsonObject, units: Units): Animation['options'] {
  const settled: Record<string, Animation['options'][string]> = {};
  for (const option of animationTypes.get(type)?.options ?? []) {
    const value = ownValue(option, entry);
    // Animation options are numbers, words, booleans and colours, which all settle to plain values.
    settled[camelCase(option.name)] = settle(option.rule, value, units) as
      string | number | boolean | Color | Length | null;
  }
  return settled;
}

function ownValue(option: AnimationOption, entry: JsonObject): Json {
  const written =
    entry[option.name] ??
    option.aliases.map((alias) => entry[alias]).find((value) => value !== undefined);
  if (written === undefined) return option.default;
  // Real documents use words for angles.
  if (option.name === 'direction' && option.rule.kind === 'number' && typeof written === 'string') {
    const angle = directionAngles[written];
    if (angle !== undefined) return angle;
  }
  return keepsRule(option.rule, written) ? written : option.default;
}
