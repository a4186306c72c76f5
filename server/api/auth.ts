/** The key: `Authorization: Bearer …` on every path of the API, compared in constant time, never read from the address. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { RequestHandler } from 'express';
import { ApiError } from '../../shared/errors.ts';
import { wrongKeyLimit } from '../../shared/limits.ts';
import type { Clock } from '../clock.ts';
import { RateLimiter } from './rate-limit.ts';

/** Hashes have one length, so that the comparison tells nothing about the key's. */
export function sameSecret(given: string, wanted: string): boolean {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(given), hash(wanted));
}

/** Refuses requests without the key. After many wrong ones the refusals become slow, so that guessing is no use. */
export function auth(key: string, clock: Clock): RequestHandler {
  const wrong = new RateLimiter(wrongKeyLimit.attempts, wrongKeyLimit.window, clock);
  return (request, _response, next) => {
    const headers = request.headersDistinct.authorization ?? [];
    const given = headers.length === 1 ? /^Bearer +(\S+)$/i.exec(headers[0] ?? '')?.[1] : undefined;
    if (given !== undefined && sameSecret(given, key)) {
      next();
      return;
    }
    const delay = wrong.take() ? 0 : wrongKeyLimit.delay;
    setTimeout(() => next(new ApiError('invalid_key')), delay).unref();
  };
}
