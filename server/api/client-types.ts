/**
 * Makes the client's types from the OpenAPI document and the JSON Schema of the language. client/generate.mjs
 * runs it. Not openapi-typescript and json-schema-to-typescript: both lose units (`5 vw`), and the second
 * an animation's own options, so that faulty documents would pass.
 */
import { renderScriptSchema } from '../../shared/renderscript/schema.ts';
import { openApiDocument } from './openapi.ts';

/** The JSON Schema keywords in our two documents that matter for types. */
interface Schema {
  readonly $ref?: string;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly if?: Schema;
  readonly then?: Schema;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
  readonly type?: string | readonly string[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly description?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly $defs?: Readonly<Record<string, Schema>>;
}

/** The generated files by name. */
export function files(): Readonly<Record<string, string>> {
  const { components } = openApiDocument('http://127.0.0.1:4820') as unknown as OpenApi;
  return {
    'api-types.ts': apiTypes(components.schemas),
    'renderscript-types.ts': renderScriptTypes(renderScriptSchema()),
  };
}

interface OpenApi {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const head = (source: string): string =>
  `/** Made from ${source} by server/api/client-types.ts; not written by hand. */\n`;

// ---- the API -------------------------------------------------------------------------------------------------------

/** For the API: a type for each schema of the OpenAPI document. Documents have the type of the language. */
function apiTypes(schemas: Readonly<Record<string, Schema>>): string {
  const declared = Object.entries(schemas).filter(([name]) => name !== 'RenderScript');
  const parts = declared.map(([name, schema]) => declaration(apiName(name), schema, apiName));
  const language = "import type { RenderScript } from './renderscript-types.ts';\n";
  return [head('the OpenAPI document'), language, ...parts].join('\n');
}

/** Renames two schemas that would be confused with globals. */
function apiName(name: string): string {
  return name === 'Error' ? 'Refusal' : name === 'Element' ? 'LooseElement' : name;
}

// ---- the language --------------------------------------------------------------------------------------------------

const elementTypes = ['image', 'video', 'audio', 'text', 'shape', 'composition', 'lottie'];
const notes =
  '  /** Names with one of these signs are notes of your own, or `$schema`. */\n  [note: `_${string}` | `$${string}` | `/${string}`]: unknown;\n';

const ownNames =
  '  /** What editors call a document that they export; this and the next have no effect. */\n  name?: unknown;\n  id?: unknown;\n';

const leftovers =
  '  /** What editors leave behind; this and the next have no effect. */\n  track?: unknown;\n  property?: unknown;\n';

/**
 * What real documents carry that the language passes over: kept out of errors, and struck out by editors. By its owner.
 */
const passedOver: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  root: { format: 'output_format', fps: 'frame_rate' },
  text: {
    background_padding: 'background_x_padding and background_y_padding',
    start: 'time',
    text_align: 'x_alignment',
    text_alignment: 'x_alignment',
  },
  shape: { shape: 'path' },
  'text-appear': { scope: 'split' },
};

function passedOverOf(owner: string): string {
  return Object.entries(passedOver[owner] ?? {})
    .map(([name, instead]) =>
      [`  /** @deprecated Has no effect. Write ${instead}. */`, `  ${name}?: unknown;\n`].join(
        '\n',
      ),
    )
    .join('');
}

/** The schema has it anew for each kind of value; see `keyframesSchema` in shared/renderscript/schema.ts. */
const keyframes =
  '/** Values at moments. */\nexport type Keyframes<Value> = readonly { time: NumberSPercentStartEnd; value: Value; easing?: Easing | undefined }[];\n\n/** A value, or several at moments. */\nexport type Animated<Value> = Value | Keyframes<Value>;\n';

/** For the language: documents, elements and animations. */
function renderScriptTypes(whole: Schema): string {
  const schema = withSharedNumbers(whole);
  const parts = Object.entries(schema.$defs ?? {}).map(([name, part]) => {
    if (name === 'animation') return animationTypes(part);
    if (name === 'element') {
      const names = elementTypes.map(languageName).join(' | ');
      return `/** Anything that is seen or heard. */\nexport type RenderElement = ${names};\n`;
    }
    if (name === 'easing') return easingType(part);
    if (elementTypes.includes(name)) {
      const type = `  type: '${name}';\n`;
      return `export interface ${languageName(name)} extends ${parentsOf(part)} {\n${type}${passedOverOf(name)}${notes}}\n`;
    }
    return declaration(languageName(name), part, languageName);
  });
  const document = `/** A document: a video, picture or GIF. */\nexport interface RenderScript extends ${parentsOf(schema)} {\n${ownNames}${passedOverOf('root')}${notes}}\n`;
  return [head('the JSON Schema of RenderScript'), document, keyframes, ...parts].join('\n');
}

/**
 * The schema with one definition for all numbers that are one type: bounds, which types can't check, move from the
 * definitions' names into what is said about the properties.
 */
function withSharedNumbers(schema: Schema): Schema {
  const numbers = Object.entries(schema.$defs ?? {}).filter(([name]) => name.startsWith('number-'));
  const bounds = new Map(numbers.map(([name, part]) => [name, boundsText(part)]));
  const shared = new Map<string, string>();
  const names = new Map<string, string>();
  for (const [name, part] of numbers) {
    const type = typeOf(part, languageName);
    const plain = name.replace(/-(from|to)-(-?[\d.]+)|-whole/g, '');
    const isTaken = [...shared.values()].includes(plain);
    const kept = shared.get(type) ?? (isTaken ? name : plain);
    shared.set(type, kept);
    names.set(name, kept);
  }
  const boundsOfUse = ({ $ref, anyOf = [] }: Schema): string => {
    const [first] = anyOf;
    return $ref === undefined
      ? first
        ? boundsOfUse(first)
        : ''
      : (bounds.get(lastPart($ref)) ?? '');
  };
  const own = (name: string): string => names.get(name) ?? name;
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) => {
      if (key === '$ref') return own(lastPart(String(value)));
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
      if (key === '$defs')
        return Object.fromEntries(Object.entries(value).map(([name, part]) => [own(name), part]));
      const one: Schema = value;
      const { description } = one;
      return description === undefined
        ? one
        : { ...one, description: description + boundsOfUse(one) };
    }),
  ) as Schema; // the schema's own form, with other names
}

