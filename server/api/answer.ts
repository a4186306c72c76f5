/** Sends answers that may be long in parts, without joining them into one text. */
import type { Request, Response } from 'express';
import { answerParts, type TextContent } from '../system/json-text.ts';
import { isLoopbackName } from '../system/api-address.ts';
import { askedAddress } from './guard.ts';

/** Sends an object, or a list of objects, whose fields may be `JsonText`. Status and type are the caller's. */
export function sendAnswer(response: Response, answer: object): void {
  sendParts(response, answerParts(answer));
}

/** Sends texts and bytes, one after the other. */
export function sendParts(response: Response, parts: readonly TextContent[]): void {
  if (parts.every((part) => typeof part === 'string')) {
    response.send(parts.join(''));
    return;
  }
  const length = parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
  response.set('Content-Length', String(length));
  for (const part of parts) response.write(part);
  response.end();
}

// The address for links in answers: the public one if there is one, else the one that the request used, so that its
// sender can open them. The guard has already checked it. This computer's own names all mean the same; links use one
// of them.

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

/** Shown, and saved under a name. */
export function shownAs(name: string): string {
  return `inline; filename*=UTF-8''${encoded(name)}`;
}

/** Saved under a name; with a plain form of it for programs that read no other. */
export function savedAs(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded(name)}`;
}

/** Encoded for header fields (RFC 8187), which escape more characters than addresses do. */
function encoded(name: string): string {
  return encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
