/** Documents name files that exist: ARCHITECTURE.md, README.md and their like at the top, and the README of every folder. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

const root = path.join(import.meta.dirname, '..');
const ours = ['client', 'main', 'renderer', 'resources', 'server', 'shared', 'skills', 'test'];
const files = readdirSync(root).concat(
  ours.flatMap((name) =>
    readdirSync(path.join(root, name), { recursive: true, encoding: 'utf8' }).map((file) =>
      path.join(name, file).replaceAll(path.sep, '/'),
    ),
  ),
);
const known = new Set(files);
const baseNames = new Set(files.map((file) => path.basename(file)));

const documents = ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'README.md', 'SECURITY.md'].concat(
  files.filter((name) =>
    /^(?:client|main|renderer|resources|server|shared)\/(?:.*\/)?README\.md$/.test(name),
  ),
);
const source = /^\w[\w./-]*\.(?:ts|cts|mjs|svelte|md|css)$/;
const folder = /^(?:client|main|renderer|resources|server|shared|test)\/[\w./-]*$/;

describe('every file is there that is named in', () => {
  test.each(documents)('%s', (document) => {
    const text = readFileSync(path.join(root, document), 'utf8');
    const names = [...linksOf(text), ...namesOf(text), ...listedFilesOf(text), ...treeOf(text)];
    const isThere = document === 'ARCHITECTURE.md' ? isWholePath : isNear(document);
    expect(names.filter((name) => !isThere(name))).toEqual([]);
  });
});

/** Links that lead to no website. */
const linksOf = (text: string): string[] =>
  [...text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, name = '']) => name);

/** Names of files, and paths that begin with a folder of ours. */
const namesOf = (text: string): string[] =>
  [...text.matchAll(/`([^`\n]+)`/g)]
    .flatMap(([, code = '']) => code.split(' '))
    .filter((word) => (source.test(word) || folder.test(word)) && !isGenerated(word));

/** The first column of tables headed `File`, whose names may go without their ending. */
function listedFilesOf(text: string): string[] {
  const tables = [...text.matchAll(/^\| File +\|.*\n((?:\|.*\n)+)/gm)].map(([, rows = '']) => rows);
  const cells = tables.flatMap((rows) => rows.split('\n').map((row) => row.split('|')[1] ?? ''));
  return cells.flatMap((cell) => [...cell.matchAll(/`([\w./-]+)`/g)].map(([, name = '']) => name));
}

/** What the lines of a tree in a code block begin with. */
const treeOf = (text: string): string[] =>
  [...text.matchAll(/^([\w-]+\.ts|[a-z]+\/) {2,}/gm)].map(([, name = '']) => name);

const isWholePath = (name: string): boolean => known.has(name.replace(/\/$/, ''));

/** What commands write. */
const isGenerated = (name: string): boolean =>
  name.startsWith('dist/') ||
  name.startsWith('resources/fonts') ||
  name === 'test/samples/index.html';

/** A README names the files of its folder and of the folders around it, and well-known ones by name alone. */
function isNear(document: string): (name: string) => boolean {
  return (name) => {
    const forms = [name, `${name}.ts`];
    if (!name.includes('/') && source.test(name) && baseNames.has(name)) return true;
    for (let around = path.dirname(document); ; around = path.dirname(around)) {
      if (forms.some((form) => isWholePath(path.posix.join(around, form)))) return true;
      if (around === '.') return false;
    }
  };
}
