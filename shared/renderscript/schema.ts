/**
 * The JSON Schema (draft 2020-12) of documents, made from the tables, for completion and checks in editors. Pure.
 *
 * It accepts everything that validation accepts, and refuses wrong types, words and units. Only validation checks
 * bounds of numbers in strings, the syntax of paths and colours, and limits of whole documents. Unknown properties are
 * allowed, because the language ignores them.
 */
import { animationTypes, commonAnimationOptions, type AnimationOption } from './animation-types.ts';
import { easingCalls, easingNames } from './easing.ts';
import { isUnset, properties, type Property, type PropertyOwner } from './properties.ts';
import { rules, type NumberRule, type Rule } from './rules.ts';
import { elementTypes, type Json, type JsonObject } from './source.ts';

/** Names the dialect of the schema, as its `$schema`. */
const dialect = 'https://json-schema.org/draft/2020-12/schema';

/** Parts by name, collected while making the schema, so that each rule is in it once. */
type Definitions = Map<string, JsonObject>;

/** The schema of a whole document; equal tables give an equal schema. */
export function renderScriptSchema(): JsonObject {
  const definitions: Definitions = new Map();
  const groups = new Map<string, Property[]>();
  for (const row of properties) groups.set(row.group, [...(groups.get(row.group) ?? []), row]);
  for (const [name, rows] of groups) {
    definitions.set(groupName(name), {
      properties: Object.fromEntries(
        rows.map((row) => [row.name, propertySchema(row, definitions)]),
      ),
    });
  }
  for (const type of elementTypes) definitions.set(type, ownerSchema(type));
  definitions.set('element', elementSchema());
  definitions.set('animation', animationSchema());
  return {
    $schema: dialect,
    $id: 'urn:framewright:renderscript',
    title: 'RenderScript',
    description: 'A video, picture or GIF as JSON.',
    type: 'object',
    ...ownerSchema('root'),
    $defs: Object.fromEntries(definitions),
  };
}

function ref(name: string): JsonObject {
  return { $ref: `#/$defs/${name}` };
}

/** `Image and video` → `group-image-and-video`. */
function groupName(group: string): string {
  return `group-${group.toLowerCase().replace(/[^a-z]+/g, '-')}`;
}

// ---- document and elements -----------------------------------------------------------------------------------------

/** All groups of one owner, and its own defaults where they differ. */
function ownerSchema(owner: PropertyOwner): JsonObject {
  const rows = properties.filter((row) => row.on.includes(owner));
  const own = rows.flatMap((row): [string, JsonObject][] => {
    const fallback = row.defaults[owner];
    return fallback === undefined ? [] : [[row.name, { default: fallback }]];
  });
  return {
    allOf: [...new Set(rows.map((row) => groupName(row.group)))].map(ref),
    ...(own.length > 0 && { properties: Object.fromEntries(own) }),
  };
}

/** An element's type decides on its properties. */
function elementSchema(): JsonObject {
  return {
    type: 'object',
    required: ['type'],
    properties: { type: { enum: elementTypes } },
    allOf: elementTypes.map((type) => ({
      if: { required: ['type'], properties: { type: { const: type } } },
      then: ref(type),
    })),
  };
}

function propertySchema(row: Property, definitions: Definitions): JsonObject {
  const value = valueSchema(row.rule, row.name, definitions);
  const notes = [
    ...(row.extension ? ['(Extension.)'] : []),
    row.meaning,
    ...(row.drawn ? [] : ['Not drawn yet.']),
  ];
  // The type is required, so it has no default.
  const fallback = row.name === 'type' ? {} : { default: row.default };
  const about = { description: notes.join(' '), ...fallback };
  const keyframes = row.keyframable ? [keyframesSchema(value, definitions)] : [];
  const empty = isUnset(row, '') && !anyText.has(row.rule.kind) ? [{ const: '' }] : [];
  const others = [...keyframes, ...empty];
  return { ...(others.length === 0 ? value : { anyOf: [value, ...others] }), ...about };
}

/** Rules whose schema takes any text. */
const anyText: ReadonlySet<Rule['kind']> = new Set(['string', 'transcript']);

function keyframesSchema(value: JsonObject, definitions: Definitions): JsonObject {
  define(definitions, 'easing', () => easingSchema);
  return {
    type: 'array',
    minItems: 1,
    items: {
      type: 'object',
      required: ['time', 'value'],
      properties: {
        time: valueSchema(rules.moment, 'moment', definitions),
        value,
        easing: ref('easing'),
      },
    },
  };
}

/** Lists the easings without refusing others, because unknown ones are allowed. */
const easingSchema: JsonObject = {
  description: 'How the value moves on its way to this keyframe.',
  examples: [...easingNames, ...easingCalls],
};

// ---- animations ----------------------------------------------------------------------------------------------------

/** Describes options without refusing any: wrong ones get their default. */
function animationSchema(): JsonObject {
  return {
    type: 'object',
    properties: {
      type: { description: 'Kind of animation.', examples: Array.from(animationTypes.keys()) },
      ...describedOptions(commonAnimationOptions),
      easing: ref('easing'),
    },
    allOf: Array.from(animationTypes.values(), ({ name, meaning, options }) => ({
      if: { required: ['type'], properties: { type: { const: name } } },
      then: { description: meaning, properties: describedOptions(options) },
    })),
  };
}

function describedOptions(options: readonly AnimationOption[]): JsonObject {
  return Object.fromEntries(
    options.map(({ name, rule, meaning, default: fallback }) => [
      name,
      {
        description: meaning,
        default: fallback,
        ...(rule.kind === 'enum' && { examples: rule.values }),
        ...(rule.kind === 'boolean' && { examples: [true, false] }),
      },
    ]),
  );
}

