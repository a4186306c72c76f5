/**
 * What documents name is there: files and folders, headings that links lead to, notes and names of the code. Documents
 * stay within their length. (commands-in-docs.test.ts runs their commands and looks for the scripts that they name.)
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import packageFile from '../package.json' with { type: 'json' };

const root = path.join(import.meta.dirname, '..');
const textOf = (name: string): string => readFileSync(path.join(root, name), 'utf8');
const ours = [
  ...['client', 'main', 'renderer', 'resources', 'server', 'shared', 'skills', 'test', 'docs'],
  ...['.ci', '.github', '.changeset'],
];
const files = readdirSync(root).concat(
  ours.flatMap((name) => [
    name,
    ...readdirSync(path.join(root, name), { recursive: true, encoding: 'utf8' }).map((file) =>
      path.join(name, file).replaceAll(path.sep, '/'),
    ),
  ]),
);
const known = new Set(files);
const baseNames = new Set(files.map((file) => path.basename(file)));

/** What people read to use, change or judge the program. */
const guides = ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'README.md', 'SECURITY.md'].concat(
  files.filter((name) =>
    /^(?:client|main|renderer|resources|server|shared)\/(?:.*\/)?README\.md$/.test(name),
  ),
);
const documents = guides.concat(files.filter((name) => /^docs\/.*\.md$/.test(name)));
const source = /^\w[\w./-]*\.(?:ts|cts|mjs|svelte|md|css|json|yml|wasm|nsh)$/;
const folder = /^(?:client|main|renderer|resources|server|shared|test|docs)\/[\w./-]*$/;

describe('every file is there that is named in', () => {
  test.each(documents)('%s', (document) => {
    const text = textOf(document);
    const names = [...linksOf(text), ...namesOf(text), ...listedFilesOf(text), ...treeOf(text)];
    const isThere = document === 'ARCHITECTURE.md' ? isWholePath : isNear(document);
    expect(names.filter((name) => !isThere(name))).toEqual([]);
  });
});

test('every heading is there that a link leads to', () => {
  for (const document of documents) {
    for (const [, file = '', heading = ''] of textOf(document).matchAll(
      /\]\(([^)#:]*)#([^)]+)\)/g,
    )) {
      const target = file === '' ? document : path.posix.join(path.dirname(document), file);
      const headings = [...textOf(target).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
        title
          .toLowerCase()
          .replace(/[^\w -]/g, '')
          .replaceAll(' ', '-'),
      );
      expect(headings, `${document}: ${target}`).toContain(heading);
    }
  }
});

/** Names of other programs, and one that shows how not to write. */
const notOurs = new Set(['setWidth', 'openAsBlob']);

test('every note and every name of the code is there that a guide names', () => {
  const code = files
    .filter((file) => /\.(?:ts|cts|mjs|svelte|nsh|yml|sh)$/.test(file) || /^\.ci\/\w+$/.test(file))
    .map((file) => (file === '.ci/wayland' ? '' : textOf(file)))
    .join('\n');
  const words = new Set(code.match(/\w+/g));
  const missing = guides.flatMap((document) => {
    const text = textOf(document);
    const notes = [...text.matchAll(/\[Note: [^\]]+\]/g)].map(([note]) =>
      note.replace(/\s+/g, ' '),
    );
    // `createPainter`, `CanvasState.letters`, `useApp()`; words of other programs have no capital inside.
    const names = [...text.matchAll(/`([A-Za-z][\w.]*)(?:\([^`\n]*\))?`/g)]
      .flatMap(([, name = '']) => (source.test(name) ? [] : name.split('.')))
      .filter((name) => /^[A-Za-z]\w*[a-z][A-Z]/.test(name) && !notOurs.has(name));
    const lost = notes.filter((note) => !code.includes(note));
    return [...lost, ...names.filter((name) => !words.has(name))].map(
      (name) => `${document}: ${name}`,
    );
  });
  expect(missing).toEqual([]);
});

test('documents and scripts stay few enough to be read', () => {
  const words = guides.flatMap((name) => textOf(name).match(/\S+/g) ?? []);
  expect(words.length).toBeLessThan(28_000);
  expect(textOf('CHANGELOG.md').match(/\S+/g)?.length).toBeLessThan(3_000);
  for (const name of files.filter((file) => /^docs\/decisions\/\d/.test(file))) {
    expect(textOf(name).split('\n').length, name).toBeLessThan(70);
  }
  expect(Object.keys(packageFile.scripts).length).toBeLessThanOrEqual(20);
});

test('no document names a place on the computer of its writer', () => {
  for (const document of [...documents, 'CHANGELOG.md'])
    expect(textOf(document), document).not.toMatch(/(?:^|[\s`('"])\/(?:work|root|home)\//m);
});

/** Links that lead to no website. */
function linksOf(text: string): string[] {
  return [...text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, name = '']) => name);
}

/** Names of files, and paths that begin with a folder of ours. */
function namesOf(text: string): string[] {
  return [...text.matchAll(/`([^`\n]+)`/g)]
    .flatMap(([, code = '']) => code.split(' '))
    .filter((word) => (source.test(word) || folder.test(word)) && !isGenerated(word));
}

/** The first column of tables headed `File`, whose names may go without their ending. */
function listedFilesOf(text: string): string[] {
  const tables = [...text.matchAll(/^\| File +\|.*\n((?:\|.*\n)+)/gm)].map(([, rows = '']) => rows);
  const cells = tables.flatMap((rows) => rows.split('\n').map((row) => row.split('|')[1] ?? ''));
  return cells.flatMap((cell) => [...cell.matchAll(/`([\w./-]+)`/g)].map(([, name = '']) => name));
}

/** What the lines of a tree in a code block begin with. */
function treeOf(text: string): string[] {
  return [...text.matchAll(/^([\w-]+\.ts|[a-z]+\/) {2,}/gm)].map(([, name = '']) => name);
}

function isWholePath(name: string): boolean {
  return known.has(name.replace(/\/$/, ''));
}

/** What commands and running programs write, and what readers name themselves. */
function isGenerated(name: string): boolean {
  return /^(?:dist\/|resources\/fonts|fonts\/|test\/samples\/index\.html|node_modules\/)|(?:^|\/)(?:runtime|window|format|backup|restore|manifest|template|not-fetched|source|out|promo|claude_desktop_config|captions|settings|bench-results|sample|about)\.json$|\.broken/.test(
    name,
  );
}

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
