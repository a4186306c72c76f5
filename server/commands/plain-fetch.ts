/**
 * `fetch` over Node's own HTTP, for commands, which ask once or twice and end: the first answer of the built-in one
 * takes as long to compute as all else that a command does, and 40 MB.
 */
import { request, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { arrayBuffer, buffer, json, text } from 'node:stream/consumers';
import type { Fetch, HttpAnswer, HttpRequest } from '../../client/http.ts';

/**
 * Sends a request. HTTPS and redirects are left to the built-in `fetch`.
 *
 * @throws Error of the connection, as Node words it.
 */
export const plainFetch: Fetch = async (address, asked) => {
  if (!address.startsWith('http://')) return fetch(address, asked);
  const answer = await send(address, asked);
  const { statusCode: status = 0, headers } = answer;
  if (status >= 300 && status < 400 && headers.location !== undefined) {
    answer.resume();
    return fetch(address, asked);
  }
  return answerOf(answer);
};

function send(
  address: string,
  { method = 'GET', headers = {}, body, signal }: HttpRequest,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = request(address, { method, headers, signal });
    // The answer may come before all was sent, and end the connection.
    sent.on('response', resolve).on('error', reject);
    if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) {
      sent.end(body);
      return;
    }
    if (body instanceof Blob) sent.setHeader('Content-Length', body.size);
    const stream = Readable.fromWeb(body instanceof Blob ? body.stream() : body);
    stream.once('error', (error) => sent.destroy(error)).pipe(sent);
  });
}

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
