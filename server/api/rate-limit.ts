/**
 * The rate limit: at most so many requests within any window of time, by the steady clock. Refused requests don't
 * count, so asking again too early does not lengthen the wait.
 */
import type { RequestHandler, Response } from 'express';
import { counted } from '../../shared/counted.ts';
import { ApiError } from '../../shared/errors.ts';
import { rateLimit } from '../../shared/limits.ts';
import type { Clock } from '../system/clock.ts';

/** Remembers the times of the last requests. A limit of Infinity counts nothing (`--no-rate-limit`). */
export class RateLimiter {
  /** May be changed at any time. */
  limit: number;
  /** Milliseconds. */
  readonly window: number;
  protected readonly clock: Clock;
  /** Steady times of accepted requests, oldest first. */
  protected times: number[] = [];

  constructor(limit: number, window: number, clock: Clock) {
    this.limit = limit;
    this.window = window;
    this.clock = clock;
  }

  /** Counts a request; false if it is one too many (and then not counted). */
  take(): boolean {
    if (this.remaining === 0) return false;
    if (Number.isFinite(this.limit)) this.times.push(this.clock.steady());
    return true;
  }

  /** The same for a request that can wait for the answer. */
  ask(): boolean | Promise<boolean> {
    return this.take();
  }

  /** Requests that would be accepted now. */
  get remaining(): number {
    const now = this.clock.steady();
    while ((this.times[0] ?? Infinity) <= now - this.window) this.times.shift();
    return Math.max(0, this.limit - this.times.length);
  }

  /** Whole seconds until the next request is accepted, at least 1. */
  get secondsToWait(): number {
    const oldest = this.times[0] ?? this.clock.steady();
    return Math.max(1, Math.ceil((oldest + this.window - this.clock.steady()) / 1000));
  }
}

/** Counts a request and reports what remains, or refuses it. */
export function countRequest(limiter: RateLimiter): RequestHandler {
  const decide = (accepted: boolean, response: Response): void => {
    response.set('X-RateLimit-Remaining', remainingText(limiter));
    if (!accepted) {
      const seconds = limiter.secondsToWait;
      response.set('Retry-After', String(seconds));
      throw new ApiError('rate_limit_exceeded', {
        requests: limiter.limit,
        window: limiter.window / 1000,
        wait: counted(seconds, 'second'),
      });
    }
  };
  return (_request, response, next) => {
    const taken = limiter.ask();
    if (typeof taken === 'boolean') {
      decide(taken, response);
      next();
    } else {
      taken
        .then((accepted) => {
          decide(accepted, response);
          next();
        })
        .catch(next);
    }
  };
}

/** The header's value; without a limit it stays at the default limit. */
export function remainingText({ remaining }: RateLimiter): string {
  return String(Number.isFinite(remaining) ? remaining : rateLimit.requests);
}
