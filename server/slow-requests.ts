/**
 * Gives up requests whose body arrives too slowly. Node's own `requestTimeout` is one time for every size, so that it would
 * either end the upload of a film over a slow network, or let a few bytes hold a connection for as long as that film takes.
 */
import type { IncomingMessage } from 'node:http';

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
