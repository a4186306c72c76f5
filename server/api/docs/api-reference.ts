/**
 * The generated parts of the help pages: routes, their fields and refusals as Markdown, from the table of routes. Pure.
 */
import { documentationPath, errorCatalogue, type ErrorCode } from '../../../shared/errors.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../shared/renderscript/source.ts';
import { openApiDocument, queryFields } from '../openapi.ts';
import {
  ownRefusalsOf,
  refusalsOf,
  type AnswerRow,
  type HeaderRow,
  type Operation,
} from '../operation.ts';
import { operations } from '../operations.ts';

/** All routes of a topic: parameters, answers and refusals. */
export function routeReference(topic: Operation['topic']): string {
  return operations
    .filter((operation) => operation.topic === topic)
    .map(operationText)
    .join('\n\n');
}

/** The fields of a named shape of the OpenAPI document. @param always The word for fields that are never left out. */
export function fieldTable(shape: string, always: 'always' | 'required' = 'always'): string {
  const schema = shapes()[shape];
  const { properties, required } = isJsonObject(schema) ? schema : {};
  if (!isJsonObject(properties)) throw new Error(`there is no shape ${shape} with fields`);
  const needed: readonly Json[] = Array.isArray(required) ? required : [];
  const rows = Object.entries(properties).map(([name, value]) => {
    const field = isJsonObject(value) ? value : {};
    const presence = needed.includes(name) ? always : 'optional';
    return `| \`${name}\` | ${cell(typeOf(field))} | ${presence} | ${cell(meaningOf(field))} |`;
  });
  return ['| Field | Type | Presence | Meaning |', '|---|---|---|---|', ...rows].join('\n');
}

/** A list of links to the pages of refusals. */
export function refusalList(codes: readonly ErrorCode[]): string {
  return codes
    .map(
      (code) =>
        `- ${errorCatalogue[code].status} [${refusalTitle(code)}](${documentationPath(code)})`,
    )
    .join('\n');
}

/** The sentence of a refusal with an ellipsis for each placeholder. */
export function refusalTitle(code: ErrorCode): string {
  return errorCatalogue[code].sentence.replace(/\{\w+\}/g, '…').replace(/\.$/, '');
}

let known: JsonObject | null = null;

function shapes(): JsonObject {
  if (known) return known;
  const { components } = openApiDocument('');
  const schemas = isJsonObject(components) ? components.schemas : null;
  if (!isJsonObject(schemas)) throw new Error('the OpenAPI document has no schemas');
  known = schemas;
  return schemas;
}

function operationText(operation: Operation): string {
  const { method, path, summary, explanation, body, query, headers = [], answers } = operation;
  const own = ownRefusalsOf(operation);
  const bodyShape = body?.meta()?.id;
  const queryItems = queryFields(query).map(
    ({ name, description }) => `- \`?${name}=\` ${description}`,
  );
  return [
    `## ${summary}`,
    `\`${method} ${path}\``,
    ...(explanation === undefined ? [] : [explanation]),
    ...(bodyShape === undefined ? [] : ['### Body', shapeText(bodyShape)]),
    ...(queryItems.length === 0 ? [] : ['### Query', queryItems.join('\n')]),
    ...(headers.length === 0 ? [] : ['### Headers', headers.map(headerText).join('\n')]),
    '### Answers',
    answers.map(answerText).join('\n'),
    ...(own.length === 0 ? [] : ['### Refusals of its own', refusalList(own)]),
    `Besides, ${refusalsOf(operation).length - own.length} refusals that many routes share: see [refusals](/docs/errors).`,
  ].join('\n\n');
}

function headerText({ name, description }: HeaderRow): string {
  return `- \`${name}\` ${description}`;
}

function shapeText(shape: string): string {
  const schema = shapes()[shape];
  const description = isJsonObject(schema) ? meaningOf(schema) : '';
  const forms = isJsonObject(schema) && Array.isArray(schema.oneOf) ? schema.oneOf : [];
  // Array.isArray widens read-only lists to any[].
  const names = (forms as readonly Json[]).map((form) => (isJsonObject(form) ? typeOf(form) : ''));
  const tables = names.map((name) => `#### ${name}\n\n${shapeText(name)}`);
  const fields = names.length > 0 ? tables.join('\n\n') : fieldTable(shape, 'required');
  return [description, fields].filter((part) => part !== '').join('\n\n');
}

function answerText({ status, description, content }: AnswerRow): string {
  if (!content || !('schema' in content)) return `- **${status}**: ${description}`;
  const forms = { one: 'a', many: 'an array of', events: 'a stream of' };
  const shape = content.schema.meta()?.id ?? '';
  return `- **${status}**, ${forms[content.form]} \`${shape}\`: ${description}`;
}

function typeOf(field: JsonObject): string {
  const { $ref: reference, enum: values, type, items, anyOf: forms } = field;
  if (typeof reference === 'string') return reference.split('/').at(-1) ?? 'object';
  if (Array.isArray(values)) return values.map((value) => `\`${String(value)}\``).join(', ');
  if (type === 'array') return `array of ${isJsonObject(items) ? typeOf(items) : 'value'}s`;
  if (Array.isArray(forms)) {
    const names = (forms as readonly Json[]).map((form) => typeOf(isJsonObject(form) ? form : {}));
    return [...new Set(names)].join(' or ');
  }
  if (field.format === 'uuid') return 'UUID';
  if (Array.isArray(type)) return type.join(' or ');
  return typeof type === 'string' ? type : 'any';
}

/** Its own description, else that of the shape it refers to. */
function meaningOf({ description, $ref: reference }: JsonObject): string {
  if (typeof description === 'string') return description;
  const shape = typeof reference === 'string' ? shapes()[reference.split('/').at(-1) ?? ''] : null;
  return isJsonObject(shape) ? meaningOf(shape) : '';
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
