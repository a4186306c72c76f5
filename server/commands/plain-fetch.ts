/**
 * `fetch` over Node's own HTTP, for commands, which ask once or twice and end: the first answer of the built-in one
 * takes as long to compute as all else that a command does, and 40 MB.
 */
import { request, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { arrayBuffer, buffer, json, text } from 'node:stream/consumers';
import type { Fetch, HttpAnswer } from '../../client/http.ts';

/**
 * Sends a request. HTTPS, redirects and long bodies are left to the built-in `fetch`, which also hears an answer that
 * comes before all was sent.
 *
 * @throws Error of the connection, as Node words it.
 */
export const plainFetch: Fetch = async (address, asked) => {
  const { method = 'GET', headers = {}, body = '', signal } = asked;
  const isPlain = address.startsWith('http://') && typeof body === 'string';
  if (!isPlain || body.length > longBody) return fetch(address, asked);
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request(address, { method, headers, signal }, resolve).on('error', reject).end(body);
  });
  const { statusCode: status = 0, headers: facts } = answer;
  if (status >= 300 && status < 400 && facts.location !== undefined) {
    answer.resume();
    return fetch(address, asked);
  }
  return answerOf(answer);
};

/** In characters: what a connection takes at once. */
const longBody = 16_000;
/** Up to this many bytes are read before they are asked for: an answer that nobody reads would hold the program. */
const smallBody = 1_000_000;

async function answerOf(incoming: IncomingMessage): Promise<HttpAnswer> {
  const { statusCode: status = 0, headers } = incoming;
  const length = status === 204 ? 0 : Number(headers['content-length'] ?? Infinity);
  const content = length > smallBody ? incoming : Readable.from([await buffer(incoming)]);
  return {
    ok: status >= 200 && status < 300,
    status,
    headers: {
      get: (name) => headers[name.toLowerCase()]?.toString() ?? null,
      has: (name) => name.toLowerCase() in headers,
    },
    get body() {
      return Readable.toWeb(content) as ReadableStream<Uint8Array<ArrayBuffer>>;
    },
    text: () => text(content),
    json: () => json(content),
    arrayBuffer: () => arrayBuffer(content),
  };
}
