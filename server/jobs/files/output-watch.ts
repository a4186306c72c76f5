/**
 * Whether the output folder can take another file: it exists, is writable, and its drive is not almost full. Checked
 * before each render, and every few seconds while renders wait for it.
 */
import { access, mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { outputLimits } from '../../../shared/limits.ts';
import { refusalKind } from '../../system/files.ts';

/**
 * What is wrong: too little `space`, or the `folder` is missing or not writable, or the storage beyond it does not
 * answer.
 */
export type OutputFault = 'space' | 'folder';

/** What the watch works with. */
export interface OutputWatchOptions {
  /** The current folder. */
  readonly folder: () => string;
  /** With fewer free bytes no render starts; 0 = no limit. */
  readonly limit: () => number;
  /** Free bytes on a folder's drive, null if unknown. Default: asks the system. */
  readonly freeBytes?: (folder: string) => Promise<number | null>;
  /** Gives up what can be made again. @returns whether anything went. Default: there is nothing. */
  readonly makeRoom?: () => Promise<boolean>;
  /** Whether the storage that files go to answers; absent: there is none. */
  readonly answers?: (() => Promise<boolean>) | undefined;
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

  /** The result of the last check; null: it is ready. */
  get fault(): OutputFault | null {
    return this.#fault;
  }

  /** Checks now. Never rejects. */
  async check(): Promise<void> {
    const {
      folder,
      limit,
      freeBytes = systemFreeBytes,
      makeRoom,
      answers,
      onChange,
    } = this.#options;
    const before = this.#fault;
    const now = folder();
    const isAway = (await answers?.()) === false;
    const look = async (): Promise<OutputFault | null> => {
      const free = await freeBytes(now);
      const isTight = free !== null && free < limit();
      return (await folderFault(now)) ?? (isAway ? 'folder' : isTight ? 'space' : null);
    };
    let fault = await look();
    if (fault === 'space' && (await makeRoom?.())) fault = await look();
    this.#fault = fault;
    this.#setTimer();
    if (this.#fault !== before) onChange();
  }

  /** The queue has more or less work; it is checked again only while there is some. */
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

/** Free bytes on a folder's drive; null if the folder is missing or the system does not say. */
export async function systemFreeBytes(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return null;
  }
}

/** Makes a missing folder if its parent exists; otherwise the whole drive may be missing. */
async function folderFault(folder: string): Promise<OutputFault | null> {
  const file = path.join(folder, '.framewright-test');
  try {
    await access(folder).catch(() => mkdir(folder));
    // Permissions alone don't prove it on every system.
    await writeFile(file, '');
    await rm(file, { force: true });
    return null;
  } catch (error) {
    await rm(file, { force: true }).catch(() => undefined);
    return refusalKind(error) === 'full' ? 'space' : 'folder';
  }
}
