/**
 * `npm run generate`: makes every file that is made from others and kept; the client's types are the build's. With
 * names only those parts; what follows `gallery` goes to it.
 *
 *   npm run generate
 *   npm run generate -- reference
 *   npm run generate -- gallery fade properties/text.text_clip
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..');
const vitest = (file) => ['node_modules/vitest/vitest.mjs', 'run', file];

/** In the order in which one is made from another: name, what Node runs, what it writes. */
const parts = [
  ['reference', vitest('test/shared/tables.test.ts'), 'shared/renderscript/REFERENCE.md'],
  ['gallery', ['test/gallery/gallery.mjs'], 'resources/gallery/'],
  ['samples', ['test/samples/index.mjs'], 'test/samples/index.html'],
];

const asked = process.argv.slice(2);
const isGallery = asked[0] === 'gallery';
const names = isGallery ? ['gallery'] : asked;
const unknown = names.filter((name) => !parts.some(([known]) => known === name));
if (unknown.length > 0) {
  console.error(
    `There is no part ${unknown.join(', ')}. Parts: ${parts.map(([name]) => name).join(', ')}.`,
  );
  process.exit(2);
}
for (const [name, command, writes] of parts) {
  if (names.length > 0 && !names.includes(name)) continue;
  console.log(`${name}: ${writes}`);
  const { status } = spawnSync(
    process.execPath,
    [...command, ...(isGallery ? asked.slice(1) : [])],
    {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, UPDATE_REFERENCE: '1' },
    },
  );
  if (status !== 0) process.exit(1);
}
