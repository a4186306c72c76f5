/**
 * The header `Idempotency-Key` of requests that create (the IETF's draft of that name): a client that missed the answer
 * repeats the request, and nothing is created twice.
 */
import { createHash, webcrypto } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { ApiError } from '../../shared/errors.ts';
import { deskLimits, requestLimits } from '../../shared/limits.ts';
import type { OnceKey } from '../jobs/create-render.ts';
import { bytesOf } from './body.ts';

/** The name of the header. */
export const idempotencyHeader = 'Idempotency-Key';
const most = requestLimits.idempotencyKeyLength;
const what = `a string of 1 to ${most} ASCII characters, with or without quotes, sent once`;

const keys = new WeakMap<Request, OnceKey>();

/** The key of a request; null without one. */
export function onceKeyOf(request: Request): OnceKey | null {
  return keys.get(request) ?? null;
}

/** Reads the key and hashes the request while the body is as it was sent. */
export const readOnceKey: RequestHandler = async (request, _response, next) => {
  const key = headerOf(request);
  if (key !== null) {
    const [path = ''] = request.originalUrl.split('?');
    keys.set(request, { key, print: `${path} ${await printOf(bytesOf(request.body))}` });
  }
  next();
};

/** The draft puts quotes around a key; most clients omit them. */
function headerOf({ headersDistinct }: Request): string | null {
  const sent = headersDistinct[idempotencyHeader.toLowerCase()];
  if (sent === undefined) return null;
  const [text = '', ...others] = sent;
  const key = /^"((?:[^"\\]|\\["\\])*)"$/.exec(text)?.[1]?.replace(/\\(.)/g, '$1') ?? text;
  const isFine = /^[\x20-\x7e]+$/.test(key) && key.length <= most && others.length === 0;
  if (!isFine) throw new ApiError('invalid_parameter', { name: idempotencyHeader, what });
  return key;
}

async function printOf(bytes: Buffer): Promise<string> {
  if (bytes.length <= deskLimits.inlineDocument) {
    return createHash('sha256').update(bytes).digest('base64');
  }
  // Runs in a thread of Node, which does not accept shared memory.
  const digest = await webcrypto.subtle.digest('SHA-256', Uint8Array.from(bytes));
  return Buffer.from(digest).toString('base64');
}
