/**
 * The build of the same source in another folder gives the same bytes, and so does `npm pack`, which builds first.
 * Needs dist/ (npm test builds it). The build prints one line.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';

const root = path.join(import.meta.dirname, '..');
const outside = mkdtempSync(path.join(tmpdir(), 'framewright-build-'));
afterAll(() => rmSync(outside, { recursive: true, force: true }));

const sumOf = (file: string): string =>
  createHash('sha256').update(readFileSync(file)).digest('hex');

/** Files of what ships, with a checksum each. `.built` is the time of the build, and stays behind. */
function checksums(project: string): Record<string, string> {
  const sums: Record<string, string> = {};
  const places = ['client', 'desktop', 'main', 'server', 'window'].map((name) => `dist/${name}`);
  for (const place of [...places, 'resources/fonts']) {
    const folder = path.join(project, place);
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const file = path.join(entry.parentPath, entry.name);
      sums[path.relative(project, file)] = sumOf(file);
    }
  }
  return sums;
}

test.skipIf(process.platform === 'win32')(
  'another folder, another depth, a name with blanks: the same files',
  () => {
    const project = path.join(outside, 'one more', 'Framewright 2');
    mkdirSync(project, { recursive: true });
    const built = new Set(['node_modules', 'dist', '.git', 'test', 'test-results']);
    for (const name of readdirSync(root).filter((one) => !built.has(one))) {
      cpSync(path.join(root, name), path.join(project, name), {
        recursive: true,
        filter: (from) => from !== path.join(root, 'resources', 'fonts'),
      });
    }
    // Hard links, so that the packages have other paths, too, and cost nothing.
    execFileSync('cp', [
      '-al',
      path.join(root, 'node_modules'),
      path.join(project, 'node_modules'),
    ]);
    const [here, there] = ['here', 'there'].map((name) => path.join(outside, name));
    for (const folder of [here, there]) mkdirSync(folder ?? '');
    const pack = (from: string, to = '', ...more: string[]): unknown =>
      execFileSync('npm', ['pack', '--pack-destination', to, ...more], {
        cwd: from,
        stdio: 'pipe',
      });
    const run = (...args: string[]): string => {
      const { stdout, stderr } = spawnSync(process.execPath, args, {
        cwd: project,
        encoding: 'utf8',
      });
      return stdout + stderr;
    };
    // The first lines of `npm start` and `npm test`.
    expect(run('build.mjs', '--stale', '--quiet')).toBe('Building Framewright…\n');
    // What the check writes is no source: the next start builds nothing.
    writeFileSync(path.join(project, 'shared/words/en/new.d.json.ts'), '');
    expect(run('client/generate.mjs')).toBe('');
    expect(run('build.mjs', '--stale')).toBe('');
    pack(project, there);
    const [ours, theirs] = [checksums(root), checksums(project)];
    expect(Object.keys(ours).length).toBeGreaterThan(100);
    expect(theirs).toEqual(ours);
    // Not built again here, where other tests use what is built.
    pack(root, here, '--ignore-scripts');
    const sums = [here, there].map((folder = '') =>
      readdirSync(folder).map((name) => [name, sumOf(path.join(folder, name))]),
    );
    expect(sums[0]).toHaveLength(1);
    expect(sums[1]).toEqual(sums[0]);
    expect(sumOf(path.join(project, 'dist/client.tgz'))).toBe(
      sumOf(path.join(root, 'dist/client.tgz')),
    );
  },
  240_000,
);
