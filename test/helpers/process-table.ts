/**
 * The processes of this computer: Linux lists them as files, other systems have `ps`, which small Linux systems lack.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** A process. */
export interface ListedProcess {
  readonly pid: number;
  readonly parent: number;
  /** It has ended, and its parent has not asked for its result yet. */
  readonly isZombie: boolean;
  /** Its command line, with blanks between the arguments. */
  readonly command: string;
}

/** All of them. */
export function listProcesses(): ListedProcess[] {
  return process.platform === 'linux' ? fromFiles() : fromPs();
}

function fromFiles(): ListedProcess[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      // The name before it may hold anything, brackets too.
      const [, state, parent] = /.*\) (\S) (\d+)/s.exec(
        readFileSync(`/proc/${name}/stat`, 'utf8'),
      )!;
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0').join(' ').trim();
      return { pid: Number(name), parent: Number(parent), isZombie: state === 'Z', command };
    } catch {
      // It ended meanwhile.
      return [];
    }
  });
}

function fromPs(): ListedProcess[] {
  const list = execFileSync('ps', ['-axo', 'pid=,ppid=,stat=,args='], { encoding: 'utf8' });
  return list
    .trim()
    .split('\n')
    .map((line) => {
      const [pid, parent, state = '', ...words] = line.trim().split(/\s+/);
      const isZombie = state.startsWith('Z');
      return { pid: Number(pid), parent: Number(parent), isZombie, command: words.join(' ') };
    });
}

/** Numbers of all that a process has started, directly or not. */
export function startedBy(root: number): number[] {
  const all = listProcesses();
  const found = [root];
  for (const one of found)
    found.push(...all.flatMap(({ pid, parent }) => (parent === one ? [pid] : [])));
  return found.slice(1);
}
