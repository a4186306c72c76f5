/**
 * The skill for agents: small enough to be read as a whole, and its examples and commands work as they stand. Runs the
 * built program.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';

const root = path.join(import.meta.dirname, '..');
const skill = path.join(root, 'skills', 'framewright');
const cli = path.join(root, 'dist', 'server', 'cli.mjs');
const folder = mkdtempSync(path.join(tmpdir(), 'skill-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const text = readFileSync(path.join(skill, 'SKILL.md'), 'utf8');
const documents = [...text.matchAll(/```json\n([\s\S]*?)```/g)].map(([, one = '']) => one);
const commands = (/```sh\n([\s\S]*?)```/.exec(text)?.[1] ?? '')
  .split('\n')
  .map((line) => line.replace(/\s+#.*$/, ''))
  .filter(Boolean);

function run(args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect({ args, status, said: status === 0 ? '' : stdout + stderr }).toMatchObject({ status: 0 });
}

test('is under 8 kB and has five examples', () => {
  const sizes = readdirSync(skill).map((name) => statSync(path.join(skill, name)).size);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(8_000);
  expect(documents).toHaveLength(5);
});

test('E23: covers data, templates and local files by the names of options, keys and tools that there are', () => {
  const help = ['render', 'mcp', 'templates', 'validate'].map(
    (name) => spawnSync(process.execPath, [cli, name, '--help'], { encoding: 'utf8' }).stdout,
  );
  for (const [option] of text.matchAll(/(?<=[`\s])--[a-z][a-z-]+/g))
    expect(help.join('\n')).toContain(option);
  for (const word of [
    '--data',
    '--media',
    'templates put',
    'add_media',
    'media:',
    'template_fields',
  ])
    expect(text).toContain(word);
});

test.each(documents.map((document, index) => ({ document, number: index + 1 })))(
  'example $number is valid to the word and renders',
  ({ document, number }) => {
    const { output_format } = z.object({ output_format: z.string() }).parse(JSON.parse(document));
    writeFileSync(path.join(folder, `${number}.json`), document);
    run(['validate', '--strict', `${number}.json`]);
    run(['render', `${number}.json`, `${number}.${output_format}`]);
    expect(statSync(path.join(folder, `${number}.${output_format}`)).size).toBeGreaterThan(100);
  },
);

test('its commands do what they say', () => {
  expect(commands).toHaveLength(7);
  // The title that moves, with the name that the last command sets.
  const film = (documents[1] ?? '').replace('"type": "text",', '"type": "text", "name": "Title",');
  writeFileSync(path.join(folder, 'card.json'), film);
  writeFileSync(path.join(folder, 'people.csv'), 'Title\nAda\n');
  for (const command of commands) {
    const [program, ...args] = command.split(' ');
    expect(program).toBe('framewright');
    run(args);
  }
  for (const made of ['look.jpg', 'sheet.png', 'card.mp4', 'a.mp4', '1.mp4'])
    expect(statSync(path.join(folder, made)).size).toBeGreaterThan(100);
});
