/**
 * The key: `Authorization: Bearer …` on every path of the API, compared in constant time, never read from the address.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { ApiError } from '../../shared/errors.ts';
import { wrongKeyLimit } from '../../shared/limits.ts';
import type { Clock } from '../system/clock.ts';
import { delayConnection, trustConnection } from './listener/connections.ts';
import type { KeyStore, StoredKey } from '../store/projects.ts';
import { RateLimiter } from './rate-limit.ts';

/** Hashes all have the same length, so the comparison does not reveal the key's. */
export function sameSecret(given: string, wanted: string): boolean {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(given), hash(wanted));
}

/** The keys of requests that `auth` let through; each belongs to a project. */
const opened = new WeakMap<Request, StoredKey>();

/** The ID of the project that the key of a request opens. */
export function projectOf(request: Request): string {
  const key = opened.get(request);
  if (!key) throw new Error('the route belongs to a project but has no auth before it');
  return key.project;
}

/** Refuses requests without a key. After many wrong keys refusals become slow, so that guessing is useless. */
export function auth(keys: KeyStore, clock: Clock): RequestHandler {
  const wrong = new RateLimiter(wrongKeyLimit.attempts, wrongKeyLimit.window, clock);
  return (request, _response, next) => {
    const headers = request.headersDistinct.authorization ?? [];
    const given = headers.length === 1 ? /^Bearer +(\S+)$/i.exec(headers[0] ?? '')?.[1] : undefined;
    // Compares all, so that the time does not reveal which one is close.
    const [key] =
      given === undefined ? [] : keys.list().filter(({ key: wanted }) => sameSecret(given, wanted));
    if (key) {
      opened.set(request, key);
      trustConnection(request);
      next();
      return;
    }
    const advice = given === undefined ? 'Send it as the header Authorization: Bearer KEY.' : null;
    const refusal = new ApiError('invalid_key').withAdvice(advice);
    if (wrong.take()) throw refusal;
    // A connection that waits for its refusal gives way to any with a key.
    const proceed = delayConnection(request);
    setTimeout(() => {
      proceed();
      next(refusal);
    }, wrongKeyLimit.delay).unref();
  };
}
