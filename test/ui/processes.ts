/** What processes cost, as Linux tells it; null on other systems. */
import { readdirSync, readFileSync } from 'node:fs';

/** Milliseconds of a tick of the processor's clock, which Linux counts in hundredths. */
const tick = 10;

function read(id: number, name: string): string | null {
  try {
    return readFileSync(`/proc/${id}/${name}`, 'utf8');
  } catch {
    return null;
  }
}

/** Milliseconds of processor time that a process has used. */
export function cpuMillisecondsOf(id: number): number | null {
  // The name of the program, in brackets, may hold spaces; user and system time are the 12th and 13th field after it.
  const fields = read(id, 'stat')
    ?.replace(/^.*\) /s, '')
    .split(' ');
  return fields ? (Number(fields[11]) + Number(fields[12])) * tick : null;
}

/** Bytes of memory: all that is there, and what no other process has a part in. */
export function memoryOf(id: number): { readonly resident: number; readonly own: number } | null {
  const text = read(id, 'smaps_rollup');
  if (text === null) return null;
  const sum = (name: string): number =>
    [...text.matchAll(new RegExp(`^${name}:\\s+(\\d+) kB`, 'gm'))]
      .map(([, count]) => Number(count) * 1024)
      .reduce((all, one) => all + one, 0);
  return { resident: sum('Rss'), own: sum('Private_Clean') + sum('Private_Dirty') };
}

function threadsOf(id: number): string[] {
  try {
    return readdirSync(`/proc/${id}/task`);
  } catch {
    return [];
  }
}

/** Bytes that a process and all that it has started, directly or not, have for themselves; 0 when it is gone. */
export function familyMemoryOf(id: number): number {
  const children = threadsOf(id)
    .flatMap((thread) => (read(id, `task/${thread}/children`) ?? '').split(' '))
    .filter((word) => word !== '');
  return children.reduce(
    (sum, child) => sum + familyMemoryOf(Number(child)),
    memoryOf(id)?.own ?? 0,
  );
}
