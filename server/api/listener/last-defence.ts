/**
 * The last line of defence of the process that has the API: an error that nobody caught ends neither it nor other
 * requests. The request that it came from gets a 500; what is left half done by anything else can't be trusted, so
 * whoever started the server is told.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { asRefusal } from '../errors.ts';
import { describeError, type Log } from '../../system/log.ts';
import type { ApiError } from '../../../shared/errors.ts';

/** A request under way. */
interface Request {
  readonly method: string;
  readonly url: string;
  readonly isOver: () => boolean;
  /** When it ended, by `performance.now()`; Infinity while it is under way. */
  endedAt: number;
  /** Ends it with this answer, or without one if another has begun. */
  readonly refuse: (refusal: ApiError) => void;
}

/** The request that the running code belongs to. */
const current = new AsyncLocalStorage<Request>();

/**
 * Runs the work of a request, and later all listeners of its events, as its own.
 * @param refuse Writes an answer and ends it.
 */
export function asRequest(
  request: IncomingMessage,
  response: ServerResponse,
  refuse: (refusal: ApiError) => void,
  work: () => void,
): void {
  const own: Request = {
    method: request.method ?? '',
    url: request.url ?? '',
    isOver: () => response.writableEnded || response.destroyed,
    endedAt: Infinity,
    refuse,
  };
  response.once('close', () => (own.endedAt = performance.now()));
  // What arrives later comes from the connection, which belongs to no request.
  for (const emitter of [request, response]) emitAs(own, emitter);
  current.run(own, work);
}

function emitAs(own: Request, emitter: EventEmitter): void {
  const emit = emitter.emit.bind(emitter);
  emitter.emit = (...event: Parameters<EventEmitter['emit']>) => current.run(own, emit, ...event);
}

/** Milliseconds for which what a request leaves behind is still its own, and no background work that it began. */
const leftoverTime = 5_000;
/** So many errors of leftovers within this time, in ms, are no accident of single requests. */
const leftoverLimit = { count: 3, time: 60_000 };

/**
 * Watches for errors that nobody caught.
 *
 * @param onDoubt An error came from no request: background work may be left half done. It is logged already.
 * @returns what stops watching.
 */
export function watchUncaught(log: Log, onDoubt: () => void): () => void {
  let leftovers: number[] = [];
  const onError = (error: unknown): void => {
    const request = current.getStore();
    if (request && !request.isOver()) {
      const { method, url } = request;
      request.refuse(asRefusal(error, method, url, log));
      return;
    }
    const after = request ? ` (begun by ${request.method} ${request.url.split('?')[0] ?? ''})` : '';
    log('error', 'main', `Nobody caught this${after}: ${describeError(error)}`);
    const now = performance.now();
    if (request && now - request.endedAt < leftoverTime) {
      // Whoever goes away in the middle must not be able to start everything again.
      leftovers = [...leftovers.filter((one) => now - one < leftoverLimit.time), now];
      if (leftovers.length < leftoverLimit.count) return;
    }
    onDoubt();
  };
  process.on('uncaughtException', onError);
  process.on('unhandledRejection', onError);
  return () => {
    process.off('uncaughtException', onError);
    process.off('unhandledRejection', onError);
  };
}
