/** `framewright serve`: its options, and what it prints. Runs the whole server in this process. */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { concurrencyLimit } from '../shared/limits.ts';
import { allowedHostForm, listenAddress } from './api-address.ts';
import { defaultDataFolder } from './data-folder.ts';
import { workerStarter } from './jobs/worker/starter.ts';
import { terminalLog } from './log.ts';
import { sampleFolder, windowFolder } from './paths.ts';
import { DataOpenError, startServer, type RunningServer } from './start.ts';
import { StartError } from './start-error.ts';

const serveUsage = `Usage: framewright serve [options]

  --port 4820         port of the API; 0 takes any free one
  --host ADDRESS      address of the API, e.g. 0.0.0.0 for all networks (default: this computer alone).
                      Whoever reaches it can use it with the key, and nothing is encrypted
  --allow-host NAME   a name that others reach the API by, e.g. server.lan; may be repeated
  --window-port PORT  port of the window, always on this computer alone; 0 takes any free one
  --data DIR          templates, renders and keys (default: ${defaultDataFolder()})
  --output DIR        finished files (default: the folder output below the data)
  --api-key KEY       the API key from now on (default: the stored one; a new one at the first start)
  --print-key         print key and window address also when no terminal looks; scripts find both in DIR/runtime.json
  --media DIR         a folder that sources may name files of; may be repeated
  --ffmpeg PATH       the ffmpeg to use
  --concurrency N     renders at the same time, 1 to ${concurrencyLimit} (default: 1)
  --no-samples        begin a new data folder without the sample templates
  --no-rate-limit     answer any number of requests`;

/** Runs until told to stop. @returns the exit status: 0, or 1 after one sentence that says why. */
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
  const { values } = parseArgs({
    args: [...args],
    options: {
      port: { type: 'string' },
      host: { type: 'string' },
      'allow-host': { type: 'string', multiple: true, default: [] },
      'window-port': { type: 'string' },
      data: { type: 'string', default: defaultDataFolder() },
      output: { type: 'string' },
      'api-key': { type: 'string' },
      media: { type: 'string', multiple: true, default: [] },
      ffmpeg: { type: 'string' },
      concurrency: { type: 'string' },
      'no-samples': { type: 'boolean', default: false },
      'no-rate-limit': { type: 'boolean', default: false },
      'print-key': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    console.log(serveUsage);
    return 0;
  }
  // Listen from the very start, so that a server that is still opening also ends in order.
  const told = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.once(signal, () => resolve());
  });
  const dataFolder = path.resolve(values.data);
  const server = await startServer({
    port: portOf('--port', values.port ?? '4820'),
    ...(values.host !== undefined && { host: hostOf(values.host) }),
    allowedHosts: values['allow-host'].map(nameOf),
    ...(values['window-port'] !== undefined && {
      windowPort: portOf('--window-port', values['window-port']),
    }),
    ...(values.concurrency !== undefined && { concurrency: concurrencyOf(values.concurrency) }),
    bringSamples: !values['no-samples'],
    dataFolder,
    outputFolder: path.resolve(values.output ?? path.join(dataFolder, 'output')),
    ...(values['api-key'] !== undefined && { apiKey: keyOf(values['api-key']) }),
    rateLimit: !values['no-rate-limit'],
    windowFolder: windowFolder(),
    sampleFolder: sampleFolder(),
    mediaFolders: values.media.map((folder) => path.resolve(folder)),
    ...(values.ffmpeg !== undefined && { ffmpegPath: path.resolve(values.ffmpeg) }),
    fixedSettings: [
      ...(values.port === undefined ? [] : (['port'] as const)),
      ...(values.host === undefined ? [] : (['host'] as const)),
      ...(values.concurrency === undefined ? [] : (['concurrency'] as const)),
      ...(values.output === undefined ? [] : (['outputFolder'] as const)),
      ...(values.ffmpeg === undefined ? [] : (['ffmpegPath'] as const)),
      ...(values['no-rate-limit'] ? (['rateLimit'] as const) : []),
    ],
    forkWorker: workerStarter(),
    log: terminalLog(process.stderr),
  });
  announce(server, values['print-key'] || process.stdout.isTTY);
  // `npm start` without Electron opens the window in a browser (main/launch.mjs).
  process.send?.({ windowUrl: server.windowUrl });
  await told;
  await server.close();
  return 0;
}

/** @param told Whether to print key and token: piped output ends up in logs that others read. */
function announce({ windowUrl, apiUrl, apiKey, services }: RunningServer, told: boolean): void {
  const { problem, state } = services.api;
  const why = problem?.reason === 'taken' ? 'is used by another program' : 'could not be opened';
  const off = problem
    ? `off: port ${problem.port} ${why}. Name another one with --port.`
    : 'off: the settings say so. Start it in the window, or name a port with --port.';
  const api = state === 'on' ? apiUrl : off;
  console.log(`Framewright is running.

  Window   ${told ? windowUrl : new URL(windowUrl).origin}
  API      ${api}
  API key  ${told ? apiKey : `and window address with its token: see ${path.join(services.dataFolder, 'runtime.json')}, or start with --print-key`}

Press Ctrl+C to end it.`);
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

function concurrencyOf(text: string): number {
  const count = Number(text);
  if (/^\d+$/.test(text) && count >= 1 && count <= concurrencyLimit) return count;
  throw new StartError(
    `--concurrency: Expected a whole number from 1 to ${concurrencyLimit}, found '${text}'.`,
  );
}

function keyOf(text: string): string {
  if (!/^[\x21-\x7e]{1,200}$/.test(text)) {
    throw new StartError('--api-key: Expected 1 to 200 letters, digits and signs without spaces.');
  }
  return text;
}
