/** A worker whose server goes, at whatever moment of its start: it ends. Needs dist/. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { engineEnvironment } from '../../server/jobs/worker/fork-worker.ts';
import { workerScript } from '../../server/system/paths.ts';

let child: ChildProcess;
afterEach(() => void child.kill('SIGKILL'));

test.each([0, 20, 40, 80, 160, 320])(
  'F1: a worker whose server dies %d ms after its start ends',
  async (moment) => {
    child = fork(workerScript(), { env: engineEnvironment(), execArgv: [], stdio: 'ignore' });
    const ended = once(child, 'exit');
    await pause(moment);
    // What it sees when the other end is gone.
    if (child.connected) child.disconnect();
    expect(await ended).toEqual([null, 'SIGKILL']);
  },
);
