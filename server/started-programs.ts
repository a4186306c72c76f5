/**
 * Tells the server which programs this worker process has started, so that it can end them when the worker is gone: a program
 * that reads one file and writes another notices nothing of that. Runs in the worker process, once in each of its threads.
 */
import type { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import type { ProgramsEvent } from './jobs/worker/worker-programs.ts';

/**
 * Follows every program that this thread starts from now on, whoever starts it.
 *
 * @param tell is called with each beginning and each end
 */
export function followPrograms(tell: (event: ProgramsEvent) => void): void {
  // Node's own word for each ChildProcess that is made; it has no number yet.
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
