/** `framewright completion` as shells take it, and that it has what the help has. Runs the built program. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commandRows } from '../server/commands/command-rows.ts';
import type { CommandRow } from '../server/commands/option-rows.ts';
import { cli } from './helpers/cli.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'cli-completion-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const rows: [string, CommandRow][] = Object.entries(commandRows);
const script = (shell: string): string =>
  execFileSync(process.execPath, [cli, 'completion', shell], { encoding: 'utf8' });
const has = (shell: string): boolean =>
  spawnSync(shell, ['-c', 'exit 0'], { stdio: 'ignore' }).status === 0;

const cases = [
  { typed: ['rend'], offered: ['render', 'renders'] },
  {
    typed: ['templates', ''],
    offered: [
      ...['list', 'get', 'put', 'delete', 'deleted', 'restore'],
      ...['export', 'share', 'import'],
    ],
  },
  { typed: ['validate', '--format', 's'], offered: ['sarif'] },
  {
    typed: ['keys', '--'],
    offered: ['--project', '--show', '--json', '--data', '--url', '--key', '--help'],
  },
  { typed: ['render', 'two'], offered: ['two words.json'] },
  { typed: ['serve', '--data', ''], offered: ['a folder'] },
  { typed: ['serve', '--port', ''], offered: [] },
];

beforeAll(() => {
  writeFileSync(path.join(folder, 'two words.json'), '{}');
  mkdirSync(path.join(folder, 'a folder'));
});

describe.skipIf(!has('bash'))('bash', () => {
  test.each(cases)('$typed', ({ typed, offered }) => {
    const words = ['framewright', ...typed].map((word) => `'${word}'`).join(' ');
    const asked = `${script('bash')}\nCOMP_WORDS=(${words})\nCOMP_CWORD=${typed.length}\n_framewright 2>/dev/null\nprintf '%s\\n' "\${COMPREPLY[@]}"`;
    const out = execFileSync('bash', ['-c', asked], { cwd: folder, encoding: 'utf8' });
    expect(out.split('\n').filter(Boolean).sort()).toEqual([...offered].sort());
  });
});

describe.skipIf(!has('fish'))('fish', () => {
  test.each(cases.slice(0, 4))('$typed', ({ typed, offered }) => {
    const asked = `${script('fish')}\ncomplete -C 'framewright ${typed.join(' ')}'`;
    const out = execFileSync('fish', ['-N', '-c', asked], { cwd: folder, encoding: 'utf8' });
    const found = out.split('\n').map((line) => line.split('\t')[0]);
    expect(found).toEqual(expect.arrayContaining(offered.filter((word) => word !== '--help')));
  });
});

test.each(['bash', 'zsh', 'fish'].filter(has))('%s finds no fault in its script', (shell) => {
  const file = path.join(folder, `completion.${shell}`);
  writeFileSync(file, script(shell));
  const { stderr, status } = spawnSync(shell, ['-n', file], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
});

test.each(['bash', 'zsh', 'fish'])('%s knows every command, action and option', (shell) => {
  const text = script(shell);
  for (const [name, { options, actions = [] }] of rows) {
    const words = [name, ...actions.map((one) => one.name), ...options.map((one) => one.name)];
    expect(words.filter((word) => !text.includes(word))).toEqual([]);
  }
});

test.each(rows)('the help of %s has its actions and options', (name, { options, actions = [] }) => {
  const out = execFileSync(process.execPath, [cli, name, '--help'], { encoding: 'utf8' });
  for (const one of actions) expect(out).toContain(`  ${one.name}`);
  for (const one of options) expect(out).toContain(`  --${one.name}`);
  // No line is wider than a wide terminal.
  expect(out.split('\n').filter((line) => line.length > 140)).toEqual([]);
});
