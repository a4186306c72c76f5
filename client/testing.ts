/**
 * `framewright/testing`: starts the real server on free ports with a temporary folder, for tests of other programs. Renders tiny
 * files by default. Needs Node.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { FramewrightError } from './errors.ts';
import { Framewright } from './framewright.ts';

/** Options of a test server. */
export interface TestServerOptions {
  /** Longest side of rendered files in pixels; null: no limit. Default 64. */
  readonly largestSide?: number | null | undefined;
  /** Folders for relative media sources. Default: none. */
  readonly mediaFolders?: readonly string[] | undefined;
  /** Starts with the sample templates. Default false. */
  readonly samples?: boolean | undefined;
  /** Path of ffmpeg. Default: the first one found. */
  readonly ffmpegPath?: string | undefined;
}

/** A running test server. */
export interface TestServer {
  /** Address of the API, e.g. `http://127.0.0.1:40123`. */
  readonly url: string;
  /** Its key. */
  readonly key: string;
  /** Address of the window, with its token, for tests in a browser. */
  readonly windowUrl: string;
  /** The temporary folder with its data and files. */
  readonly folder: string;
  /** A client with that key. */
  readonly client: Framewright;
  /** Stops the server and removes its folder. */
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts a server. It stops when this process ends, at the latest.
 *
 * @throws FramewrightError with the server's own message if it does not start.
 */
export async function startFramewright(options: TestServerOptions = {}): Promise<TestServer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'framewright-testing-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  const child = spawn(process.execPath, [program(), 'serve', ...argumentsOf(folder, options)], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let errors = '';
  // With these options it is always a socket; the types don't say so.
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
    // Stops it cleanly on all systems, even where signals kill.
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
  // A test that forgets to stop it must still be able to end.
  child.unref();
  child.channel?.unref();
  said.unref();
  const client = new Framewright({ url, key });
  return { url, key, windowUrl, folder, client, stop, [Symbol.asyncDispose]: stop };
}

/** The message that server/serve.ts sends to its parent process. */
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

/** Path of this package's built command line. */
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
