/**
 * Builds the product into dist/: server, worker, command line and shell with rolldown, the window with Vite, the pixel
 * routine with AssemblyScript, and copies the shipped fonts into resources/fonts/.
 *
 *   node build.mjs [--stale] [--quiet]   everything; with --stale only when a source is newer than the last build
 *   node build.mjs --watch               server and shell rebuilt on change, the window with hot reload
 *
 * Node 20 can't run TypeScript by itself, and one bundled file per process starts faster than hundreds.
 */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

// npm says it as a warning only, which .npmrc holds back.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Framewright needs Node 20.19 or newer; this is Node ${process.versions.node}.`);
  process.exit(1);
}

const root = path.dirname(fileURLToPath(import.meta.url));
const at = (...parts) => path.join(root, ...parts);
const stamp = at('dist', '.built');

const clientInput = { index: at('client/index.ts'), testing: at('client/testing.ts') };

/** Entries of the Node side. Everything from node_modules stays outside: native parts and their data lie there. */
const entries = {
  server: {
    input: {
      cli: at('server/cli.ts'),
      worker: at('server/worker.ts'),
      drawing: at('server/drawing.ts'),
      'painter-thread': at('server/engine/painters/painter-thread.ts'),
      'recogniser-process': at('server/engine/assets/speech/recogniser-process.ts'),
      desk: at('server/processes/desk-thread.ts'),
      starter: at('server/processes/starter-thread.ts'),
    },
    output: {
      dir: at('dist/server'),
      format: 'esm',
      entryFileNames: '[name].mjs',
      chunkFileNames: '[name].mjs',
    },
  },
  // A bundle with its packages inside: a packed program keeps it outside of its archive, away from node_modules.
  thread: {
    input: { 'examine-thread': at('server/engine/assets/examine/examine-thread.ts') },
    output: { dir: at('dist/server'), format: 'esm', entryFileNames: '[name].mjs' },
    external: (id) => id.startsWith('node:'),
  },
  // Likewise, but for the drawing library, whose parts lie outside of the archive as well.
  trial: {
    input: { 'trial-thread': at('server/engine/assets/examine/trial-thread.ts') },
    output: { dir: at('dist/server'), format: 'esm', entryFileNames: '[name].mjs' },
    external: (id) => id.startsWith('node:') || /^@(?:napi-rs|resvg)\//.test(id),
  },
  // What scripts import as `framewright/client`, which runs anywhere, so that nothing of Node is in it, and
  // `framewright/testing`.
  client: {
    input: clientInput,
    output: {
      dir: at('dist/client'),
      format: 'esm',
      entryFileNames: '[name].mjs',
      chunkFileNames: '[name].mjs',
      sourcemap: false,
    },
    platform: 'neutral',
  },
  // The same for `require`.
  clientToRequire: {
    input: clientInput,
    output: {
      dir: at('dist/client'),
      format: 'cjs',
      entryFileNames: '[name].cjs',
      chunkFileNames: '[name].cjs',
      sourcemap: false,
    },
  },
  main: {
    input: { index: at('main/index.ts') },
    output: {
      dir: at('dist/main'),
      format: 'esm',
      entryFileNames: '[name].mjs',
      chunkFileNames: '[name].mjs',
    },
  },
  preload: {
    input: { preload: at('main/preload.cts') },
    output: { dir: at('dist/main'), format: 'cjs', entryFileNames: '[name].cjs' },
  },
};

