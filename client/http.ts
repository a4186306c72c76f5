/** Requests to the API with `fetch`: the key, JSON, refusals as errors, and retries where they do no harm. */
import { ConnectionError, refusedError, RefusedError } from './errors.ts';
import type { RenderEvent } from './generated/api-types.ts';

/** The server's address, the key, and how to connect. */
export interface ConnectionOptions {
  /** The API key of a project. */
  readonly key: string;
  /** Default `http://127.0.0.1:4820`. */
  readonly url?: string | undefined;
  /** Default: the global `fetch`. */
  readonly fetch?: Fetch | undefined;
  /** How often to retry a request after a lost connection, 429 or 503. Default 3. */
  readonly retries?: number | undefined;
}

/** The content of a file; a stream never lies in memory as a whole. */
export type FileContent = Blob | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

/** What the client needs of `fetch`, which is one. */
export type Fetch = (address: string, request: HttpRequest) => Promise<HttpAnswer>;

/** What the client sends. */
export interface HttpRequest {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | FileContent;
  readonly signal?: AbortSignal;
}

/** What the client reads of an answer; every `Response` is one. */
export interface HttpAnswer {
  readonly ok: boolean;
  readonly status: number;
  readonly headers: Pick<Headers, 'get' | 'has'>;
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>> | null;
  text(): Promise<string>;
  json(): Promise<unknown>;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** A request to the API. */
export interface Ask {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is, instead of `body`. A stream can be sent once: such requests are not retried. */
  readonly content?: FileContent | undefined;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** True if sending it twice does nothing twice. Default: of reading, and with an idempotency key. */
  readonly isRepeatable?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Longest wait before a retry, ms. */
const longestPause = 60_000;

/** Waits. @throws the signal's reason if it aborts */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      reject(signal?.reason instanceof Error ? signal.reason : new Error('aborted'));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', end, { once: true });
  });
}

/** A connection to one server with one key. */
export class Connection {
  /** How this connection asks, also for files elsewhere. */
  readonly fetch: Fetch;
  readonly #options: ConnectionOptions;
  readonly #url: string;

  constructor(options: ConnectionOptions) {
    this.fetch = options.fetch ?? ((address, request) => fetch(address, request));
    this.#options = options;
    this.#url = (options.url ?? 'http://127.0.0.1:4820').replace(/\/+$/, '');
  }

  /**
   * Sends a request and reads the answer's body as JSON; undefined if it is empty.
   * @throws RefusedError, ConnectionError.
   */
  async json<T>(path: string, ask: Ask = {}): Promise<T> {
    const response = await this.send(path, ask);
    const text = await response.text();
    // The OpenAPI document describes the server's answers.
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }

