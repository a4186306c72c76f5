/**
 * The last requests to the public API with their answers, including refusals, for finding out why a script does not
 * work. In memory only.
 */
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import type { RequestHandler } from 'express';
import type { BodyPart, CutBody, RequestDetails, RequestEntry } from '../../shared/api.ts';
import { requestLogLimits } from '../../shared/limits.ts';
import { sentBodyOf } from '../api/body.ts';
import type { Clock } from '../system/clock.ts';
import type { EventBus } from '../jobs/events.ts';
import type { TextContent } from '../system/json-text.ts';
import type { KeyStore } from '../store/projects.ts';

/** What it needs. */
export interface RequestLogOptions {
  readonly keys: KeyStore;
  readonly events: EventBus;
  readonly clock: Clock;
  /** How many requests to keep; 0 records none. */
  readonly size: () => number;
}

/** A kept request, with the beginning of a long body. */
interface Kept {
  readonly entry: RequestEntry;
  readonly headers: Readonly<Record<BodyPart, Readonly<Record<string, string>>>>;
  /** As shown. */
  readonly bodies: Readonly<Record<BodyPart, string>>;
  readonly isCut: Readonly<Record<BodyPart, boolean>>;
}

/** Records requests while it is switched on. */
export class RequestLog {
  recording = true;
  /** When each key was last used, by its ID; ms since 1970. */
  readonly keysUsed = new Map<string, number>();
  readonly #options: RequestLogOptions;
  /** Oldest first. */
  #kept: Kept[] = [];
  #number = 0;
  /** Whole long bodies, in pieces as they came, oldest first, while there is room. */
  readonly #whole = new Map<string, readonly TextContent[]>();
  #wholeLength = 0;

  constructor(options: RequestLogOptions) {
    this.#options = options;
  }

  /** Newest first, without bodies and headers. */
  list(): RequestEntry[] {
    return this.#kept.map(({ entry }) => entry).reverse();
  }

  /** One with everything; null if it is no longer kept. */
  find(number: number): RequestDetails | null {
    const found = this.#kept.find(({ entry }) => entry.number === number);
    if (!found) return null;
    const { entry, headers, bodies, isCut } = found;
    const cut = (part: BodyPart): CutBody | undefined => {
      if (!isCut[part]) return undefined;
      return this.#whole.has(keyOf(number, part)) ? 'kept' : 'gone';
    };
    const [requestCut, answerCut] = [cut('request'), cut('answer')];
    return {
      ...entry,
      requestHeaders: headers.request,
      ...(bodies.request !== '' && { requestBody: bodies.request }),
      ...(requestCut && { requestCut }),
      responseHeaders: headers.answer,
      ...(bodies.answer !== '' && { responseBody: bodies.answer }),
      ...(answerCut && { responseCut: answerCut }),
    };
  }

  /** A shortened body as it was sent; null if it is no longer kept. */
  wholeBody(number: number, part: BodyPart): readonly TextContent[] | null {
    return this.#whole.get(keyOf(number, part)) ?? null;
  }

  clear(): void {
    this.#kept = [];
    this.#whole.clear();
    this.#wholeLength = 0;
  }

  /** Drops what exceeds the current limits. */
  trim(): void {
    const surplus = this.#kept.length - this.#options.size();
    for (const { entry } of this.#kept.splice(0, Math.max(0, surplus))) {
      for (const part of ['request', 'answer'] as const) this.#forget(keyOf(entry.number, part));
    }
  }

