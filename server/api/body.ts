/**
 * Bodies: bytes to a checked JSON object, or the refusal that says what is wrong and where. Wire names become ours here
 * (`parseParameters` gives what the schemas of the routes make of them).
 */
import express, {
  Router,
  type ErrorRequestHandler,
  type Request,
  type RequestHandler,
} from 'express';
import type { z } from 'zod';
import { ApiError } from '../../shared/errors.ts';
import { parseJson } from '../../shared/json.ts';
import { requestLimits } from '../../shared/limits.ts';
import { isJsonObject, type Json, type JsonObject } from '../../shared/renderscript/source.ts';

const checkType: RequestHandler = (request, _response, next) => {
  if (!isJsonType(request.headers['content-type'])) throw new ApiError('wrong_content_type');
  next();
};

// Express knows error handlers by their four parameters.
const explainReadingError: ErrorRequestHandler = (error: unknown, request, _response, next) => {
  next(readingError(error, request));
};

const parse: RequestHandler = (request, _response, next) => {
  request.body = parseBody(request.body);
  next();
};

/** The handler that reads the body of a request into `request.body`, as a JSON object. */
export const jsonBody: RequestHandler = Router().use(
  checkType,
  express.raw({ type: () => true, limit: requestLimits.bodyBytes }),
  explainReadingError,
  parse,
);

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
  const result = schema.safeParse(values);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new ApiError('invalid_parameter', {
    name: String(issue?.path[0] ?? ''),
    what: issue?.message ?? 'valid',
  });
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

function parseBody(bytes: unknown): JsonObject {
  // Express leaves the body undefined, or an empty object, when there is none.
  if (!Buffer.isBuffer(bytes) || bytes.length === 0) {
    throw new ApiError('not_an_object', { found: 'nothing' });
  }
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ApiError('invalid_encoding');
  }
  // Before anything walks the value, which would end in a stack overflow.
  if (depthOf(text) > requestLimits.jsonDepth) {
    throw new ApiError('too_deep', { limit: requestLimits.jsonDepth });
  }
  const result = parseJson(text);
  if (!result.ok) throw new ApiError('invalid_json', { ...result.fault });
  if (!isJsonObject(result.value)) {
    throw new ApiError('not_an_object', { found: kindOf(result.value) });
  }
  const infinite = findInfinite(result.value, '');
  if (infinite !== null) throw new ApiError('number_too_large', { path: infinite });
  return result.value;
}

/** How deep brackets go in a JSON text, valid or not; those inside strings don't count. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    switch (text.charCodeAt(index)) {
      case 0x22: // "
        inString = !inString;
        break;
      case 0x5c: // \ hides the next character, but only in strings is it allowed at all
        if (inString) index++;
        break;
      case 0x5b: // [
      case 0x7b: // {
        if (!inString) deepest = Math.max(deepest, ++depth);
        break;
      case 0x5d: // ]
      case 0x7d: // }
        if (!inString) depth--;
        break;
    }
  }
  return deepest;
}

/** Where a number is that JSON.parse turned into infinity (`1e999`), e.g. `elements[0].x`; null when all are finite. */
function findInfinite(value: Json | undefined, path: string): string | null {
  if (typeof value === 'number') return Number.isFinite(value) ? null : path;
  if (typeof value !== 'object' || value === null) return null;
  const isList = Array.isArray(value);
  for (const [key, item] of Object.entries(value as JsonObject)) {
    const place = isList ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;
    const found = findInfinite(item, place);
    if (found !== null) return found;
  }
  return null;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return `a ${typeof value}`;
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
