/**
 * Bodies: parses bytes as a JSON object, or refuses with what is wrong and where; the desk parses large ones.
 * `parseParameters` (parameters.ts) checks the content.
 */
import { Router, type Request, type RequestHandler } from 'express';
import { ApiError } from '../../shared/errors.ts';
import { deskLimits, requestLimits } from '../../shared/limits.ts';
import { isJsonObject, type JsonObject } from '../../shared/renderscript/source.ts';
import type { Desk } from '../jobs/desk/desk.ts';
import type { BodyParts, BodyWish } from '../jobs/desk/desk-tasks.ts';
import { batchItems, readJsonBody } from '../jobs/desk/json-body.ts';
import { JsonText } from '../system/json-text.ts';
import { readBytes } from './body-bytes.ts';

const checkType: RequestHandler = (request, _response, next) => {
  if (!isJsonType(request.headers['content-type'])) throw new ApiError('wrong_content_type');
  next();
};

const parse: RequestHandler = (request, _response, next) => {
  request.body = readJsonBody(bytesOf(request.body));
  next();
};

/** Reads a body of at most `limit` bytes. */
export function anyBytes(limit: number): RequestHandler {
  return async (request, _response, next) => {
    request.body = await readBytes(request, limit);
    next();
  };
}

/** The same for a body declared as JSON. */
function reader(limit: number): RequestHandler {
  return Router().use(checkType, anyBytes(limit));
}

/** Reads the body of a request into `request.body` as it was sent; `bytesOf` returns it for parsing on the desk. */
export const jsonBytes: RequestHandler = reader(requestLimits.bodyBytes);

/**
 * The handler that reads the body of a request into `request.body`, as a JSON object. For bodies that are never large:
 * parsed on the API's thread, and refused unread beyond its limit.
 */
export const jsonBody: RequestHandler = Router().use(reader(deskLimits.inlineCharacters), parse);

/**
 * The same for a body that must be small: a longer one is refused before it is read. @param what What it should be, in
 * words.
 */
export function smallJsonBody(bytes: number, name: string, what: string): RequestHandler {
  const check: RequestHandler = (request, _response, next) => {
    if (bytesOf(request.body).length > bytes)
      throw new ApiError('invalid_parameter', { name, what });
    next();
  };
  return Router().use(jsonBytes, check, parse);
}

/** Bodies of large requests as they were sent, for the request log. */
const sentBodies = new WeakMap<object, Buffer>();

/** Unrequested fields of large bodies. */
const otherFields = new WeakMap<object, readonly string[]>();

/** Documents that made up a whole large body. */
const documents = new WeakMap<object, JsonText>();

/**
 * Like `jsonBody`, but the desk parses a large body: only the requested fields are then present, and long objects among
 * them are `JsonText`.
 *
 * @param asSent Runs first, while the body still is bytes as sent.
 */
export function largeJsonBody(
  desk: Desk,
  wish: BodyWish,
  asSent: RequestHandler = (_request, _response, next) => next(),
): RequestHandler {
  const parseOnDesk: RequestHandler = async (request, response, next) => {
    const bytes = bytesOf(request.body);
    if (bytes.length <= deskLimits.inlineDocument) {
      parse(request, response, next);
      return;
    }
    const body = fromParts(await desk.readBody(bytes, wish));
    sentBodies.set(body, bytes);
    request.body = body;
    next();
  };
  return Router().use(jsonBytes, asSent, parseOnDesk);
}

/** A large object that the desk took apart. */
function fromParts({ fields, texts, document, others }: BodyParts): JsonObject {
  const long = Object.entries(texts).map(([name, { content, keys }]) => [
    name,
    new JsonText(content, keys),
  ]);
  const body = { ...fields, ...(Object.fromEntries(long) as object) };
  if (document !== undefined) documents.set(body, new JsonText(document));
  otherFields.set(body, others);
  return body;
}

/** The items of batches. */
const batches = new WeakMap<Request, readonly JsonObject[]>();

/**
 * Reads `{"renders": [ … ]}`; `batchOf` has the items. A large body is parsed on the desk, and its items are then like
 * bodies that `largeJsonBody` has read.
 */
export function batchBody(desk: Desk, wish: BodyWish, asSent: RequestHandler): RequestHandler {
  const parseItems: RequestHandler = async (request, _response, next) => {
    const bytes = bytesOf(request.body);
    if (bytes.length <= deskLimits.inlineDocument) {
      const body = readJsonBody(bytes);
      request.body = body;
      batches.set(request, batchItems(body));
    } else {
      const items = Object.values(await desk.readBatch(bytes, wish));
      const body = {};
      sentBodies.set(body, bytes);
      request.body = body;
      batches.set(request, items.map(fromParts));
    }
    next();
  };
  return Router().use(jsonBytes, asSent, parseItems);
}

/** The items that `batchBody` has read. */
export function batchOf(request: Request): readonly JsonObject[] {
  const items = batches.get(request);
  if (!items) throw new Error('the route reads a batch but has no batchBody before it');
  return items;
}

/** Long arguments of messages for agents. */
const longArguments = new WeakMap<object, Readonly<Record<string, JsonText>>>();

/** Like `jsonBody` for messages of the Model Context Protocol: of a long one, `longArgumentsOf` has the document. */
export function messageBody(desk: Desk): RequestHandler {
  const parseOnDesk: RequestHandler = async (request, response, next) => {
    const bytes = bytesOf(request.body);
    if (bytes.length <= deskLimits.inlineDocument) {
      parse(request, response, next);
      return;
    }
    const { message, texts } = await desk.readMessage(bytes);
    const long = Object.entries(texts).map(([name, { content, keys }]): [string, JsonText] => [
      name,
      new JsonText(content, keys),
    ]);
    longArguments.set(message, Object.fromEntries(long));
    sentBodies.set(message, bytes);
    request.body = message;
    next();
  };
  return Router().use(jsonBytes, parseOnDesk);
}

/** The arguments for which `{}` stands in a message that `messageBody` has read. */
export function longArgumentsOf(message: object): Readonly<Record<string, JsonText>> {
  return longArguments.get(message) ?? {};
}

/** The names of all other fields; for a large body, of the first few unrequested ones. */
export function otherNames(body: JsonObject, known: ReadonlySet<string>): readonly string[] {
  return otherFields.get(body) ?? Object.keys(body).filter((name) => !known.has(name));
}

/** A large body as it was sent; undefined for a small one. */
export function sentBodyOf(body: unknown): Buffer | undefined {
  return typeof body === 'object' && body !== null ? sentBodies.get(body) : undefined;
}

/** A body's document, without the request's other fields. Built from entries, so that no key can act as a setter. */
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

/** The bytes of a body that `jsonBytes` has read. @throws ApiError `not_an_object` when there is none. */
export function bytesOf(body: unknown): Buffer {
  if (!Buffer.isBuffer(body) || body.length === 0) {
    throw new ApiError('not_an_object', { found: 'nothing' });
  }
  return body;
}
