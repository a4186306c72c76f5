/**
 * How much memory a worker process and the processes it started take: encoders and decoders are part of what a render
 * costs. Runs in the worker process.
 *
 * | System | What is counted |
 * |---|---|
 * | Linux | this process, and the memory of its children and theirs that is their own, also what is swapped out (/proc)
 * |
 * | macOS | the same by `ps`, shared memory included |
 * | Windows | this process alone: asking for the others would take a second of computing |
 */
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** Bytes. Never rejects: what can't be read is not counted. */
export async function treeMemory(): Promise<number> {
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
export function memoryBelow(root: number, list: string): number {
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
