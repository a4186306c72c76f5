/** Phase 1: how much of a document's files has arrived, counted over all of them. Never goes down. */

/** How far fetching is. */
export interface FetchProgress {
  /** Files that are there and looked at, and files in all. */
  readonly files: number;
  readonly fileCount: number;
  /** Bytes that have arrived, those of files of this computer included. */
  readonly bytes: number;
  /** Bytes in all; null while the size of one of the files is not known. */
  readonly bytesTotal: number | null;
}

/** What is known of one file; `size` is null while its server has not said it. */
interface Arriving {
  readonly received: number;
  readonly size: number | null;
}

/** Counts files and bytes. */
export class FetchMeter {
  readonly #tell: (progress: FetchProgress) => void;
  readonly #arriving: Arriving[];
  #files = 0;
  /** Sums over all files: what has arrived, sizes as far as they are known, and how many are not. */
  #bytes = 0;
  #total = 0;
  #unknown: number;

  constructor(fileCount: number, tell: (progress: FetchProgress) => void) {
    this.#tell = tell;
    this.#arriving = Array.from({ length: fileCount }, () => ({ received: 0, size: null }));
    this.#unknown = fileCount;
    this.#update();
  }

  /** A part of a file has arrived. @param size of all of it; null when its server doesn't say */
  arrive(index: number, received: number, size: number | null): void {
    const before = this.#arriving[index];
    if (!before) return;
    // Another try begins anew, which is nobody's progress; and more than announced may come.
    const arrived = Math.max(before.received, received);
    const known = size ?? before.size;
    const whole = known === null ? null : Math.max(known, arrived);
    this.#arriving[index] = { received: arrived, size: whole };
    this.#bytes += arrived - before.received;
    this.#total += (whole ?? 0) - (before.size ?? 0);
    if (before.size === null && whole !== null) this.#unknown--;
    this.#update();
  }

  /** A file has arrived. @param size on the disk; counts where nothing else is known, as for copies */
  complete(index: number, size: number): void {
    const known = this.#arriving[index]?.size ?? size;
    this.arrive(index, known, known);
  }

  /** A file has been looked at. */
  finish(): void {
    this.#files++;
    this.#update();
  }

  #update(): void {
    this.#tell({
      files: this.#files,
      fileCount: this.#arriving.length,
      bytes: this.#bytes,
      bytesTotal: this.#unknown === 0 ? this.#total : null,
    });
  }
}
