/**
 * A bounded listener that answers JSON even to what is not HTTP. One may have several addresses, such as both
 * loopbacks, which share port and bounds.
 */
import {
  createServer,
  STATUS_CODES,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Duplex } from 'node:stream';
import type { Express } from 'express';
import type { ApiProblem } from '../../../shared/api.ts';
import { ApiError } from '../../../shared/errors.ts';
import { listenerLimits } from '../../../shared/limits.ts';
import { bracketed, loopbackAddresses } from '../../system/api-address.ts';
import { errorRecord } from '../errors.ts';
import { askForBody, Connections, discardRest, watchAnswer, watchBody } from './connections.ts';
import { HeldPort, type HeldPorts } from './held-ports.ts';
import { asRequest } from './last-defence.ts';
import { StartError } from '../../system/start-error.ts';
import { errorCode } from '../../system/files.ts';

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
  /** The requested address. */
  readonly host: string;
  /** Takes no new requests, waits a moment for those under way, then ends them. */
  close(): Promise<void>;
}

/** Bounds of a listener; times in milliseconds, see shared/limits.ts. */
export type ListenerLimits = Readonly<Record<keyof typeof listenerLimits, number>>;

/** How to listen. */
export interface ListenOptions {
  /** 0 = any free one. */
  readonly port: number;
  /** An IP address. Default `127.0.0.1`. */
  readonly host?: string;
  /** With `127.0.0.1`: also listens at `::1`, if this computer has it. Default false. */
  readonly bothLoopbacks?: boolean;
  /** Default: those of shared/limits.ts. */
  readonly limits?: ListenerLimits;
  /** The application's headers, for answers that it never sees. Default: none. */
  readonly headers?: () => Readonly<Record<string, string>>;
  /** What links in such answers begin with; null: the address that the connection came in on. Default null. */
  readonly publicUrl?: () => string | null;
  /** Ports that stay open in between. Default: none. */
  readonly held?: HeldPorts<Served> | undefined;
}

/** What answers at a port. */
export interface Served extends ListenOptions {
  readonly app: Express;
}

/** Milliseconds that requests under way get when the listener closes. */
const closingTime = 1_000;
/** Attempts to find a port that is free at all addresses. */
const anyPortTries = 5;

/**
 * Listens.
 *
 * @throws PortError with a sentence for people.
 */
export async function listen(app: Express, options: ListenOptions): Promise<Listener> {
  const { port, host = loopbackAddresses[0], bothLoopbacks = false, held } = options;
  const served: Served = { ...options, app };
  const kept = held?.take(port, host);
  kept?.serve(served);
  if (kept) return listenerOf(kept, port, host, held);
  const others = bothLoopbacks && host === loopbackAddresses[0] ? loopbackAddresses.slice(1) : [];
  const { connections: most, settling } = options.limits ?? listenerLimits;
  const connections = new Connections(most, settling);
  for (let tries = 1; ; tries++) {
    const own = new HeldPort(served);
    const first = await opened(boundedServer(own, options, connections), port, host);
    const { servers } = own;
    servers.push(first.server);
    try {
      for (const other of others) {
        const beside = boundedServer(own, options, connections);
        const { server } = await opened(beside, first.port, other);
        servers.push(server);
      }
    } catch (error) {
      // Without IPv6 there is no second address.
      if (!(error instanceof PortError) || error.reason === 'taken') {
        await Promise.all(servers.map(closed));
        // Any other port will do; the system only knew that it is free at the first address.
        if (error instanceof PortError && port === 0 && tries < anyPortTries) continue;
        throw error;
      }
    }
    return listenerOf(own, first.port, host, held);
  }
}

function listenerOf(
  own: HeldPort<Served>,
  port: number,
  host: string,
  held: HeldPorts<Served> | undefined,
): Listener {
  return {
    port,
    host,
    async close() {
      if (!held?.isHolding) {
        await Promise.all(own.servers.map(closed));
        return;
      }
      held.keep(port, host, own);
      await own.hold(closingTime);
    },
  };
}

