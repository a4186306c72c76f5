#!/usr/bin/env node
/**
 * The command line: `framewright serve | render | validate`. Plain Node; `serve` runs the whole server in this process,
 * the other two need none.
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { defaultDataFolder } from './data-folder.ts';
import { forkWorker } from './jobs/fork-worker.ts';
import { terminalLog } from './log.ts';
import { sampleFolder, windowFolder } from './paths.ts';
import { DataOpenError, startServer, type RunningServer } from './start.ts';
import { StartError } from './start-error.ts';

const usage = `Usage: framewright <command>

  serve      start the API, the renderer and the window's server
  render     render a source.json to a file, without a server
  validate   check a source.json

framewright serve [options]
  --port 4820       port of the API; 0 takes any free one
  --data DIR        templates, renders and keys (default: ${defaultDataFolder()})
  --output DIR      finished files (default: the folder output below the data)
  --api-key KEY     the API key from now on (default: the stored one; a new one at the first start)
  --media DIR       a folder that sources may name files of; may be repeated
  --ffmpeg PATH     the ffmpeg to use
  --no-rate-limit   answer any number of requests`;

const commands: Readonly<Record<string, (args: readonly string[]) => Promise<number>>> = {
  serve,
  render: async (args) => (await import('./render-file.ts')).renderCommand(args),
  validate: async (args) => (await import('./render-file.ts')).validateCommand(args),
};

/** Runs until it is told to end. */
async function serve(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      port: { type: 'string' },
      data: { type: 'string', default: defaultDataFolder() },
      output: { type: 'string' },
      'api-key': { type: 'string' },
      media: { type: 'string', multiple: true, default: [] },
      ffmpeg: { type: 'string' },
      'no-rate-limit': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  // Heard from the very start, so that a server that is still opening ends in order too.
  const told = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.once(signal, () => resolve());
  });
  const dataFolder = path.resolve(values.data);
  const server = await startServer({
    port: portOf(values.port ?? '4820'),
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
      ...(values.output === undefined ? [] : (['outputFolder'] as const)),
      ...(values.ffmpeg === undefined ? [] : (['ffmpegPath'] as const)),
      ...(values['no-rate-limit'] ? (['rateLimit'] as const) : []),
    ],
    forkWorker,
    log: terminalLog(process.stderr),
  });
  announce(server);
  await told;
  await server.close();
  return 0;
}

function announce({ windowUrl, apiUrl, apiKey, services }: RunningServer): void {
  const { problem, state } = services.api;
  const why = problem?.reason === 'taken' ? 'is used by another program' : 'could not be opened';
  const off = problem
    ? `off: port ${problem.port} ${why}. Name another one with --port.`
    : 'off: the settings say so. Start it in the window, or name a port with --port.';
  const api = state === 'on' ? apiUrl : off;
  console.log(`Framewright is running.

  Window   ${windowUrl}
  API      ${api}
  API key  ${apiKey}

Press Ctrl+C to end it.`);
}

function portOf(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) {
    throw new StartError(`--port: Expected a number from 0 to 65535, found '${text}'.`);
  }
  return port;
}

function keyOf(text: string): string {
  if (!/^[\x21-\x7e]{1,200}$/.test(text)) {
    throw new StartError('--api-key: Expected 1 to 200 letters, digits and signs without spaces.');
  }
  return text;
}

/** Runs one command. @returns the exit status: 0, or 1 after one sentence that says why. */
async function main([name = '', ...args]: readonly string[]): Promise<number> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) {
    const asked = ['help', '--help', '-h', ''].includes(name);
    if (!asked) console.error(`There is no command '${name}'.\n`);
    console[asked ? 'log' : 'error'](usage);
    return asked ? 0 : 1;
  }
  try {
    return await command(args);
  } catch (error) {
    const wrongOption = error instanceof TypeError && 'code' in error;
    if (!(error instanceof StartError) && !wrongOption) throw error;
    const advice = error instanceof DataOpenError ? ' Name another folder with --data.' : '';
    console.error(`${error.message}${advice}`);
    return 1;
  }
}

process.exitCode = await main(process.argv.slice(2));
// A pooled connection of a webhook must not keep a server alive that has closed.
process.exit();
