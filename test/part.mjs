/**
 * Starts one of several programs of a kind, so that package.json needs one script for them: `npm run bench -- farm
 * --renders 500` starts test/bench/farm.mjs with what follows. Without a name the first one starts.
 *
 *   node test/part.mjs KIND [NAME] [ARGUMENT …]
 */
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const kinds = {
  bench: {
    scenes: 'bench/bench.mjs',
    attacks: 'bench/attacks.mjs',
    farm: 'bench/farm.mjs',
    profile: 'bench/profile.mjs',
    soak: 'soak/soak.mjs',
  },
  kill: { server: 'kill/kill.mjs', farm: 'kill/farm.mjs' },
};

const [kind, name = '', ...rest] = process.argv.slice(2);
const programs = new Map(Object.entries(kinds[kind]));
const isNamed = programs.has(name);
const [first] = programs.values();
const file = path.join(import.meta.dirname, programs.get(name) ?? first);
process.argv.splice(1, Infinity, file, ...(isNamed || name === '' ? rest : [name, ...rest]));
await import(pathToFileURL(file).href);
