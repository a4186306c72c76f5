/**
 * Renders without a queue, for the command line and for the packed program's self-test. Uses the server's worker
 * client: one worker for all renders, watched, and replaced when it is lost. Renders run one after the other, with one
 * attempt each.
 */
import {
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { engineLimits } from '../../shared/limits.ts';
import { systemClock } from '../system/clock.ts';
import { isAlive } from '../system/programs.ts';
import type { Log } from '../system/log.ts';
import { fontFolder } from '../system/paths.ts';
import type { WorkerProgress } from './progress.ts';
import { failures } from './status.ts';
import { failureOf, wholeOf, type WholeOutcome } from './verdict.ts';
import { OwnFaults } from './worker/task-faults.ts';
import type { ForkWorker } from './worker/protocol.ts';
import type { RenderInput } from './worker/render-protocol.ts';
import { WorkerClient } from './worker/worker-client.ts';

/** A file to make. */
export type LoneOrder = Pick<
  RenderInput,
  | 'outputPath'
  | 'receiptPath'
  | 'moment'
  | 'madeFrom'
  | 'mediaFolders'
  | 'ffmpegPath'
  | 'encodeWith'
  | 'transcriber'
  | 'isShared'
  | 'isDivided'
  | 'piecesLimit'
  | 'voices'
  | 'allowPrivateAddresses'
> & { readonly source: string; readonly scaling?: RenderInput['scaling'] };

/** The result. */
export type LoneOutcome = Extract<WholeOutcome, { kind: 'done' | 'failed' }>;

/** Follows and cancels a render. */
export interface LoneWatch {
  readonly onProgress?: (progress: WorkerProgress) => void;
  readonly signal?: AbortSignal;
}

/** A worker with a temporary folder. The first render starts it; call `close()` at the end. */
export class LoneRenders {
  readonly #client: WorkerClient;
  readonly #faults = new OwnFaults();
  readonly #folder = new LoneFolder();
  #begun = 0;
  /** Why no worker starts. Once set, all further renders fail at once. */
  #broken: string | null = null;
  #look: () => void = () => undefined;

  constructor(fork: ForkWorker, log: Log) {
    this.#client = new WorkerClient({
      fork,
      log,
      clock: systemClock,
      fontFolder: fontFolder(),
      workFolder: this.#folder.path,
      faults: this.#faults,
      onState: () => this.#look(),
    });
  }

  /** Makes one file. Never rejects. */
  async run(
    { source, scaling = {}, ...order }: LoneOrder,
    { onProgress = () => undefined, signal }: LoneWatch = {},
  ): Promise<LoneOutcome> {
    const stop = (): void => {
      this.#client.cancel();
      this.#look();
    };
    signal?.addEventListener('abort', stop);
    this.#folder.making(order.outputPath);
    try {
      await this.#prepare(signal);
      if (signal?.aborted) return cancelled;
      if (this.#broken !== null) {
        return { kind: 'failed', code: 'no_worker', message: `Render error: ${this.#broken}` };
      }
      const input: RenderInput = {
        id: path.basename(order.outputPath),
        source,
        scaling,
        snapshotPath: snapshotOf(order.outputPath),
        // One per render: programs of a worker that was killed may end a moment later.
        workFolder: path.join(this.#folder.path, `work-${++this.#begun}`),
        cacheFolder: path.join(this.#folder.path, 'cache'),
        fontFolder: fontFolder(),
        ownPorts: [],
        limits: engineLimits,
        ...order,
      };
      return toldOf(wholeOf(await this.#client.run(input, onProgress)));
    } finally {
      signal?.removeEventListener('abort', stop);
      this.#folder.made(order.outputPath);
    }
  }

  /** For what else a command needs while it runs. */
  get folder(): string {
    return this.#folder.path;
  }

  /** Ends the worker and removes its files. */
  close(): void {
    this.#client.close();
    this.#folder.remove();
  }

  /** Waits for a worker, or until its start has failed: the client would retry forever. */
  async #prepare(signal: AbortSignal | undefined): Promise<void> {
    if (this.#broken !== null || signal?.aborted) return;
    const inVain = new Promise<void>((resolve) => {
      this.#look = () => {
        if (this.#faults.count > 0 || signal?.aborted) resolve();
      };
    });
    await Promise.race([this.#client.prepare(), inVain]);
    if (this.#faults.count > 0) this.#broken = this.#client.reason ?? 'the worker did not start';
  }
}

const cancelled = { kind: 'failed', code: 'cancelled', message: failures.cancelled } as const;

/** Where the separate picture of a film goes. */
export function snapshotOf(outputPath: string): string {
  return `${outputPath.replace(/\.[^.]+$/, '')}-snapshot.jpg`;
}

function toldOf(outcome: WholeOutcome): LoneOutcome {
  switch (outcome.kind) {
    case 'done':
    case 'failed':
      return outcome;
    case 'lost': {
      const { message } = failureOf(outcome.loss, 1, null);
      return { kind: 'failed', code: 'renderer_lost', message };
    }
    case 'cancelled':
      return cancelled;
  }
}

/** How the name of its folder begins. */
const beginning = 'framewright-render-';
const ownerFile = 'owner.json';
/** Milliseconds after which one that still says nothing is of a program that was killed before it did. */
const noteTime = 60_000;
/** Processes are known by their IDs on their own computer only; containers can share a folder. */
const owner = z.object({ host: z.string(), pid: z.int().positive(), making: z.array(z.string()) });

/**
 * The temporary folder of a program that renders without a queue. It says whose it is and which files are being made,
 * so that the next one removes what one that was killed has left.
 */
export class LoneFolder {
  readonly path: string;
  readonly #making = new Set<string>();

  /** Makes one, and removes those whose programs have ended. @param place For tests. */
  constructor(place: string = tmpdir()) {
    for (const name of readdirSync(place)) {
      if (name.startsWith(beginning)) removeDead(path.join(place, name));
    }
    this.path = mkdtempSync(path.join(place, beginning));
    this.#note();
  }

  /** A file is being made; until `made`, half of it may lie beside it. */
  making(file: string): void {
    this.#making.add(file);
    this.#note();
  }

  made(file: string): void {
    this.#making.delete(file);
    this.#note();
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true, maxRetries: 5 });
  }

  #note(): void {
    const note = { host: hostname(), pid: process.pid, making: [...this.#making] };
    try {
      writeFileSync(path.join(this.path, ownerFile), JSON.stringify(note));
    } catch {
      // A full disk: what needs it says so, and only if it is killed something stays.
    }
  }
}

/** Removes the folder of a program that has ended, and what it was making. What can't be removed or read stays. */
function removeDead(folder: string): void {
  try {
    const facts = lstatSync(folder);
    // Everybody may write there: only what we have made ourselves says the truth.
    if (!facts.isDirectory() || (process.getuid && facts.uid !== process.getuid())) return;
    if (Date.now() - facts.mtimeMs > noteTime && readdirSync(folder).length === 0) {
      rmdirSync(folder);
      return;
    }
    const text = readFileSync(path.join(folder, ownerFile), 'utf8');
    const { host, pid, making } = owner.parse(JSON.parse(text));
    if (host !== hostname() || isAlive(pid)) return;
    for (const file of making) rmSync(`${file}.part`, { force: true });
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // Another one removes it in this moment, or it is no such folder.
  }
}
