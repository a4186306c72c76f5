/**
 * A small judge of JSON Schema (draft 2020-12) with the keywords that our schema uses. Keywords that it doesn't know
 * are an error, so that the schema can't use one without being checked by it.
 */
import { isJsonObject, type Json, type JsonObject } from '../../shared/renderscript/source.ts';

/** Keywords that only tell people something. */
const annotations = new Set([
  '$schema',
  '$id',
  '$defs',
  'title',
  'description',
  'default',
  'examples',
]);

type Check = (operand: Json, value: Json, schema: JsonObject, root: JsonObject) => boolean;

const typeTests: Readonly<Record<string, (value: Json) => boolean>> = {
  object: isJsonObject,
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
};

/** A keyword's operand that is a text. */
const wordOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

const list = (value: Json): readonly Json[] => value as readonly Json[];

const keywords: Readonly<Record<string, Check>> = {
  $ref: (target, value, _, root) => isValid(definition(root, target), value, root),
  type: (types, value) => [types].flat().some((type) => typeTests[wordOf(type)]!(value)),
  enum: (values, value) => list(values).includes(value),
  const: (wanted, value) => wanted === value,
  minimum: (least, value) => typeof value !== 'number' || value >= Number(least),
  maximum: (most, value) => typeof value !== 'number' || value <= Number(most),
  maxLength: (most, value) => typeof value !== 'string' || Array.from(value).length <= Number(most),
  pattern: (pattern, value) =>
    typeof value !== 'string' || new RegExp(wordOf(pattern), 'u').test(value),
  minItems: (least, value) => !Array.isArray(value) || value.length >= Number(least),
  items: (schema, value, _, root) =>
    !Array.isArray(value) || value.every((item: Json) => isValid(schema, item, root)),
  required: (names, value) =>
    !isJsonObject(value) || list(names).every((name) => Object.hasOwn(value, wordOf(name))),
  properties: (schemas, value, _, root) =>
    !isJsonObject(value) ||
    Object.entries(schemas as JsonObject).every(
      ([name, schema]) => !Object.hasOwn(value, name) || isValid(schema!, value[name]!, root),
    ),
  additionalProperties: (schema, value, { properties }, root) =>
    !isJsonObject(value) ||
    Object.entries(value).every(
      ([name, item]) =>
        (isJsonObject(properties) && Object.hasOwn(properties, name)) ||
        isValid(schema, item!, root),
    ),
  anyOf: (schemas, value, _, root) => list(schemas).some((schema) => isValid(schema, value, root)),
  allOf: (schemas, value, _, root) => list(schemas).every((schema) => isValid(schema, value, root)),
  if: (condition, value, { then }, root) =>
    !isValid(condition, value, root) || isValid(then!, value, root),
  then: () => true,
};

/** True when the value keeps the schema. Throws for keywords and references that don't exist. */
export function isValid(schema: Json, value: Json, root: JsonObject): boolean {
  if (typeof schema === 'boolean') return schema;
  if (!isJsonObject(schema)) throw new Error(`Expected a schema, found ${JSON.stringify(schema)}`);
  return Object.entries(schema).every(([keyword, operand]) => {
    if (annotations.has(keyword)) return true;
    const check = keywords[keyword];
    if (check === undefined) throw new Error(`Unknown keyword '${keyword}'`);
    return check(operand!, value, schema, root);
  });
}

/** The definition that a reference names. */
export function definition(root: JsonObject, reference: Json): JsonObject {
  const name = /^#\/\$defs\/([\w%°.-]+)$/.exec(wordOf(reference))?.[1] ?? '';
  const found = (root.$defs as JsonObject)[name];
  if (!isJsonObject(found)) throw new Error(`There is no ${wordOf(reference)}`);
  return found;
}
