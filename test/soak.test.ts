/**
 * The short form of `npm run bench -- soak`: what many renders leave behind shows after a hundred, too. Needs dist/.
 */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';

test.skipIf(process.platform !== 'linux')(
  'after 120 mixed renders, server and workers hold what they held after 60',
  async () => {
    const script = path.join(import.meta.dirname, 'soak/soak.mjs');
    const args = [script, '--renders', '120', '--baseline', '60'];
    const said = await new Promise<string>((resolve) => {
      execFile(process.execPath, args, (error, output, errors) =>
        resolve(error === null ? output : `${output}${errors}${error.message}`),
      );
    });
    expect(said).toMatch(/^120 renders in/);
    expect(said).not.toMatch(/TOO MUCH|still there|is left|ended/);
    expect(said.trim().split('\n')).toHaveLength(10);
  },
  180_000,
);
