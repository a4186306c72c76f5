/**
 * The programs that a worker process has started, as it reports them (processes/started-programs.ts); ends them
 * together with it. For both ways of starting a worker: not every system ends child processes with their parent, and
 * Electron's utility processes never do.
 */
import { z } from 'zod';

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
