/**
 * Checks the API's answers against its OpenAPI document, as a client's validator would, and the window's against the
 * rows of its routes.
 */
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { openApiDocument } from '../../server/api/openapi.ts';
import { refusalsOf } from '../../server/api/operation.ts';
import { operations } from '../../server/api/operations.ts';
import { documentationPath } from '../../shared/errors.ts';
import { windowRows } from './window-rows.ts';

type Schema = Parameters<typeof z.fromJSONSchema>[0];

interface AnswerObject {
  readonly content?: {
    readonly 'application/json'?: { readonly schema: Schema };
    readonly 'text/event-stream'?: { readonly schema: Schema };
  };
}

/** The parts of the document that the tests read. */
export interface OpenApi {
  readonly openapi: string;
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly operationId: string;
            readonly responses: Readonly<Record<string, AnswerObject>>;
          }
        >
      >
    >
  >;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

let document: OpenApi | null = null;
const validators = new Map<string, z.ZodType>();

/** The document of a server at port 4820. */
export function openApi(): OpenApi {
  document ??= openApiDocument('http://127.0.0.1:4820') as unknown as OpenApi; // as the table of routes makes it
  return document;
}

/** The parts of an answer that `checkAnswer` reads. */
interface GivenAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/**
 * Checks status, headers and body of an answer against the document; unknown paths must be refused.
 *
 * @throws Error that names the difference
 */
export function checkAnswer(method: string, target: string, answer: GivenAnswer): void {
  const { status, headers, text } = answer;
  const fail = (what: string): never => {
    throw new Error(`${method} ${target} → ${status}: ${what}; the body is ${text.slice(0, 1000)}`);
  };
  if (!/^\d+$/.test(headers.get('x-ratelimit-remaining') ?? '')) fail('no X-RateLimit-Remaining');
  const route = findRoute(method === 'HEAD' ? 'GET' : method, target.split('?')[0] ?? '');
  if (!route) {
    // Files and help pages are not in the document.
    if (/^\/v[12]\//.test(target) && status < 400) fail('the document has no such route');
    return;
  }
  const described = route.responses[status] ?? fail('the document has no such status');
  const { 'application/json': json, 'text/event-stream': stream } = described.content ?? {};
  if (stream) {
    for (const event of eventsOf(text)) {
      const told = validatorOf(stream.schema).safeParse(event);
      if (!told.success) fail(z.prettifyError(told.error));
    }
    return;
  }
  const schema = json?.schema;
  // Pictures have no JSON.
  if (described.content && !json) return;
  if (method === 'HEAD' || schema === undefined) {
    if (text !== '') fail('expected no body');
    return;
  }
  const body: unknown = JSON.parse(text);
  const result = validatorOf(schema).safeParse(body);
  if (!result.success) fail(z.prettifyError(result.error));
  if (status >= 400 && !isListed(route.operationId, body))
    fail('not one of the refusals of the route');
}

/** The events of a stream that has ended. */
export function eventsOf(text: string): { event: string; data: unknown }[] {
  const blocks = text.split('\n\n').filter((block) => block !== '' && !block.startsWith(':'));
  return blocks.map((block) => {
    const [, event = '', data = ''] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? [];
    return { event, data: JSON.parse(data) as unknown };
  });
}

/** Whether a refusal is one that the route's row lists. */
function isListed(operationId: string, refusal: unknown): boolean {
  const { documentation } = z.object({ documentation: z.string() }).parse(refusal);
  const operation = operations.find(({ id }) => id === operationId);
  const codes = operation ? refusalsOf(operation) : [];
  return codes.some((code) => documentation.endsWith(documentationPath(code)));
}

function findRoute(method: string, target: string): OpenApi['paths'][string][string] | undefined {
  // A target that can't be decoded matches no route.
  if (!/^(%[2-7][0-9a-f]|[^%])*$/i.test(target)) return undefined;
  // Files are no JSON.
  if (!/^\/v[12]\//.test(target)) return undefined;
  const wanted = target.replace(/\/$/, '');
  const [, methods] =
    Object.entries(openApi().paths).find(([known]) =>
      new RegExp(`^${known.replace('{id}', '[^/]+')}$`).test(wanted),
    ) ?? [];
  // Not the ID of something.
  const own = openApi().paths[wanted];
  if (own) return own[method.toLowerCase()];
  return methods?.[method.toLowerCase()];
}

/** Puts the components beside the schema, so that references work. */
function validatorOf(schema: Schema): z.ZodType {
  const key = JSON.stringify(schema);
  const known = validators.get(key);
  if (known) return known;
  const whole = { ...(schema as object), $defs: openApi().components.schemas };
  const text = JSON.stringify(whole).replaceAll('#/components/schemas/', '#/$defs/');
  const made = z.fromJSONSchema(JSON.parse(text) as Schema);
  validators.set(key, made);
  return made;
}

/**
 * Checks an answer to the window against the row of its route: a field that the row doesn't have would not arrive.
 *
 * @throws Error that names the difference
 */
export function checkWindowAnswer(method: string, target: string, given: GivenAnswer): void {
  const { status, text } = given;
  const path = target.replace(/^\/api|\?.*$/g, '').split('/');
  const row = windowRows.find((one) => {
    const parts = one.path.split('/');
    const fits = parts.every((part, at) => part.startsWith(':') || part === path[at]);
    return one.method === method && parts.length === path.length && fits;
  });
  if (!row || row.answer === 'file' || status >= 400) return;
  const fail = (what: string): never => {
    throw new Error(`${method} ${target} → ${status}: ${what}; the body is ${text.slice(0, 1000)}`);
  };
  if (row.status !== undefined && status !== row.status) fail('its row has another status');
  if (!row.answer) {
    if (text !== '') fail('expected no body');
    return;
  }
  const body: unknown = JSON.parse(text);
  const { data, error } = z.safeParse(row.answer, body);
  if (error) fail(z.prettifyError(error));
  else if (!isDeepStrictEqual(data, body)) fail('it has fields that its row does not have');
}
