/**
 * The header `Idempotency-Key` of requests that create (the IETF's draft of that name): a client that missed the answer
 * repeats the request, and nothing is created twice.
 */
import { createHash, webcrypto } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { ApiError } from '../../shared/errors.ts';
import { deskLimits, requestLimits } from '../../shared/limits.ts';
import type { OnceKey } from '../jobs/create-render.ts';
import { bytesOf } from './body.ts';
import type { RenderWaits } from '../jobs/render-waits.ts';

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

// The header `Prefer: wait=N` (RFC 7240): the answer is held back until a render has ended, for N seconds at most.

/** The name of the header. */
export const preferHeader = 'Prefer';

/** Seconds that a request prefers to wait, up to the limit; 0 without the header, or if it can't be read. */
function wishOf({ headersDistinct }: Request): number {
  const wishes = (headersDistinct.prefer ?? []).join(',').split(',');
  for (const wish of wishes) {
    const [, seconds] = /^\s*wait\s*=\s*"?(\d{1,9})"?\s*(;|$)/i.exec(wish) ?? [];
    if (seconds !== undefined) return Math.min(Number(seconds), requestLimits.wait);
  }
  return 0;
}

/**
 * Waits for the end of all renders, as long as the request prefers, and says so in the answer. Never refuses: if too
 * many already wait, or no wait is wanted, it returns at once.
 *
 * @returns whether it waited.
 */
export async function waitAsPreferred(
  request: Request,
  response: Response,
  ids: readonly string[],
  waits: RenderWaits,
): Promise<boolean> {
  const seconds = wishOf(request);
  if (seconds === 0) return false;
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  response.once('close', leave);
  const waited = await waits.untilEnded(ids, seconds * 1000, gone.signal);
  response.off('close', leave);
  if (waited) response.set('Preference-Applied', `wait=${seconds}`);
  return waited;
}
