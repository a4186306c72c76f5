/**
 * Loaded before the program (`--import`): ends it as a power cut would, just before its n-th change of names or files
 * in the folders `store`, `media` and `fonts` since a backup was begun or asked for. `END_AT` is n; the count is in
 * `END_COUNT_FILE`.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const { END_AT: at = '', END_COUNT_FILE: countFile = '', END_FROM: from = '' } = process.env;
const { promises } = fs;
let count = 0;
let isArmed = false;

/** @param place of the change */
function step(place) {
  if (!/[/\\](store|media|fonts)[/\\]/.test(place)) return;
  isArmed ||= place.includes(from);
  if (!isArmed) return;
  count += 1;
  fs.writeFileSync(countFile, String(count));
  if (count === Number(at)) process.kill(process.pid, 'SIGKILL');
}

if (/cli\.mjs$/.test(process.argv[1] ?? '')) {
  for (const name of ['rename', 'link', 'rm', 'rmdir', 'mkdir', 'copyFile', 'cp', 'writeFile']) {
    const real = promises[name];
    promises[name] = (...values) => {
      step(String(name === 'rename' || name === 'link' || name === 'cp' ? values[1] : values[0]));
      return real.apply(promises, values);
    };
  }
  const { open } = promises;
  promises.open = (file, flags, ...more) => {
    if (flags !== undefined && flags !== 'r') step(String(file));
    return open.call(promises, file, flags, ...more);
  };
  syncBuiltinESMExports();
}
