/** A listener on this computer: bounded, and answering JSON also where a request is not even HTTP. */
import { createServer, STATUS_CODES, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Express } from 'express';
import type { ApiProblem } from '../shared/api.ts';
import { ApiError } from '../shared/errors.ts';
import { listenerLimits } from '../shared/limits.ts';
import { errorRecord } from './api/errors.ts';
import { StartError } from './start-error.ts';
import { errorCode } from './store/files.ts';

/** The port is taken by another program, or may not be used. */
export class PortError extends StartError {
  override readonly name = 'PortError';
  /** `taken` by another program, or `refused` by the system. */
  readonly reason: ApiProblem['reason'];

  constructor(message: string, reason: ApiProblem['reason'], options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** A server that listens. */
export interface Listener {
  readonly port: number;
  /** Takes no new requests, waits a moment for those under way, then ends them. */
  close(): Promise<void>;
}

/** What bounds a listener: times in milliseconds, see shared/limits.ts. */
export type ListenerLimits = Readonly<Record<keyof typeof listenerLimits, number>>;

/** Milliseconds that requests under way get when the listener closes. */
const closingTime = 1_000;

/**
 * Listens on 127.0.0.1.
 *
 * @param port 0 = any free one.
 * @param limits Default: those of shared/limits.ts.
 * @throws PortError with a sentence for people.
 */
export async function listen(
  app: Express,
  port: number,
  limits: ListenerLimits = listenerLimits,
): Promise<Listener> {
  const server = createServer(
    {
      maxHeaderSize: limits.headerBytes,
      requestTimeout: limits.requestTime,
      headersTimeout: limits.headerTime,
      keepAliveTimeout: limits.keepAliveTime,
      // How often the first two are looked at; Node's own 30 seconds would make 10 seconds 40.
      connectionsCheckingInterval: limits.headerTime / 10,
      // The guard answers requests without a Host; Node would, but without a body.
      requireHostHeader: false,
    },
    app,
  );
  server.maxConnections = limits.connections;
  server.on('clientError', answerBrokenRequest);
  await opened(server, port);
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port was opened');
  return { port: address.port, close: () => closed(server) };
}

function opened(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      const code = errorCode(error);
      const reasons: Readonly<Record<string, string>> = {
        EADDRINUSE: `Port ${port} is used by another program. Close it, or choose another port.`,
        EACCES: `Port ${port} may not be opened by this user. Choose one above 1023.`,
      };
      const sentence = reasons[code ?? ''] ?? `Port ${port} could not be opened.`;
      const reason = code === 'EADDRINUSE' ? 'taken' : 'refused';
      reject(new PortError(sentence, reason, { cause: error }));
    });
    server.listen({ port, host: '127.0.0.1' }, resolve);
  });
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), closingTime).unref();
  });
}

/** What breaks HTTP itself never reaches Express. */
function answerBrokenRequest(error: Error, socket: Duplex): void {
  const code = errorCode(error);
  if (code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const refusal =
    code === 'HPE_HEADER_OVERFLOW'
      ? new ApiError('headers_too_large', { limit: listenerLimits.headerBytes })
      : new ApiError(code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'request_timeout' : 'malformed_request');
  const { localPort } = socket as Duplex & { localPort?: number }; // a network socket, typed as a stream
  const body = JSON.stringify(errorRecord(refusal, `http://127.0.0.1:${localPort ?? 0}`));
  socket.end(
    [
      `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status] ?? ''}`,
      'Content-Type: application/json; charset=utf-8',
      'X-Content-Type-Options: nosniff',
      'Cache-Control: no-store',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
