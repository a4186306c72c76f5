/**
 * A real worker process for fuzzers of the engine: one piece of work after the other, watched from outside. Bad input
 * may fail with a sentence; the process lives on, stays within its memory, and leaves no ffmpeg behind. Needs dist/.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { forkWorker } from '../../server/jobs/worker/fork-worker.ts';
import type { WorkerPort } from '../../server/jobs/worker/protocol.ts';
import type { TaskInput, TaskName } from '../../server/jobs/worker/tasks.ts';
import { fontFolder } from '../../server/system/paths.ts';
import { engineLimits, memoryLimits } from '../../shared/limits.ts';

/** Milliseconds for one case: far above what a small one takes on any machine. */
const deadline = 60_000;
/** Milliseconds that the programs it started may outlive the work. */
const programTime = 3_000;

/** What a worker says, as far as fuzzers look at it. */
const said = z.object({
  type: z.string(),
  code: z.string().optional(),
  message: z.string().optional(),
  text: z.string().optional(),
  memory: z.number().optional(),
  level: z.string().optional(),
  output: z.object({ warnings: z.array(z.string()).optional() }).optional(),
  details: z.string().optional(),
});

/** How a piece of work ended. */
export interface Ending {
  /** What must not be; null when all is well. */
  readonly wrong: string | null;
  /** The sentence of the failure; null for what went well. */
  readonly failure: string | null;
  readonly warnings: readonly string[];
}

const endings = new Set(['result', 'failed']);

/** A worker, started when it is needed, and again after a death. */
export class AttackedWorker {
  /** Its files; media are looked up in `media` below it. */
  readonly folder = mkdtempSync(path.join(tmpdir(), 'framewright-fuzz-'));
  readonly media = path.join(this.folder, 'media');
  readonly #mostMemory: number;
  #worker: WorkerPort | null = null;
  #cases = 0;
  #onSaid: (message: unknown) => void = () => undefined;

  /** @param mostMemory Bytes that the process and what it starts may take with one case. */
  constructor(mostMemory: number) {
    this.#mostMemory = mostMemory;
    mkdirSync(this.media);
  }