/** ` 17 to 51.`, ` 1 or more, whole.`; '' for any number. */
function boundsText({ anyOf = [] }: Schema): string {
  const { minimum, maximum, type } = anyOf[0] ?? {};
  const limits =
    minimum === undefined
      ? ''
      : maximum === undefined
        ? `${minimum} or more`
        : `${minimum} to ${maximum}`;
  const parts = [limits, type === 'integer' ? 'whole' : ''].filter((part) => part !== '');
  return parts.length === 0 ? '' : ` ${parts.join(', ')}.`;
}

/** The name in `#/$defs/name`. */
function lastPart(reference: string): string {
  return reference.split('/').at(-1) ?? '';
}

function parentsOf({ allOf = [] }: Schema): string {
  return allOf.map((parent) => typeOf(parent, languageName)).join(', ');
}

/**
 * `group-place-and-size` → `PlaceAndSizeProperties`, `image` → `ImageElement`, `number-from--299` →
 * `NumberFromMinus299`.
 */
function languageName(name: string): string {
  if (name === 'element') return 'RenderElement';
  const words = name
    .replace(/^group-/, '')
    .replace('--', '-minus-')
    .split(/[^A-Za-z0-9]+/);
  const pascal = words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('');
  if (name.startsWith('group-')) return `${pascal}Properties`;
  return elementTypes.includes(name) ? `${pascal}Element` : pascal;
}

/** Lists the words; everything else is a text. */
function easingType({ examples = [] }: Schema): string {
  const plain = examples.filter((example) => !String(example).includes('('));
  const calls = examples.filter((example) => String(example).includes('('));
  const forms = calls.map((call) => `\`${String(call).split('(')[0] ?? ''}(\${string})\``);
  return `/** How a value moves. */\nexport type Easing = ${[...plain.map(literal), ...new Set(forms)].join(' | ')};\n`;
}

function animationTypes({ properties = {}, allOf = [] }: Schema): string {
  const common = Object.fromEntries(Object.entries(properties).filter(([name]) => name !== 'type'));
  const kinds = allOf.map(({ if: condition, then: options = {} }) => {
    const type = String(condition?.properties?.type?.const);
    const own = Object.entries(options.properties ?? {}).filter(([name]) => !(name in common));
    const fields = own.map(([name, option]) => field(name, option, optionType(option)));
    const about = comment(options, '');
    return `${about}export interface ${languageName(type)}Animation extends AnimationOptions {\n  type: '${type}';\n${fields.join('')}${passedOverOf(type)}}\n`;
  });
  const names = allOf.map(
    ({ if: condition }) => `${languageName(String(condition?.properties?.type?.const))}Animation`,
  );
  const shared = Object.entries(common).map(([name, option]) =>
    field(name, option, name === 'easing' ? 'Easing | null' : optionType(option)),
  );
  return [
    `/** What all animations have. */\nexport interface AnimationOptions {\n${shared.join('')}${leftovers}${notes}}\n`,
    ...kinds,
    `/** A movement of an element. */\nexport type Animation = ${names.join(' | ')};\n`,
  ].join('\n');
}

