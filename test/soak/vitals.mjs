/** What processes hold, and which files lie in a folder. Linux. */
import { readFileSync, readdirSync } from 'node:fs';

/**
 * A process and all that it started, directly or not, whatever their groups: memory in MB, open files, name. Empty when
 * it is gone.
 */
export function processesOf(root) {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const status = readFileSync(`/proc/${name}/status`, 'utf8');
        const field = (word) => new RegExp(`^${word}:\\s+(.*)$`, 'm').exec(status)?.[1] ?? '';
        // One that has ended and was not asked for yet holds nothing.
        if (field('State').startsWith('Z')) return [];
        return [
          {
            pid: Number(name),
            parent: Number(field('PPid')),
            name: field('Name'),
            megabytes: parseInt(field('VmRSS') || '0', 10) / 1024,
            files: readdirSync(`/proc/${name}/fd`).length,
          },
        ];
      } catch {
        // It has ended meanwhile.
        return [];
      }
    });
  const found = all.filter(({ pid }) => pid === root);
  for (const { pid } of found) found.push(...all.filter(({ parent }) => parent === pid));
  return found;
}

/** Every file below a folder; none when the folder is not there. */
export function leftFiles(folder) {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name);
  } catch {
    return [];
  }
}
