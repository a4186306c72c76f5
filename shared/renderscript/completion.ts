/**
 * Completions at a place of a document: names of properties, values, animations and their options. The editor passes
 * the path of the cursor. Made from the tables; pure.
 */
import { animationTypes, commonAnimationOptions, type AnimationOption } from './animation-types.ts';
import { easingCalls, easingNames } from './easing.ts';
import { defaultOf, propertiesOf, property, type PropertyOwner } from './properties.ts';
import { describeRule } from './reference.ts';
import { rules, type Rule } from './rules.ts';
import { elementTypes, isJsonObject, type Json, type Source } from './source.ts';

/** A path in a document: keys and indexes, e.g. `['elements', 2, 'x', 0, 'easing']`. */
export type JsonPath = readonly (string | number)[];

/** One completion. */
export interface Completion {
  /** The key to write, or the value's JSON text, e.g. `"cover"`, `true`. */
  readonly label: string;
  /** The allowed values, or where it belongs; one line without Markdown. */
  readonly detail: string;
  /** What it does. */
  readonly info: string;
}

/** The object or value that a path leads to. */
type Spot =
  | { readonly kind: 'owner'; readonly owner: PropertyOwner }
  | { readonly kind: 'animation'; readonly owner: PropertyOwner; readonly type: string }
  | { readonly kind: 'keyframe'; readonly rule: Rule }
  | { readonly kind: 'value'; readonly rule: Rule; readonly fallback: Json | undefined }
  | { readonly kind: 'easing' }
  | { readonly kind: 'animation type'; readonly owner: PropertyOwner }
  | { readonly kind: 'element type' };

/** The keys that an object may have but lacks; `path` leads to the object. */
export function keyCompletions(source: Source, path: JsonPath): readonly Completion[] {
  const spot = spotAt(source, path);
  const present = valueAt(source, path);
  const taken = isJsonObject(present) ? present : {};
  return keysOf(spot).filter(({ label }) => !Object.hasOwn(taken, label));
}

/** The allowed values; `path` leads to the value, which may be missing or wrong. */
export function valueCompletions(source: Source, path: JsonPath): readonly Completion[] {
  const spot = spotAt(source, path);
  switch (spot?.kind) {
    case 'value':
      return ruleValues(spot.rule, spot.fallback);
    case 'easing':
      return [
        ...easingNames.map((name) => offer(name, 'easing')),
        ...easingCalls.map((call) => offer(call, 'easing with numbers')),
      ];
    case 'animation type':
      return Array.from(animationTypes.values())
        .filter(({ target }) => target === 'element' || spot.owner === 'text')
        .map(({ name, target, meaning }) => offer(name, `${target} animation`, meaning));
    case 'element type':
      return elementTypes.map((type) => offer(type, 'element type'));
    default:
      return [];
  }
}

// ---- where the cursor is -------------------------------------------------------------------------------------------

function spotAt(source: Source, path: JsonPath): Spot | null {
  let owner: PropertyOwner = 'root';
  let at = 0;
  // Goes down the lists of elements to the element that the rest of the path belongs to.
  while (path[at] === 'elements' && typeof path[at + 1] === 'number') {
    at += 2;
    const element = valueAt(source, path.slice(0, at));
    const type = isJsonObject(element) ? element.type : undefined;
    const known = elementTypes.find((name) => name === type);
    const [next] = path.slice(at);
    if (known === undefined) {
      return next === 'type' && path.length === at + 1 ? { kind: 'element type' } : null;
    }
    owner = known;
  }
  const [name, ...rest] = path.slice(at);
  if (name === undefined) return { kind: 'owner', owner };
  if (typeof name !== 'string') return null;
  if (name === 'animations') return animationSpot(source, path, owner, rest);
  if (name === 'type' && owner !== 'root' && rest.length === 0) return { kind: 'element type' };
  const row = property(owner, name);
  if (row === undefined) return null;
  if (rest.length === 0) {
    return { kind: 'value', rule: row.rule, fallback: defaultOf(owner, name) };
  }
  return row.keyframable ? keyframeSpot(row.rule, rest) : null;
}

