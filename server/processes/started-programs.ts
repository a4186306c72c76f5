/**
 * Tells the server which programs this worker process has started, so that it can end them when the worker is gone: a
 * program that reads one file and writes another would not notice. Runs in the worker process, once in each of its
 * threads.
 */
import type { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import type { ProgramsEvent } from '../jobs/worker/worker-programs.ts';

/**
 * Follows every program that this thread starts from now on, whichever code starts it.
 *
 * @param tell is called at each start and each end
 */
export function followPrograms(tell: (event: ProgramsEvent) => void): void {
  // Node publishes each new ChildProcess here; it has no id yet.
  subscribe('child_process', (message) => {
    // As Node documents this channel.
    const { process: child } = message as { process: ChildProcess };
    child.once('spawn', () => {
      const { pid } = child;
      if (pid === undefined) return;
      tell({ type: 'program', pid, runs: true });
      child.once('exit', () => tell({ type: 'program', pid, runs: false }));
    });
  });
}
