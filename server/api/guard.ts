/**
 * The address guard. A server on this computer can be reached by every web page that its user visits: by a page whose
 * name was made to point to 127.0.0.1 (stopped by looking at Host), and by requests from pages of other sites (stopped by
 * looking at Origin and Sec-Fetch-Site). Programs send neither of the latter.
 */
import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { ApiError } from '../../shared/errors.ts';

/** The port that the request came in on. */
function portOf(request: IncomingMessage): number {
  return request.socket.localPort ?? 0;
}

/** True for the names of this computer with the listener's own port (which may be left out when it is 80). */
export function isOwnHost(host: string | undefined, port: number): boolean {
  const match = /^(127\.0\.0\.1|localhost|\[::1\])(?::(\d{1,5}))?$/i.exec(host ?? '');
  return match !== null && Number(match[2] ?? 80) === port;
}

/** True for requests that no web page can have made, or that come from one of the `allowed` origins. */
function isOwnOrigin(
  origin: string | undefined,
  fetchSite: string | undefined,
  allowed: readonly string[],
): boolean {
  if (origin !== undefined) return allowed.includes(origin);
  return fetchSite !== 'cross-site';
}

/** Whose pages may call. */
export interface GuardOptions {
  /** Pages of this very listener (the window's). */
  readonly ownPage: boolean;
  /** Origins that a person has allowed, e.g. `http://localhost:3000`. */
  readonly origins?: () => readonly string[];
}

/** Methods and headers that pages with leave may use, and the headers that they may read. */
const corsHeaders = {
  'Access-Control-Allow-Methods': 'GET, HEAD, POST, PATCH, DELETE',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, Range',
  'Access-Control-Expose-Headers': 'X-RateLimit-Remaining, Retry-After',
};

/** Refuses by Host, then by Origin. Pages with leave are told so, and their preflights answered. */
export function guard({ ownPage, origins = () => [] }: GuardOptions): RequestHandler {
  return (request, response, next) => {
    const port = portOf(request);
    const hosts = request.headersDistinct.host ?? [];
    // A whole address in place of the path is how proxies are asked, and names a second host.
    const isPath = request.originalUrl.startsWith('/');
    if (!isPath || hosts.length !== 1 || !isOwnHost(hosts[0], port)) {
      throw new ApiError('wrong_host', { url: `http://127.0.0.1:${port}` });
    }
    const own = [`http://127.0.0.1:${port}`, `http://localhost:${port}`, `http://[::1]:${port}`];
    const others = origins();
    const allowed = [...(ownPage ? own : []), ...others];
    const origin = request.get('Origin');
    if (!isOwnOrigin(origin, request.get('Sec-Fetch-Site'), allowed)) {
      throw new ApiError('wrong_origin');
    }
    if (origin !== undefined && others.includes(origin)) {
      response.set({ 'Access-Control-Allow-Origin': origin, Vary: 'Origin', ...corsHeaders });
      if (request.method === 'OPTIONS') {
        response.status(204).end();
        return;
      }
    }
    next();
  };
}
