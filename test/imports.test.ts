/** Every wall, floor and circle of test/imports.mjs holds: in a tree of nothing but bad imports, each is found. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';

const root = mkdtempSync(path.join(tmpdir(), 'framewright-imports-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A file, and what it may not import: a package, or another file. */
const bad: readonly (readonly [file: string, imported: string])[] = [
  ['client/a.ts', 'node:fs'],
  ['client/b.ts', 'shared/a.ts'],
  ['client/c.ts', 'yaml'],
  ['client/testing.ts', 'shared/a.ts'],
  ['shared/a.ts', 'node:path'],
  ['shared/b.ts', 'electron'],
  ['shared/c.ts', 'svelte'],
  ['shared/d.ts', 'svelte/store'],
  ['shared/e.ts', '@napi-rs/canvas'],
  ['shared/f.ts', 'server/system/clock.ts'],
  ['shared/g.ts', 'shared/engine/a.ts'],
  ['shared/renderscript/a.ts', 'shared/a.ts'],
  ['shared/engine/b.ts', 'node:fs'],
  ['shared/engine/a.ts', 'shared/engine/compile/a.ts'],
  ['shared/engine/compile/a.ts', 'shared/engine/text/a.ts'],
  ['shared/engine/text/a.ts', 'shared/engine/paint/a.ts'],
  ['shared/engine/layout/a.ts', 'shared/engine/paint/a.ts'],
  ['shared/engine/paint/a.ts', 'server/engine/encode/a.ts'],
  ['server/engine/assets/a.ts', 'shared/engine/compile/a.ts'],
  ['server/engine/assets/b.ts', 'shared/engine/paint/a.ts'],
  ['server/engine/assets/c.ts', 'server/engine/encode/a.ts'],
  ['server/engine/encode/a.ts', 'server/jobs/a.ts'],
  ['server/engine/encode/b.ts', 'server/store/a.ts'],
  ['server/engine/encode/c.ts', 'express'],
  ['server/system/a.ts', 'server/store/a.ts'],
  ['server/system/b.ts', 'server/engine/a.ts'],
  ['server/system/c.ts', 'express'],
  ['server/store/d.ts', 'server/cluster/a.ts'],
  ['server/jobs/f.ts', 'pg'],
  ['server/services.ts', 'server/cluster/a.ts'],
  ['server/cluster/a.ts', 'express'],
  ['server/store/a.ts', 'server/jobs/a.ts'],
  ['server/store/b.ts', 'server/engine/a.ts'],
  ['server/store/c.ts', 'express'],
  ['server/jobs/a.ts', 'server/api/a.ts'],
  ['server/jobs/b.ts', 'server/window/a.ts'],
  ['server/jobs/c.ts', 'server/engine/a.ts'],
  ['server/jobs/d.ts', 'electron'],
  // The wall that another one had replaced.
  ['server/jobs/e.ts', 'renderer/ui/a.ts'],
  ['server/api/a.ts', 'server/engine/a.ts'],
  ['server/api/b.ts', 'server/window/a.ts'],
  ['server/api/c.ts', 'main/a.ts'],
  ['server/window/a.ts', 'server/engine/a.ts'],
  ['server/window/b.ts', 'electron'],
  ['server/app.ts', 'shared/engine/a.ts'],
  ['server/start.ts', 'renderer/ui/a.ts'],
  ['server/worker.ts', 'server/api/a.ts'],
  ['server/drawing.ts', 'server/store/a.ts'],
  ['server/cli.ts', 'server/window/a.ts'],
  ['server/commands/a.ts', 'server/store/a.ts'],
  ['main/a.ts', 'renderer/ui/a.ts'],
  ['renderer/ui/a.ts', 'renderer/editor/a.ts'],
  ['renderer/ui/B.svelte', 'renderer/queue/A.svelte'],
  ['renderer/ui/b.svelte.ts', 'renderer/queue/a.svelte.ts'],
  ['renderer/engine/a.ts', 'renderer/frame/connection/a.ts'],
  ['renderer/frame/connection/b.ts', 'renderer/feeds/a.ts'],
  ['renderer/editor/b.ts', 'renderer/editor/a.svelte.ts'],
  ['renderer/queue/b.svelte.ts', 'renderer/queue/A.svelte'],
  ['renderer/queue/c.ts', 'renderer/queue/A.svelte'],
  ['renderer/queue/C.svelte', 'node:fs'],
  ['renderer/api/B.svelte', 'electron'],
  ['renderer/api/C.svelte', 'server/api/a.ts'],
  ['renderer/api/D.svelte', 'main/a.ts'],
];

/** The ways to import: each bad one goes by another. */
const ways: readonly ((name: string) => string)[] = [
  (name) => `import { one } from '${name}';`,
  (name) => `import type { One } from '${name}';`,
  (name) => `export * from '${name}';`,
  (name) => `export const one = await import('${name}');`,
];

test('every bad import is found, and no other', () => {
  const lines = new Map<string, string>();
  for (const [index, [file, imported]] of bad.entries()) {
    const isOurs = /^(client|shared|server|main|renderer)\//.test(imported);
    const relative = path.posix.relative(path.posix.dirname(file), imported);
    const line = ways[index % ways.length]!(
      isOurs ? (relative.startsWith('.') ? relative : `./${relative}`) : imported,
    );
    lines.set(file, file.endsWith('.svelte') ? `<script lang="ts">\n${line}\n</script>\n` : line);
    if (isOurs && !lines.has(imported)) lines.set(imported, '');
  }
  lines.set('shared/x.ts', "import { y } from './y.ts';");
  lines.set('shared/y.ts', "import type { X } from './x.ts';");
  for (const [file, text] of lines) {
    mkdirSync(path.join(root, path.dirname(file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  }
  const script = path.join(import.meta.dirname, 'imports.mjs');
  const { status, stdout } = spawnSync(process.execPath, [script, root], { encoding: 'utf8' });
  const found = [...stdout.matchAll(/^import .*?: (\S+) → (.+?)(?:\. .*)?$/gm)];
  const pairs = new Set(found.map(([, file, imported]) => `${file} → ${imported}`));
  expect([...pairs].sort()).toEqual(bad.map(([file, imported]) => `${file} → ${imported}`).sort());
  expect(stdout).toContain('circle of imports: shared/x.ts → shared/y.ts → shared/x.ts');
  expect(status).toBe(1);
});
