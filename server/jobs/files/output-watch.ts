/**
 * Whether the output folder can take another file: it is there, it can be written, and its drive is not almost full. Looked
 * at before each render, and every few seconds while it keeps renders waiting; otherwise never.
 */
import { access, mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { outputLimits } from '../../../shared/limits.ts';
import { errorCode } from '../../system/files.ts';

/** What is wrong with it: `space` is short, or the `folder` is missing or can't be written. */
export type OutputFault = 'space' | 'folder';

/** What the watch works with. */
export interface OutputWatchOptions {
  /** The folder of now. */
  readonly folder: () => string;
  /** Free bytes below which nothing is begun; 0: never mind. */
  readonly limit: () => number;
  /** Free bytes of a folder's drive; null where the system does not tell. Default: as the system says. */
  readonly freeBytes?: (folder: string) => Promise<number | null>;
  /** Whether a render waits or is being worked on. */
  readonly hasWork: () => boolean;
  /** `fault` has changed. */
  readonly onChange: () => void;
}

/** Knows whether the output folder is ready. */
export class OutputWatch {
  readonly #options: OutputWatchOptions;
  #fault: OutputFault | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: OutputWatchOptions) {
    this.#options = options;
  }

  /** What was found at the last look; null: it is ready. */
  get fault(): OutputFault | null {
    return this.#fault;
  }

  /** Looks now. Never rejects. */
  async check(): Promise<void> {
    const { folder, limit, freeBytes = systemFreeBytes, onChange } = this.#options;
    const before = this.#fault;
    const now = folder();
    const free = await freeBytes(now);
    this.#fault = (await folderFault(now)) ?? (free !== null && free < limit() ? 'space' : null);
    this.#setTimer();
    if (this.#fault !== before) onChange();
  }

  /** The queue has more or less to do: what keeps it waiting is looked at again only with work. */
  follow(): void {
    const wasLooking = this.#timer !== undefined;
    this.#setTimer();
    if (!wasLooking && this.#timer !== undefined) void this.check();
  }

  #setTimer(): void {
    if (this.#fault !== null && this.#options.hasWork()) {
      this.#timer ??= setInterval(() => void this.check(), outputLimits.lookEvery).unref();
    } else {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

/** Free bytes of the drive of a folder; null for a folder that is missing, and on systems that don't tell. */
export async function systemFreeBytes(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return null;
  }
}

/** A folder that is gone is made anew where its parent is there; a whole path that is gone may lie on a drive that is. */
async function folderFault(folder: string): Promise<OutputFault | null> {
  const file = path.join(folder, '.framewright-test');
  try {
    await access(folder).catch(() => mkdir(folder));
    // Permissions alone don't tell on every system.
    await writeFile(file, '');
    await rm(file, { force: true });
    return null;
  } catch (error) {
    await rm(file, { force: true }).catch(() => undefined);
    return errorCode(error) === 'ENOSPC' ? 'space' : 'folder';
  }
}
