/**
 * Checks a whole document against the tables and collects the problems, in document order. Used by the API, the engine
 * and the window's editor. Pure; never throws for any JSON.
 *
 * Wrong values are errors. Unknown names (properties, easings, animation options) are not problems here, because the
 * service ignores them; hints.ts reports them.
 */
import { animationTypes } from './animation-types.ts';
import { formatNamed } from './formats.ts';
import { foundInList, foundValue } from './found-value.ts';
import { keyframesOf, looksLikeKeyframes } from './keyframes.ts';
import { documentLimits } from './limits.ts';
import { otherPlaces } from './other-names.ts';
import { brokenLimits, brokenScaling, outputSize, type Scaling } from './output.ts';
import { pageReason } from './page-links.ts';
import {
  defaultOf,
  isUnset,
  property,
  withoutUnset,
  type Property,
  type PropertyOwner,
} from './properties.ts';
import { choiceExpectation, expectation, rules, withFound, type Expectation } from './rules.ts';
import {
  elementTypes,
  isJsonObject,
  unnamedElement,
  type ElementType,
  type Json,
  type JsonObject,
  type Problem,
  type Source,
} from './source.ts';
import { parseAmount } from './units.ts';

/** The place being checked, and the list for its problems. */
interface Place {
  readonly problems: ProblemList;
  /** Path of the object; '' for the document. */
  readonly path: string;
  /** The element's name in messages; '' for the document. */
  readonly element: string;
  readonly owner: PropertyOwner;
}

/** The reported problems of a document. */
interface ProblemList {
  readonly told: Problem[];
  /** How many there are of each severity. */
  error: number;
  warning: number;
}

/** Most errors to report, and most warnings; of the rest only the number. */
const mostProblems = 500;

/** Counts over the whole document. */
interface Tally {
  elements: number;
}

/**
 * All problems of a document, in document order. Errors make a render fail; warnings say what this version leaves out.
 * Without `scaling`, the limits on size are those of an unscaled render.
 */
export function validate(source: Source, scaling: Scaling = {}): Problem[] {
  const problems: ProblemList = { told: [], error: 0, warning: 0 };
  const root: Place = { problems, path: '', element: '', owner: 'root' };
  // A source comes from JSON, so it may be anything, despite its type.
  const given: unknown = source;
  if (!isJsonObject(given)) {
    const message = withFound('Expected an object', foundValue(given));
    report(root, '', { code: 'wrong_type', message });
    return problems.told;
  }
  const tally: Tally = { elements: 0 };
  checkObject(root, given, tally, 0);
  checkCount(root, tally);
  checkOutput(root, withoutUnset(given, 'root'), scaling);
  return [...problems.told, ...untold(problems)];
}

/** The problems that say how many others are not reported. */
function untold(problems: ProblemList): Problem[] {
  return (['error', 'warning'] as const).flatMap((severity): Problem[] => {
    const more = problems[severity] - mostProblems;
    if (more <= 0) return [];
    const message = `${more.toLocaleString('en-US')} more ${severity}s are not listed`;
    return [{ path: '', element: '', property: '', severity, code: 'more_problems', message }];
  });
}

/** An element's name in messages: its own, or type and position, e.g. `Text 3`. */
export function elementLabel(
  element: JsonObject,
  siblings: readonly unknown[],
  index: number,
): string {
  if (typeof element.name === 'string' && element.name !== '') return element.name;
  const { type } = element;
  if (!isElementType(type)) return `Element ${index + 1}`;
  let position = 1;
  for (const sibling of siblings.slice(0, index)) {
    if (isJsonObject(sibling) && sibling.type === type) position += 1;
  }
  return unnamedElement(type, position);
}

/** The names of all elements of a list, as from `elementLabel`, but counts thousands of elements only once. */
export function elementLabels(siblings: readonly unknown[]): readonly string[] {
  const counts = new Map<unknown, number>();
  return siblings.map((element, index) => {
    if (!isJsonObject(element)) return '';
    const { name, type } = element;
    const position = (counts.get(type) ?? 0) + 1;
    counts.set(type, position);
    if (typeof name === 'string' && name !== '') return name;
    return isElementType(type) ? unnamedElement(type, position) : `Element ${index + 1}`;
  });
}

/** Marks the problems whose element is called as another one of the document. */
export function markShared<Place extends Pick<Problem, 'element'>>(
  source: Source,
  problems: readonly Place[],
): readonly (Place & Pick<Problem, 'sharesName'>)[] {
  if (problems.every(({ element }) => element === '')) return problems;
  const [once, more] = [new Set<string>(), new Set<string>()];
  const lists: unknown[] = [source.elements];
  // Grows while it is read.
  for (const list of lists) {
    if (!Array.isArray(list)) continue;
    for (const label of elementLabels(list)) (once.has(label) ? more : once).add(label);
    for (const item of list as readonly unknown[])
      if (isJsonObject(item) && item.elements !== undefined) lists.push(item.elements);
  }
  return problems.map((problem) =>
    more.has(problem.element) ? { ...problem, sharesName: true } : problem,
  );
}

