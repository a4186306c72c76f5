/** How long programs have computed, where the system says. */
import { readFileSync } from 'node:fs';

/** Linux's clock ticks per second in /proc. */
const ticks = 100;

/** Seconds of computing. */
export interface Computed {
  /** Of the process itself, all threads together. */
  readonly own: number;
  /** Of the ended programs that it started. */
  readonly children: number;
}

/** What a process has computed so far; null where the system does not say, and for one that is gone. */
export function computedBy(pid: number | 'self'): Computed | null {
  if (process.platform !== 'linux') return null;
  try {
    // The name, in brackets, may contain anything; the fields after it are numbers (man 5 proc).
    const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(/\) (?=[^)]*$)/);
    const [user = 0, system = 0, ended = 0, endedSystem = 0] = fields
      .split(' ')
      .slice(11, 15)
      .map(Number);
    return { own: (user + system) / ticks, children: (ended + endedSystem) / ticks };
  } catch {
    return null;
  }
}
