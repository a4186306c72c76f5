/**
 * A step of `npm run check`: no circle of imports in the product, type-only imports included. A circle means that two files can't
 * be read, tested or moved without each other. TypeScript finds the imports of a file.
 *
 * `renderer/` is not looked at yet: its words and its state import each other.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** Absolute paths of all source files below a folder. */
function sourcesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|cts)$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name));
}

/** The files of ours that a file imports. */
function importsOf(file) {
  const found = ts.preProcessFile(readFileSync(file, 'utf8'), true, true).importedFiles;
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

const files = ['shared', 'server', 'main'].flatMap((name) => sourcesIn(path.join(root, name)));
const circles = circlesIn(new Map(files.map((file) => [file, importsOf(file)])));
for (const circle of circles)
  console.log(`circle of imports: ${circle.map((file) => path.relative(root, file)).join(' → ')}`);
process.exit(circles.length === 0 ? 0 : 1);
