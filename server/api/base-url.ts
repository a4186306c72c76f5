/**
 * The address for links in answers: the public one if there is one, else the one that the request used, so that its
 * sender can open them. The guard has already checked it. This computer's own names all mean the same; links use one of
 * them.
 */
import type { Request } from 'express';
import { isLoopbackName } from '../system/api-address.ts';
import { askedAddress } from './guard.ts';

/** @param apiUrl The address to use when the request names none: `services.apiUrl()`. */
export function baseUrlOf(request: Request, apiUrl: string): string {
  const asked = askedAddress(request);
  if (!asked) return apiUrl;
  const { scheme, host, isForwarded } = asked;
  const [, name = '', given = scheme === 'https' ? '443' : '80'] =
    /^(.*?)(?::(\d+))?$/.exec(host) ?? [];
  const port = request.socket.localPort;
  // Another port is one that something else has, which passes requests on.
  if (isForwarded || !isLoopbackName(name) || Number(given) !== port) {
    return `${scheme}://${host.replace(scheme === 'https' ? /:443$/ : /:80$/, '')}`;
  }
  return isLoopbackName(new URL(apiUrl).hostname) ? apiUrl : `http://127.0.0.1:${port}`;
}

/** The path of an address for links, which a proxy takes away: `/framewright`, or nothing. */
export function pathBefore(baseUrl: string): string {
  return baseUrl.replace(/^https?:\/\/[^/]*/, '');
}
