/**
 * The programs that a worker process has started, as it reports them (`followPrograms`); ends them together with it.
 * For both ways of starting a worker: not every system ends child processes with their parent, and Electron's utility
 * processes never do.
 */
import { z } from 'zod';
import type { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';

/** Worker → whoever started it. Not passed to the queue. */
export const programsEvent = z.object({
  type: z.literal('program'),
  pid: z.number().int().positive(),
  /** False: it has ended on its own. */
  runs: z.boolean(),
});

/** A program has started or ended. */
export type ProgramsEvent = z.infer<typeof programsEvent>;

/** The programs of one worker. */
export interface WorkerPrograms {
  /** @returns true for a message about a program, which nobody else needs. */
  take(message: unknown): boolean;
  /** The worker is gone, or about to go: kills its programs, including any that a late message reports. */
  end(): void;
}

/** Follows the programs of a starting worker. */
export function followWorkerPrograms(): WorkerPrograms {
  const running = new Set<number>();
  let isOver = false;
  return {
    take(message) {
      const { success, data } = programsEvent.safeParse(message);
      if (!success) return false;
      if (!data.runs) running.delete(data.pid);
      else if (isOver) endProgram(data.pid);
      else running.add(data.pid);
      return true;
    },
    end() {
      isOver = true;
      for (const pid of running) endProgram(pid);
      running.clear();
    },
  };
}

function endProgram(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended in this very moment.
  }
}

/*
 * Tells the server which programs this worker process has started, so that it can end them when the worker is gone: a
 * program that reads one file and writes another would not notice. Runs in the worker process, once in each of its
 * threads.
 */

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
