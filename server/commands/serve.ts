/** `framewright serve`: its options, and what it prints. Runs the whole server in this process. */
import path from 'node:path';
import { concurrencyLimit } from '../../shared/limits.ts';
import { allowedHostForm, publicUrlWords } from '../../shared/listen-address.ts';
import { listenAddress, publicAddress } from '../system/api-address.ts';
import { commandRows } from './command-rows.ts';
import { readOptions, wholeNumber } from './option-rows.ts';
import { HeldPorts } from '../api/listener/held-ports.ts';
import { workerStarter } from '../jobs/worker/starter.ts';
import { LastResort } from './last-resort.ts';
import { terminalLog } from '../system/log.ts';
import type { ServerOptions } from '../options.ts';
import { sampleFolder, windowFolder, defaultDataFolder } from '../system/paths.ts';
import { DataOpenError, startServer, type RunningServer } from '../start.ts';
import { StartError } from '../system/start-error.ts';
import { errorCode, makeFolders } from '../system/files.ts';
import { toldToEnd } from '../system/programs.ts';

/** Runs until it is told to end. @returns the exit status: 0, or 1 after one sentence that says why. */
export async function serveCommand(args: readonly string[]): Promise<number> {
  try {
    return await serve(args);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    const advice = error instanceof DataOpenError ? ' Name another folder with --data.' : '';
    console.error(`${error.message}${advice}`);
    return 1;
  }
}

async function serve(args: readonly string[]): Promise<number> {
  const { values } = readOptions(commandRows.serve, args);
  // Heard from the very start, so that a server that is still opening ends in order too.
  const told = toldToEnd();
  const options = serverOptions(values);
  // As the store makes it.
  checkFolder('--data', options.dataFolder, 0o700);
  checkFolder('--output', options.outputFolder);
  return serveUntil(told, options, values['print-key'] === true || process.stdout.isTTY);
}

/** What was given, checked. @throws StartError */
function serverOptions(
  values: ReturnType<typeof readOptions<typeof commandRows.serve>>['values'],
): ServerOptions {
  const dataFolder = path.resolve(values.data ?? defaultDataFolder());
  const shared = values.shared === undefined ? undefined : path.resolve(values.shared);
  if (shared !== undefined && values.database === undefined) {
    throw new StartError('--shared: Expected --database as well, which the servers share.');
  }
  return {
    port: portOf('--port', values.port ?? '4820'),
    ...(values.host !== undefined && { host: hostOf(values.host) }),
    allowedHosts: (values['allow-host'] ?? []).map(nameOf),
    ...(values['public-url'] !== undefined && { publicUrl: publicUrlOf(values['public-url']) }),
    ...(values['trust-proxy'] !== undefined && { trustProxy: values['trust-proxy'] }),
    ...(values['local-addresses'] !== undefined && {
      allowPrivateAddresses: values['local-addresses'] === 'always',
    }),
    ...(values['window-port'] !== undefined && {
      windowPort: portOf('--window-port', values['window-port']),
    }),
    ...(values.concurrency !== undefined && {
      concurrency: wholeNumber('--concurrency', values.concurrency, concurrencyLimit),
    }),
    ...(values['largest-side'] !== undefined && {
      largestSide: wholeNumber('--largest-side', values['largest-side'], 10_000),
    }),
    bringSamples: values['no-samples'] !== true,
    dataFolder,
    ...(values.database !== undefined && { database: values.database }),
    ...(values.storage !== undefined && { storage: values.storage }),
    ...(shared !== undefined && {
      shared,
      works: values['no-worker'] !== true,
      ...(values['per-project'] !== undefined && {
        perProject: wholeNumber('--per-project', values['per-project'], 10_000),
      }),
    }),
    outputFolder: path.resolve(values.output ?? path.join(shared ?? dataFolder, 'output')),
    ...(values['api-key'] !== undefined && { apiKey: keyOf(values['api-key']) }),
    ...(values['webhook-secret'] !== undefined && {
      webhookSecret: secretOf(values['webhook-secret']),
    }),
    rateLimit: values['no-rate-limit'] !== true,
    windowFolder: windowFolder(),
    sampleFolder: sampleFolder(),
    mediaFolders: (values.media ?? []).map((folder) => path.resolve(folder)),
    ...(values.ffmpeg !== undefined && { ffmpegPath: path.resolve(values.ffmpeg) }),
    fixedSettings: [
      ...(values.port === undefined ? [] : (['port'] as const)),
      ...(values.host === undefined ? [] : (['host'] as const)),
      ...(values['public-url'] === undefined ? [] : (['publicUrl'] as const)),
      ...(values['trust-proxy'] === undefined ? [] : (['trustProxy'] as const)),
      ...(values['local-addresses'] === undefined ? [] : (['allowPrivateAddresses'] as const)),
      ...(values.concurrency === undefined ? [] : (['concurrency'] as const)),
      ...(values.output === undefined ? [] : (['outputFolder'] as const)),
      ...(values.ffmpeg === undefined ? [] : (['ffmpegPath'] as const)),
      ...(values['no-rate-limit'] ? (['rateLimit'] as const) : []),
    ],
    forkWorker: workerStarter(),
    log: terminalLog(process.stderr),
  };
}

