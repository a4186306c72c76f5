/**
 * The worker process: passes the server's messages to the drawing thread (drawing.ts), and its answers back. It never
 * draws itself, so it can always report how the process is doing, and ends it at once when the server is gone. Runs
 * under `child_process.fork` (Node) and `utilityProcess.fork` (Electron).
 */
import { execFile } from 'node:child_process';
import { writeFile, readdir, readFile } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import type { RenderPriority } from '../shared/api.ts';
import { priorityMessage } from './jobs/worker/protocol.ts';
import { asides } from './jobs/worker/tasks.ts';
import { hardMemoryLimit } from './jobs/worker/vitals.ts';
import {
  programsEvent,
  type ProgramsEvent,
  followPrograms,
} from './jobs/worker/worker-programs.ts';
import { setProgramPriority, takePriority } from './system/programs.ts';
import { promisify } from 'node:util';

/** Milliseconds between two pulses while there is work. */
const pulseInterval = 1_000;
/** Milliseconds from the end of work to the pulse that reports what the process keeps. */
const restAfter = 500;

/** The side of Electron's utility process that Node's types don't know. */
interface ParentPort {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (event: { data: unknown }) => void): void;
}

/** The same two functions for both ways of being started. `send` settles when the message is on its way. */
function connect(): {
  send(event: unknown): Promise<void>;
  receive(listener: (message: unknown) => void): void;
} {
  // In utility processes Electron adds `parentPort` to `process`; Node's types don't have it.
  const { parentPort } = process as unknown as { parentPort?: ParentPort };
  if (parentPort) {
    return {
      send: (event) => {
        parentPort.postMessage(event);
        return Promise.resolve();
      },
      receive: (listener) => parentPort.on('message', (event) => listener(event.data)),
    };
  }
  return {
    send: (event) =>
      new Promise((resolve) => {
        if (process.connected) process.send?.(event, undefined, {}, () => resolve());
        else resolve();
      }),
    receive: (listener) => process.on('message', listener),
  };
}

/** What this thread needs of a message to pass it on; both ends parse all of it. */
const passed = z.object({
  type: z.string(),
  id: z.string().optional(),
  name: z.string().optional(),
});
const ends = new Set(['result', 'failed']);

/** As the server wants it; null before its first work. */
let priority: RenderPriority | null = null;
const server = connect();
/** What the process has started and runs now. */
const programs = new Set<number>();
followPrograms(tellProgram);
const isCaged = cageProcess();
const drawing = new Worker(new URL('./drawing.mjs', import.meta.url));
/** When the drawing thread last spoke, and how long the process had computed by then, in ms. */
let heard = { at: 0, computed: 0 };
let pulse: NodeJS.Timeout | undefined;
/** The current work, for a line in the log. */
let working: string | null = null;

server.receive((message) => {
  const { type, id, name } = passed.parse(message);
  if (type === 'priority') {
    use(priorityMessage.parse(message).priority);
  }
  if (type === 'start' && !asides.has(name ?? '')) {
    if (priority === null) use('low');
    begin(id ?? '');
  }
  // What it starts is bounded, too.
  void isCaged.then(() => drawing.postMessage(message));
});
drawing.on('message', (event: unknown) => {
  hear();
  const program = programsEvent.safeParse(event);
  if (program.success) {
    tellProgram(program.data);
    return;
  }
  void server.send(event);
  const { type, id } = passed.parse(event);
  if (ends.has(type) && id === working) rest();
});
// Nothing expected gets here: only bugs, ours or a package's, thrown where nobody could catch them.
drawing.on('error', (error: unknown) => void end(error instanceof Error ? error.stack : error));
drawing.on('exit', (code) => void end(`the drawing thread ended with ${code}`));
// The server died: nobody will take the result, so leave no stray worker. At once, whatever it is drawing: an orderly
// exit would wait for the other thread.
const endAlone = (): void => void process.kill(process.pid, 'SIGKILL');
process.on('disconnect', endAlone);
// The server died while this file loaded, without an event. (Electron has no such connection and no such property.)
if ('connected' in process && !process.connected) endAlone();

function tellProgram(event: ProgramsEvent): void {
  const { pid, runs } = event;
  if (runs) programs.add(pid);
  else programs.delete(pid);
  void server.send(event);
}

function use(wanted: RenderPriority): void {
  priority = wanted;
  takePriority(wanted);
  for (const pid of programs) setProgramPriority(pid, wanted);
}

