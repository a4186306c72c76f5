/**
 * Gives up requests whose body arrives too slowly, and those that nothing answers. Node's own `requestTimeout` is one time for every size, so that it would
 * either end the upload of a film over a slow network, or let a few bytes hold a connection for as long as that film takes.
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
