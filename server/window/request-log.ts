/**
 * The last requests to the public API with their answers, refused ones included: what a person looks at who wants to know
 * why a script does not work. In memory only, and gone with the program.
 */
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import type { RequestHandler } from 'express';
import type { RequestDetails, RequestEntry } from '../../shared/api.ts';
import type { Clock } from '../clock.ts';
import type { EventBus } from '../jobs/events.ts';
import type { KeyStore } from '../store/keys.ts';

/** Requests that are kept. */
const most = 500;
/** Bytes of a body that are kept. */
const bodyBytes = 64_000;

/** What it needs. */
export interface RequestLogOptions {
  readonly keys: KeyStore;
  readonly events: EventBus;
  readonly clock: Clock;
}

/** Records requests while it is switched on. */
export class RequestLog {
  recording = true;
  /** When each key was last used, by its ID; ms since 1970. */
  readonly keysUsed = new Map<string, number>();
  readonly #options: RequestLogOptions;
  /** Oldest first. */
  #kept: RequestDetails[] = [];
  #number = 0;

  constructor(options: RequestLogOptions) {
    this.#options = options;
  }

  /** Newest first, without bodies and headers. */
  list(): RequestEntry[] {
    return this.#kept.map(entryOf).reverse();
  }

  /** One with everything; null when it is not kept any more. */
  find(number: number): RequestDetails | null {
    return this.#kept.find((entry) => entry.number === number) ?? null;
  }

  clear(): void {
    this.#kept = [];
  }

  /** Comes before everything else of the API, so that it sees refusals too. */
  readonly handler: RequestHandler = (request, response, next) => {
    const { clock, keys } = this.#options;
    const time = clock.now();
    const begun = clock.steady();
    const pieces: Buffer[] = [];
    let bytes = 0;
    const take = (chunk: unknown): void => {
      if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) return;
      const piece = Buffer.from(chunk);
      const room = bodyBytes - Math.min(bodyBytes, bytes);
      if (room > 0) pieces.push(piece.subarray(0, room));
      bytes += piece.length;
    };
    // Express and Node write an answer through these two alone.
    for (const name of ['write', 'end'] as const) {
      const original: unknown = Reflect.get(response, name);
      if (typeof original !== 'function') continue;
      Reflect.set(response, name, (...sent: readonly unknown[]): unknown => {
        take(sent[0]);
        return Reflect.apply(original, response, sent) as unknown;
      });
    }

    response.on('close', () => {
      const given = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
      const key = keys.list().find((one) => one.key === given);
      if (key) this.keysUsed.set(key.id, time);
      if (!this.recording) return;
      const type = String(response.getHeader('Content-Type') ?? '');
      const isText = type.includes('json') || type.startsWith('text/');
      const responseBody = isText ? Buffer.concat(pieces).toString('utf8') : '';
      const sentBody = textOf(request.body);
      const answer = bytes <= bodyBytes ? parsed(responseBody) : null;
      const { statusCode: status } = response;
      this.#add({
        number: ++this.#number,
        ...{ time, method: request.method, path: request.originalUrl, status, bytes },
        duration: Math.round(clock.steady() - begun),
        ...(key && { keyName: key.name }),
        ...(status >= 400 && { reason: textField(answer, 'hint') }),
        ...(request.method === 'POST' && status < 300 && renderOf(answer)),
        requestHeaders: headerTexts(request.headers),
        ...(sentBody !== '' && { requestBody: sentBody.slice(0, bodyBytes) }),
        responseHeaders: headerTexts(response.getHeaders()),
        ...(responseBody !== '' && { responseBody }),
        isCut: sentBody.length > bodyBytes || (isText && bytes > bodyBytes),
      });
    });
    next();
  };

  #add(details: RequestDetails): void {
    this.#kept.push(details);
    if (this.#kept.length > most) this.#kept.shift();
    this.#options.events.emit({ type: 'api.request', entry: entryOf(details) });
  }
}

function entryOf(details: RequestDetails): RequestEntry {
  const { number, time, method, path, status, duration, bytes } = details;
  const { keyName, reason, render } = details;
  return {
    ...{ number, time, method, path, status, duration, bytes },
    ...(keyName !== undefined && { keyName }),
    ...(reason !== undefined && { reason }),
    ...(render !== undefined && { render }),
  };
}

/** A body that was read as JSON; what was refused unread is not there. */
function textOf(body: unknown): string {
  return typeof body === 'object' && body !== null && !Buffer.isBuffer(body)
    ? JSON.stringify(body, null, 2)
    : '';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function textField(value: unknown, name: string): string {
  const field: unknown = typeof value === 'object' && value ? Reflect.get(value, name) : undefined;
  return typeof field === 'string' ? field : '';
}

/** The render that a create request made; of several the first. */
function renderOf(answer: unknown): { render?: string } {
  const first: unknown = Array.isArray(answer) ? answer[0] : answer;
  const id = textField(first, 'id');
  return textField(first, 'status') === '' || id === '' ? {} : { render: id };
}

/** Headers as lines; a key is shortened, so that a log can be shown to others. */
function headerTexts(
  headers: IncomingHttpHeaders | OutgoingHttpHeaders,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      if (value === undefined) return [];
      const text = Array.isArray(value) ? value.join(', ') : String(value);
      return [[name, name === 'authorization' ? shortened(text) : text]];
    }),
  );
}

function shortened(authorization: string): string {
  return authorization.replace(/\S+$/, (key) => (key.length > 8 ? `…${key.slice(-4)}` : '…'));
}
