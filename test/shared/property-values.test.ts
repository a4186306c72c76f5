/**
 * Every property with good and bad values. What each sample is, and which sentence a bad one gets, is repeated here
 * from the rule's parameters, so that a slip in the checks shows. The JSON Schema and the compiler get the same values.
 */
import { describe, expect, test } from 'vitest';
import { compileTimeline } from '../../shared/engine/compile/compile.ts';
import { RenderError } from '../../shared/engine/errors.ts';
import {
  defaultOf,
  isUnset,
  properties,
  type Property,
  type PropertyOwner,
} from '../../shared/renderscript/properties.ts';
import type { NumberRule, Rule } from '../../shared/renderscript/rules.ts';
import { renderScriptSchema } from '../../shared/renderscript/schema.ts';
import {
  isJsonObject,
  problemSentence,
  type Json,
  type Source,
} from '../../shared/renderscript/source.ts';
import { validate } from '../../shared/renderscript/validate.ts';
import { isValid } from './json-schema.ts';

/** A value and what it is: a number with its unit, a word, or something of another kind. */
interface Sample {
  readonly value: Json;
  readonly is: 'number' | 'word' | 'color' | 'path' | 'boolean' | 'null' | 'other';
  readonly amount?: number;
  readonly unit?: string;
}

const units = ['%', '°', 'px', 'vw', 'vh', 'vmin', 'vmax', 's', 'fps', 'fr', 'Hz'];

// prettier-ignore
const samples: readonly Sample[] = [
  ...[0, 1, 2, 15, 50, 0.5, -1, -300, 100, 400, 1000, 1e9, -1e9].map((value): Sample => ({ value, is: 'number', amount: value, unit: '' })),
  ...['0', '50', '-1', ' 7 ', '+3', '.5', '1e2', '-300.5'].map((value): Sample => ({ value, is: 'number', amount: Number(value), unit: '' })),
  ...units.flatMap((unit): Sample[] => [
    { value: `50${unit}`, is: 'number', amount: 50, unit },
    { value: `-300 ${unit}`, is: 'number', amount: -300, unit },
  ]),
  ...['6deg', '2em', '1.5rem', '10pt', '3ms', '50 %%'].map((value): Sample => ({ value, is: value.includes('%%') ? 'other' : 'number', amount: Number.parseFloat(value), unit: value.replace(/[\d.]+/, '') })),
  ...['auto', 'media', 'end', 'start', 'none', 'bold', 'normal', 'AUTO', 'undefined', 'NaN', 'Infinity'].map((value): Sample => ({ value, is: 'word' })),
  ...['#fff', '#ff000080', 'rgba(1, 2, 3, 0.5)', 'hsl(120, 50%, 50%)', 'red'].map((value): Sample => ({ value, is: 'color' })),
  ...['#12345', 'rgb(1, 2)', 'url(x)', '', ' ', 'true', '1,5', '0x10', '1 2', '--1', '{{x}}', '\u0000', '5 % 5', '1e999'].map((value): Sample => ({ value, is: 'other' })),
  { value: 'M 0 0 L 1 1 Z', is: 'path' }, { value: 'M0 0A1', is: 'other' },
  { value: true, is: 'boolean' }, { value: false, is: 'boolean' },
  { value: null, is: 'null' },
  ...[{}, { value: 1 }, { x: 1, y: 2 }, [[]], [[1, 2], [3, 4]], [1, 2], [null], ['a'], [{ offset: 2 }], { length: 1 }].map((value): Sample => ({ value, is: 'other' })),
];

const owners = (row: Property): PropertyOwner => row.on[0]!;

