/**
 * A step of `npm run check`: no circle of imports in the product, type-only imports included. A circle means that two files can't
 * be read, tested or moved without each other. TypeScript finds the imports of a file.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** Absolute paths of all source files below a folder. */
function sourcesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|cts|svelte)$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name));
}

/** The files of ours that a file imports. */
function importsOf(file) {
  const text = readFileSync(file, 'utf8');
  const scripts = file.endsWith('.svelte')
    ? [...text.matchAll(/<script[^>]*>(.*?)<\/script>/gs)].map(([, script]) => script).join('\n')
    : text;
  const found = ts.preProcessFile(scripts, true, true).importedFiles;
  return found
    .filter(({ fileName }) => fileName.startsWith('.'))
    .map(({ fileName }) => path.resolve(path.dirname(file), fileName))
    .filter((imported) => existsSync(imported));
}

/**
 * Circles among files, each as the files along it.
 *
 * @param {ReadonlyMap<string, readonly string[]>} imports
 */
function circlesIn(imports) {
  const circles = [];
  const done = new Set();
  const way = [];
  const visit = (file) => {
    const at = way.indexOf(file);
    if (at >= 0) circles.push([...way.slice(at), file]);
    if (at >= 0 || done.has(file)) return;
    way.push(file);
    for (const next of imports.get(file) ?? []) visit(next);
    way.pop();
    done.add(file);
  };
  for (const file of imports.keys()) visit(file);
  return circles;
}

const folders = ['shared', 'server', 'main', 'renderer'];
const files = folders.flatMap((name) => sourcesIn(path.join(root, name)));
const circles = circlesIn(new Map(files.map((file) => [file, importsOf(file)])));
for (const circle of circles)
  console.log(`circle of imports: ${circle.map((file) => path.relative(root, file)).join(' → ')}`);
process.exit(circles.length === 0 ? 0 : 1);
