/** What keeps an unfinished version from being published. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import packageFile from '../package.json' with { type: 'json' };

const guard = path.join(import.meta.dirname, 'publish-guard.mjs');
const folder = mkdtempSync(path.join(tmpdir(), 'framewright-publish-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const git = (...args: string[]): unknown =>
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b.invalid', ...args], {
    cwd: folder,
  });
const ask = (): { status: number | null; stderr: string } =>
  spawnSync(process.execPath, [guard], { cwd: folder, encoding: 'utf8' });

test('says all that is missing, and lets a finished version pass', () => {
  const write = (manifest: object, changes: string): void => {
    writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest));
    writeFileSync(path.join(folder, 'CHANGELOG.md'), `# Changelog\n\n${changes}\n\n- new\n`);
  };
  write({ version: '1.2.3' }, '## 1.2.3 – unreleased');
  const first = ask();
  expect(first.status).toBe(1);
  expect(first.stderr).toContain("its newest section is '1.2.3 – unreleased'");
  expect(first.stderr).toContain('npm pkg set repository.type=git repository.url=ADDRESS');
  expect(first.stderr).toContain('no clone of a git repository');

  git('init', '--quiet');
  git('remote', 'add', 'origin', 'https://git.invalid/a.git');
  expect(ask().stderr).toContain('repository.url=https://git.invalid/a.git');
  const repository = { type: 'git', url: 'https://git.invalid/a.git' };
  write({ version: '1.2.3', repository }, '## 1.2.2 – 2031-12-30');
  const second = ask();
  expect(second.stderr).toContain("Begin it with '## 1.2.3 – '");
  expect(second.stderr).not.toContain('repository.url');
  expect(second.stderr).toContain('?? CHANGELOG.md');

  // What changesets writes has no date.
  write({ version: '1.2.3', repository }, '## 1.2.3');
  mkdirSync(path.join(folder, '.changeset'));
  writeFileSync(path.join(folder, '.changeset/red-cat.md'), '');
  git('add', '.');
  git('commit', '--quiet', '--message', 'Begin it');
  const third = ask().stderr;
  expect(third).toContain('not in CHANGELOG.md yet: red-cat.md');
  expect(third.split('\n')).toHaveLength(3);

  rmSync(path.join(folder, '.changeset/red-cat.md'));
  git('add', '.');
  git('commit', '--quiet', '--message', 'Finish it');
  expect(ask()).toMatchObject({ status: 0, stderr: '' });
});

test('each change that waits for a version says its kind and what users notice', () => {
  const waiting = path.join(import.meta.dirname, '../.changeset');
  for (const name of readdirSync(waiting).filter((one) => one.endsWith('.md'))) {
    const text = readFileSync(path.join(waiting, name), 'utf8');
    expect(text, name).toMatch(/^---\n["']framewright["']: (patch|minor|major)\n---\n\n\S/);
  }
});

test('npm asks it before it publishes, then tests the packages, and builds what it packs', () => {
  const { prepublishOnly, prepack } = packageFile.scripts;
  expect(prepublishOnly.startsWith('node test/publish-guard.mjs && ')).toBe(true);
  expect(prepack).toBe('node build.mjs');
  expect(packageFile).not.toHaveProperty('private');
});
