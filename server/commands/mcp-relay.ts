/**
 * Passes messages of the Model Context Protocol on to `/mcp` of a server, and its answers back: one POST for each
 * message, whose answer is one object or a stream of them. Files of this computer are added on the way (mcp-files.ts).
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Readable } from 'node:stream';
import { parseJson } from '../../shared/json.ts';
import { isJsonObject, type Json, type JsonObject } from '../../shared/renderscript/source.ts';
import type { HttpAnswer } from '../../client/http.ts';
import { addMedia, callIn, prepareCall } from './mcp-files.ts';
import { type ServerAddress, plainFetch } from './running-server.ts';
import { requestLimits } from '../../shared/limits.ts';

/** Finds the server. @param gone One that no longer answers; null for the first try. */
export type FindServer = (gone: ServerAddress | null) => Promise<ServerAddress>;

/** Messages on their way at the same time; further ones wait in the pipe. */
const mostOpen = 32;
/** Times that a message is sent again because there were too many, or the server has just been replaced. */
const mostTries = 5;
/** Codes of JSON-RPC. */
const codes = { parse: -32_700, request: -32_600, internal: -32_603 } as const;

/** An ID of a request. */
type Id = string | number | null;

/** Messages of one client. */
export class McpRelay {
  readonly #find: FindServer;
  readonly #write: (message: string) => Promise<void>;
  readonly #folders: readonly string[];
  /** How to cancel each request that waits for its answer. */
  readonly #open = new Map<Id, AbortController>();
  readonly #work = new Set<Promise<void>>();

  /**
   * @param write Sends a message, without a line end, to the client; settles when it takes more.
   * @param folders Where files of documents lie.
   */
  constructor(
    find: FindServer,
    write: (message: string) => Promise<void>,
    folders: readonly string[],
  ) {
    this.#find = find;
    this.#write = write;
    this.#folders = folders;
  }

  /** Takes a message. Settles when there is place for the next one. */
  async take({ text, isCut }: MessageLine): Promise<void> {
    if (isCut) {
      const [, id] = /"id"\s*:\s*("[^"\\]*"|\d+)\s*[,}][^{}]*\}?$/.exec(text) ?? [];
      await this.#refuse(
        id === undefined ? null : (JSON.parse(id) as Id),
        codes.request,
        'The message is too long: 10 MB at most.',
      ); // by the form above
      return;
    }
    const read = parseJson(text);
    if (!read.ok || !isJsonObject(read.value)) {
      const reason = read.ok ? 'it is no object' : read.fault.reason;
      await this.#refuse(null, codes.parse, `The line is no message: ${reason}.`);
      return;
    }
    const message = read.value;
    const { method, params } = message;
    if (method === 'notifications/cancelled' && isJsonObject(params)) {
      this.#open.get(idOf(params.requestId))?.abort();
      return;
    }
    const work = this.#pass(message, text).finally(() => this.#work.delete(work));
    this.#work.add(work);
    if (this.#work.size >= mostOpen) await Promise.race(this.#work);
  }

  /** Cancels what is on its way. */
  async close(): Promise<void> {
    for (const controller of this.#open.values()) controller.abort();
    await Promise.all(this.#work);
  }

  async #pass(message: JsonObject, text: string): Promise<void> {
    const id = idOf(message.id);
    const controller = new AbortController();
    if (id !== null) this.#open.set(id, controller);
    try {
      await this.#send(message, text, controller.signal);
    } catch (error) {
      // Nobody waits for the answer to a cancelled request, and notifications have none.
      if (controller.signal.aborted || id === null) return;
      await this.#refuse(
        id,
        codes.internal,
        error instanceof Error ? error.message : String(error),
      );
    } finally {
      if (this.#open.get(id) === controller) this.#open.delete(id);
    }
  }

  async #send(message: JsonObject, text: string, signal: AbortSignal): Promise<void> {
    let gone: ServerAddress | null = null;
    const call = callIn(message);
    for (let tries = 1; ; tries += 1) {
      const server = await this.#find(gone);
      const { url, key } = server;
      if (call?.name === 'add_media' && typeof call.input.file === 'string') {
        const result = await addMedia(server, call.input.file);
        await this.#write(JSON.stringify({ jsonrpc: '2.0', id: idOf(message.id), result }));
        return;
      }
      const { body, mend } = (call &&
        (await prepareCall(message, call, server, this.#folders))) ?? {
        body: text,
        mend: null,
      };
      let response: HttpAnswer;
      try {
        response = await plainFetch(new URL('/mcp', url).href, {
          method: 'POST',
          // A connection of its own: on one that was kept, a server that ended looks like one that ended at this
          // message.
          headers: { ...addressOf(message), Authorization: `Bearer ${key}`, Connection: 'close' },
          body,
          signal,
        });
      } catch (error) {
        // Nobody took it, so nothing was done: look for the server again. One that is ending is still there for a
        // moment.
        gone = wasNotTaken(error) ? server : null;
        if (gone && tries < mostTries) {
          await pause(100 * (tries - 1), undefined, { signal });
          continue;
        }
        throw new Error(`Framewright at ${url} does not answer; it may have ended. Try again.`, {
          cause: error,
        });
      }
      if (response.status === 429 && tries < mostTries) {
        await response.body?.cancel();
        await pause(1000 * Number(response.headers.get('retry-after') ?? 1), undefined, { signal });
        continue;
      }
      await this.#answer(response, idOf(message.id), mend);
      return;
    }
  }

  /** Passes an answer back: each event of a stream as it comes. @param mend Completes its result. */
  async #answer(
    response: HttpAnswer,
    id: Id,
    mend: ((result: JsonObject) => Promise<JsonObject>) | null,
  ): Promise<void> {
    const mended = async (message: JsonObject): Promise<JsonObject> =>
      mend && isJsonObject(message.result)
        ? { ...message, result: await mend(message.result) }
        : message;
    if (response.headers.get('content-type')?.startsWith('text/event-stream') === true) {
      let isAnswered = id === null;
      for await (const data of eventsOf(response)) {
        const read = parseJson(data);
        const isAnswer = read.ok && isJsonObject(read.value) && idOf(read.value.id) === id;
        isAnswered ||= isAnswer;
        await this.#write(isAnswer && mend ? JSON.stringify(await mended(read.value)) : data);
      }
      if (!isAnswered) throw new Error('Framewright ended before it had answered. Try again.');
      return;
    }
    const text = await response.text();
    if (text === '') return;
    const read = parseJson(text);
    if (!read.ok || !isJsonObject(read.value))
      throw new Error(`Framewright answered ${response.status}.`);
    const { jsonrpc, hint } = read.value;
    if (jsonrpc !== undefined)
      await this.#write(
        JSON.stringify({ ...(await mended(read.value)), ...(id !== null && { id }) }),
      );
    else
      throw new Error(typeof hint === 'string' ? hint : `Framewright answered ${response.status}.`);
  }