/** Options with words have those; others are a number, an amount with its unit, or a colour. */
function optionType({ examples }: Schema): string {
  return examples ? [...examples.map(literal), 'null'].join(' | ') : 'number | string | null';
}

// ---- both ----------------------------------------------------------------------------------------------------------

type NameOf = (name: string) => string;

function declaration(name: string, schema: Schema, nameOf: NameOf): string {
  const about = comment(schema, '');
  const isPlainObject =
    schema.properties !== undefined && schema.additionalProperties !== true && !schema.oneOf;
  if (isPlainObject && typeof schema.additionalProperties !== 'object') {
    return `${about}export interface ${name} {\n${fieldsOf(schema, nameOf)}}\n`;
  }
  return `${about}export type ${name} = ${typeOf(schema, nameOf)};\n`;
}

function fieldsOf({ properties = {}, required = [] }: Schema, nameOf: NameOf): string {
  return Object.entries(properties)
    .map(([name, schema]) => field(name, schema, typeOf(schema, nameOf), required.includes(name)))
    .join('');
}

/** Optional fields may be `undefined`, which JSON leaves out. */
function field(name: string, schema: Schema, type: string, isRequired = false): string {
  const key = /^[A-Za-z_]\w*$/.test(name) ? name : literal(name);
  const mark = isRequired ? `: ${type}` : `?: ${type} | undefined`;
  return `${comment(schema, '  ')}  ${key}${mark};\n`;
}

function comment({ description, default: fallback }: Schema, indent: string): string {
  if (description === undefined) return '';
  const isTold = fallback !== undefined && fallback !== null;
  const text = isTold ? `${description} Default: ${JSON.stringify(fallback)}.` : description;
  return `${indent}/** ${text.replaceAll('*/', '* /')} */\n`;
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : JSON.stringify(value);
}

function typeOf(schema: Schema, nameOf: NameOf): string {
  if (schema.$ref !== undefined) return nameOf(lastPart(schema.$ref));
  // An empty text for a property that is unset is taken, but not for new programs.
  const forms = (schema.oneOf ?? schema.anyOf)?.filter((form) => form.const !== '');
  if (forms) {
    const types = [...new Set(forms.map((form) => typeOf(form, nameOf)))];
    const plain = types.slice(0, -1).join(' | ');
    return types.at(-1) === `Keyframes<${plain}>` ? `Animated<${plain}>` : types.join(' | ');
  }
  if ('const' in schema) return literal(schema.const);
  if (schema.enum) return schema.enum.map(literal).join(' | ');
  const { type } = schema;
  if (typeof type !== 'string')
    return type ? type.map((one) => simpleType(one)).join(' | ') : 'unknown';
  if (type === 'array') {
    const { value, easing } = schema.items?.properties ?? {};
    if (value && easing) return `Keyframes<${typeOf(value, nameOf)}>`;
    return `readonly (${schema.items ? typeOf(schema.items, nameOf) : 'unknown'})[]`;
  }
  if (type === 'object') return objectType(schema, nameOf);
  return schema.pattern === undefined ? simpleType(type) : amountType(schema.pattern);
}

function simpleType(type: string): string {
  return type === 'integer' ? 'number' : type;
}

function objectType(schema: Schema, nameOf: NameOf): string {
  const { properties, additionalProperties: more } = schema;
  const fields = fieldsOf(schema, nameOf);
  const own = properties && fields !== '' ? `{\n${fields}}` : '';
  const isTyped = typeof more === 'object' && Object.keys(more).length > 0;
  const open = `{ readonly [key: string]: ${isTyped ? typeOf(more, nameOf) : 'unknown'} }`;
  if (more === undefined || more === false)
    return own === '' ? 'Readonly<Record<string, never>>' : own;
  return own === '' ? open : `${own} & ${open}`;
}

/** The type of a pattern: a text of number and unit, e.g. `50%`, or any text. */
function amountType(pattern: string): string {
  if (!pattern.startsWith('^\\s*[+-]?(\\d+')) return 'string';
  const [, units, isOptional] = /\\s\*\(([a-z%°|]+)\)(\?)?\\s\*\$$/.exec(pattern) ?? [];
  const withUnit = (units?.split('|') ?? []).map((unit) => `\`\${number}${unit}\``);
  const bare = units === undefined || isOptional !== undefined ? ['`${number}`'] : [];
  return [...bare, ...withUnit].join(' | ');
}
