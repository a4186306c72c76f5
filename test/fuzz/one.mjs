/**
 * Runs one fuzzer in its own process: `node one.mjs FILE SEED SECONDS`, told by run.mjs. Vite, which builds the window,
 * reads TypeScript for it: `import.meta.dirname` and packages stay what they are in the tests.
 */
import { runnerImport } from 'vite';

const [file, seed, seconds] = process.argv.slice(2);
const tell = (message) => new Promise((resolve) => process.send(message, resolve));

const { module } = await runnerImport(file, {
  configFile: false,
  logLevel: 'error',
  // Node 20 has no `using`.
  oxc: { target: 'node20' },
});
const result = await module.fuzz({
  seed: Number(seed),
  seconds: Number(seconds),
  log: (log) => void tell({ log }),
  at: (at) => void tell({ at }),
});
await tell({ result });
// Whatever a fuzzer left open, a server for instance, ends with it.
process.exit(0);
