/**
 * The rate limit: at most so many requests within any window of time, by the steady clock. Refused requests don't
 * count, so asking again too early does not lengthen the wait.
 */
import type { RequestHandler, Response } from 'express';
import { counted } from '../../shared/counted.ts';
import { ApiError } from '../../shared/errors.ts';
import { rateLimit } from '../../shared/limits.ts';
import type { Clock } from '../system/clock.ts';
import type { PostgresKeeper } from '../store/postgres/keeper.ts';
import { schemaName } from '../store/schema-name.ts';

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

/** The limit of several servers together: the database has the times. While it is away, each counts for itself. */
export class SharedRateLimiter extends RateLimiter {
  readonly #keeper: Pick<PostgresKeeper, 'inTurn'>;

  constructor(
    keeper: Pick<PostgresKeeper, 'inTurn'>,
    ...rest: ConstructorParameters<typeof RateLimiter>
  ) {
    super(...rest);
    this.#keeper = keeper;
  }

  override async ask(): Promise<boolean> {
    if (!Number.isFinite(this.limit)) return true;
    try {
      const [row] = await this.#keeper.inTurn((session) =>
        session.query<{ ages: number[]; accepted: boolean }>(countStatement, [
          this.limit,
          this.window / 1000,
        ]),
      );
      const now = this.clock.steady();
      this.times = (row?.ages ?? []).map((age) => now - age * 1000);
      return row?.accepted ?? true;
    } catch {
      return this.take();
    }
  }
}

/** Counts a request unless it is one too many. The row is locked meanwhile, so servers do it one after the other. */
const countStatement = `
  WITH asked AS (SELECT extract(epoch FROM clock_timestamp())::float8 AS now),
  counted AS (
    INSERT INTO ${schemaName}.requests AS r (account, times) SELECT 'all', ARRAY[now] FROM asked
    ON CONFLICT (account) DO UPDATE SET times =
      (SELECT coalesce(array_agg(t ORDER BY t), '{}') FROM unnest(r.times) AS t WHERE t > excluded.times[1] - $2::float8)
      || CASE WHEN (SELECT count(*) FROM unnest(r.times) AS t WHERE t > excluded.times[1] - $2::float8) < $1::float8
              THEN excluded.times ELSE '{}' END
    RETURNING times)
  SELECT ARRAY(SELECT now - t FROM unnest(times) AS t ORDER BY t) AS ages, now = ANY(times) AS accepted FROM counted, asked`;

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