  /** Renders a document; its file is named by its format. */
  render(source: Record<string, unknown>, mediaFolders: readonly string[] = []): Promise<Ending> {
    const format = typeof source.output_format === 'string' ? source.output_format : 'jpg';
    return this.#ask('render', {
      id: 'fuzz',
      source: JSON.stringify(source),
      scaling: {},
      outputPath: path.join(this.folder, `out.${format}`),
      snapshotPath: path.join(this.folder, 'out-snapshot.jpg'),
      workFolder: this.#workFolder(),
      cacheFolder: path.join(this.folder, 'cache'),
      mediaFolders: [this.media, ...mediaFolders],
      fontFolder: fontFolder(),
      allowPrivateAddresses: false,
      ownPorts: [],
      limits: engineLimits,
    });
  }

  /** Has a file examined, as for the media library. */
  inspect(filePath: string): Promise<Ending> {
    const workFolder = this.#workFolder();
    mkdirSync(workFolder);
    return this.#ask('inspect', {
      filePath,
      workFolder,
      thumbnailPath: path.join(this.folder, 'thumbnail'),
      fontFolder: fontFolder(),
      limits: engineLimits,
    });
  }

  /** Of one case alone: the worker still clears up when it has told the end. */
  #workFolder(): string {
    return path.join(this.folder, `work-${++this.#cases}`);
  }

  /** Ends it, and removes its files. */
  stop(): void {
    this.#worker?.kill();
    this.#worker = null;
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #ask<Name extends TaskName>(name: Name, input: TaskInput<Name>): Promise<Ending> {
    const worker = (this.#worker ??= await this.#start());
    const logged: string[] = [];
    let memory = 0;
    resetPeak(worker.pid);
    let late: NodeJS.Timeout | undefined;
    const end = await new Promise<z.infer<typeof said> | string>((resolve) => {
      late = setTimeout(() => resolve(`no end within ${deadline / 1000} s`), deadline);
      this.#onSaid = (message) => {
        const event = said.parse(message);
        if (event.type === 'died') resolve(event.message ?? 'died');
        const text = event.type === 'log' ? event.text : event.details;
        if (text !== undefined) logged.push(text);
        if (event.type === 'pulse') memory = Math.max(memory, event.memory ?? 0);
        if (memory > this.#mostMemory * memoryLimits.burst)
          resolve(`it took ${Math.round(memory / 1e6)} MB of memory without end`);
        if (endings.has(event.type)) resolve(event);
      };
      worker.send({ type: 'start', id: 'fuzz', name, input });
    });
    clearTimeout(late);
    const found = typeof end === 'string' ? end : wrongIn(end, logged, JSON.stringify(input));
    memory = Math.max(memory, peakOf(worker.pid));
    const strays = typeof end === 'string' ? null : await straysOf(worker.pid);
    const tooMuch = memory > this.#mostMemory ? `${Math.round(memory / 1e6)} MB of memory` : null;
    const wrong = found ?? tooMuch ?? strays;
    // As the queue does: one that misbehaved, or keeps much, takes no more work.
    if (wrong !== null || memory > memoryLimits.rest) {
      worker.kill();
      this.#worker = null;
    }
    if (typeof end === 'string') return { wrong, failure: end, warnings: [] };
    const hasFailed = end.type === 'failed';
    return {
      wrong,
      failure: hasFailed ? (end.message ?? '') : null,
      warnings: end.output?.warnings ?? [],
    };
  }

  #start(): Promise<WorkerPort> {
    const worker = forkWorker();
    return new Promise((resolve, reject) => {
      worker.onMessage((message) => {
        if (said.parse(message).type === 'ready') resolve(worker);
        else if (worker === this.#worker) this.#onSaid(message);
      });
      worker.onExit(({ code, signal }) => {
        const message = `the worker died with ${signal ?? `code ${code ?? 'unknown'}`}`;
        reject(new Error(message));
        if (worker === this.#worker) this.#onSaid({ type: 'died', message });
      });
    });
  }
}

/** Failures that no person can act on are bugs. */
function wrongIn(
  end: z.infer<typeof said>,
  logged: readonly string[],
  asked: string,
): string | null {
  if (end.type !== 'failed') return null;
  // What is quoted of the document in brackets may be any text.
  const message = (end.message ?? '').replace(/ \([^()]*\)$/, '');
  // What the worker says when something unexpected was thrown (server/drawing.ts).
  const isBug = end.code === 'internal_error';
  // Names of elements stand in messages, and some documents bring these words along.
  const ours = ['NaN', '[object'].filter((word) => !asked.includes(word));
  if (isBug || message.trim() === '' || ours.some((word) => message.includes(word)))
    return `failed with '${message}'\n${logged.join('\n')}`;
  return null;
}

/** Linux remembers the most memory that a process took; it is told to begin anew. */
function resetPeak(pid: number | undefined): void {
  if (process.platform !== 'linux' || pid === undefined) return;
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
  } catch {
    // Some containers forbid it: then the peak is that of all cases.
  }
}

function peakOf(pid: number | undefined): number {
  if (process.platform !== 'linux' || pid === undefined) return 0;
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    return Number(/^VmHWM:\s*(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** Programs that still run when the work has long ended. */
async function straysOf(pid: number | undefined): Promise<string | null> {
  if (process.platform !== 'linux' || pid === undefined) return null;
  const end = performance.now() + programTime;
  let left = childrenOf(pid);
  while (left.length > 0 && performance.now() < end) {
    await pause(20);
    left = childrenOf(pid);
  }
  return left.length === 0 ? null : `programs that still run: ${left.join(', ')}`;
}

function childrenOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1')
        .split(' ')
        .filter((child) => child.trim() !== ''),
    );
  } catch {
    return [];
  }
}
