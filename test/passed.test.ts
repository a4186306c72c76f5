/** Which test files CI runs once: those that passed on the bare system and would do no more on a fuller one. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { readPassed, recordPassed } from './passed.mjs';

const root = path.join(import.meta.dirname, '..');
const fixtures = path.join(import.meta.dirname, 'fixtures/sought');
const folder = mkdtempSync(path.join(tmpdir(), 'framewright-passed-'));
const at = (name: string): string => path.join(folder, name);
const record = z.object({
  commit: z.string(),
  passed: z.array(z.string()),
  again: z.record(z.string(), z.string()),
  packaged: z.record(z.string(), z.array(z.string())),
});

/** Runs the fixtures, in one process. @returns what is recorded, by the names of the files */
function run(env: Record<string, string> = {}): z.infer<typeof record> {
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
  const args = ['run', '--config', 'vitest.config.ts', '--reporter=json'];
  const { status, stderr } = spawnSync(
    process.execPath,
    [vitest, ...args, `--outputFile=${at('report.json')}`],
    {
      cwd: fixtures,
      encoding: 'utf8',
      env: {
        ...process.env,
        FFMPEG_PATH: '/usr/bin/true',
        SOUGHT: at('sought'),
        QUICK: '1',
        ...env,
      },
    },
  );
  expect(status, stderr).toBe(0);
  recordPassed(at('record.json'), [at('report.json')], at('sought'));
  rmSync(at('sought'));
  return record.parse(JSON.parse(readFileSync(at('record.json'), 'utf8')));
}

let result: z.infer<typeof record>;
beforeAll(() => {
  result = run();
});
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ['path', 'looked for no-such-program'],
  ['place', 'looked for /usr/bin/no-such-program'],
  ['server', 'looked for ffmpeg, by a program of Node'],
  ['shared-1', 'looked for /opt/no-such-program'],
  ['shared-2', 'looked for /opt/no-such-program'],
])('%s runs again: %s', (name, reason) => {
  expect(result.again[`test/fixtures/sought/${name}.fixture.ts`]).toContain(reason);
});

test('of rows that npm test leaves out, CI runs the others', () => {
  const name = 'test/fixtures/sought/rows.fixture.ts';
  expect(result.again[name]).toBe('looked for rows that npm test leaves to CI');
  expect(result.packaged[name]).toEqual(['runs the first']);
});

test('what looks for nothing runs once, if no test was left out', () => {
  const name = 'test/fixtures/sought/plain.fixture.ts';
  expect(result.passed).toEqual([name, 'test/fixtures/sought/unshared.fixture.ts']);
  expect(run({ SKIPS: '1' }).again[name]).toBe('skipped: runs, too');
});

test('what was left out, tried twice, or never begun runs again', () => {
  const of = (status: string, failureMessages: string[] = []): object => ({
    status,
    failureMessages,
    fullName: 'a test',
  });
  const files = {
    left: [of('passed'), of('skipped')],
    twice: [of('passed', ['no'])],
    none: [],
    builds: [of('passed')],
    both: [of('passed')],
  };
  const testResults = Object.entries(files).map(([name, assertionResults]) => ({
    name: path.join(root, name),
    assertionResults,
  }));
  writeFileSync(at('own.json'), JSON.stringify({ testResults }));
  const sought = { builds: ['ffmpeg'], both: ['ffmpeg', 'python3'] };
  const lines = Object.entries(sought).map(([file, what]) =>
    JSON.stringify({ file, sought: what }),
  );
  writeFileSync(at('own-sought'), lines.join('\n'));
  recordPassed(at('own-record.json'), [at('own.json')], at('own-sought'));
  expect(JSON.parse(readFileSync(at('own-record.json'), 'utf8'))).toMatchObject({
    passed: [],
    again: {
      left: 'skipped: a test',
      twice: 'tried twice',
      none: 'no test ran',
      builds: 'looked for ffmpeg',
      both: 'looked for ffmpeg, python3',
    },
    packaged: { builds: ['a test'] },
  });
});

test('a list of another commit is none', () => {
  const [own, old] = ['own.json', 'old.json'].map(at) as [string, string];
  writeFileSync(own, JSON.stringify(result));
  writeFileSync(old, JSON.stringify({ ...result, commit: 'before' }));
  expect(readPassed(own)).toEqual({ passed: result.passed, packaged: result.packaged });
  expect(() => readPassed(old)).toThrow('is of commit before');
});