/** CHANGELOG.md as people read it in the window: without Markdown's marks, one line for each entry. */
function changesText() {
  const text = readFileSync(at('CHANGELOG.md'), 'utf8');
  return text
    .replace(/\n {2,}(?=[^\s-])/g, ' ')
    .replace(/^#+ |\*\*|`/gm, '')
    .replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replace(/^- /gm, '• ');
}

/**
 * The client's declarations, file by file, for `require`. Those for `import` pass them on: what is declared is the
 * same, and only the ending tells the compiler which of the two a package gives it.
 */
async function buildClientTypes() {
  const { default: ts } = await import('typescript');
  const files = readdirSync(at('client'), { recursive: true }).filter((one) => one.endsWith('.ts'));
  for (const file of files) {
    const name = path.basename(file);
    const text = readFileSync(at('client', file), 'utf8');
    const made = ts.transpileDeclaration(text, {
      fileName: name,
      reportDiagnostics: true,
      compilerOptions: { isolatedDeclarations: true, declaration: true },
    });
    for (const { messageText } of made.diagnostics ?? []) {
      throw new Error(`client/${file}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`);
    }
    const beside = made.outputText.replace(
      /from '\.\/(?:generated\/)?([\w-]+)\.ts'/g,
      "from './$1.cjs'",
    );
    writeFileSync(at('dist/client', name.replace(/\.ts$/, '.d.cts')), beside);
  }
  for (const name of Object.keys(clientInput)) {
    writeFileSync(at('dist/client', `${name}.d.mts`), `export * from './${name}.cjs';\n`);
  }
}

/**
 * What package.json installs with the program stays outside; everything else is built in: zod, of whose 150 files with
 * the words of all languages a start would load each, the MCP library, which would bring a second zod, electron-store,
 * which a server has no use for, and the few lines that newer syntax is put into for Node 20.
 */
const packageFile = JSON.parse(readFileSync(at('package.json'), 'utf8'));
const { dependencies, optionalDependencies, peerDependencies } = packageFile;
const installed = new Set(
  Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies, electron: '' }),
);
const isExternal = (id) =>
  isBuiltin(id) || installed.has(/^(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? '');

/** Rolldown options of one entry group. An absolute path is our own file; a bare name is a package. */
function options({ input, output, external = isExternal, platform = 'node' }) {
  return {
    input,
    platform,
    external,
    // Docblocks are a sixth of a bundle; its map leads to them.
    output: { sourcemap: true, comments: { jsdoc: false }, ...output },
    // Node 20 doesn't read `await using` yet.
    transform: { target: 'node20.19' },
    logLevel: 'warn',
    // As in renderer/vite.config.ts.
    checks: { bundlerTimings: false },
  };
}

/** Folders and files among the sources that are made from others: what writes them must not make a build stale. */
const generated = new Set([at('client/generated'), at('resources/fonts')]);
const isGenerated = (place) => generated.has(place) || place.endsWith('.d.json.ts');

/** Time of the newest file below the folders and files given, in ms; generated ones don't count. */
function newest(paths) {
  let time = 0;
  for (const entry of paths) {
    if (!existsSync(entry)) continue;
    const facts = statSync(entry);
    if (!facts.isDirectory()) {
      time = Math.max(time, facts.mtimeMs);
      continue;
    }
    const children = readdirSync(entry).map((name) => path.join(entry, name));
    time = Math.max(time, newest(children.filter((place) => !isGenerated(place))));
  }
  return time;
}

function isStale() {
  const sources = [
    'server',
    'shared',
    'main',
    'client',
    'renderer',
    'resources',
    'package.json',
    'package-lock.json',
    'CHANGELOG.md',
    'LICENSE',
    'build.mjs',
  ];
  const built = statSync(stamp, { throwIfNoEntry: false });
  return built === undefined || newest(sources.map((name) => at(name))) > built.mtimeMs;
}

/**
 * Waits until no other process builds, then keeps them out until this one ends. Of two commands that start together,
 * the second finds what the first has built.
 */
async function lockBuild() {
  const lock = at('dist/.building');
  mkdirSync(at('dist'), { recursive: true });
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      process.once('exit', () => rmSync(lock, { force: true }));
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (isLeft(lock)) rmSync(lock, { force: true });
    else await pause(200);
  }
}