  #refuse(id: Id, code: number, message: string): Promise<void> {
    return this.#write(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } }));
  }
}

function idOf(value: Json | undefined): Id {
  return typeof value === 'string' || typeof value === 'number' ? value : null;
}

/** Which parameter names the thing that a method works on. */
const nameFields: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

/** The headers that repeat what stands in a message, as the protocol over HTTP has them. */
function addressOf({ method, params }: JsonObject): Record<string, string> {
  const fields = isJsonObject(params) ? params : {};
  const meta = isJsonObject(fields._meta) ? fields._meta : {};
  const version = meta['io.modelcontextprotocol/protocolVersion'];
  const name = typeof method === 'string' ? fields[nameFields[method] ?? ''] : undefined;
  return {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    ...(typeof version === 'string' && { 'MCP-Protocol-Version': inHeader(version) }),
    ...(typeof method === 'string' && { 'Mcp-Method': inHeader(method) }),
    ...(typeof name === 'string' && { 'Mcp-Name': inHeader(name) }),
  };
}

/** Headers are ASCII; anything else is written in base64. */
function inHeader(text: string): string {
  const isPlain = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith('=?');
  return isPlain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}

/**
 * Whether a message on a connection of its own never reached the program: there is no connection, or it was reset. A
 * system closes the connections of a program that ends, and resets those with something unread (RFC 2525, 2.17);
 * Windows resets all.
 */
function wasNotTaken(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // The built-in fetch has the system's error as the cause of its own.
  const { code, syscall } = (error.cause ?? error) as NodeJS.ErrnoException;
  if (code === 'ECONNREFUSED') return true;
  return code === 'ECONNRESET' && (syscall === 'connect' || process.platform !== 'win32');
}

/** The data of server-sent events, each of one line. */
async function* eventsOf({ body }: HttpAnswer): AsyncGenerator<string> {
  if (!body) return;
  let open = '';
  // The types of the web and of Node differ in name only.
  for await (const part of body.pipeThrough(
    new TextDecoderStream(),
  ) as unknown as AsyncIterable<string>) {
    const parts = `${open}${part}`.split('\n');
    open = parts.pop() ?? '';
    for (const line of parts) {
      const [, data] = /^data: ?(.+?)\r?$/.exec(line) ?? [];
      if (data !== undefined) yield data;
    }
  }
}

/** A line, without its end. Of one that is too long only the end, in which libraries write the ID. */
interface MessageLine {
  readonly text: string;
  readonly isCut: boolean;
}

/** Bytes of a line. What is too long for the server but not for this gets the server's own refusal. */
const most = requestLimits.bodyBytes;
const keptEnd = 1_000;

/** The lines of a stream until it ends or the signal aborts. */
export async function* lines(stream: Readable, signal: AbortSignal): AsyncGenerator<MessageLine> {
  let parts: Buffer[] = [];
  let length = 0;
  let isCut = false;
  const take = (part: Buffer): void => {
    parts.push(part);
    length += part.length;
    if (length <= most) return;
    isCut = true;
    const end = Buffer.concat(parts).subarray(-keptEnd);
    parts = [Buffer.from(end)];
    length = end.length;
  };
  const abort = (): void => void stream.destroy();
  signal.addEventListener('abort', abort);
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      let from = 0;
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
        take(chunk.subarray(from, at));
        const text = Buffer.concat(parts).toString('utf8').trim();
        if (text !== '') yield { text, isCut };
        [parts, length, isCut] = [[], 0, false];
        from = at + 1;
      }
      take(chunk.subarray(from));
    }
  } catch (error) {
    // It was destroyed because the signal aborted.
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
