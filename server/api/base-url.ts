/**
 * The address for links in answers: the one the request used, so that its sender can open them. The guard has already
 * checked it. This computer's own names all mean the same; links use one of them.
 */
import type { Request } from 'express';
import { isLoopbackName, isWellNamed } from './guard.ts';

/** @param apiUrl The address to use when the request names none. */
export function baseUrlOf(request: Request, apiUrl: string): string {
  const host = isWellNamed(request) ? request.headers.host?.toLowerCase() : undefined;
  if (host === undefined) return apiUrl;
  if (!isLoopbackName(host.replace(/:\d+$/, ''))) return `http://${host}`;
  const { hostname, port } = new URL(apiUrl);
  return isLoopbackName(hostname) ? apiUrl : `http://127.0.0.1:${port}`;
}
