/**
 * The processes of a server, also those that have lost it: known by the temporary folder in their environment. Linux.
 */
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** What a process is in the eyes of the kill test. */
function kindOf(words) {
  const cli = words.findIndex((word) => word.endsWith('/cli.mjs'));
  // `framewright worker` is a machine of a farm.
  if (cli >= 0) return words[cli + 1] === 'worker' ? 'machine' : 'server';
  if (words.some((word) => word.endsWith('/worker.mjs'))) return 'worker';
  return /^ff(?:mpeg|probe)/.test(path.basename(words[0] ?? '')) ? 'encoder' : 'other';
}

/**
 * Every living process whose temporary folder this is: number, kind, what was called.
 *
 * @param machine only those of one machine of a farm.
 */
export function processesOf(temporary, machine = null) {
  const mark = `TMPDIR=${temporary}`;
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        // One that has ended and was not asked for yet has no environment any more.
        const environment = readFileSync(`/proc/${name}/environ`, 'utf8').split('\0');
        if (!environment.includes(mark)) return [];
        if (machine !== null && !environment.includes(`FRAMEWRIGHT_MACHINE=${machine}`)) return [];
        const words = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0');
        return [{ pid: Number(name), kind: kindOf(words), call: words.join(' ').trim() }];
      } catch {
        // It has ended meanwhile, or is another person's.
        return [];
      }
    });
}

/** Ends processes hard. @returns how many were there to be ended. */
export function kill(processes) {
  let count = 0;
  for (const { pid } of processes) {
    try {
      process.kill(pid, 'SIGKILL');
      count++;
    } catch {
      // It ended in this very moment.
    }
  }
  return count;
}
