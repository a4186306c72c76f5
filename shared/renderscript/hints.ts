/**
 * Hints for whoever types a document: what the language passes over in silence, although it was hardly meant. For the editor
 * only; the API says nothing about them. Pure, and never throws whatever JSON it gets.
 */
import {
  animationOption,
  animationTypes,
  commonAnimationOptions,
  type AnimationOption,
} from './animation-types.ts';
import { easingNames, parseEasing } from './easing.ts';
import { properties, propertiesOf, property, type PropertyOwner } from './properties.ts';
import { keepsRule } from './rules.ts';
import { elementTypes, isJsonObject, type JsonObject, type Source } from './source.ts';
import { elementLabels } from './validate.ts';

/** Something that has no effect, or not the one that was meant. */
export interface Hint {
  /** Where in the document, e.g. `elements[2].animations[0].easing`. */
  readonly path: string;
  /** The element's name as in problems; empty for the document. */
  readonly element: string;
  readonly severity: 'hint';
  readonly code:
    | 'unknown_property'
    | 'foreign_property'
    | 'unknown_easing'
    | 'unknown_animation'
    | 'unknown_option'
    | 'wrong_option';
  readonly message: string;
  /** The one word that was probably meant: a property's or an option's name, or a value; null when none is near. */
  readonly instead: string | null;
}

interface Place {
  readonly hints: Hint[];
  readonly path: string;
  readonly element: string;
  readonly owner: PropertyOwner;
}

/** Deeper than any document that is accepted. */
const deepest = 64;

/** All hints, in document order. */
export function hintsOf(source: Source): Hint[] {
  const hints: Hint[] = [];
  const given: unknown = source;
  if (isJsonObject(given)) lookAtObject({ hints, path: '', element: '', owner: 'root' }, given, 0);
  return hints;
}

function lookAtObject(place: Place, object: JsonObject, depth: number): void {
  for (const [name, value] of Object.entries(object)) {
    const path = place.path === '' ? name : `${place.path}.${name}`;
    const row = property(place.owner, name);
    if (row === undefined) lookAtName(place, name, path);
    else if (name === 'elements') lookAtElements(place, value, path, depth);
    else if (name === 'animations') lookAtAnimations(place, value, path);
    else if (row.keyframable) lookAtEasings(place, value, path);
  }
}

function lookAtElements(place: Place, list: unknown, path: string, depth: number): void {
  if (!Array.isArray(list) || depth >= deepest) return;
  const siblings: readonly unknown[] = list;
  const labels = elementLabels(siblings);
  siblings.forEach((child, index) => {
    if (!isJsonObject(child)) return;
    const owner = elementTypes.find((type) => type === child.type);
    // An element without a type is an error already, and nobody knows which properties it has.
    if (owner === undefined) return;
    const element = labels[index] ?? '';
    lookAtObject(
      { hints: place.hints, path: `${path}[${index}]`, element, owner },
      child,
      depth + 1,
    );
  });
}

/** A name that the owner doesn't have: another type's property, a slip of the pen, or something unknown. */
function lookAtName(place: Place, name: string, path: string): void {
  // `$schema` and notes that people leave beside a property.
  if (/^[$_/]/.test(name)) return;
  const what = place.owner === 'root' ? 'The document' : withArticle(place.owner);
  const owners = properties.filter((row) => row.name === name).flatMap((row) => row.on);
  if (owners.length > 0) {
    const message = `${what} has no '${name}'; it belongs to ${owners.map((owner) => (owner === 'root' ? 'the document' : owner)).join(', ')}`;
    add(place, path, 'foreign_property', message, null);
    return;
  }
  const instead = nearest(
    name,
    propertiesOf(place.owner).map(([known]) => known),
  );
  add(place, path, 'unknown_property', `${what} has no '${name}'`, instead);
}

function withArticle(type: string): string {
  return /^[aeiou]/.test(type) ? `An ${type} element` : `A ${type} element`;
}

function lookAtEasings(place: Place, value: unknown, path: string): void {
  if (!Array.isArray(value)) return;
  (value as readonly unknown[]).forEach((keyframe, index) => {
    if (isJsonObject(keyframe) && keyframe.value !== undefined)
      lookAtEasing(place, keyframe.easing, `${path}[${index}].easing`);
  });
}

