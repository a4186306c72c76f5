/**
 * The programs that a worker process has started, as it tells them itself (server/started-programs.ts), and their end together
 * with it. For both ways of starting a worker: not every system, and no utility process of Electron, ends a process with those below it.
 */
import { z } from 'zod';

/** Worker → whoever started it. The server's queue does not hear of it. */
const programsEvent = z.object({
  type: z.literal('program'),
  pid: z.number().int().positive(),
  /** False: it has ended by itself. */
  runs: z.boolean(),
});

/** A program was started, or has ended. */
export type ProgramsEvent = z.infer<typeof programsEvent>;

/** The programs of one worker. */
export interface WorkerPrograms {
  /** @returns true for a message that tells of a program, which is for nobody else. */
  take(message: unknown): boolean;
  /** The worker is gone, or about to go: ends its programs hard, and those that a late message tells of. */
  end(): void;
}

/** Follows the programs of a worker that is being started. */
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
