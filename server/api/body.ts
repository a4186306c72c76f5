/**
 * Bodies: bytes to a checked JSON object, or the refusal that says what is wrong and where; large ones are taken apart on the
 * desk. Wire names become ours here
 * (`parseParameters` gives what the schemas of the routes make of them).
 */
import express, {
  Router,
  type ErrorRequestHandler,
  type Request,
  type RequestHandler,
} from 'express';
import { z } from 'zod';
import { ApiError } from '../../shared/errors.ts';
import { deskLimits, requestLimits } from '../../shared/limits.ts';
import { isJsonObject, type JsonObject } from '../../shared/renderscript/source.ts';
import type { Desk } from '../jobs/desk.ts';
import type { BodyWish } from '../jobs/desk-tasks.ts';
import { readJsonBody } from '../jobs/json-body.ts';
import { JsonText } from '../json-text.ts';

const checkType: RequestHandler = (request, _response, next) => {
  if (!isJsonType(request.headers['content-type'])) throw new ApiError('wrong_content_type');
  next();
};

// Express knows error handlers by their four parameters.
const explainReadingError: ErrorRequestHandler = (error: unknown, request, _response, next) => {
  next(readingError(error, request));
};

const parse: RequestHandler = (request, _response, next) => {
  request.body = readJsonBody(bytesOf(request.body));
  next();
};

const readBytes = [
  checkType,
  express.raw({ type: () => true, limit: requestLimits.bodyBytes }),
  explainReadingError,
] as const;

/** The handler that reads the body of a request into `request.body`, as a JSON object. */
export const jsonBody: RequestHandler = Router().use(...readBytes, parse);

/** The same for a body that may only be small: a longer one is refused before it is read. @param what it should be, in words. */
export function smallJsonBody(bytes: number, name: string, what: string): RequestHandler {
  const check: RequestHandler = (request, _response, next) => {
    if (bytesOf(request.body).length > bytes)
      throw new ApiError('invalid_parameter', { name, what });
    next();
  };
  return Router().use(...readBytes, check, parse);
}

/** Bodies of large requests as they were sent, for the request log. */
const sentBodies = new WeakMap<object, Buffer>();

/** Fields of large bodies that nobody wished for. */
const otherFields = new WeakMap<object, readonly string[]>();

/** Documents that were the whole of a large body. */
const documents = new WeakMap<object, JsonText>();

/**
 * As `jsonBody`, but a large body is taken apart on the desk: of its fields only those that are wished for are there, and long
 * objects among them are `JsonText`.
 */
export function largeJsonBody(desk: Desk, wish: BodyWish): RequestHandler {
  const parseOnDesk: RequestHandler = async (request, response, next) => {
    const bytes = bytesOf(request.body);
    if (bytes.length <= deskLimits.inlineCharacters) {
      parse(request, response, next);
      return;
    }
    const { fields, texts, document, others } = await desk.readBody(bytes, wish);
    const body = {
      ...fields,
      ...Object.fromEntries(
        Object.entries(texts).map(([name, { text, keys }]) => [name, new JsonText(text, keys)]),
      ),
    };
    if (document !== undefined) documents.set(body, new JsonText(document));
    sentBodies.set(body, bytes);
    otherFields.set(body, others);
    request.body = body;
    next();
  };
  return Router().use(...readBytes, parseOnDesk);
}

/** The names of fields that are none of these; of a large body the first few that were not wished for. */
export function otherNames(body: JsonObject, known: ReadonlySet<string>): readonly string[] {
  return otherFields.get(body) ?? Object.keys(body).filter((name) => !known.has(name));
}

/** A large body as it was sent; undefined for a small one. */
export function sentBodyOf(body: unknown): Buffer | undefined {
  return typeof body === 'object' && body !== null ? sentBodies.get(body) : undefined;
}

/** The document that a body is, without the fields that are none of it. Built from entries, so that no key can be a setter. */
export function documentOf(body: JsonObject, without: ReadonlySet<string>): JsonObject | JsonText {
  return (
    documents.get(body) ??
    Object.fromEntries(Object.entries(body).filter(([name]) => !without.has(name)))
  );
}

/** The object that `jsonBody` has read. */
export function bodyOf(request: Request): JsonObject {
  const body: unknown = request.body;
  if (!isJsonObject(body)) throw new Error('the route reads a body but has no jsonBody before it');
  return body;
}

/**
 * Checks the parameters of a request with a schema whose messages say what each should be, e.g. `a number from 0.1 to
 * 10`. Fields that the schema doesn't know are left out.
 *
 * @throws ApiError `invalid_parameter`, naming the first one that is wrong.
 */
export function parseParameters<T>(schema: z.ZodType<T>, values: unknown): T {
  let result: z.ZodSafeParseResult<T>;
  try {
    result = schema.safeParse(values);
  } catch {
    // Lengths are compared whatever has them: an object whose `length` is no number can't be compared.
    result = schema.safeParse(withoutTraps(schema, values));
  }
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new ApiError('invalid_parameter', {
    name: String(issue?.path[0] ?? ''),
    what: issue?.message ?? 'valid',
  });
}

/** The values with something that no parameter may be in the place of each that the schema can't even look at. */
function withoutTraps(schema: z.ZodType, values: unknown): unknown {
  if (!isJsonObject(values)) return values;
  const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : Object.keys(values);
  const entries = known.flatMap((name): [string, unknown][] => {
    if (!Object.hasOwn(values, name)) return [];
    try {
      schema.safeParse({ [name]: values[name] });
      return [[name, values[name]]];
    } catch {
      return [[name, Symbol()]];
    }
  });
  return Object.fromEntries(entries);
}

/** `application/json`, alone or with the charset utf-8. */
function isJsonType(header: string | undefined): boolean {
  const [type = '', ...parameters] = (header ?? '').toLowerCase().split(';');
  return (
    type.trim() === 'application/json' &&
    parameters.every((parameter) => {
      const [name = '', value = ''] = parameter.split('=');
      return name.trim() !== 'charset' || /^"?utf-?8"?$/.test(value.trim());
    })
  );
}

function bytesOf(body: unknown): Buffer {
  // Express leaves the body undefined, or an empty object, when there is none.
  if (!Buffer.isBuffer(body) || body.length === 0) {
    throw new ApiError('not_an_object', { found: 'nothing' });
  }
  return body;
}

/** What Express throws while reading bytes, by its `type`; errors without one come from decompression. */
function readingError(error: unknown, request: Request): unknown {
  if (!(error instanceof Error) || error instanceof ApiError) return error;
  const type = 'type' in error ? error.type : undefined;
  switch (type) {
    case 'entity.too.large':
      return new ApiError('body_too_large', {
        size: sizeText(request),
        limit: requestLimits.bodyBytes / 1_000_000,
      });
    case 'encoding.unsupported':
      return new ApiError('wrong_content_type');
    case 'request.size.invalid':
    case 'request.aborted':
      return new ApiError('incomplete_body');
    default:
      return 'status' in error && error.status === 400 ? new ApiError('incomplete_body') : error;
  }
}

/** The announced size, which is that of the content only when it is not compressed. */
function sizeText(request: Request): string {
  const announced = Number(request.headers['content-length']);
  if (announced > requestLimits.bodyBytes) return `${(announced / 1_000_000).toFixed(1)} MB`;
  return `more than ${requestLimits.bodyBytes / 1_000_000} MB`;
}
