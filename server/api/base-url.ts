/**
 * The address that answers carry in their links: the one by which the request came, so that whoever asks can open them. The
 * guard has looked at it before. On this computer all its names mean the same, and links carry one of them.
 */
import type { Request } from 'express';
import { isLoopbackName, isWellNamed } from './guard.ts';

/** @param apiUrl The address that is told where no request says one. */
export function baseUrlOf(request: Request, apiUrl: string): string {
  const host = isWellNamed(request) ? request.headers.host?.toLowerCase() : undefined;
  if (host === undefined) return apiUrl;
  if (!isLoopbackName(host.replace(/:\d+$/, ''))) return `http://${host}`;
  const { hostname, port } = new URL(apiUrl);
  return isLoopbackName(hostname) ? apiUrl : `http://127.0.0.1:${port}`;
}
