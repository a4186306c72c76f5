/**
 * The address guard. Every web page that the user visits can reach a server on this computer: through a name that points to
 * 127.0.0.1 (stopped by checking Host), and through requests from other sites' pages (stopped by checking Origin and
 * Sec-Fetch-Site). Programs send neither of the latter two.
 */
import { isIP } from 'node:net';
import type { Request, RequestHandler } from 'express';
import { ApiError } from '../../shared/errors.ts';
import { bracketed } from '../api-address.ts';

/** True for a computer's names for itself, without a port. */
export function isLoopbackName(name: string): boolean {
  return /^(127\.0\.0\.1|localhost|\[::1\])$/i.test(name);
}

/** What a listener answers to. */
export interface HostOptions {
  /** The port that the request came in on. */
  readonly port: number;
  /** The address that the request came in on, if others can reach it. An IP address can't be made to point elsewhere. */
  readonly address?: string | undefined;
  /** Names that the user has allowed: with a port, only that one; without, any (a proxy may use another). */
  readonly names?: readonly string[];
}

/** True for the names of this computer with the listener's own port (optional if it is 80), and for allowed ones. */
export function isOwnHost(
  host: string | undefined,
  { port, address, names = [] }: HostOptions,
): boolean {
  const match = /^(\[[0-9a-f:.]+\]|[^:[\]/?#@\s]+)(?::(\d{1,5}))?$/.exec(host?.toLowerCase() ?? '');
  const [whole, name = '', given] = match ?? [];
  if (whole === undefined) return false;
  if (names.some((one) => one === whole || one === name)) return true;
  if (Number(given ?? 80) !== port) return false;
  return isLoopbackName(name) || (address !== undefined && name === bracketed(address));
}

/** The address that a request came in on, if it is an IP address that others can reach. */
function outerAddress({ socket }: Request): string | undefined {
  const address = socket.localAddress?.replace(/^::ffff:/, '').split('%')[0];
  return address !== undefined && isIP(address) !== 0 ? address : undefined;
}

/** Requests whose Host may be used in answers. */
const wellNamed = new WeakSet<Request>();

/** True once the guard has let the Host of a request pass. */
export function isWellNamed(request: Request): boolean {
  return wellNamed.has(request);
}

/** Whose pages may call. */
export interface GuardOptions {
  /** Allows this listener's own pages (the window's). */
  readonly ownPage: boolean;
  /** Origins that the user has allowed, e.g. `http://localhost:3000`. */
  readonly origins?: () => readonly string[];
  /** Extra names that it answers to. */
  readonly names?: () => readonly string[];
}

/** Methods and headers that allowed pages may use, and headers that they may read. */
const corsHeaders = {
  'Access-Control-Allow-Methods': 'GET, HEAD, POST, PATCH, DELETE',
  'Access-Control-Allow-Headers':
    'Authorization, Content-Type, Idempotency-Key, If-None-Match, If-Range, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Prefer, Range',
  'Access-Control-Expose-Headers':
    'Content-Range, ETag, Idempotent-Replayed, Preference-Applied, Preview-Warnings, Retry-After, Share-Missing, X-RateLimit-Remaining',
};

/** What any page may link to: finished files, help and descriptions. Nothing that a request could change. */
const linkable =
  /^\/($|renders\/|snapshots\/|docs($|\/)|openapi\.json$|renderscript\.schema\.json$)/;
const files = /^\/(renders|snapshots)\//;

/** Refuses by Host, then by Origin. Allowed pages get CORS headers, and answers to their preflights. */
export function guard({
  ownPage,
  origins = () => [],
  names = () => [],
}: GuardOptions): RequestHandler {
  return (request, response, next) => {
    const port = request.socket.localPort ?? 0;
    const hosts = request.headersDistinct.host ?? [];
    const address = outerAddress(request);
    // A whole address instead of a path is a request to a proxy, and names a second host.
    const isPath = request.originalUrl.startsWith('/');
    if (!isPath || hosts.length !== 1 || !isOwnHost(hosts[0], { port, address, names: names() })) {
      const own = address === undefined ? '127.0.0.1' : bracketed(address);
      throw new ApiError('wrong_host', { url: `http://${own}:${port}` });
    }
    wellNamed.add(request);
    const own = [`http://127.0.0.1:${port}`, `http://localhost:${port}`, `http://[::1]:${port}`];
    const others = origins();
    const origin = request.get('Origin');
    // A header tells the browser whether a page may show a file; it is cached with the file.
    if (files.test(request.path)) response.vary('Origin, Referer, Sec-Fetch-Site');
    if (origin !== undefined) {
      if (![...(ownPage ? own : []), ...others].includes(origin))
        throw new ApiError('wrong_origin');
    } else if (request.get('Sec-Fetch-Site') === 'cross-site') {
      if (!isLink(request) && !isEmbedding(request, others)) throw new ApiError('wrong_origin');
    }
    if (files.test(request.path)) {
      const mayShow = others.includes(origin ?? refererOf(request) ?? '');
      response.set('Cross-Origin-Resource-Policy', mayShow ? 'cross-origin' : 'same-origin');
    }
    if (origin !== undefined && others.includes(origin)) {
      response.set({ 'Access-Control-Allow-Origin': origin, ...corsHeaders });
      response.vary('Origin');
      if (request.method === 'OPTIONS') {
        response.status(204).end();
        return;
      }
    }
    next();
  };
}

/** True if someone followed a link: the linking page can't read the answer. */
function isLink(request: Request): boolean {
  return (
    isReading(request) &&
    linkable.test(request.path) &&
    request.get('Sec-Fetch-Mode') === 'navigate' &&
    request.get('Sec-Fetch-Dest') === 'document'
  );
}

/** True if an allowed page embeds a file; browsers then send no Origin. */
function isEmbedding(request: Request, allowed: readonly string[]): boolean {
  return (
    isReading(request) &&
    files.test(request.path) &&
    ['image', 'video', 'audio'].includes(request.get('Sec-Fetch-Dest') ?? '') &&
    allowed.includes(refererOf(request) ?? '')
  );
}

function isReading({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** The origin of the page that a request comes from, as far as the browser tells. */
function refererOf(request: Request): string | undefined {
  const referer = request.get('Referer');
  return referer !== undefined && URL.canParse(referer) ? new URL(referer).origin : undefined;
}