// ---- values --------------------------------------------------------------------------------------------------------

/** A reference to the rule's definition; the words of one property have its name. */
function valueSchema(rule: Rule, propertyName: string, definitions: Definitions): JsonObject {
  const { nullable, ...plain } = rule;
  const name = definitionName(plain, propertyName);
  define(definitions, name, () => plainSchema(plain, definitions));
  return nullable === true ? { anyOf: [ref(name), { type: 'null' }] } : ref(name);
}

function define(definitions: Definitions, name: string, make: () => JsonObject): void {
  const made = make();
  const known = definitions.get(name);
  if (known === undefined) definitions.set(name, made);
  else if (JSON.stringify(known) !== JSON.stringify(made))
    throw new Error(`Two rules would both be called '${name}' in the schema`);
}

/** A readable name, because editors show it: `percent-0-to-100`, `word-fill_mode`, `color`. */
function definitionName(rule: Rule, propertyName: string): string {
  switch (rule.kind) {
    case 'number':
      return numberName(rule);
    case 'enum':
      return `word-${rule.values.length}-${propertyName}`;
    case 'string':
      return rule.maximum === undefined ? 'string' : `string-to-${rule.maximum}`;
    default:
      return rule.kind;
  }
}

/** Names of units whose signs can't be in a definition's name. */
const unitNames: Readonly<Record<string, string>> = { '%': 'percent', '°': 'degrees', '': 'plain' };

function numberName({ units, bare, min, max, integer, words, auto }: NumberRule): string {
  const parts = [...new Set([...(bare === null ? [] : [bare]), ...units])];
  return [
    'number',
    ...parts.map((unit) => unitNames[unit] ?? unit),
    ...(min === undefined ? [] : ['from', String(min)]),
    ...(max === undefined ? [] : ['to', String(max)]),
    ...(integer === true ? ['whole'] : []),
    ...(words ?? []),
    ...(auto === true ? ['auto'] : []),
  ].join('-');
}

function plainSchema(rule: Rule, definitions: Definitions): JsonObject {
  switch (rule.kind) {
    case 'number':
      return numberSchema(rule);
    case 'enum':
      return { enum: rule.values };
    case 'string':
      // The schema counts characters, validation UTF-16 units, which are never fewer.
      return { type: 'string', ...(rule.maximum !== undefined && { maxLength: rule.maximum }) };
    case 'boolean':
      return { type: 'boolean' };
    case 'color':
      return colorSchema;
    case 'path':
      return { type: 'string', pattern: '^\\s*([Mm]|$)', examples: ['M 0 0 L 100 0 L 100 100 Z'] };
    case 'fill':
      return fillSchema(definitions);
    case 'warp':
      return warpSchema(definitions);
    case 'elements':
      return { type: 'array', items: ref('element') };
    case 'animations':
      return { type: 'array', items: ref('animation') };
    case 'fonts':
      return {
        type: 'array',
        items: objectSchema({ family: { type: 'string' }, source: { type: 'string' } }),
      };
    case 'variables':
      return { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean'] } };
    case 'colors':
      return { type: 'object', additionalProperties: colorSchema };
    case 'transcript': {
      const time = valueSchema(rules.seconds, 'time', definitions);
      const said = { time, value: { type: 'string' } };
      const words = {
        ...objectSchema(said),
        properties: { ...said, duration: time, sentence: { type: 'number' } },
      };
      return { anyOf: [{ type: 'string' }, { type: 'array', items: words }] };
    }
  }
}

const colorSchema: JsonObject = {
  type: 'string',
  pattern: '^\\s*(#[0-9A-Fa-f]+|[A-Za-z]+(\\(.*\\))?)\\s*$',
  examples: ['#ffffff', 'rgba(0, 0, 0, 0.5)', 'white'],
};

function objectSchema(required: Readonly<Record<string, JsonObject>>): JsonObject {
  return { type: 'object', required: Object.keys(required), properties: required };
}

function fillSchema(definitions: Definitions): JsonObject {
  define(definitions, 'color', () => colorSchema);
  const stop = objectSchema({
    offset: valueSchema(rules.percent, 'offset', definitions),
    color: ref('color'),
  });
  return { anyOf: [ref('color'), { type: 'array', minItems: 1, items: stop }] };
}

function warpSchema(definitions: Definitions): JsonObject {
  const place = valueSchema(rules.share, 'x', definitions);
  const row = { type: 'array', minItems: 2, items: objectSchema({ x: place, y: place }) };
  return { type: 'array', minItems: 2, items: row };
}

function numberSchema({ units, bare, min, max, integer, words, auto }: NumberRule): JsonObject {
  const bounds = {
    ...(min !== undefined && { minimum: min }),
    ...(max !== undefined && { maximum: max }),
  };
  const plain = { type: integer === true ? 'integer' : 'number', ...bounds };
  const named: readonly Json[] = [...(words ?? []), ...(auto === true ? ['auto'] : [])];
  return {
    anyOf: [
      ...(bare === null ? [] : [plain]),
      { type: 'string', pattern: amountPattern(units, bare !== null) },
      ...(named.length === 0 ? [] : [{ enum: named }]),
    ],
  };
}

/** The pattern of `parseAmount` in units.ts, with these units only. */
function amountPattern(units: readonly string[], isUnitOptional: boolean): string {
  const number = '[+-]?(\\d+(\\.\\d*)?|\\.\\d+)([Ee][+-]?\\d+)?';
  if (units.length === 0) return `^\\s*${number}\\s*$`;
  return `^\\s*${number}\\s*(${units.join('|')})${isUnitOptional ? '?' : ''}\\s*$`;
}