function boundedServer(
  own: HeldPort<Served>,
  options: ListenOptions,
  connections: Connections,
): Server {
  const { limits = listenerLimits, headers = () => ({}), publicUrl = () => null } = options;
  const refuse = (socket: Duplex, refusal: ApiError): void =>
    answerRaw(socket, refusal, publicUrl() ?? addressOf(socket), headers());
  const server = createServer({
    maxHeaderSize: limits.headerBytes,
    // See watchBody.
    requestTimeout: 0,
    headersTimeout: limits.headerTime,
    keepAliveTimeout: limits.keepAliveTime + limits.keepAliveGrace,
    // How often Node checks; its default of 30 seconds would turn 10 seconds into 40.
    connectionsCheckingInterval: limits.headerTime / 10,
    // The guard answers requests without a Host; Node would, but without a body.
    requireHostHeader: false,
  });
  server.on('connection', (socket) => connections.add(socket));
  const keepAlive = `timeout=${Math.floor(limits.keepAliveTime / 1000)}`;
  // Otherwise Node answers the second itself, without a body.
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    // More parts wait for the end of an answer than Node takes for a leak, and no request adds to their number.
    response.setMaxListeners(20);
    discardRest(request, response, limits);
    if (connections.isRefused(request.socket)) {
      response.setHeaders(new Map(Object.entries({ ...headers(), 'Retry-After': '1' })));
      endWith(new ApiError('too_many_connections'), response, request.socket);
      return;
    }
    connections.work(request, response);
    request.url = pathOf(request);
    watchBody(request, limits, () => server.emit('clientError', tooSlow(), request.socket));
    if (connections.areTooMany) response.shouldKeepAlive = false;
    // Node would announce the full time, and close just when a client that relies on it asks again.
    else response.setHeader('Keep-Alive', keepAlive);
    const giveUp = (refusal: ApiError): void => endWith(refusal, response, request.socket);
    watchAnswer(request, response, limits, () => giveUp(new ApiError('no_answer')));
    own.enter(response, ({ app }) =>
      asRequest(request, response, giveUp, () => void app(request, response)),
    );
  };
  server.on('request', answer);
  server.on('checkExpectation', answer);
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    askForBody(request, response);
    answer(request, response);
  });
  // Node would end the connection without a word.
  server.on('connect', (request: IncomingMessage, socket) => {
    const url = publicUrl() ?? addressOf(request.socket);
    refuse(socket, new ApiError('wrong_host', { url }));
  });
  server.on('clientError', (error, socket) => {
    const { code } = error as NodeJS.ErrnoException; // from the parser or the system
    // In the middle of another answer, ours would become part of it.
    const isOver = code === 'ECONNRESET' || !socket.writable;
    if (isOver || connections.isInAnswer(socket)) socket.destroy();
    else refuse(socket, brokenRequest(code));
  });
  return server;
}

/**
 * The path of a request that names a whole address, as to a proxy (RFC 9112, 3.2.2), if it names what its Host does.
 * With another host it stays, and the guard refuses it.
 */
function pathOf({ url = '', headers: { host } }: IncomingMessage): string {
  const [, named, rest = ''] = /^https?:\/\/([^/?#]+)(.*)$/i.exec(url) ?? [];
  if (named === undefined || named.toLowerCase() !== host?.toLowerCase()) return url;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** As Node reports it for headers. */
const tooSlow = (): Error =>
  Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });

function opened(
  server: Server,
  port: number,
  host: string,
): Promise<{ readonly server: Server; readonly port: number }> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      const code = errorCode(error);
      const reasons: Readonly<Record<string, string>> = {
        EADDRINUSE: `Port ${port} is used by another program. Close it, or choose another port.`,
        EACCES: `Port ${port} may not be opened by this user. Choose one above 1023.`,
        EADDRNOTAVAIL: `This computer does not have the address ${host}.`,
      };
      const sentence = reasons[code ?? ''] ?? `Port ${port} could not be opened.`;
      const reason = code === 'EADDRINUSE' ? 'taken' : 'refused';
      reject(new PortError(sentence, reason, { cause: error }));
    });
    server.listen({ port, host, ipv6Only: host === '::1' }, () => {
      const address = server.address();
      if (address === null || typeof address === 'string') reject(new Error('no port was opened'));
      else resolve({ server, port: address.port });
    });
  });
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), closingTime).unref();
  });
}

/** The refusal of what breaks HTTP itself. */
function brokenRequest(code: string | undefined): ApiError {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new ApiError('headers_too_large', { limit: listenerLimits.headerBytes });
  return new ApiError(
    code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'request_timeout' : 'malformed_request',
  );
}

/**
 * Answers a request that its handlers have left, and ends its connection: nobody knows what they did with the rest of
 * it.
 */
function endWith(refusal: ApiError, response: ServerResponse, socket: Duplex): void {
  if (response.headersSent) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify(errorRecord(refusal, addressOf(socket)));
  response.statusCode = refusal.status;
  response.removeHeader('Keep-Alive');
  for (const name of ['Content-Disposition', 'Content-Encoding', 'Content-Range', 'ETag']) {
    response.removeHeader(name);
  }
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(body));
  response.setHeader('Connection', 'close');
  response.end(body);
}

/** Answers on the raw connection and ends it: what is refused here never reaches Express. */
function answerRaw(
  socket: Duplex,
  refusal: ApiError,
  url: string,
  headers: Readonly<Record<string, string>>,
): void {
  const body = JSON.stringify(errorRecord(refusal, url));
  socket.on('error', () => socket.destroy());
  socket.end(
    [
      `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status] ?? ''}`,
      'Content-Type: application/json; charset=utf-8',
      'X-Content-Type-Options: nosniff',
      'Cache-Control: no-store',
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}

interface LocalEnd {
  readonly localAddress: string;
  readonly localPort: number;
}

/** The address that a connection came in on. */
function addressOf(socket: Duplex): string {
  // A network socket, typed as a stream.
  const { localAddress = loopbackAddresses[0], localPort = 0 } = socket as Partial<LocalEnd>;
  return `http://${bracketed(localAddress.replace(/^::ffff:/, ''))}:${localPort}`;
}
