/**
 * `framewright worker`: works on the renders of servers that share a database. Has no state of its own: it may be ended
 * at any time.
 */
import { tmpdir } from 'node:os';
import path from 'node:path';
import { concurrencyLimit } from '../../shared/limits.ts';
import { systemClock } from '../system/clock.ts';
import { commandRows } from '../commands/command-rows.ts';
import { CommandError, readOptions, wholeNumber } from '../commands/option-rows.ts';
import { workerStarter } from '../jobs/worker/starter.ts';
import { LastResort } from '../commands/last-resort.ts';
import { terminalLog } from '../system/log.ts';
import { openWorker, placeWords } from './open-worker.ts';
import { StartError } from '../system/start-error.ts';
import { toldToEnd } from '../system/told-to-end.ts';

/**
 * Runs until it is told to end; then it gives back what it works on.
 * @returns the exit status: 0, or 1 after a sentence that says why.
 */
export async function workerCommand(args: readonly string[]): Promise<number> {
  try {
    return await work(args);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    console.error(error.message);
    return 1;
  }
}

async function work(args: readonly string[]): Promise<number> {
  const { values } = readOptions(commandRows.worker, args);
  const told = toldToEnd();
  const { database, shared, storage } = values;
  if (database === undefined) throw new CommandError('Name the database with --database.');
  if (shared === undefined && storage === undefined) throw new CommandError(placeWords);
  const resolved = (name: string | undefined): string | undefined =>
    name === undefined ? undefined : path.resolve(name);
  const number = (name: 'per-project' | 'largest-side'): number | undefined => {
    const text = values[name];
    return text === undefined ? undefined : wholeNumber(`--${name}`, text, 10_000);
  };
  const log = terminalLog(process.stderr);
  const lastResort = new LastResort('The worker', log);
  const options = {
    ...{ database, storage },
    shared: resolved(shared),
    data: path.resolve(values.data ?? path.join(tmpdir(), 'framewright-worker')),
    output: resolved(values.output),
    mediaFolders: (values.media ?? []).map((folder) => path.resolve(folder)),
    concurrency: wholeNumber('--concurrency', values.concurrency ?? '1', concurrencyLimit),
    perProject: number('per-project'),
    ...(values['local-addresses'] !== undefined && {
      allowPrivateAddresses: values['local-addresses'] === 'always',
    }),
    largestSide: number('largest-side'),
    ffmpegPath: resolved(values.ffmpeg),
    fork: workerStarter(),
    clock: systemClock,
    log,
  };
  for (let isFirst = true; ; isFirst = false) {
    const fault = lastResort.fault();
    const worker = await openWorker(options);
    if (isFirst) {
      console.log(`Framewright works for ${worker.database}. Press Ctrl+C to end it.`);
      process.send?.({ working: true });
    }
    if ((await Promise.race([told, fault])) === 'fault') {
      const status = await lastResort.close(worker, told);
      if (status !== null) return status;
      continue;
    }
    await worker.close();
    return 0;
  }
}
