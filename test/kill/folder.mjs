/** The data folder of a killed server: what has no business to be there, and whether the store is written anew. */
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';

const namesIn = (folder) => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};

/** Data files that grow with what the test does. */
const followed = ['renders.db', 'templates.db', 'deliveries.db'];

/** Counts how often data files were written anew, by looking often. */
export function countCompactions(dataFolder) {
  const known = new Map();
  let count = 0;
  const look = () => {
    for (const name of followed) {
      const facts = statSync(path.join(dataFolder, 'store', name), { throwIfNoEntry: false });
      if (!facts) continue;
      if (known.has(name) && known.get(name) !== facts.ino) count++;
      known.set(name, facts.ino);
    }
  };
  const timer = setInterval(look, 20);
  return {
    get count() {
      return count;
    },
    close: () => clearInterval(timer),
  };
}

/** Damage that the store had to repair is expected only at a line that was being written, which is no damage. */
export function damagedFiles(dataFolder) {
  return namesIn(path.join(dataFolder, 'store')).filter(
    (name) => name.startsWith('damaged-') || name.includes('-unreadable-'),
  );
}

/** Files of renders that are being written, by the render's ID. */
export function partsIn(dataFolder) {
  const output = path.join(dataFolder, 'output');
  const names = ['', 'snapshots'].flatMap((part) =>
    namesIn(path.join(output, part)).map((name) => path.join(part, name)),
  );
  return names
    .filter((name) => /\.(?:part|try)$/.test(name))
    .map((name) => ({ name, id: path.basename(name).split('.')[0] }));
}

/** What a server that has ended in order may not have left. @param renders statuses by ID, of all that there are. */
export function strayFiles(dataFolder, temporary, renders) {
  const found = namesIn(temporary).map((name) => `the temporary folder has ${name}`);
  for (const name of namesIn(path.join(dataFolder, 'work'))) found.push(`work has ${name}`);
  const output = path.join(dataFolder, 'output');
  for (const part of ['', 'snapshots']) {
    for (const name of namesIn(path.join(output, part))) {
      if (part === '' && name === 'snapshots') continue;
      const status = renders.get(name.split('.')[0]);
      if (status !== 'succeeded' || /\.(?:part|try)$/.test(name))
        found.push(`the output folder has ${path.join(part, name)} of a render that is ${status}`);
    }
  }
  // Documents whose create was cut off before its record go after thirty days: they may belong to a backup's records.
  for (const name of namesIn(path.join(dataFolder, 'last-frames'))) {
    if (!renders.has(name.split('.')[0])) found.push(`last-frames has ${name}`);
  }
  for (const name of readdirSync(dataFolder, { recursive: true }))
    if (/\.new$|test-write|\.framewright-test/.test(name)) found.push(`${name} is left of a write`);
  return found;
}