function lookAtEasing(place: Place, easing: unknown, path: string): void {
  if (easing === undefined || easing === null || parseEasing(easing) !== null) return;
  const message = `There is no easing ${quoted(easing)}; the default one is used`;
  const instead = typeof easing === 'string' ? nearest(easing, easingNames) : null;
  add(place, path, 'unknown_easing', message, instead);
}

function lookAtAnimations(place: Place, list: unknown, path: string): void {
  if (!Array.isArray(list)) return;
  (list as readonly unknown[]).forEach((entry, index) => {
    if (isJsonObject(entry)) lookAtAnimation(place, entry, `${path}[${index}]`);
  });
}

/** What editors of the service leave in animations without an effect. */
const leftovers = new Set(['track', 'property']);

function lookAtAnimation(place: Place, entry: JsonObject, path: string): void {
  const type = typeof entry.type === 'string' ? animationTypes.get(entry.type) : undefined;
  if (type === undefined) {
    // Validation warns of the type itself; here is what may have been meant.
    const instead =
      typeof entry.type === 'string'
        ? nearest(entry.type, Array.from(animationTypes.keys()))
        : null;
    if (instead !== null)
      add(
        place,
        `${path}.type`,
        'unknown_animation',
        `There is no animation ${quoted(entry.type)}`,
        instead,
      );
    return;
  }
  if (type.target === 'text' && place.owner !== 'text') {
    const message = `'${type.name}' moves pieces of a text and has no effect here`;
    add(place, `${path}.type`, 'unknown_animation', message, null);
  }
  const options = [...commonAnimationOptions, ...type.options];
  for (const [name, value] of Object.entries(entry)) {
    if (name === 'type' || leftovers.has(name)) continue;
    const at = `${path}.${name}`;
    const option = animationOption(type.name, name);
    if (option === undefined) {
      const instead = nearest(
        name,
        options.map((known) => known.name),
      );
      add(
        place,
        at,
        'unknown_option',
        `'${type.name}' has no option '${shortened(name)}'`,
        instead,
      );
    } else if (option.name === 'easing') {
      lookAtEasing(place, value, at);
    } else if (!keepsRule(option.rule, value) && !isDirectionWord(option, value)) {
      const words = option.rule.kind === 'enum' ? option.rule.values : [];
      const instead = typeof value === 'string' ? nearest(value, words) : null;
      const message = `${quoted(value)} is no value for '${name}'; the default ${quoted(option.default)} is used`;
      add(place, at, 'wrong_option', message, instead);
    }
  }
}

/** Directions in degrees are understood as words too. */
function isDirectionWord({ name, rule }: AnimationOption, value: unknown): boolean {
  return (
    name === 'direction' &&
    rule.kind === 'number' &&
    ['left', 'right', 'up', 'down'].some((word) => word === value)
  );
}

function add(
  { hints, element }: Place,
  path: string,
  code: Hint['code'],
  sentence: string,
  instead: string | null,
): void {
  const message = instead === null ? sentence : `${sentence}. Did you mean '${instead}'?`;
  hints.push({ path, element, severity: 'hint', code, message, instead });
}

function quoted(value: unknown): string {
  return typeof value === 'string' ? `'${shortened(value)}'` : shortened(JSON.stringify(value));
}

function shortened(text: string): string {
  return text.length <= 40 ? text : `${text.slice(0, 40)}…`;
}

/**
 * The known word that is nearest to what was written: `fontSize`, `font-size` and `fnt_size` are all `font_size`. Null when
 * none is near, or two are equally near.
 */
export function nearest(written: string, known: readonly string[]): string | null {
  if (written.length > 40) return null;
  const plain = simplified(written);
  // A short word is easily turned into another one.
  const reach = [0, 0, 0, 1, 1][plain.length] ?? 2;
  let best: string | null = null;
  let least = reach + 1;
  for (const word of known) {
    if (Math.abs(word.length - written.length) > reach + 4) continue;
    const distance = distanceBetween(plain, simplified(word));
    if (distance < least) [best, least] = [word, distance];
    else if (distance === least) best = null;
  }
  return best;
}

function simplified(word: string): string {
  return word.toLowerCase().replace(/[-_\s]/g, '');
}

/** Letters to insert, remove, replace or swap with their neighbour (optimal string alignment). */
function distanceBetween(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const same = from[i - 1] === to[j - 1];
      let cost = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (same ? 0 : 1),
      );
      if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1])
        cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1);
      row.push(cost);
    }
    [beforeLast, last] = [last, row];
  }
  return last[to.length] ?? 0;
}
