/**
 * `npm run fuzz` itself: what it says of fuzzers that find something, die, or never end, and that a find can be
 * repeated.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';

const root = path.join(import.meta.dirname, '..');
const folder = mkdtempSync(path.join(tmpdir(), 'framewright-fuzz-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A fuzzer whose case is the given code, with `random` and `seed` in reach. */
function plant(name: string, attack: string): void {
  writeFileSync(
    path.join(folder, `${name}.fuzz.ts`),
    `import { runCases, type FuzzOptions } from '${path.join(root, 'test/fuzz/cases.ts')}';
     export const name: string = '${name}';
     export const fuzz = (options: FuzzOptions) =>
       runCases(options, (random, seed) => { ${attack} });`,
  );
}

function runFuzz(...args: string[]): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const script = path.join(root, 'test/fuzz/run.mjs');
    const child = execFile(process.execPath, [script, ...args], { cwd: root }, (_error, output) =>
      resolve({ code: child.exitCode, output }),
    );
  });
}

test('the fuzzers of the project find nothing in a moment', async () => {
  const { code, output } = await runFuzz('--total', '1', '--only', 'json,values');
  expect(output).toMatch(/ok {3}json: \d+ cases/);
  expect(output).toMatch(/ok {3}values: \d+ cases/);
  expect(code).toBe(0);
});

test('a find ends it with 1, and its seed alone repeats it', async () => {
  plant('careful', 'return null');
  plant('finder', 'return seed === 23 ? `found ${random.below(1000)}` : null');
  plant('thrower', 'if (seed === 25) throw new Error("thrown"); return null');
  const only = ['--folder', folder, '--only'];
  const first = await runFuzz(
    ...only,
    'careful,finder,thrower',
    '--seed',
    '20',
    '--seconds',
    '0.3',
  );
  expect(first.code).toBe(1);
  expect(first.output).toMatch(/ok {3}careful: /);
  expect(first.output).toContain('Error: thrown');
  const what = /found \d+/.exec(first.output)?.[0] ?? 'nothing';
  const repeat = /npm run fuzz -- (--only finder .*)/.exec(first.output)?.[1]?.split(' ') ?? [];
  const again = await runFuzz('--folder', folder, ...repeat);
  expect(again.output).toContain(`FIND finder: 1 cases\n     ${what}\n`);
});

test('a fuzzer that dies or never ends is a find', async () => {
  plant('dying', 'process.kill(process.pid, "SIGKILL"); return null');
  plant('endless', 'for (;;) if (random === null) return null');
  const { code, output } = await runFuzz(
    ...['--folder', folder, '--only', 'dying,endless', '--seconds', '0', '--grace', '5'],
  );
  expect(code).toBe(1);
  expect(output).toContain('the fuzzer died with SIGKILL');
  expect(output).toContain('the fuzzer did not end within 5 s after its time');
  expect(output).toContain('--only endless --seed 1 --seconds 0');
});

test('a fuzzer that does not exist is named', async () => {
  expect((await runFuzz('--only', 'nothing')).code).toBe(2);
});
