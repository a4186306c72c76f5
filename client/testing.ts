/**
 * `framewright/testing`: starts the real server on free ports with a temporary folder, for tests of other programs.
 * Renders tiny files by default. Needs Node.
 */
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { FramewrightError } from './errors.ts';
import { Framewright } from './framewright.ts';
import { startServerProcess } from './server-process.ts';

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
  /**
   * Path of the server's command line, `dist/server/cli.mjs`. Default: the one of this package; with the client alone
   * the one of a program that is installed with `npm install -g`.
   */
  readonly program?: string | undefined;
}

/** A running test server. */
export interface TestServer {
  /** Address of the API, e.g. `http://127.0.0.1:40123`. */
  readonly url: string;
  /** Its key. */
  readonly key: string;
  /** What its webhooks are signed with, for `verifyWebhook`. */
  readonly webhookSecret: string;
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
 * @throws FramewrightError with the server's own message if it does not start, or if there is none to start.
 */
export async function startFramewright(options: TestServerOptions = {}): Promise<TestServer> {
  const program = options.program ?? findProgram();
  const folder = mkdtempSync(path.join(tmpdir(), 'framewright-testing-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  process.once('exit', remove);
  const forget = (): void => {
    process.off('exit', remove);
    remove();
  };
  try {
    const server = await startServerProcess(program, argumentsOf(folder, options));
    const { apiUrl: url, apiKey: key, windowUrl } = server;
    const stop = async (): Promise<void> => {
      await server.stop();
      forget();
    };
    const client = new Framewright({ url, key });
    const { secret: webhookSecret } = await client.webhooks.secret();
    return {
      ...{ url, key, webhookSecret, windowUrl, folder, client, stop },
      [Symbol.asyncDispose]: stop,
    };
  } catch (error) {
    forget();
    throw error;
  }
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

/** Path of the server's command line. @throws FramewrightError if none is found */
function findProgram(): string {
  const places = (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .filter((one) => path.isAbsolute(one));
  const found = [
    fileURLToPath(new URL('../server/cli.mjs', import.meta.url)),
    // In a clone, whose own tests take this file as it is written.
    fileURLToPath(new URL('../dist/server/cli.mjs', import.meta.url)),
    // npm links the command to it, and on Windows puts a script beside the folder of the package.
    ...places.map((folder) => path.join(folder, 'framewright')),
    ...places.map((folder) => path.join(folder, 'node_modules/framewright/dist/server/cli.mjs')),
  ].find((file) => existsSync(file) && path.basename(realpathSync(file)) === 'cli.mjs');
  if (found !== undefined) return realpathSync(found);
  throw new FramewrightError(
    'There is no Framewright to start: this package is the client alone. Install the program, for all projects with ' +
      '`npm install -g framewright` or for this one with `npm install --save-dev framewright`, or name the ' +
      '`dist/server/cli.mjs` of another one as `program`.',
  );
}
