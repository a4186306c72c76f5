/**
 * `framewright mcp`: an MCP server over stdin and stdout. It passes each message on to `/mcp` of the running server,
 * starting one if none runs, and knows nothing of the messages but how they are addressed.
 */
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startServerProcess, type ServerProcess } from '../../client/server-process.ts';
import { FramewrightError } from '../../client/index.ts';
import { cliScript, defaultDataFolder } from '../system/paths.ts';
import { onEndSignal } from '../system/programs.ts';
import { commandRows } from './command-rows.ts';
import { ownFolders } from './document-problems.ts';
import { lines, McpRelay } from './mcp-relay.ts';
import { readOptions } from './option-rows.ts';
import {
  namedServer,
  NoServer,
  ownServer,
  type ServerAddress,
  type ServerChoice,
} from './running-server.ts';

/** Milliseconds in which a server that another program has begun to start is there. */
const patience = 5_000;
/** Milliseconds for the last answers. */
const closingTime = 1_000;

/** Runs until stdin ends. @returns the exit status. @throws CommandError. */
export async function mcpCommand(args: readonly string[]): Promise<number> {
  const { values } = readOptions(commandRows.mcp, args);
  const place = new Place(values);
  const relay = new McpRelay((gone) => place.find(gone), write, ownFolders('-', values.media));
  const told = new AbortController();
  onEndSignal(() => told.abort());
  // A client that no longer reads is gone.
  process.stdout.once('error', () => told.abort());
  // Options are checked at once; the server is found, or started, with the first message.
  namedServer(values);
  for await (const line of lines(process.stdin, told.signal)) await relay.take(line);
  // A client that has stopped reading takes nothing more.
  await Promise.race([relay.close(), pause(closingTime)]);
  await place.close();
  return 0;
}

/** A client that asks and does not read has its further messages wait: on Windows, pipes are written asynchronously. */
async function write(message: string): Promise<void> {
  if (!process.stdout.write(`${message}\n`)) await once(process.stdout, 'drain');
}

/** Which server, and the folders of media for one that is started. */
type McpChoice = ServerChoice & { readonly media?: readonly string[] };

/** Where messages go. */
class Place {
  readonly #choice: McpChoice;
  #finding: Promise<ServerAddress> | null = null;
  #current: ServerAddress | null = null;
  /** The server that we started. */
  #own: ServerProcess | null = null;

  constructor(choice: McpChoice) {
    this.#choice = choice;
  }

  /** @param gone One that no longer answers. @throws CommandError, FramewrightError. */
  find(gone: ServerAddress | null): Promise<ServerAddress> {
    // Only the first of several messages that meet a server's end looks for another one.
    if (gone && gone === this.#current) {
      this.#current = null;
      this.#finding = null;
    }
    this.#finding ??= this.#find().then(
      (found) => (this.#current = found),
      (error: unknown) => {
        // The next message tries again.
        this.#finding = null;
        throw error;
      },
    );
    return this.#finding;
  }

  async close(): Promise<void> {
    // One that is just starting is ended as well.
    await this.#finding?.catch(() => undefined);
    await this.#own?.stop();
  }

  async #find(): Promise<ServerAddress> {
    const named = namedServer(this.#choice);
    if (named) return named;
    try {
      const running = ownServer(this.#choice);
      if (this.#choice.media)
        console.error(
          '--media: a server runs already, with folders of its own; add_media brings files.',
        );
      return running;
    } catch (error) {
      if (!(error instanceof NoServer)) throw error;
    }
    try {
      return await this.#start();
    } catch (error) {
      if (!(error instanceof FramewrightError)) throw error;
      // Another program may be starting one on the same data at this moment.
      return await this.#foundWithin(patience, error);
    }
  }

  /** @param error What to throw if none is found. */
  async #foundWithin(time: number, error: FramewrightError): Promise<ServerAddress> {
    for (const begun = performance.now(); performance.now() - begun < time;) {
      try {
        return ownServer(this.#choice);
      } catch (other) {
        if (!(other instanceof NoServer)) throw other;
      }
      await pause(100);
    }
    throw error;
  }

  async #start(): Promise<ServerAddress> {
    const { data, media = [] } = this.#choice;
    const own = await startServerProcess(cliScript(), [
      // Any free one: whoever wants to use it finds it by its runtime.json.
      ...['--port', '0', '--window-port', '0'],
      ...(data === undefined ? [] : ['--data', data]),
      ...media.flatMap((folder) => ['--media', folder]),
    ]);
    this.#own = own;
    void own.ended.then(() => {
      if (this.#own === own) this.#own = null;
    });
    const dataFolder = path.resolve(data ?? defaultDataFolder());
    return { url: own.apiUrl, key: own.apiKey, dataFolder };
  }
}