/**
 * Serves until it is told to end; starts the server again when that asks for it, or after a fault.
 *
 * @param showsKey Whether to print key and token: piped output ends up in logs that others read.
 * @returns the exit status.
 */
async function serveUntil(
  told: ReturnType<typeof toldToEnd>,
  options: ServerOptions,
  showsKey: boolean,
): Promise<number> {
  const lastResort = new LastResort('The server', options.log);
  /** What a server calls to be started again. */
  let again = (): void => undefined;
  let { port, windowPort } = options;
  const held: NonNullable<ServerOptions['held']> = new HeldPorts();
  try {
    for (let isFirst = true; ; isFirst = false) {
      const asked = new Promise<'again'>((resolve) => (again = () => resolve('again')));
      const fault = lastResort.fault();
      const server = await startServer({
        ...options,
        restart: () => again(),
        port,
        windowPort,
        held,
      });
      held.release();
      // A free one that was found stays: scripts know it, and an open page.
      if (port === 0) ({ port } = server.services.listener.api);
      if (windowPort === 0) windowPort = Number(new URL(server.windowUrl).port);
      if (isFirst) {
        announce(server, showsKey);
        // `npm start` without Electron opens the window in a browser (main/launch.mjs), and tests ask the API
        // (client/testing.ts).
        const { windowUrl, apiUrl, apiKey } = server;
        process.send?.({ windowUrl, apiUrl, apiKey });
      }
      const next = await Promise.race([told, asked, fault]);
      held.isHolding = next !== undefined;
      if (next === 'fault') {
        const status = await lastResort.close(server, told);
        if (status !== null) return status;
        continue;
      }
      await server.close();
      if (next === undefined) return 0;
    }
  } finally {
    held.release();
  }
}

function announce({ windowUrl, apiUrl, apiKey, services }: RunningServer, showsKey: boolean): void {
  const { problem, state } = services.listener.api;
  const why = problem?.reason === 'taken' ? 'is used by another program' : 'could not be opened';
  const off = problem
    ? `off: port ${problem.port} ${why}. Name another one with --port.`
    : 'off: the settings say so. Start it in the window, or name a port with --port.';
  const publicUrl = services.address.publicUrl();
  const outside = publicUrl === null ? '' : `, for others ${publicUrl}`;
  const api = state === 'on' ? `${apiUrl}${outside}` : off;
  console.log(`Framewright is running.

  Window   ${showsKey ? windowUrl : new URL(windowUrl).origin}
  API      ${api}
  API key  ${showsKey ? apiKey : `and window address with its token: see ${path.join(services.run.dataFolder, 'runtime.json')}, or start with --print-key`}

The window opens in any browser. To render from another terminal:
  ${renderCommand()}

Press Ctrl+C to end it.`);
}

/**
 * A first render, as someone types it who has started this server: in a clone with npm, else with the installed
 * program.
 */
function renderCommand(): string {
  return process.env['npm_package_name'] === 'framewright'
    ? 'npm run render -- resources/samples/promo-square/source.json promo.mp4'
    : 'framewright render source.json film.mp4';
}

/** Other reasons are told where the folder is opened. @throws StartError where the system makes no folders. */
function checkFolder(option: string, folder: string, mode?: number): void {
  try {
    makeFolders(folder, mode);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') return;
    throw new StartError(`${option}: ${folder} can't be made. Name another folder.`);
  }
}

function portOf(option: string, text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) {
    throw new StartError(`${option}: Expected a number from 0 to 65535, found '${text}'.`);
  }
  return port;
}

function hostOf(text: string): string {
  const host = listenAddress(text);
  if (host !== null) return host;
  throw new StartError(
    `--host: Expected an IP address of this computer, e.g. 0.0.0.0 for all, found '${text}'. A name that others use goes with --allow-host.`,
  );
}

function nameOf(text: string): string {
  if (allowedHostForm.test(text)) return text.toLowerCase();
  throw new StartError(
    `--allow-host: Expected a name without http://, e.g. server.lan, found '${text}'.`,
  );
}

function publicUrlOf(text: string): string {
  const url = publicAddress(text);
  if (url !== null) return url;
  throw new StartError(
    `--public-url or FRAMEWRIGHT_PUBLIC_URL: Expected ${publicUrlWords}, found '${text}'.`,
  );
}

function keyOf(text: string): string {
  if (!/^[\x21-\x7e]{1,200}$/.test(text)) {
    throw new StartError('--api-key: Expected 1 to 200 letters, digits and signs without spaces.');
  }
  return text;
}

/** @throws StartError, which does not show it. */
function secretOf(secret: string): string {
  const [, key = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret) ?? [];
  const { length } = Buffer.from(key, 'base64');
  if (length >= 24 && length <= 64) return secret;
  const found = key === '' ? 'something else' : `${length} bytes`;
  throw new StartError(
    `--webhook-secret or FRAMEWRIGHT_WEBHOOK_SECRET: Expected whsec_ and 24 to 64 bytes in base64, e.g. "whsec_$(openssl rand -base64 24)", found ${found}.`,
  );
}