  /** Comes before everything else of the API, so that it sees refusals too. */
  readonly handler: RequestHandler = (request, response, next) => {
    const { clock, keys, size } = this.#options;
    const time = clock.now();
    const begun = clock.steady();
    const pieces: TextContent[] = [];
    let bytes = 0;
    const isText = (): boolean => {
      const type = String(response.getHeader('Content-Type') ?? '');
      // Otherwise an open stream's data would pile up while it is open.
      if (type.startsWith('text/event-stream')) return false;
      return type.includes('json') || type.startsWith('text/');
    };
    const take = (chunk: unknown): void => {
      if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) return;
      bytes += Buffer.byteLength(chunk);
      // For films and pictures only the size.
      if (this.recording && bytes <= requestLogLimits.whole && isText()) pieces.push(chunk);
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
      if (!this.recording || size() === 0) return;
      const bodies = { request: piecesOf(request.body), answer: pieces };
      const answer = bytes <= requestLogLimits.shown ? parsed(shownOf(pieces)) : null;
      const { statusCode: status } = response;
      const entry: RequestEntry = {
        number: ++this.#number,
        time,
        method: request.method,
        path: request.originalUrl,
        status,
        bytes,
        duration: Math.round(clock.steady() - begun),
        ...(key && { key: key.id, keyName: key.name }),
        ...(status >= 400 && { reason: textField(answer, 'hint') }),
        ...(request.method === 'POST' && status < 300 && renderOf(answer)),
      };
      const headers = {
        request: headerTexts(request.headers),
        answer: headerTexts(response.getHeaders()),
      };
      this.#add(entry, headers, bodies, bytes > requestLogLimits.whole);
    });
    next();
  };

  /** @param isHuge The answer was too long to keep; only its beginning is given. */
  #add(
    entry: RequestEntry,
    headers: Kept['headers'],
    bodies: Readonly<Record<BodyPart, readonly TextContent[]>>,
    isHuge: boolean,
  ): void {
    const isLong = (part: BodyPart): boolean => lengthOf(bodies[part]) > requestLogLimits.shown;
    this.#kept.push({
      entry,
      headers,
      bodies: { request: shownOf(bodies.request), answer: shownOf(bodies.answer) },
      isCut: { request: isLong('request'), answer: isHuge || isLong('answer') },
    });
    if (isLong('request')) this.#keepWhole(keyOf(entry.number, 'request'), bodies.request);
    if (isLong('answer') && !isHuge) this.#keepWhole(keyOf(entry.number, 'answer'), bodies.answer);
    this.trim();
    this.#options.events.emit({ type: 'api.request', entry });
  }

  #keepWhole(key: string, pieces: readonly TextContent[]): void {
    this.#whole.set(key, pieces);
    this.#wholeLength += lengthOf(pieces);
    for (const oldest of this.#whole.keys()) {
      if (this.#wholeLength <= requestLogLimits.whole) return;
      this.#forget(oldest);
    }
  }

  #forget(key: string): void {
    this.#wholeLength -= lengthOf(this.#whole.get(key) ?? []);
    this.#whole.delete(key);
  }
}

const keyOf = (number: number, part: BodyPart): string => `${number} ${part}`;
const lengthOf = (pieces: readonly TextContent[]): number =>
  pieces.reduce((sum, piece) => sum + piece.length, 0);

/** The beginning of a body, without decoding all of it. */
function shownOf(pieces: readonly TextContent[]): string {
  const decoder = new TextDecoder();
  let text = '';
  for (const piece of pieces) {
    if (text.length >= requestLogLimits.shown) break;
    // A character has at most four bytes, so one cut here is beyond what is shown.
    text +=
      typeof piece === 'string'
        ? decoder.decode() + piece.slice(0, requestLogLimits.shown)
        : decoder.decode(piece.subarray(0, 4 * requestLogLimits.shown), { stream: true });
  }
  return text.slice(0, requestLogLimits.shown);
}

/** A body as pieces: parsed, or as it came if it was not JSON; none if it was refused unread. */
function piecesOf(body: unknown): readonly TextContent[] {
  const sent = Buffer.isBuffer(body) ? body : sentBodyOf(body);
  if (sent) return [sent];
  return typeof body === 'object' && body !== null ? [JSON.stringify(body, null, 2)] : [];
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

/** The render that a create request made, or the first of several. */
function renderOf(answer: unknown): { render?: string } {
  const first: unknown = Array.isArray(answer) ? answer[0] : answer;
  const id = textField(first, 'id');
  return textField(first, 'status') === '' || id === '' ? {} : { render: id };
}

/** Headers as lines, with the key shortened, so that a log can be shown to others. */
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
  // Not with a pattern: one that searches for the end from every letter takes 0.3 s for a long header.
  const start = authorization.lastIndexOf(' ') + 1;
  const key = authorization.slice(start);
  return `${authorization.slice(0, start)}${key.length > 8 ? `…${key.slice(-4)}` : '…'}`;
}