function keyframeSpot(rule: Rule, [index, key, ...deeper]: JsonPath): Spot | null {
  if (typeof index !== 'number' || deeper.length > 0) return null;
  switch (key) {
    case undefined:
      return { kind: 'keyframe', rule };
    case 'time':
      return { kind: 'value', rule: rules.moment, fallback: undefined };
    case 'value':
      return { kind: 'value', rule, fallback: undefined };
    case 'easing':
      return { kind: 'easing' };
    default:
      return null;
  }
}

function animationSpot(
  source: Source,
  path: JsonPath,
  owner: PropertyOwner,
  [index, key, ...deeper]: JsonPath,
): Spot | null {
  if (typeof index !== 'number' || deeper.length > 0) return null;
  const entry = valueAt(source, key === undefined ? path : path.slice(0, -1));
  const type = isJsonObject(entry) && typeof entry.type === 'string' ? entry.type : '';
  if (key === undefined) return { kind: 'animation', owner, type };
  if (key === 'type') return { kind: 'animation type', owner };
  if (key === 'easing') return { kind: 'easing' };
  const option = optionsOf(type).find(({ name }) => name === key);
  return option === undefined
    ? null
    : { kind: 'value', rule: option.rule, fallback: option.default };
}

function optionsOf(type: string): readonly AnimationOption[] {
  return [...commonAnimationOptions, ...(animationTypes.get(type)?.options ?? [])];
}

function valueAt(source: Source, path: JsonPath): unknown {
  let value: unknown = source;
  for (const step of path) {
    if (typeof step === 'number')
      value = Array.isArray(value) ? (value[step] as unknown) : undefined;
    else value = isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  }
  return value;
}

// ---- what fits there -----------------------------------------------------------------------------------------------

function keysOf(spot: Spot | null): readonly Completion[] {
  switch (spot?.kind) {
    case 'owner':
      return propertiesOf(spot.owner).map(([name, { rule, meaning, drawn, extension }]) => ({
        label: name,
        detail: plain(describeRule(rule)),
        info: [
          ...(extension ? ['(Extension.)'] : []),
          meaning,
          ...(drawn ? [] : ['Not drawn yet.']),
        ].join(' '),
      }));
    case 'animation':
      return [
        { label: 'type', detail: 'animation type', info: 'Kind of animation.' },
        ...optionsOf(spot.type).map(({ name, rule, meaning }) => ({
          label: name,
          detail: plain(describeRule(rule)),
          info: meaning,
        })),
      ];
    case 'keyframe':
      return [
        {
          label: 'time',
          detail: plain(describeRule(rules.moment)),
          info: "Moment on the element's clock.",
        },
        {
          label: 'value',
          detail: plain(describeRule(spot.rule)),
          info: 'What the property is then.',
        },
        { label: 'easing', detail: 'easing', info: 'How it moves there from the keyframe before.' },
      ];
    default:
      return [];
  }
}

/** Words, true and false, null, and the default with its unit as an example. */
function ruleValues(rule: Rule, fallback: Json | undefined): readonly Completion[] {
  const detail = plain(describeRule(rule));
  const values: readonly (Json | undefined)[] = [
    fallback,
    ...(rule.kind === 'enum' ? rule.values : []),
    ...(rule.kind === 'number' ? (rule.words ?? []) : []),
    ...(rule.kind === 'boolean' ? [true, false] : []),
    ...(rule.nullable === true ? [null] : []),
  ];
  const labels = values.flatMap((value) => (value === undefined ? [] : [JSON.stringify(value)]));
  return [...new Set(labels)].map((label) => ({
    label,
    detail,
    info: fallback !== undefined && label === JSON.stringify(fallback) ? 'The default.' : '',
  }));
}

function offer(text: string, detail: string, info = ''): Completion {
  return { label: JSON.stringify(text), detail, info };
}

/** The reference's text without its Markdown. */
function plain(markdown: string): string {
  return markdown.replaceAll('`', '');
}
