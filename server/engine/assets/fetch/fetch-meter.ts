/** Phase 1: how much of all the document's files has arrived. Never decreases. */

/** How far fetching is. */
export interface FetchProgress {
  /** Files fetched and examined, and the total. */
  readonly files: number;
  readonly fileCount: number;
  /** Bytes that have arrived, including files of this computer. */
  readonly bytes: number;
  /** Total bytes; null while the size of any file is unknown. */
  readonly bytesTotal: number | null;
}

/** One file's state; `size` is null until its server announces it. */
interface Arriving {
  readonly received: number;
  readonly size: number | null;
}

/** Counts files and bytes. */
export class FetchMeter {
  readonly #tell: (progress: FetchProgress) => void;
  readonly #arriving: Arriving[];
  #files = 0;
  /** Sums over all files: bytes that have arrived, known sizes, and the number of unknown ones. */
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
    // Another try starts from zero, which must not lower the progress; and more than announced may come.
    const arrived = Math.max(before.received, received);
    const known = size ?? before.size;
    const whole = known === null ? null : Math.max(known, arrived);
    this.#arriving[index] = { received: arrived, size: whole };
    this.#bytes += arrived - before.received;
    this.#total += (whole ?? 0) - (before.size ?? 0);
    if (before.size === null && whole !== null) this.#unknown--;
    this.#update();
  }

  /** A file has arrived. @param Size on the disk; used if no other is known, as for copies. */
  complete(index: number, size: number): void {
    const known = this.#arriving[index]?.size ?? size;
    this.arrive(index, known, known);
  }

  /** A file has been examined. */
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