/** Whether the process that made a lock is gone; after ten minutes its number may be another one's. */
function isLeft(lock) {
  const made = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
  if (Date.now() - made > 600_000) return true;
  try {
    // Written in a step of its own: an empty one is new. In a container, the one before may have had our number.
    const owner = Number(readFileSync(lock, 'utf8'));
    return owner === process.pid || (owner !== 0 && !process.kill(owner, 0));
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

/** @returns The modules that were built in. */
async function buildNodeSide() {
  const { rolldown } = await import('rolldown');
  const modules = [];
  for (const group of Object.values(entries)) {
    const bundle = await rolldown(options(group));
    const { output } = await bundle.write(options(group).output);
    for (const chunk of output) modules.push(...(chunk.moduleIds ?? []));
    await bundle.close();
  }
  return modules;
}

/** @returns The modules that were built in. */
async function buildWindow() {
  const { build } = await import('vite');
  const modules = [];
  await build({
    configFile: at('renderer/vite.config.ts'),
    root: at('renderer'),
    logLevel: 'warn',
    plugins: [
      {
        name: 'modules',
        generateBundle() {
          modules.push(...this.getModuleIds());
        },
      },
    ],
  });
  return modules;
}

async function buildResources() {
  const { copyFonts } = await import('./resources/copy-fonts.mjs');
  await copyFonts(at('resources/fonts'));
  const { buildPixels } = await import('./server/engine/encode/build-pixels.mjs');
  await buildPixels(at('dist/server/pixels.wasm'));
}

/**
 * What Electron is started with: name, version and entry. package.json itself names no entry, since npm would pack that
 * file of the desktop program and no other; electron-builder.yml names it for installers.
 */
function describeDesktop() {
  const { name, version, type } = packageFile;
  const described = { name, version, type, main: '../main/index.mjs' };
  mkdirSync(at('dist/desktop'), { recursive: true });
  writeFileSync(at('dist/desktop/package.json'), `${JSON.stringify(described, null, 2)}\n`);
}

async function buildAll() {
  // Of what the environment says, nothing goes into what is built.
  process.env.NODE_ENV = 'production';
  const started = performance.now();
  const built = new Date();
  rmSync(stamp, { force: true });
  // Nothing of an earlier build is packed. Vite empties the window's folder.
  for (const name of ['client', 'main', 'server']) {
    rmSync(at('dist', name), { recursive: true, force: true });
  }
  mkdirSync(at('dist/server'), { recursive: true });
  const [node, window] = await Promise.all([buildNodeSide(), buildWindow(), buildResources()]);
  // What is installed as a program is a link to it.
  chmodSync(at('dist/server/cli.mjs'), 0o755);
  describeDesktop();
  const { generateTypes } = await import('./client/generate.mjs');
  await generateTypes();
  await buildClientTypes();
  const { packClient } = await import('./client/pack.mjs');
  await packClient(root);
  const { noticesOf } = await import('./resources/notices.mjs');
  // The window shows both.
  writeFileSync(at('dist/window/notices.txt'), noticesOf(root, [...node, ...window]));
  writeFileSync(at('dist/window/changes.txt'), changesText());
  // Dated at the start: what was saved while building counts as newer.
  writeFileSync(stamp, `${built.toISOString()}\n`);
  utimesSync(stamp, built, built);
  return Math.round(performance.now() - started);
}

async function watchAll() {
  const { watch } = await import('rolldown');
  await buildResources();
  describeDesktop();
  watch(Object.values(entries).map(options)).on('event', (event) => {
    if (event.code === 'BUNDLE_END')
      console.log(`built ${path.relative(root, String(event.output[0]))}`);
    if (event.code === 'ERROR') console.error(event.error);
  });
  const { createServer } = await import('vite');
  const server = await createServer({
    configFile: at('renderer/vite.config.ts'),
    root: at('renderer'),
  });
  await server.listen();
  server.printUrls();
}

const flags = new Set(process.argv.slice(2));
if (flags.has('--watch')) {
  await watchAll();
} else if (!flags.has('--stale') || isStale()) {
  await lockBuild();
  if (!flags.has('--stale') || isStale()) {
    if (!flags.has('--quiet') || !existsSync(stamp)) console.log('Building Framewright…');
    const milliseconds = await buildAll();
    if (!flags.has('--quiet')) console.log(`Built in ${(milliseconds / 1000).toFixed(1)} s.`);
  }
}
