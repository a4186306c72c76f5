/**
 * `framewright/testing`: the real server for the tests of programs that use it, on free ports, with a folder of its own that goes with
 * it. Files are made tiny unless that is not wanted. Node alone.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { FramewrightError } from './errors.ts';
import { Framewright } from './framewright.ts';

/** How it is to run. */
export interface TestServerOptions {
  /** Pixels of the longer side of files at most; null: as large as the document says. Default 64. */
  readonly largestSide?: number | null | undefined;
  /** Folders that relative sources of media lie in. Default: none. */
  readonly mediaFolders?: readonly string[] | undefined;
  /** True: with the sample templates. Default false. */
  readonly samples?: boolean | undefined;
  /** Default: the one that is found. */
  readonly ffmpegPath?: string | undefined;
}

/** A server that runs. */
export interface TestServer {
  /** Address of the API, e.g. `http://127.0.0.1:40123`. */
  readonly url: string;
  /** Its key. */
  readonly key: string;
  /** Address of the window, with its token, for tests in a browser. */
  readonly windowUrl: string;
  /** Its data and files. */
  readonly folder: string;
  /** A client with that key. */
  readonly client: Framewright;
  /** Ends it and removes all that it made. */
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts one. It ends with this process at the latest.
 *
 * @throws FramewrightError with what it said, when it does not start.
 */
export async function startFramewright(options: TestServerOptions = {}): Promise<TestServer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'framewright-testing-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  const child = spawn(process.execPath, [program(), 'serve', ...argumentsOf(folder, options)], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let errors = '';
  // A socket, whatever the types say of a channel that only few programs have.
  const said = child.stderr as Socket;
  said.on('data', (part: Buffer) => {
    errors = `${errors}${part.toString()}`.slice(-10_000);
  });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', (error) => {
      errors = error.message;
      resolve();
    });
  });
  process.once('exit', remove);
  const stop = async (): Promise<void> => {
    child.ref();
    // In order on all systems: it ends when nobody listens to it.
    if (child.connected) child.disconnect();
    else child.kill();
    await ended;
    process.off('exit', remove);
    remove();
  };
  const told = await Promise.race([
    new Promise<Told>((resolve) => child.once('message', (message) => resolve(message as Told))),
    ended,
  ]);
  if (!told) {
    await stop();
    throw new FramewrightError(`The server did not start: ${errors.trim()}`);
  }
  const { apiUrl: url, apiKey: key, windowUrl } = told;
  // A test that forgets to stop it ends all the same.
  child.unref();
  child.channel?.unref();
  said.unref();
  const client = new Framewright({ url, key });
  return { url, key, windowUrl, folder, client, stop, [Symbol.asyncDispose]: stop };
}

/** What server/serve.ts tells the process that started it. */
interface Told {
  readonly apiUrl: string;
  readonly apiKey: string;
  readonly windowUrl: string;
}

function argumentsOf(
  folder: string,
  { largestSide = 64, mediaFolders = [], samples = false, ffmpegPath }: TestServerOptions,
): string[] {
  return [
    ...['--port', '0', '--window-port', '0', '--data', folder, '--no-rate-limit'],
    ...(largestSide === null ? [] : ['--largest-side', String(largestSide)]),
    ...mediaFolders.flatMap((one) => ['--media', one]),
    ...(samples ? [] : ['--no-samples']),
    ...(ffmpegPath === undefined ? [] : ['--ffmpeg', ffmpegPath]),
  ];
}

/** The built command line of the package that this file belongs to. */
function program(): string {
  let folder = path.dirname(fileURLToPath(import.meta.url));
  for (;;) {
    const built = path.join(folder, 'dist', 'server', 'cli.mjs');
    if (existsSync(built)) return built;
    const parent = path.dirname(folder);
    if (parent === folder) throw new FramewrightError('Framewright is not built: npm run build');
    folder = parent;
  }
}
