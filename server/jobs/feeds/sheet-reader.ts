/**
 * Reads spreadsheets by a process of its own, which may die: such a file comes from anywhere, and what reads it makes
 * much of little. One at a time.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ApiError } from '../../../shared/errors.ts';
import { deskLimits, spreadsheetLimits } from '../../../shared/limits.ts';
import type { Log } from '../../system/log.ts';
import { askWorker, inWorkFolder } from '../worker/ask-worker.ts';
import { howEnded, isBug, isLate, stopped, type TaskOutcome } from '../worker/task-faults.ts';
import { tookMemory, type ForkWorker } from '../worker/protocol.ts';
import type { SheetFacts } from './feed-spreadsheet.ts';

/** What the reader is made with. */
export interface SheetReaderOptions {
  readonly fork: ForkWorker;
  /** For a folder of its own; emptied when the program starts. */
  readonly workFolder: string;
  readonly log: Log;
  /** Milliseconds and bytes of the process. Default: spreadsheetLimits. */
  readonly limits?: { readonly time: number; readonly memory: number };
}

/** A sheet whose rows are still JSON. */
export interface SheetBytes extends SheetFacts {
  readonly rows: Uint8Array;
}

/** The refusal of a file that has ended its reader. */
export class ReaderEnded extends ApiError {
  constructor(reason: string) {
    super('feed_refused', { reason });
  }
}

/** See above. */
export class SheetReader {
  readonly #options: SheetReaderOptions;
  readonly #stop = new AbortController();
  /** Ends with the newest file. */
  #line: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(options: SheetReaderOptions) {
    this.#options = options;
  }

  /** @param sheet Its place, from 1. @throws ApiError `feed_refused`, {@link ReaderEnded}, `busy`. */
  async read(bytes: Uint8Array, sheet: number): Promise<SheetBytes> {
    if (this.#waiting >= deskLimits.waiting) throw new ApiError('busy');
    this.#waiting += 1;
    const result = this.#line.then(() => this.#readOne(bytes, sheet));
    this.#line = result.catch(() => undefined);
    return result.finally(() => (this.#waiting -= 1));
  }

  /** Ends what is being read. */
  close(): void {
    this.#stop.abort();
  }

  async #readOne(bytes: Uint8Array, sheet: number): Promise<SheetBytes> {
    const { fork, log, workFolder, limits = spreadsheetLimits } = this.#options;
    const folder = path.join(workFolder, `sheet-${randomUUID()}`);
    const [filePath, rowsPath] = [path.join(folder, 'table.xlsx'), path.join(folder, 'rows.json')];
    return inWorkFolder(folder, async () => {
      await mkdir(folder, { recursive: true });
      await writeFile(filePath, bytes);
      const input = { filePath, rowsPath, sheet };
      const { signal } = this.#stop;
      const answer = await askWorker({ fork, log }, 'read-sheet', input, { signal, limits });
      const facts = this.#factsOf(answer, limits);
      return { ...facts, rows: await readFile(rowsPath) };
    });
  }

  #factsOf(
    answer: TaskOutcome<'read-sheet'>,
    { time, memory }: { time: number; memory: number },
  ): SheetFacts {
    if (answer.kind === 'done') return answer.output;
    if (answer.kind === 'failed' && !isBug(answer))
      throw ApiError.of('feed_refused', answer.message);
    if (isLate(answer)) {
      throw new ReaderEnded(`reading it takes longer than ${time / 1_000} seconds`);
    }
    const how = answer.kind === 'failed' ? (answer.details ?? answer.message) : howEnded(answer);
    if (how === stopped) throw new ApiError('busy');
    this.#options.log('warning', 'feeds', `a spreadsheet ended its reader (${how})`);
    if (how === tookMemory) {
      throw new ReaderEnded(`reading it needs more than ${memory / 1_000_000} MB of memory`);
    }
    throw new ReaderEnded('it ends the program that reads spreadsheets; save it as CSV (UTF-8)');
  }
}
