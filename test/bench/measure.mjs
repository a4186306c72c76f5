/** How the benchmark measures: a render through the product's worker, a program on its own, and the memory of both. */
import { fork, spawn } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { clearInterval, setInterval } from 'node:timers';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const worker = path.join(root, 'dist/server/worker.mjs');

/** What the product gives its worker and its encoders; both sides of a comparison get it. */
export const memoryEnvironment =
  process.platform === 'linux'
    ? {
        MALLOC_MMAP_THRESHOLD_: '33554432',
        MALLOC_TRIM_THRESHOLD_: '268435456',
        MALLOC_ARENA_MAX: '1',
      }
    : {};

/** How often memory is looked at, milliseconds. */
const sampleInterval = 100;

/**
 * Renders a document in a fresh worker that is already up, as the server does; no piece of it was kept.
 *
 * @returns Seconds from the start message to its result, those before it until the worker was up, the finished file's
 *   facts, and the peak memory in MB of the worker and its children (null where the system doesn't tell).
 */
export async function renderOnce({ source, ...options }) {
  await rm(path.join(options.folder, 'cache/pieces'), { recursive: true, force: true });
  const [result] = await renderInTurn([source], options);
  return result;
}

/**
 * Renders documents one after the other in one worker; what `renderOnce` gives of each.
 *
 * @param options.environment Variables for the worker besides the usual ones.
 * @param options.more Members of the start message besides the usual ones.
 */
export async function renderInTurn(sources, options) {
  const { folder, mediaFolder, ffmpegPath, outputPath, environment = {}, more = {} } = options;
  const forked = performance.now();
  const child = fork(worker, [], {
    env: { ...process.env, ...memoryEnvironment, ...environment },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  // As many as there are documents listen, one after the other.
  child.setMaxListeners(0);
  try {
    await nextEvent(child, 'ready');
    const startSeconds = (performance.now() - forked) / 1000;
    const results = [];
    for (const [index, source] of sources.entries()) {
      const workFolder = path.join(folder, 'work', `${process.hrtime.bigint()}-${index}`);
      await mkdir(workFolder, { recursive: true });
      const memory = watchMemory(child.pid);
      const started = performance.now();
      const input = {
        id: 'bench',
        source: JSON.stringify(source),
        scaling: {},
        outputPath,
        snapshotPath: `${outputPath}.jpg`,
        workFolder,
        cacheFolder: path.join(folder, 'cache'),
        mediaFolders: [mediaFolder],
        fontFolder: path.join(root, 'resources/fonts'),
        ffmpegPath,
        allowPrivateAddresses: false,
        ownPorts: [],
        limits: { pictureMegapixels: 100, mediaBytes: 4e9 },
        ...(typeof more === 'function' ? more(index) : more),
      };
      child.send({ type: 'start', id: input.id, name: 'render', input });
      const { facts } = (await nextEvent(child, 'result')).output;
      const seconds = (performance.now() - started) / 1000;
      results.push({ seconds, startSeconds, facts, peakMemoryMb: memory.stop() });
    }
    return results;
  } finally {
    child.kill('SIGKILL');
  }
}

/** The next message of a kind; fails when the render does, or when the worker ends. */
function nextEvent(child, type) {
  return new Promise((resolve, reject) => {
    child.on('message', (event) => {
      if (event.type === type) resolve(event);
      else if (event.type === 'failed') reject(new Error(`the render failed: ${event.message}`));
      else if (event.type === 'log') console.error(event.text);
    });
    child.once('exit', (code, signal) => reject(new Error(`the worker ended (${signal ?? code})`)));
    child.once('error', reject);
  });
}

/** Runs a program to its end, at the priority that the product gives its encoders. Wall seconds. */
export async function runOnce(program, args) {
  const started = performance.now();
  const child = spawn(program, args, {
    env: { ...process.env, ...memoryEnvironment },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  try {
    os.setPriority(child.pid, os.constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Not allowed here; then the product isn't either.
  }
  const code = await new Promise((resolve, reject) =>
    child.once('error', reject).once('exit', resolve),
  );
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${args.join(' ')}`);
  return (performance.now() - started) / 1000;
}

/** Adds up the resident memory of a process and all below it, again and again. */
function watchMemory(pid) {
  let peak = 0;
  const look = () => (peak = Math.max(peak, residentMemory(pid)));
  const timer = setInterval(look, sampleInterval);
  return {
    stop() {
      clearInterval(timer);
      return peak === 0 ? null : Math.round(peak);
    },
  };
}

/**
 * Megabytes of a process and all below it; 0 where the system doesn't tell. Asks only about these and reads at once:
 * asking about every process of the computer through promises took a fifth of a core from what is measured.
 */
function residentMemory(pid) {
  const [, kilobytes = 0] = /^VmRSS:\s+(\d+)/m.exec(read(`/proc/${pid}/status`)) ?? [];
  const below = tasksOf(pid).flatMap((task) =>
    read(`/proc/${pid}/task/${task}/children`).split(' ').filter(Boolean),
  );
  return below.reduce((sum, child) => sum + residentMemory(child), kilobytes / 1024);
}

function tasksOf(pid) {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    // It has just ended, or there is no /proc.
    return [];
  }
}

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/**
 * Uses a few GiB once. Virtual machines hand memory to a guest when it is first touched, which costs more than anything
 * measured here; afterwards the guest keeps it.
 */
export async function touchMemory() {
  const available = os.freemem() / 2 ** 30;
  const blocks = Math.max(1, Math.min(16, Math.floor(available * 2)));
  await runOnce(process.execPath, [
    '-e',
    `const a=[];for(let i=0;i<${blocks};i++)a.push(Buffer.alloc(2**28,i))`,
  ]);
}

/** Middle of the numbers. */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** A folder whose files lie in memory, where there is one. */
export async function memoryFolder() {
  const parent = await readdir('/dev/shm').then(
    () => '/dev/shm',
    () => os.tmpdir(),
  );
  const folder = path.join(parent, `framewright-bench-${process.pid}`);
  await mkdir(folder, { recursive: true });
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
