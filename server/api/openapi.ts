/**
 * The OpenAPI 3.1 document, made from the table of routes and their schemas, served at `/openapi.json` without a key.
 */
import { Router } from 'express';
import { z } from 'zod';
import { errorCatalogue, type ErrorCode } from '../../shared/errors.ts';
import { webhookLimits } from '../../shared/limits.ts';
import { formatChoices, formats } from '../../shared/renderscript/formats.ts';
import type { JsonObject } from '../../shared/renderscript/source.ts';
import { baseUrlOf } from './answer.ts';
import { refusalsOf, type AnswerRow, type Operation } from './operation.ts';
import { operations } from './operations.ts';
import { errorAnswer, renderAnswer } from './answer-schemas.ts';
import { uploadForm } from './request-schemas.ts';

type Components = Record<string, JsonObject>;

/** The document for a server at this address. */
export function openApiDocument(apiUrl: string): JsonObject {
  const components: Components = {};
  const paths: Record<string, Record<string, JsonObject>> = {};
  for (const operation of operations) {
    const path = (paths[operation.path] ??= {});
    path[operation.method.toLowerCase()] = operationObject(operation, components);
  }
  const webhookBody = content(schemaOf(renderAnswer, 'output', components));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Framewright',
      version: '2',
      description:
        'Renders videos, pictures and GIFs from RenderScript on this computer. The help pages are at /docs. Agents use POST /mcp, the Model Context Protocol (/docs/agents).',
    },
    servers: [{ url: apiUrl }],
    security: [{ key: [] }],
    paths: { ...paths, ...filePaths(components) },
    webhooks: {
      renderEnded: {
        post: {
          summary: 'Sent to `webhook_url` when a render has succeeded or failed',
          description: `Any status from 200 to 299 within ${webhookLimits.timeout / 1000} seconds ends the delivery, and so does 410. Otherwise it is tried again after ${webhookLimits.pauses.map((pause) => pause / 1000).join(', ')} seconds, each up to ${webhookLimits.spread * 100} % sooner or later, or when \`Retry-After\` of a 429 or 503 says so; then it is given up. Redirects are not followed.`,
          security: [],
          parameters: webhookHeaders,
          requestBody: { required: true, content: webhookBody },
          responses: { '2XX': { description: 'Any of these ends the delivery.' } },
        },
      },
    },
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
      headers: {
        RateLimitRemaining: {
          description: 'Requests that would be accepted now.',
          schema: { type: 'integer', minimum: 0 },
        },
        RetryAfter: {
          description: 'Whole seconds to wait.',
          schema: { type: 'integer', minimum: 1 },
        },
      },
      schemas: sorted(components),
    },
  };
}

/** The headers of every webhook call. */
const webhookHeaders: readonly JsonObject[] = [
  ['webhook-id', 'The same for all tries of one event.'],
  ['webhook-timestamp', 'When it was sent, in seconds since 1970. Refuse calls that are far off.'],
  [
    'webhook-signature',
    '`v1,` and the base64 of the HMAC-SHA256 of id, timestamp and body with dots between them; after the secret is replaced, two of them with a blank between.',
  ],
].map(([name = '', description = '']) => ({
  name,
  in: 'header',
  required: name !== 'webhook-signature',
  description,
  schema: { type: 'string' },
}));

/** Finished files: no JSON, and no key. */
function filePaths(components: Components): Record<string, JsonObject> {
  const path = (id: string, summary: string, types: readonly string[]): JsonObject => ({
    get: {
      operationId: id,
      tags: ['renders'],
      summary,
      security: [],
      description:
        'Takes `Range`, `If-Range`, `If-None-Match` and their like; readers may cache the file and revalidate it.',
      parameters: [
        {
          name: 'file',
          in: 'path',
          required: true,
          schema: { type: 'string' },
          description: 'The ID of the render with its ending, as in the render’s own address.',
        },
      ],
      responses: {
        200: { description: 'The file.', headers: fileHeaders, content: binary(types) },
        206: { description: 'The part asked for.', headers: fileHeaders, content: binary(types) },
        304: { description: 'The reader’s copy is still valid.', headers: fileHeaders },
        ...refusalObjects(fileRefusals, components),
      },
    },
  });
  return {
    '/renders/{file}': path('readFile', 'Load a finished file', [
      ...formatChoices.map((format) => formats[format].mimeType),
    ]),
    '/snapshots/{file}': path('readSnapshot', 'Load the snapshot of a video', [
      formats.jpg.mimeType,
    ]),
  };
}

function binary(types: readonly string[]): JsonObject {
  return Object.fromEntries(
    types.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]),
  );
}

const archiveTypes = ['application/zip'];
const fileTypes = {
  archive: archiveTypes,
  picture: [formats.jpg.mimeType, formats.png.mimeType],
  file: ['application/octet-stream'],
};

/** A file as a form or as it is. */
function uploadContent(components: Components): JsonObject {
  return {
    'multipart/form-data': { schema: schemaOf(uploadForm, 'input', components) },
    ...binary(fileTypes.file),
  };
}