function hear(): void {
  heard = { at: performance.now(), computed: computedSoFar() };
}

/** Milliseconds that all threads of the process have computed. */
function computedSoFar(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

function begin(id: string): void {
  working = id;
  hear();
  clearTimeout(pulse);
  pulse = setTimeout(() => void beat(), pulseInterval);
}

async function beat(): Promise<void> {
  await sendPulse();
  if (working !== null) pulse = setTimeout(() => void beat(), pulseInterval);
}

function rest(): void {
  working = null;
  clearTimeout(pulse);
  pulse = setTimeout(() => void sendPulse(), restAfter);
}

async function sendPulse(): Promise<void> {
  const quiet = performance.now() - heard.at;
  const computed = computedSoFar() - heard.computed;
  await server.send({ type: 'pulse', memory: await treeMemory(), quiet, computed });
}

/** The details go out before the process does. */
async function end(details: unknown): Promise<void> {
  const text = String(details);
  console.error(text);
  await server.send({ type: 'log', id: working ?? '', level: 'error', text });
  process.exit(1);
}

/**
 * Tells Linux about this process, and so about all that it starts: when the whole computer runs out of memory, end this
 * one rather than the server; when it crashes, write no core file; each process gets only so much memory, between two
 * pulses as well. Resolves when that is so, as far as the system can.
 */
async function cageProcess(): Promise<void> {
  if (process.platform !== 'linux') return;
  writeFile('/proc/self/oom_score_adj', '800').catch(() => undefined);
  // Part of util-linux, which nearly every system has; without it the system decides about core files, and the pulse
  // about memory.
  const limits = ['--core=0:0', `--data=${hardMemoryLimit()}`];
  await new Promise<void>((resolve) => {
    execFile('prlimit', ['--pid', String(process.pid), ...limits], () => resolve());
  });
}

/** Bytes. Never rejects: what can't be read is not counted. */
async function treeMemory(): Promise<number> {
  const own = process.memoryUsage.rss();
  if (process.platform === 'linux') return own + (await linuxChildren(process.pid));
  if (process.platform === 'darwin') return own + (await listedChildren(process.pid));
  return own;
}

/** Bytes of all processes below one. One that ends meanwhile counts as none. */
async function linuxChildren(parent: number): Promise<number> {
  const threads = await readdir(`/proc/${parent}/task`).catch(() => []);
  const lists = await Promise.all(
    threads.map((thread) =>
      readFile(`/proc/${parent}/task/${thread}/children`, 'utf8').catch(() => ''),
    ),
  );
  const children = lists.flatMap((list) => list.split(' ').filter((pid) => pid.trim() !== ''));
  const sizes = await Promise.all(
    children.map(async (pid) => (await linuxOwn(pid)) + (await linuxChildren(Number(pid)))),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Bytes that belong to a process alone: all encoders share programs and libraries. */
async function linuxOwn(pid: string): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kilobytes = ['RssAnon', 'RssShmem', 'VmSwap'].map((name) =>
    Number(new RegExp(`^${name}:\\s*(\\d+) kB`, 'm').exec(status)?.[1] ?? 0),
  );
  return kilobytes.reduce((sum, size) => sum + size, 0) * 1024;
}

/** The same from a list of all processes. */
async function listedChildren(root: number): Promise<number> {
  const list = await promisify(execFile)('ps', ['-axo', 'pid=,ppid=,rss=']).catch(() => null);
  if (!list) return 0;
  return memoryBelow(root, list.stdout);
}

/** @param list Lines of process, parent and kilobytes. */
function memoryBelow(root: number, list: string): number {
  const children = new Map<number, { pid: number; bytes: number }[]>();
  for (const line of list.split('\n')) {
    const [pid, parent, kilobytes] = line.trim().split(/\s+/).map(Number);
    if (pid === undefined || parent === undefined || kilobytes === undefined) continue;
    const siblings = children.get(parent) ?? [];
    siblings.push({ pid, bytes: kilobytes * 1024 });
    children.set(parent, siblings);
  }
  let sum = 0;
  const waiting = [root];
  const seen = new Set(waiting);
  for (let pid = waiting.pop(); pid !== undefined; pid = waiting.pop()) {
    for (const child of children.get(pid) ?? []) {
      if (seen.has(child.pid)) continue;
      seen.add(child.pid);
      sum += child.bytes;
      waiting.push(child.pid);
    }
  }
  return sum;
}
