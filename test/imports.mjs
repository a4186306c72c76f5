/**
 * A step of `npm run check`: who imports whom. No circle of imports in the product, none from a lower floor to a higher
 * one, none through a wall; imports of types and `import()` count. A circle means that two files can't be read, tested
 * or moved without each other; an import upwards, that what many stand on stands on one of them. TypeScript finds the
 * imports of a file.
 *
 * Not dependency-cruiser: it misses imports of types in components, which Svelte's compiler drops, takes 15 s where
 * this takes 3, and its newest version needs Node 22. Not ESLint's no-restricted-imports: of two blocks for a file only
 * the last counts.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** The tree that is checked: the first argument, else this one. */
const root = process.argv[2] ?? path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** The path of a file from the root. */
function short(file) {
  return path.relative(root, file).replaceAll(path.sep, '/');
}

/** Absolute paths of all source files below a folder. */
function sourcesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|cts|svelte)$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name));
}

/** What a file imports: files of ours by their paths, else packages as they are named. */
function importsOf(file) {
  const text = readFileSync(file, 'utf8');
  const scripts = file.endsWith('.svelte')
    ? [...text.matchAll(/<script[^>]*>(.*?)<\/script>/gs)].map(([, script]) => script).join('\n')
    : text;
  const found = ts.preProcessFile(scripts, true, true).importedFiles;
  return found
    .map(({ fileName }) => ({ fileName, place: path.resolve(path.dirname(file), fileName) }))
    .filter(({ fileName, place }) => !fileName.startsWith('.') || existsSync(place))
    .map(({ fileName, place }) => (fileName.startsWith('.') ? short(place) : fileName));
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

/**
 * The floors of the house from the ground up; what is on one floor may know each other. An expression that matches
 * counts, else the longest beginning of a path. The walls below say which rooms stay apart beside that, and which
 * packages they may not know.
 */
const floors = [
  // What is handed out alone.
  ['client/'],
  ['shared/renderscript/'],
  ['shared/'],
  ['shared/engine/'],
  ['shared/engine/compile/'],
  ['shared/engine/layout/', 'shared/engine/text/'],
  ['shared/engine/paint/', 'shared/engine/handover/'],
  ['server/system/'],
  // Names and options of the commands, which errors and help name.
  ['server/commands/command-rows.ts', 'server/commands/option-rows.ts'],
  // What the phases of the engine use.
  'cage canvas-surface ffmpeg ffmpeg-builds garbage routines stopwatch straighten-alpha thread-file'
    .split(' ')
    .map((name) => `server/engine/${name}.ts`),
  ['server/engine/assets/'],
  ['server/engine/encode/'],
  ['server/engine/'],
  ['server/store/'],
  ['server/jobs/'],
  ['server/api/', 'server/options.ts'],
  ['server/window/', 'server/app.ts', 'server/services.ts'],
  ['server/cluster/', 'server/commands/last-resort.ts'],
  ['server/'],
  ['main/'],
  // The window stands on shared/ alone. A feature is a room; in all rooms the ending tells the layer: pure parts (.ts),
  // state (.svelte.ts), components (.svelte).
  ['renderer/styles/', 'renderer/engine/', 'renderer/ui/'],
  ['renderer/frame/connection/'],
  ['renderer/'],
  [/^renderer\/.*\.svelte\.ts$/],
  [/^renderer\/.*\.svelte$/],
  ['renderer/main.ts'],
];

/** The number of a file's floor. */
function floorOf(file) {
  const layer = floors.findIndex(([name]) => name instanceof RegExp && name.test(file));
  if (layer >= 0) return layer;
  const beginnings = floors.flatMap((names, floor) => names.map((name) => ({ name, floor })));
  const own = beginnings.filter(({ name }) => typeof name === 'string' && file.startsWith(name));
  return own.sort((a, b) => b.name.length - a.name.length)[0]?.floor ?? -1;
}

/** Who may not import what, beside what lies above: files, what they import (of ours or a package), and why. */
const walls = [
  [
    /^client\/(?!testing\.|server-process\.)/,
    /^(?!client\/)/,
    'The client runs anywhere and is handed out alone: nothing of the program or of Node is in it.',
  ],
  [
    /^client\//,
    /^(?!client\/|node:)/,
    'The test double starts the built program and knows nothing else of it.',
  ],
  [
    /^shared\//,
    /^(node:|electron$|svelte|@napi-rs\/canvas$)/,
    'shared/ knows no Node, no DOM, no Electron, no drawing library: it runs wherever there is something to draw with.',
  ],
  [
    /^renderer\//,
    /^(node:|electron$|server\/|main\/|client\/)/,
    'The window talks to the server over HTTP and server-sent events; only shared/ is common.',
  ],
  [
    /^renderer\/ui\//,
    /^renderer\/(?!ui\/|frame\/|engine\/|styles\/)/,
    'Buttons, fields, menus and words know no feature.',
  ],
  [/^server\//, /^electron$/, 'The server runs without Electron.'],
  [
    /^server\/(?!engine\/|commands\/|processes\/|(drawing|worker)\.ts$)/,
    /\/engine\//,
    'Only the worker and the command line enter the engine.',
  ],
  [
    /^server\/(?!api\/|window\/|app\.ts$)/,
    /^express$/,
    'Only api/, window/ and what opens their ports answer requests.',
  ],
  [
    /^server\/(commands\/(?!(serve|last-resort)\.ts$)|processes\/|(worker|drawing|cli)\.ts$)/,
    /^server\/(api|store|window)\//,
    'The worker and the command line, `serve` aside, know the engine and the protocol, not the API.',
  ],
  [
    /^(server|main)\/(?!cluster\/|(start|cli)\.ts$)/,
    /^server\/cluster\//,
    'Only start.ts, and cli.ts for the commands, know what several machines need: one machine runs without it.',
  ],
  [
    /^(server|main)\/(?!cluster\/)/,
    /^(pg|pg-boss|@aws-sdk\/.*)$/,
    'Only cluster/ knows databases and storage of others.',
  ],
  [
    /^server\/engine\/assets\//,
    /^shared\/engine\/(compile|layout|text|paint)\//,
    'A phase of the engine imports earlier ones only; render.ts and stage.ts join them.',
  ],
];

const folders = ['shared', 'server', 'main', 'renderer', 'client'].filter((name) =>
  existsSync(path.join(root, name)),
);
const files = folders.flatMap((name) => sourcesIn(path.join(root, name)));
const imports = new Map(files.map((file) => [short(file), importsOf(file)]));

const faults = circlesIn(imports).map((circle) => `circle of imports: ${circle.join(' → ')}`);
for (const [file, imported] of imports)
  for (const other of imported) {
    if (floorOf(other) > floorOf(file)) faults.push(`import upwards: ${file} → ${other}`);
    for (const [from, to, why] of walls)
      if (from.test(file) && to.test(other))
        faults.push(`import through a wall: ${file} → ${other}. ${why}`);
  }
for (const fault of faults) console.log(fault);
process.exit(faults.length === 0 ? 0 : 1);
