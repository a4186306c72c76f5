/**
 * The address guard. Every web page that the user visits can reach a server on this computer: through a name that
 * points to 127.0.0.1 (stopped by checking Host), and through requests from other sites' pages (stopped by checking
 * Origin and Sec-Fetch-Site). Programs send neither of the latter two.
 */
import { isIP } from 'node:net';
import type { Request, RequestHandler } from 'express';
import { ApiError } from '../../shared/errors.ts';
import { bracketed, isLoopbackName } from '../system/api-address.ts';

/** What a listener answers to. */
export interface HostOptions {
  /** The port that the request came in on. */
  readonly port: number;
  /**
   * The address that the request came in on, if others can reach it. An IP address can't be made to point elsewhere.
   */
  readonly address?: string | undefined;
  /** Names that the user has allowed: with a port, only that one; without, any (a proxy may use another). */
  readonly names?: readonly string[];
  /**
   * True if something may stand between the listener and its users: a container's mapped port, a tunnel, a proxy. Then
   * all names of loopback and all IP addresses are its own, at any port: no web site can have one of them lead
   * elsewhere. Default false.
   */
  readonly isBehind?: boolean;
}

/** A name or an address, and a port. */
const hostParts = /^(\[[0-9a-f:.]+\]|[^:[\]/?#@%\s]+)(?::(\d{1,5}))?$/;

/**
 * A host in the form in which browsers write it: lower case, addresses in short, and without the dot that may end a
 * name: it means the same name, asked for as a whole.
 */
function plainHost(host = ''): string {
  const [, name = '', port] = hostParts.exec(host.toLowerCase()) ?? [];
  if (!URL.canParse(`http://${name}`)) return '';
  const { hostname } = new URL(`http://${name}`);
  return hostname.replace(/\.$/, '') + (port === undefined ? '' : `:${port}`);
}

/** True for the names of this computer with the listener's own port (optional if it is 80), and for allowed ones. */
export function isOwnHost(
  host: string | undefined,
  { port, address, names = [], isBehind = false }: HostOptions,
): boolean {
  const [whole, name = '', given] = hostParts.exec(plainHost(host)) ?? [];
  if (whole === undefined || Number(given ?? 0) > 65_535) return false;
  if (names.some((one) => one === whole || one === name)) return true;
  if (isBehind && (isLoopbackName(name) || isIP(name.replace(/^\[|\]$/g, '')) !== 0)) return true;
  if (Number(given ?? 80) !== port) return false;
  return isLoopbackName(name) || (address !== undefined && name === bracketed(address));
}

/** The address that a request came in on, if it is an IP address that others can reach. */
function outerAddress({ socket }: Request): string | undefined {
  const address = socket.localAddress?.replace(/^::ffff:/, '').split('%')[0];
  return address !== undefined && isIP(address) !== 0 ? address : undefined;
}

/** What a request was sent to: scheme and host. */
export interface AskedAddress {
  readonly scheme: 'http' | 'https';
  /** With its port, as the request names it, in lower case. */
  readonly host: string;
  /** True if a proxy has named it. */
  readonly isForwarded: boolean;
}

/** Of requests whose address may be used in answers. */
const asked = new WeakMap<Request, AskedAddress>();

/**
 * The address that a request was sent to, once the guard has let it pass; undefined: links must begin with another one.
 */
export function askedAddress(request: Request): AskedAddress | undefined {
  return asked.get(request);
}

/** The first of a header's values, which the outermost proxy has set; undefined if there is none. */
function forwarded(request: Request, name: 'host' | 'proto'): string | undefined {
  const [first = ''] = request.get(`X-Forwarded-${name}`)?.split(',') ?? [];
  return first.trim() === '' ? undefined : first.trim().toLowerCase();
}

/** Whose pages may call. */
export interface GuardOptions {
  /** Allows this listener's own pages (the window's). */
  readonly ownPage: boolean;
  /** Origins that the user has allowed, e.g. `http://localhost:3000`. */
  readonly origins?: () => readonly string[];
  /** Extra names that it answers to. */
  readonly names?: () => readonly string[];
  /** See HostOptions. A trusted proxy implies it. */
  readonly isBehind?: () => boolean;
  /**
   * Whether `X-Forwarded-Host` and `X-Forwarded-Proto` say what a request was sent to. The name must be allowed like
   * any other.
   */
  readonly trustsProxy?: () => boolean;
  /** The address that all links begin with; null: the one that a request was sent to. */
  readonly publicUrl?: () => string | null;
}

/** Programs that watch this one use whatever address they have. Nothing there tells more than a word without a key. */
export const monitoringPaths = /^\/(healthz|readyz|metrics)$/;

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
  isBehind = () => false,
  trustsProxy = () => false,
  publicUrl = () => null,
}: GuardOptions): RequestHandler {
  return (request, response, next) => {
    const port = request.socket.localPort ?? 0;
    const hosts = request.headersDistinct.host ?? [];
    const address = outerAddress(request);
    // A whole address instead of a path is a request to a proxy, and names a second host.
    const isPath = request.originalUrl.startsWith('/');
    const trusts = trustsProxy();
    const outer = trusts ? forwarded(request, 'host') : undefined;
    const options = { port, address, names: names(), isBehind: trusts || isBehind() };
    // Both: a page of another site can send any forwarded name, but no other Host than its own.
    const isOwn =
      hosts.length === 1 && [hosts[0], outer ?? hosts[0]].every((one) => isOwnHost(one, options));
    const isWatched = !ownPage && hosts.length < 2 && monitoringPaths.test(request.path);
    if (!isPath || !(isOwn || isWatched)) {
      const own = address === undefined ? '127.0.0.1' : bracketed(address);
      throw new ApiError('wrong_host', { url: publicUrl() ?? `http://${own}:${port}` });
    }
    if (isOwn && !ownPage && publicUrl() === null) {
      const host = plainHost(outer ?? hosts[0]);
      const scheme = trusts && forwarded(request, 'proto') === 'https' ? 'https' : 'http';
      asked.set(request, { scheme, host, isForwarded: outer !== undefined });
    }
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
