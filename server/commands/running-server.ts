/** Finds the running server for commands that need one: by options, by the environment, or by its runtime.json. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { Framewright, type Template, type TemplateFacts } from '../../client/index.ts';
import { defaultDataFolder, desktopDataFolder } from '../system/paths.ts';
import { isAlive } from '../system/programs.ts';
import { commandRows, type CommandName } from './command-rows.ts';
import { actionOf, CommandError, readOptions, type ActionOf, type Given } from './option-rows.ts';
import { request, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { arrayBuffer, buffer, json, text } from 'node:stream/consumers';
import type { Fetch, HttpAnswer } from '../../client/http.ts';

/** Options that name a server. */
export interface ServerChoice {
  readonly data?: string;
  readonly url?: string;
  readonly key?: string;
}

/** A server on this computer. */
export interface LocalServer {
  readonly dataFolder: string;
  /** Null while the API is off. */
  readonly apiUrl: string | null;
  readonly apiKey: string;
  /** With its token. */
  readonly windowUrl: string;
}

const runtimeFile = z.object({
  apiUrl: z.string().nullable(),
  apiKey: z.string(),
  windowUrl: z.string(),
  pid: z.number(),
});

/** A client for the running server. @throws CommandError if there is none; it says what to do. */
export function serverClient(choice: ServerChoice): {
  readonly client: Framewright;
  /** Of a server on this computer. */
  readonly dataFolder?: string;
} {
  const { url, key, dataFolder } = namedServer(choice) ?? ownServer(choice);
  const client = new Framewright({ url, key, fetch: plainFetch });
  return { client, ...(dataFolder !== undefined && { dataFolder }) };
}

/** Where a server is, and its key. */
export interface ServerAddress {
  readonly url: string;
  readonly key: string;
  /** Of a server on this computer. */
  readonly dataFolder?: string;
}

/** The server that options or the environment name by its address; null if they don't. @throws CommandError. */
export function namedServer(choice: ServerChoice): ServerAddress | null {
  const url = choice.url ?? given('FRAMEWRIGHT_URL');
  const key = choice.key ?? given('FRAMEWRIGHT_KEY');
  if (choice.data !== undefined || url === undefined) return null;
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
    throw new CommandError(
      `--url: Expected an address such as http://127.0.0.1:4820, found '${url}'.`,
    );
  }
  if (key === undefined) {
    throw new CommandError(
      `Expected the API key of ${url}, with --key or in the variable FRAMEWRIGHT_KEY.`,
    );
  }
  return { url, key };
}

/** The API of the server on this computer. @throws CommandError, `NoServer` if none runs. */
export function ownServer(choice: ServerChoice): ServerAddress {
  const { apiUrl, apiKey, dataFolder } = localServer(choice.data);
  if (apiUrl === null) {
    throw new CommandError(
      'Framewright runs, but its API is off. Start it in the window, under Settings ▸ API.',
    );
  }
  return { url: apiUrl, key: choice.key ?? given('FRAMEWRIGHT_KEY') ?? apiKey, dataFolder };
}

/** No server runs on this computer. */
export class NoServer extends CommandError {}

/**
 * The server on this computer.
 * @param folder Its data folder; undefined: the usual ones.
 * @throws NoServer if none runs.
 */
export function localServer(folder: string | undefined): LocalServer {
  const folders =
    folder === undefined ? [defaultDataFolder(), desktopDataFolder()] : [path.resolve(folder)];
  for (const dataFolder of folders) {
    const runtime = readRuntime(dataFolder);
    if (runtime && isAlive(runtime.pid)) return { dataFolder, ...runtime };
  }
  const where = folders.map((one) => `  ${one}`).join('\n');
  throw new NoServer(
    `No Framewright is running with its data in\n${where}\nStart one (framewright serve, or the app), name its folder with --data, or its address with --url and --key.`,
  );
}

function readRuntime(folder: string): z.infer<typeof runtimeFile> | null {
  try {
    const text = readFileSync(path.join(folder, 'runtime.json'), 'utf8');
    return runtimeFile.parse(JSON.parse(text));
  } catch {
    return null; // there is no server, or it is writing the file right now
  }
}

function given(variable: string): string | undefined {
  const value = process.env[variable];
  return value === '' ? undefined : value;
}

const templateKind = { kind: 'template', listing: 'templates list' };

/** The template with this ID or name; null if there is none. @throws CommandError if several have the name. */
export async function findTemplate(
  client: Framewright,
  word: string,
): Promise<TemplateFacts | null> {
  const all = await client.templates.list();
  const isThere = all.some(({ id, name }) => id === word || name === word);
  return isThere ? named(all, word, templateKind) : null;
}

/** The template with its document. @throws CommandError if there is none. */
export async function readTemplate(client: Framewright, name: string): Promise<Template> {
  return client.templates.get((await knownTemplate(client, name)).id);
}

/** The template without its document. @throws CommandError if there is none. */
export async function knownTemplate(client: Framewright, name: string): Promise<TemplateFacts> {
  return named(await client.templates.list(), name, templateKind);
}

type Rows = typeof commandRows;

/** What the actions of a command do. A number that one returns is the exit status; else that is 0. */
export type ServerActions<Name extends CommandName> = Readonly<
  Record<
    ActionOf<Rows[Name]>,
    (
      client: Framewright,
      args: readonly string[],
      options: Given<Rows[Name]['options']>,
    ) => Promise<unknown>
  >
>;

/** A command whose actions a running server carries out. It throws CommandError and FramewrightError. */
export function serverCommand<const Name extends CommandName>(
  name: Name,
  actions: ServerActions<Name>,
): (args: readonly string[]) => Promise<number> {
  return async (args) => {
    const row: Rows[Name] = commandRows[name];
    const { values, positionals } = readOptions(row, args);
    const { action, rest } = actionOf(name, row, positionals);
    const status = await actions[action](serverClient(values).client, rest, values);
    return typeof status === 'number' ? status : 0;
  };
}

/** What has a name and an ID. */
interface Named {
  readonly id: string;
  readonly name: string;
}

/** How the things are called, and which command lists them. */
export interface NamedKind<Thing extends Named> {
  /** E.g. `feed`. */
  readonly kind: string;
  readonly listing: string;
  /** What tells things of one name apart, beside the ID. */
  readonly facts?: (thing: Thing) => string;
}

/** The only one with this ID or name. @throws CommandError if there is none, or several have the name. */
export function named<Thing extends Named>(
  all: readonly Thing[],
  word: string,
  { kind, listing, facts = () => '' }: NamedKind<Thing>,
): Thing {
  const found = all.filter((one) => one.name === word);
  const one = all.find(({ id }) => id === word) ?? found[0];
  if (!one) {
    throw new CommandError(
      `There is no ${kind} '${word}'. framewright ${listing} shows those that there are.`,
    );
  }
  if (one.id === word || found.length === 1) return one;
  const ids = found.map((thing) => `  ${thing.id}${facts(thing)}`);
  throw new CommandError(
    `${found.length} ${kind}s are named '${word}'. Name one by its ID:\n${ids.join('\n')}`,
  );
}

/** All of them, before anything is done with one: with a wrong name, nothing is. @throws CommandError as `named`. */
export function allNamed<Thing extends Named>(
  all: readonly Thing[],
  words: readonly string[],
  kind: NamedKind<Thing>,
): readonly Thing[] {
  return words.map((word) => named(all, word, kind));
}

/*
 * `fetch` over Node's own HTTP, for commands, which ask once or twice and end: the first answer of the built-in one
 * takes as long to compute as all else that a command does, and 40 MB.
 */

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