const fileRefusals: readonly ErrorCode[] = [
  ...([
    'malformed_request',
    'wrong_host',
    'wrong_origin',
    'file_not_found',
    'file_deleted',
  ] as const),
  ...(['precondition_failed', 'range_not_satisfiable'] as const),
];

const fileHeaders: JsonObject = {
  ...headers(false),
  ETag: { description: 'Of the file as it is now.', schema: { type: 'string' } },
};

/** The parameters of a query with their meaning. */
export function queryFields(
  query: z.ZodObject | undefined,
): { name: string; description: string; required: boolean }[] {
  const { properties = {}, required = [] } = query ? jsonSchema(query, 'input') : {};
  return Object.entries(properties).map(([name, { description = '' }]) => ({
    name,
    description,
    required: required.includes(name),
  }));
}

/** The route of the document. */
export function openApiRoutes(apiUrl: () => string): Router {
  const routes = Router({ caseSensitive: true });
  let made: { url: string; document: JsonObject } | null = null;
  routes.get('/openapi.json', (request, response) => {
    const url = baseUrlOf(request, apiUrl());
    if (made?.url !== url) made = { url, document: openApiDocument(url) };
    response.json(made.document);
  });
  return routes;
}

function operationObject(operation: Operation, components: Components): JsonObject {
  const { id, topic, summary, explanation, body, bodyForm } = operation;
  return {
    operationId: id,
    tags: [topic],
    summary,
    ...(explanation !== undefined && { description: explanation }),
    parameters: [
      ...pathParameters(operation),
      ...queryParameters(operation),
      ...headerParameters(operation),
    ],
    ...(body && {
      requestBody: { required: true, content: content(schemaOf(body, 'input', components)) },
    }),
    ...(bodyForm && {
      requestBody: {
        required: true,
        content: bodyForm === 'file' ? uploadContent(components) : binary(archiveTypes),
      },
    }),
    responses: {
      ...Object.fromEntries(
        operation.answers.map((answer) => [answer.status, answerObject(answer, components)]),
      ),
      ...refusalObjects(refusalsOf(operation), components),
    },
  };
}

function pathParameters({ path }: Operation): JsonObject[] {
  if (!path.includes('{id}')) return [];
  return [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }];
}

function queryParameters({ query }: Operation): JsonObject[] {
  return queryFields(query).map(({ name, description, required }) => ({
    name,
    in: 'query',
    required,
    description,
    schema: { type: 'string' },
  }));
}

function headerParameters({ headers: rows = [] }: Operation): JsonObject[] {
  return rows.map(({ name, description }) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' },
  }));
}

function answerObject(answer: AnswerRow, components: Components): JsonObject {
  const { description, content: body } = answer;
  if (!body) return { description, headers: headers(false) };
  if (!('schema' in body)) {
    return { description, headers: headers(false), content: binary(fileTypes[body.form]) };
  }
  const item = schemaOf(body.schema, 'output', components);
  const schema = body.form === 'many' ? { type: 'array', items: item } : item;
  const type = body.form === 'events' ? 'text/event-stream' : 'application/json';
  return { description, headers: headers(false), content: { [type]: { schema } } };
}

/** One answer for each status, with its possible sentences. */
function refusalObjects(codes: readonly ErrorCode[], components: Components): JsonObject {
  const statuses = [...new Set(codes.map((code) => errorCatalogue[code].status))];
  return Object.fromEntries(
    statuses.map((status) => {
      const own = codes.filter((code) => errorCatalogue[code].status === status);
      const refusal: JsonObject = {
        description: own.map((code) => `- ${errorCatalogue[code].sentence}`).join('\n'),
        headers: headers(status === 429 || status === 503),
        content: content(schemaOf(errorAnswer, 'output', components)),
      };
      return [status, refusal];
    }),
  );
}

function headers(retry: boolean): JsonObject {
  return {
    'X-RateLimit-Remaining': { $ref: '#/components/headers/RateLimitRemaining' },
    ...(retry && { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }),
  };
}

function content(schema: JsonObject): JsonObject {
  return { 'application/json': { schema } };
}

/** What we use of zod's output. */
interface MadeSchema {
  readonly $ref?: string;
  readonly required?: readonly string[];
  readonly $defs?: Readonly<Record<string, JsonObject>>;
  readonly properties?: Readonly<Record<string, { readonly description?: string }>>;
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): MadeSchema {
  // Checks that JSON Schema can't express are in the descriptions.
  return z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as MadeSchema; // plain JSON by contract
}

/** A reference to the schema; its definition, and those it depends on, go to the components. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output', components: Components): JsonObject {
  const moved = JSON.parse(
    JSON.stringify(jsonSchema(schema, io)).replaceAll('#/$defs/', '#/components/schemas/'),
  ) as MadeSchema; // same value, other references
  Object.assign(components, moved.$defs);
  if (moved.$ref === undefined) throw new Error('schemas of bodies and answers have an id');
  return { $ref: moved.$ref };
}

function sorted(components: Components): Components {
  return Object.fromEntries(
    Object.entries(components).sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}