/** The sentence that a sample must get; null = it is good; undefined = the rule's kind is judged elsewhere. */
function expected(rule: Rule, sample: Sample): string | null | undefined {
  const { value } = sample;
  if (value === null) return rule.nullable === true ? null : 'Expected a value, found null';
  switch (rule.kind) {
    case 'number':
      return expectedOfNumber(rule, sample);
    case 'enum':
      return typeof value === 'string' && rule.values.includes(value)
        ? null
        : `Expected one of these values: ${rule.values.join(', ')}`;
    case 'string':
      return typeof value === 'string' ? null : 'Expected a string';
    case 'boolean':
      return typeof value === 'boolean' ? null : 'Expected true or false';
    case 'color':
      return sample.is === 'color' ? null : 'Expected a color';
    case 'fill':
      return sample.is === 'color' ? null : Array.isArray(value) ? undefined : 'Expected a color';
    case 'path':
      // An empty outline is one that draws nothing.
      return sample.is === 'path' || (typeof value === 'string' && value.trim() === '')
        ? null
        : 'Expected a path such as M 0 0 L 100 0 L 100 100 Z';
    case 'warp':
      return 'Expected rows of at least two points with x and y';
    case 'elements':
      return Array.isArray(value) ? undefined : 'Expected a list of elements';
    case 'animations':
      return Array.isArray(value) && value.every(isJsonObject)
        ? null
        : 'Expected a list of animations';
    case 'fonts':
      return 'Expected a list of fonts with family and source';
    case 'variables':
      return isJsonObject(value) && Object.values(value).every((item) => typeof item === 'number')
        ? null
        : 'Expected names with a text, a number, true or false';
    case 'colors':
      // None of the others has colors in it.
      return isJsonObject(value) && Object.keys(value).length === 0
        ? null
        : 'Expected colors by colors, such as {"#ff0000": "#00aa55"}';
    case 'transcript':
      return typeof value === 'string'
        ? null
        : 'Expected a name, an address, subtitles, or a list of words with time and value';
  }
}

function expectedOfNumber(
  rule: NumberRule,
  { value, is, amount = Number.NaN, unit = '' }: Sample,
): string | null {
  if (
    is === 'word' &&
    (rule.words?.some((word) => word === value) === true ||
      (value === 'auto' && rule.auto === true))
  )
    return null;
  const asked = rule.units.filter((known) => !['s', 'fps', 'fr'].includes(known));
  const form = rule.words
    ? `Expected a number or the value ${rule.words.map((word) => `'${word}'`).join(' or ')}`
    : asked.length === 0
      ? 'Expected a number'
      : `Expected a number ending with ${asked.join(' or ')}`;
  const known = unit === '' ? rule.bare !== null : rule.units.some((name) => name === unit);
  if (is !== 'number' || !known) return form;
  const { min = -Infinity, max = Infinity } = rule;
  if (amount < min || amount > max) {
    if (max === Infinity) return `Expected a number that is at least ${min}`;
    return `Expected a number between ${min} and ${max}`;
  }
  return rule.integer && !Number.isInteger(amount) ? 'Expected a whole number' : null;
}

/** What a sentence must say of a value that was found. */
function saidOf(value: Json): RegExp {
  if (typeof value === 'string' && value !== '') {
    const letters = value.replace(/[^\p{L}\p{N}\p{P}\p{S}]/gu, ' ').slice(0, 40);
    return new RegExp(`^; found '${letters.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`, 'u');
  }
  return typeof value === 'object' || value === ''
    ? /^; found (an empty text|an empty list|a list|an object|.+ (at position|as) .+)$/
    : new RegExp(`^; found ${String(value).replace(/[+.]/g, '\\$&')}(\\. Did you mean .+)?$`);
}

/** A small document in which one property has a value. */
function documentWith(owner: PropertyOwner, name: string, value: Json): Source {
  if (owner === 'root') return { output_format: 'png', width: 100, height: 50, [name]: value };
  return {
    output_format: 'png',
    width: 100,
    height: 50,
    elements: [{ type: owner, name: 'It', [name]: value }],
  };
}

const schema = renderScriptSchema();

