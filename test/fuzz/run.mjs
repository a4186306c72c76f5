/**
 * `npm run fuzz`: attacks the program with made-up input, two minutes in all. Each `*.fuzz.ts` here is one fuzzer; it
 * runs in a process of its own, so that an endless loop or a death is a find like any other.
 *
 *   npm run fuzz -- --seconds 1800      so long for each fuzzer, instead of sharing `--total` (120)
 *   npm run fuzz -- --only values       some of them, by name, with commas
 *   npm run fuzz -- --seed 7            other input; the same seed gives the same cases
 *   npm run fuzz -- --jobs 1            how many at the same time (2)
 *
 * Ends with 1 and a line to repeat each find when there are any. A new fuzzer is a new file: see cases.ts.
 */
import { fork } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string' },
    total: { type: 'string', default: '120' },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '2' },
    only: { type: 'string' },
    // Seconds beyond its time: for starting, making its samples, and ending what it started.
    grace: { type: 'string', default: '90' },
    // Other fuzzers than the ones here: the test of this program brings some that find something.
    folder: { type: 'string', default: import.meta.dirname },
  },
});

/** A number of the command line; ends the program when it is none. */
function number(name, least) {
  const value = Number(values[name]);
  if (Number.isFinite(value) && value >= least) return value;
  console.error(`--${name} should be a number from ${least} on, not '${values[name]}'.`);
  process.exit(2);
}

const ending = '.fuzz.ts';
const all = readdirSync(values.folder)
  .filter((file) => file.endsWith(ending))
  .map((file) => file.slice(0, -ending.length))
  .sort();
const wanted = values.only?.split(',') ?? all;
const unknown = wanted.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  console.error(`There is no fuzzer '${unknown.join(', ')}'. There are: ${all.join(', ')}.`);
  process.exit(2);
}

const seed = number('seed', 0);
const grace = number('grace', 0);
const jobs = Math.min(number('jobs', 1), wanted.length);
const rounds = Math.ceil(wanted.length / jobs);
const seconds = values.seconds === undefined ? number('total', 0) / rounds : number('seconds', 0);

/**
 * Runs one fuzzer; resolves to what it found.
 *
 * @param {string} name
 * @returns {Promise<{ cases: number, finds: { seed: number, what: string }[] }>}
 */
function run(name) {
  const file = path.resolve(values.folder, name + ending);
  const script = path.join(import.meta.dirname, 'one.mjs');
  const child = fork(script, [file, String(seed), String(seconds)], {
    execArgv: ['--max-old-space-size=1024'],
  });
  return new Promise((resolve) => {
    let result;
    /** Where it is: the last case that it told of. */
    let at = seed;
    let isLate = false;
    const timer = setTimeout(
      () => {
        isLate = true;
        child.kill('SIGKILL');
      },
      (seconds + grace) * 1000,
    );
    child.on('message', (message) => {
      if (message.log !== undefined) console.log(`${name}: ${message.log}`);
      if (message.at !== undefined) at = message.at;
      if (message.result !== undefined) result = message.result;
    });
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      if (result !== undefined) return resolve(result);
      const what = isLate
        ? `did not end within ${grace} s after its time`
        : `died with ${signal ?? `code ${code}`}`;
      resolve({ cases: 0, finds: [{ seed: at, what: `the fuzzer ${what}` }] });
    });
  });
}

const waiting = [...wanted];
let found = 0;
async function lane() {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    const { cases, finds } = await run(name);
    console.log(`${finds.length === 0 ? 'ok  ' : 'FIND'} ${name}: ${cases} cases`);
    for (const find of finds) {
      found++;
      console.log(`     ${find.what.trim().replaceAll('\n', '\n     ')}`);
      console.log(
        `     repeat it: npm run fuzz -- --only ${name} --seed ${find.seed} --seconds 0\n`,
      );
    }
  }
}
await Promise.all(Array.from({ length: jobs }, lane));
process.exit(found === 0 ? 0 : 1);
