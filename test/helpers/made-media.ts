/**
 * Media that several files of tests need: made once for a run, in its folder of temporary files, and copied from there.
 */
import { createHash, randomUUID } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, renameSync } from 'node:fs';
import path from 'node:path';

/**
 * Writes a file, by `make` where no other test of this run has had it made.
 *
 * @param how All that the content depends on.
 */
export function madeOnce(target: string, how: unknown, make: (file: string) => void): void {
  // Of the settings of the test runner: test/temporary-files.mjs.
  const run = process.env['FRAMEWRIGHT_TEST_FILES'];
  if (run === undefined) {
    make(target);
    return;
  }
  const folder = path.join(run, 'made-media');
  mkdirSync(folder, { recursive: true });
  const ending = path.extname(target);
  const name = createHash('sha256').update(JSON.stringify(how)).digest('hex');
  const kept = path.join(folder, `${name}${ending}`);
  if (!existsSync(kept)) {
    // Two may make it at the same time: each has a whole file to give.
    const own = path.join(folder, `${randomUUID()}${ending}`);
    make(own);
    renameSync(own, kept);
  }
  copyFileSync(kept, target);
}