  /**
   * Sends a request. Retries those that can do nothing twice: reading, or with an idempotency key.
   *
   * @throws RefusedError, ConnectionError.
   */
  async send(path: string, ask: Ask = {}): Promise<HttpAnswer> {
    const isSafe =
      ask.isRepeatable === true ||
      (ask.method ?? 'GET') === 'GET' ||
      ask.headers?.['Idempotency-Key'] !== undefined;
    for (let tries = 0; ; tries++) {
      try {
        return await this.#once(path, ask);
      } catch (error) {
        ask.signal?.throwIfAborted();
        const wait = waitAfter(error, isSafe, tries);
        const most = isStream(ask.content) ? 0 : (this.#options.retries ?? 3);
        if (wait === null || tries >= most) throw error;
        await pause(wait, ask.signal);
      }
    }
  }

  async #once(
    path: string,
    { method = 'GET', body, content, query = {}, headers = {}, signal }: Ask,
  ): Promise<HttpAnswer> {
    const asked = Object.entries(query).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, String(value)]],
    );
    const search = asked.length === 0 ? '' : `?${new URLSearchParams(asked).toString()}`;
    const given = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, value]],
    );
    const { key } = this.#options;
    let response: HttpAnswer;
    try {
      response = await this.fetch(`${this.#url}${path}${search}`, {
        method,
        headers: {
          Authorization: `Bearer ${key}`,
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
          ...Object.fromEntries(given),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(content !== undefined && { body: content }),
        // Standard for streams, but unknown to the types of browsers.
        ...(isStream(content) && { duplex: 'half' }),
        ...(signal && { signal }),
      });
    } catch (cause) {
      signal?.throwIfAborted();
      throw new ConnectionError(noAnswer(this.#url), { cause });
    }
    if (response.ok) return response;
    throw await refusalOf(response);
  }
}

/** Browsers don't tell scripts why: a server that does not allow the page looks like one that is not there. */
function noAnswer(url: string): string {
  // Outside of browsers there is none, or one without an origin.
  const { location } = globalThis as { readonly location?: { readonly origin?: string } };
  const origin = location?.origin;
  const advice =
    origin === undefined || origin === 'null'
      ? ''
      : ` Is the page ${origin} allowed there (Settings ▸ API ▸ Allowed web pages)?`;
  return `No answer from ${url}. Is Framewright running, and its API on?${advice}`;
}

function isStream(content: FileContent | undefined): content is ReadableStream<Uint8Array> {
  return content !== undefined && content instanceof ReadableStream;
}

async function refusalOf(response: HttpAnswer): Promise<Error> {
  const { status, headers } = response;
  const wait = Number(headers.get('Retry-After') ?? NaN);
  const text = await response.text().catch(() => '');
  let body: { hint?: unknown; documentation?: unknown } = {};
  try {
    // A proxy may have sent anything; only two texts of it are used.
    body = Object(JSON.parse(text)) as typeof body;
  } catch {
    // Not JSON: the status has to do.
  }
  const { hint, documentation } = body;
  const refusal = {
    hint: typeof hint === 'string' ? hint : `The server answered ${status}`,
    documentation: typeof documentation === 'string' ? documentation : '',
  };
  return refusedError(status, refusal, Number.isFinite(wait) ? wait : undefined);
}

/** Milliseconds to wait before the retry; null: no retry. */
function waitAfter(error: unknown, isSafe: boolean, tries: number): number | null {
  const usual = 300 * 2 ** tries;
  if (error instanceof RefusedError) {
    const { status, code, retryAfter } = error;
    // Refused before the server did anything.
    const isEarly = status === 429 || status === 503 || code === 'idempotency-key-in-use';
    return isEarly
      ? Math.min(longestPause, retryAfter === undefined ? usual : retryAfter * 1000)
      : null;
  }
  return isSafe && error instanceof ConnectionError ? usual : null;
}

/** A request that sends a file as it is. */
export function fileAsk(content: FileContent): Ask {
  return { method: 'POST', content, headers: { 'Content-Type': 'application/octet-stream' } };
}

/* Reads server-sent events from the body of an answer. */

/** The events of a stream, one after the other, until it ends. What is not known yet is passed over. */
export async function* eventsOf({
  body,
}: Pick<HttpAnswer, 'body'>): AsyncGenerator<RenderEvent, void, undefined> {
  if (!body) return;
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      // A line may end with a carriage return behind a proxy.
      text = (text + decoder.decode(value, { stream: true })).replaceAll('\r\n', '\n');
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const event = eventOf(block);
        if (event) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

const known: readonly string[] = ['ready', 'render', 'progress', 'removed'];

function eventOf(block: string): RenderEvent | null {
  let event = '';
  const data: string[] = [];
  for (const line of block.split('\n')) {
    const [, name = '', value = '']: string[] = /^(event|data):\s?(.*)$/.exec(line) ?? [];
    if (name === 'event') event = value;
    else if (name === 'data') data.push(value);
  }
  if (!known.includes(event) || data.length === 0) return null;
  const value: unknown = JSON.parse(data.join('\n'));
  return { event, data: value } as RenderEvent; // of the shape that the OpenAPI document says
}