describe.each(
  properties
    .filter(({ name, rule }) => !(name === 'type' || rule.kind === 'elements'))
    .map((row) => [`${owners(row)}.${row.name}`, row] as const),
)('%s', (_, row) => {
  const owner = owners(row);
  const isRoot = owner === 'root';

  test('bad values are told apart from good ones, and none of them makes anything crash', () => {
    let bad = 0;
    for (const sample of samples) {
      const source = documentWith(owner, row.name, sample.value);
      const errors = validate(source).filter(({ severity }) => severity === 'error');
      const found = errors.map(problemSentence);
      // An empty text leaves the property unset.
      const wanted = isUnset(row, sample.value) ? null : expected(row.rule, sample);
      const about = `${row.name} = ${JSON.stringify(sample.value)}`;
      const isSecondLook =
        isRoot && ['width', 'height', 'duration', 'output_format', 'name'].includes(row.name);
      if (wanted === null) {
        // A name of its own replaces the one that the sentences begin with; large sizes meet the limits of outputs.
        if (!isSecondLook) expect(found, about).toEqual([]);
        expect(isValid(schema, source, schema), `schema: ${about}`).toBe(true);
      } else {
        bad += 1;
        if (wanted !== undefined) {
          // Names only show when they are texts, so a wrong name is told by type and position.
          const element = isRoot
            ? ''
            : row.name === 'name'
              ? `${owner.charAt(0).toUpperCase()}${owner.slice(1)} 1.`
              : 'It.';
          // What was found follows, and perhaps what was meant.
          expect(found, about).toHaveLength(1);
          const begin = `${element}${row.name}: ${wanted}`;
          expect(found[0]?.slice(0, begin.length), about).toBe(begin);
          if (sample.value !== null) {
            expect(found[0]?.slice(begin.length), about).toMatch(saidOf(sample.value));
          }
          expect(errors[0]!.path).toBe(isRoot ? row.name : `elements[0].${row.name}`);
        } else {
          expect(found.length, about).toBeGreaterThan(0);
        }
        const isInsideString =
          wanted === 'Expected a color' ||
          wanted?.startsWith('Expected a path') ||
          /least|between|whole/.test(wanted ?? '');
        // Only validation looks inside strings, and knows which digits are too many for a number.
        const isForSchema =
          typeof sample.value !== 'string' || !(isInsideString || sample.value === '1e999');
        if (isForSchema) expect(isValid(schema, source, schema), `schema: ${about}`).toBe(false);
      }
      try {
        compileTimeline(source, { media: new Map(), scaling: {} });
      } catch (error) {
        expect(error, about).toBeInstanceOf(RenderError);
        expect(errors.length, `${about}: ${String(error)}`).toBeGreaterThan(0);
      }
    }
    // Of these nearly every JSON value is a good one.
    const easy = ['string', 'transcript'].includes(row.rule.kind);
    expect(bad).toBeGreaterThanOrEqual(easy ? 25 : 50);
  });

  test('absent, it is its default', () => {
    for (const each of row.on) {
      const usual = defaultOf(each, row.name);
      expect(
        validate(documentWith(each, row.name, usual)).filter(
          ({ severity }) => severity === 'error',
        ),
      ).toEqual([]);
      const bare: Source =
        each === 'root'
          ? {}
          : { elements: [{ type: each, ...(row.name !== 'name' && { name: 'It' }) }] };
      const [written, left] = [documentWith(each, row.name, usual), bare].map((source) => {
        // A size and a format of their own say nothing about the other properties' defaults.
        const sized = { ...source, width: 100, height: 50, output_format: 'png' };
        return compileTimeline(sized, { media: new Map(), scaling: {} });
      });
      expect(written).toEqual(left);
    }
  });

  test(row.keyframable ? 'takes keyframes' : 'takes no keyframes', () => {
    const usual = defaultOf(owner, row.name);
    const key = (value: Json): Json => [
      { time: 0, value },
      { time: '50%', value, easing: 'spring' },
      { time: 'end', value, easing: 'no-such' },
    ];
    const source = documentWith(owner, row.name, key(usual));
    const found = validate(source)
      .filter(({ severity }) => severity === 'error')
      .map(({ message }) => message);
    if (row.keyframable) {
      expect(found).toEqual([]);
      expect(isValid(schema, source, schema)).toBe(true);
      const { message, path } = validate(documentWith(owner, row.name, key({}))).find(
        ({ severity }) => severity === 'error',
      )!;
      expect(path).toMatch(/\[0\]\.value$/);
      expect(message).toMatch(/^Expected/);
      expect(
        validate(documentWith(owner, row.name, [{ time: 'soon', value: usual }]))[0],
      ).toMatchObject({
        message: "Expected a number or the value 'start' or 'end'; found 'soon'",
      });
    } else if (row.rule.kind !== 'transcript') {
      expect(found).toEqual([`Property '${row.name}' does not support keyframes`]);
    }
  });
});
