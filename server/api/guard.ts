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

/** Refuses by Host, then by Origin. `ownPage` allows pages of this very listener (the window's). */
export function guard({ ownPage }: { ownPage: boolean }): RequestHandler {
  return (request, _response, next) => {
    const port = portOf(request);
    const hosts = request.headersDistinct.host ?? [];
    if (hosts.length !== 1 || !isOwnHost(hosts[0], port)) {
      throw new ApiError('wrong_host', { url: `http://127.0.0.1:${port}` });
    }
    const own = [`http://127.0.0.1:${port}`, `http://localhost:${port}`, `http://[::1]:${port}`];
    const allowed = ownPage ? own : [];
    if (!isOwnOrigin(request.get('Origin'), request.get('Sec-Fetch-Site'), allowed)) {
      throw new ApiError('wrong_origin');
    }
    next();
  };
}