function isElementType(value: unknown): value is ElementType {
  return elementTypes.some((type) => type === value);
}

/** Checks the known properties of the document or of one element, in the order written. */
function checkObject(place: Place, object: JsonObject, tally: Tally, depth: number): void {
  for (const [name, value] of Object.entries(object)) {
    const row = property(place.owner, name);
    if (row === undefined || value === undefined || isUnset(row, value)) continue;
    if (name === 'elements') checkElements(place, value, tally, depth);
    else checkProperty(place, row, value);
  }
}

/** Checks a list of elements; `depth` counts the compositions around it. */
function checkElements(place: Place, value: Json, tally: Tally, depth: number): void {
  if (!Array.isArray(value)) {
    report(place, 'elements', expectation({ kind: 'elements' }, value));
    return;
  }
  if (depth > documentLimits.compositionDepth) {
    const message = `More than ${documentLimits.compositionDepth} compositions inside each other`;
    report(place, 'elements', { code: 'limit_exceeded', message });
    return;
  }
  const prefix = place.path === '' ? 'elements' : `${place.path}.elements`;
  const positions = new Map<ElementType, number>();
  // `Array.isArray` widens read-only lists to any[].
  const children: readonly unknown[] = value;
  children.forEach((child, index) => {
    tally.elements += 1;
    const path = `${prefix}[${index}]`;
    const at = {
      problems: place.problems,
      path,
      element: `Element ${index + 1}`,
      owner: place.owner,
    };
    if (!isJsonObject(child)) {
      const message = withFound('Expected an element', foundValue(child));
      report(at, '', { code: 'wrong_type', message });
      return;
    }
    const { type, name } = child;
    const named = typeof name === 'string' && name !== '' ? name : null;
    if (!isElementType(type)) {
      const problem =
        type === undefined || type === null
          ? expectation(rules.string, type)
          : typeExpectation(type);
      report({ ...at, element: named ?? at.element }, 'type', problem);
      return;
    }
    const position = (positions.get(type) ?? 0) + 1;
    positions.set(type, position);
    const element = named ?? unnamedElement(type, position);
    checkObject({ problems: place.problems, path, element, owner: type }, child, tally, depth + 1);
  });
}

/** The error for an unknown type, with the one that was probably meant. */
function typeExpectation(found: Json): Expectation {
  const wrong = choiceExpectation(elementTypes, found);
  const meant = typeof found === 'string' && typesByOtherNames.get(found.toLowerCase());
  if (!meant || wrong.instead !== undefined) return wrong;
  return { ...wrong, message: `${wrong.message}. Did you mean '${meant}'?`, instead: meant };
}

/** Other programs' names for element types. */
const otherTypes: Readonly<Record<ElementType, readonly string[]>> = {
  shape: ['rectangle', 'rect', 'square', 'circle', 'ellipse', 'polygon', 'path', 'line'],
  composition: ['group', 'scene', 'sequence', 'container', 'layer', 'frame', 'clips'],
  image: ['img', 'picture', 'photo', 'logo', 'gif', 'svg'],
  video: ['clip', 'movie', 'film'],
  audio: ['music', 'sound', 'voiceover', 'voice'],
  lottie: ['bodymovin', 'animation', 'json'],
  text: ['caption', 'captions', 'subtitle', 'subtitles', 'title', 'label'],
};

/** Also finds `shape` written as `Shape`. */
const typesByOtherNames: ReadonlyMap<string, ElementType> = new Map(
  elementTypes.flatMap((type) =>
    [type, ...otherTypes[type]].map((name): [string, ElementType] => [name, type]),
  ),
);

/** Checks one value, or each of its keyframes, and reports properties that aren't drawn yet. */
function checkProperty(place: Place, row: Property, value: Json): void {
  // Word timings look like keyframes, but are not.
  const isList = Array.isArray(value) && row.rule.kind !== 'transcript';
  const keyframes = isList ? keyframesOf(value) : null;
  if (keyframes !== null || (isList && looksLikeKeyframes(value))) {
    if (!row.keyframable) {
      const message = `Property '${row.name}' does not support keyframes`;
      report(place, row.name, { code: 'no_keyframes', message });
      return;
    }
    if (keyframes === null) {
      const message = withFound(
        'Expected every keyframe to have a time and a value',
        foundInList(value, (keyframe) => keyframesOf([keyframe]) !== null),
      );
      report(place, row.name, { code: 'wrong_keyframe', message });
      return;
    }
    keyframes.forEach((keyframe, index) => {
      report(place, row.name, expectation(rules.moment, keyframe.time), `[${index}].time`);
      report(place, row.name, expectation(row.rule, keyframe.value), `[${index}].value`);
    });
  } else {
    report(place, row.name, withOtherPlace(place, row, value, expectation(row.rule, value)));
  }
  if (row.name === 'animations') checkAnimations(place, value);
  const page = row.name === 'source' && typeof value === 'string' ? pageReason(value) : null;
  if (page !== null) warn(place, row.name, { code: 'page_address', message: page });
  if (!row.drawn && !isDefault(place.owner, row, value)) {
    const message =
      row.name === 'provider'
        ? 'No service is asked to make the file, so nothing of the element is seen or heard'
        : 'Not drawn by this version yet; the element is shown without it';
    warn(place, row.name, { code: 'not_drawn', message });
  }
}

