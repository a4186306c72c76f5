/**
 * Gives up requests whose body arrives too slowly, those that nothing answers, and what still arrives after the answer.
 * Node's own `requestTimeout` is one time for every size, so that it would either end the upload of a film over a slow
 * network, or let a few bytes hold a connection for as long as that film takes.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Bounds of a request's body. */
export interface BodyLimits {
  /** Milliseconds that any body may take. */
  readonly requestTime: number;
  /** Bytes of body that earn it one more second. */
  readonly bodyRate: number;
}

/**
 * Watches one request until its body is complete or its connection is gone.
 *
 * @param giveUp Called at most once, when the body has used up its time; ends the connection.
 */
export function watchBody(
  request: IncomingMessage,
  { requestTime, bodyRate }: BodyLimits,
  giveUp: () => void,
): void {
  const { socket } = request;
  const started = performance.now();
  const before = socket.bytesRead;
  const look = (): void => {
    if (request.complete) return;
    const earned = ((socket.bytesRead - before) / bodyRate) * 1000;
    const left = started + requestTime + earned - performance.now();
    if (left <= 0) giveUp();
    else timer = setTimeout(look, Math.ceil(left)).unref();
  };
  let timer = setTimeout(look, requestTime).unref();
  request.once('end', () => clearTimeout(timer));
  request.once('close', () => clearTimeout(timer));
}

/**
 * Watches one request until its answer begins: whatever a handler waits for, the client hears something.
 *
 * @param giveUp Called at most once, when nothing came or went for `answerTime`.
 */
export function watchAnswer(
  { socket }: IncomingMessage,
  response: ServerResponse,
  { answerTime }: { readonly answerTime: number },
  giveUp: () => void,
): void {
  let before = socket.bytesRead;
  const timer = setInterval(() => {
    const isBegun = response.headersSent || response.destroyed;
    const hasArrived = socket.bytesRead !== before;
    before = socket.bytesRead;
    if (!isBegun && hasArrived) return;
    clearInterval(timer);
    if (!isBegun) giveUp();
  }, answerTime).unref();
  response.once('close', () => clearInterval(timer));
}

/** Bounds of what arrives after the answer. */
export interface RestLimits {
  /** Milliseconds that the rest of a body may take. */
  readonly restTime: number;
  /** Milliseconds that it may pause. */
  readonly restPause: number;
  readonly restBytes: number;
}

/** How often the rest of a body is looked at, in milliseconds. */
const restLook = 50;

/**
 * Reads on and discards what is left of a body when its answer is written: a client that is still sending would lose
 * its answer to the reset of a closed connection. At one of the bounds the connection ends.
 */
export function discardRest(
  request: IncomingMessage,
  response: ServerResponse,
  { restTime, restPause, restBytes }: RestLimits,
): void {
  const { socket } = request;
  const begin = (): void => {
    if (request.complete || socket.destroyed) return;
    // After an answer with `Connection: close`, Node calls it.
    let isLast = false;
    socket.destroySoon = () => {
      isLast = true;
      socket.end();
    };
    request.unpipe();
    request.resume();
    const started = performance.now();
    const before = socket.bytesRead;
    let [seen, seenAt] = [before, started];
    const look = setInterval(() => {
      const now = performance.now();
      if (socket.bytesRead !== seen) [seen, seenAt] = [socket.bytesRead, now];
      const isOver = now - started > restTime || now - seenAt > restPause;
      if (isOver || seen - before > restBytes) socket.destroy();
    }, restLook).unref();
    const end = (): void => {
      clearInterval(look);
      Reflect.deleteProperty(socket, 'destroySoon');
      if (isLast) socket.destroySoon();
    };
    request.once('end', end);
    socket.once('close', () => clearInterval(look));
  };
  // Before Node's own listener, which closes the connection.
  response.prependOnceListener('finish', begin);
}

/**
 * Has a client that waits for it (`Expect: 100-continue`) send its body once someone reads it: a refusal comes without.
 */
export function askForBody(request: IncomingMessage, response: ServerResponse): void {
  const ask = (event: string | symbol): void => {
    if (event !== 'data' && event !== 'readable') return;
    request.off('newListener', ask);
    if (!response.headersSent) response.writeContinue();
  };
  request.on('newListener', ask);
}
