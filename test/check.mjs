/**
 * `npm run check`: one command that judges the code. Words, types, lint, format, dead code, and who imports whom.
 * Steps run two at a time; a step prints only when it fails. Generated docs are held in step by tests (test/shared,
 * test/api).
 */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

const lint = ['eslint/bin/eslint.js', '--max-warnings', '0'];

/**
 * Name, and the package's script with its arguments. The longest first. Each component costs ESLint a new program of
 * the compiler, and beside them so would each module.
 */
const steps = [
  ['lint', ...lint, '--ignore-pattern', '**/*.svelte', '.'],
  ['lint of components', ...lint, '**/*.svelte'],
  ['types', 'typescript/bin/tsc', '-p', 'tsconfig.json'],
  ['types of shared/ without Node or DOM', 'typescript/bin/tsc', '-p', 'shared/tsconfig.json'],
  [
    'types of the window',
    'svelte-check/bin/svelte-check',
    '--tsconfig',
    'renderer/tsconfig.json',
    '--fail-on-warnings',
  ],
  ['types of the window tests', 'typescript/bin/tsc', '-p', 'test/ui/tsconfig.json'],
  ["types of its state's tests", 'typescript/bin/tsc', '-p', 'test/renderer/tsconfig.json'],
  ['format', 'prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.'],
  ['dead code', 'knip/bin/knip.js'],
  ['comments of at most 120 columns', '../test/comments.mjs'],
  ['circles of imports, imports upwards and through walls', '../test/imports.mjs'],
];

/**
 * Programs that make millions of small objects: with Node's little room for young ones, a third of the processor's time
 * goes into cleaning up. One thread for that, since two steps run already.
 */
const memory = ['--min-semi-space-size=128', '--max-semi-space-size=256', '--single-threaded-gc'];

/** Runs one step; resolves to whether it passed. */
function run([name, script, ...args]) {
  const started = performance.now();
  return new Promise((resolve) => {
    const file = path.join(root, 'node_modules', script);
    const child = spawn(process.execPath, [...memory, file, ...args], { cwd: root });
    let output = '';
    child.stdout.on('data', (data) => (output += data));
    child.stderr.on('data', (data) => (output += data));
    child.on('close', (code) => {
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${name} (${seconds} s)`);
      if (code !== 0) console.log(output.trim());
      resolve(code === 0);
    });
  });
}

const waiting = [...steps];
// What both write is read by the steps about types.
let passed = await run(['words in all languages', '../test/words.mjs']);
passed = (await run(['types of the client', '../client/generate.mjs'])) && passed;
const lane = async () => {
  for (let step = waiting.shift(); step; step = waiting.shift())
    passed = (await run(step)) && passed;
};
await Promise.all([lane(), lane()]);
process.exit(passed ? 0 : 1);