/** A wrong word, with the property and value that say it where other programs write it here. */
function withOtherPlace(
  { owner }: Place,
  { name }: Property,
  value: Json,
  wrong: Expectation | null,
): Expectation | null {
  const words = ownOf(otherPlaces, name);
  const meant = words && typeof value === 'string' ? ownOf(words, value.toLowerCase()) : undefined;
  if (wrong === null || meant === undefined || wrong.instead !== undefined) return wrong;
  const [other = '', instead = ''] = meant.split(': ');
  if (other === name)
    return { ...wrong, message: `${wrong.message}. Did you mean '${instead}'?`, instead };
  if (property(owner, other) === undefined) return wrong;
  return { ...wrong, message: `${wrong.message}. Did you mean ${meant}?` };
}

function ownOf<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** Wrong options of animations are ignored, as in the service; only a type without effect gets a warning. */
function checkAnimations(place: Place, value: Json): void {
  if (!Array.isArray(value)) return;
  (value as readonly unknown[]).forEach((animation, index) => {
    if (!isJsonObject(animation)) return;
    const name = animation.type;
    if (typeof name === 'string' && animationTypes.has(name)) return;
    const what =
      typeof name === 'string' ? `animation '${shortened(name)}'` : 'animation without a type';
    const message = `Unknown ${what}; the element is shown without it`;
    warn(place, 'animations', { code: 'unknown_animation', message }, `[${index}].type`);
  });
}

function shortened(text: string): string {
  return text.length <= 40 ? text : `${text.slice(0, 40)}…`;
}

/** Whether a plain value has the same effect as omitting the property. */
function isDefault(owner: PropertyOwner, row: Property, value: Json): boolean {
  const usual = defaultOf(owner, row.name);
  if (value === null || value === usual) return value === usual;
  if (row.rule.kind !== 'number') return false;
  const amount = parseAmount(value);
  const usualAmount = parseAmount(usual);
  return amount !== null && usualAmount !== null && amount.value === usualAmount.value;
}

function checkCount(root: Place, { elements }: Tally): void {
  const found = elements.toLocaleString('en-US');
  const { elements: most, manyElements: many } = documentLimits;
  if (elements > most) {
    const message = `More than ${most.toLocaleString('en-US')} elements (${found})`;
    report(root, 'elements', { code: 'limit_exceeded', message });
  } else if (elements > many) {
    const message = `${found} elements; more than ${many.toLocaleString('en-US')} make rendering slow`;
    warn(root, 'elements', { code: 'many_elements', message });
  }
}

/**
 * Checks the limits of the output as far as the document alone decides them; the compiler checks the rest. Skips values
 * that are already wrong.
 */
function checkOutput(root: Place, source: JsonObject, scaling: Scaling): void {
  const named = source.output_format ?? defaultOf('root', 'output_format');
  const format = formatNamed(named);
  if (format === undefined) return;
  const number = (name: string): number | null =>
    sound(source, name) ? (parseAmount(source[name])?.value ?? null) : null;
  const width = number('width');
  const height = number('height');
  const scale = brokenScaling({ ...scaling, format, width: width ?? 0, height: height ?? 0 });
  if (scale !== null) {
    const message = `${scale.property} should be ${scale.what}`;
    report(root, '', { code: 'limit_exceeded', message });
  }
  const size = outputSize({ ...scaling, format, width: width ?? 1, height: height ?? 1 });
  const broken = brokenLimits({
    format,
    width: width === null || scale !== null ? null : size.width,
    height: height === null || scale !== null ? null : size.height,
    frameRate: number('frame_rate'),
    duration: number('duration'),
  });
  for (const { property: name, message, found } of broken) {
    const whole = found === null ? message : withFound(message, foundValue(found));
    report(root, name, { code: 'limit_exceeded', message: whole });
  }
}

/** Whether a root property is present and keeps its rule. */
function sound(source: JsonObject, name: string): boolean {
  const row = property('root', name);
  return (
    source[name] !== undefined && row !== undefined && expectation(row.rule, source[name]) === null
  );
}

function report(place: Place, name: string, found: Expectation | null, within = ''): void {
  if (found !== null) add(place, name, found, 'error', within);
}

function warn(place: Place, name: string, found: Expectation, within = ''): void {
  add(place, name, found, 'warning', within);
}

function add(
  { problems, path, element }: Place,
  name: string,
  expected: Expectation,
  severity: Problem['severity'],
  within: string,
): void {
  problems[severity] += 1;
  if (problems[severity] > mostProblems) return;
  const full = path === '' || name === '' ? path + name : `${path}.${name}`;
  problems.told.push({ path: full + within, element, property: name, severity, ...expected });
}
