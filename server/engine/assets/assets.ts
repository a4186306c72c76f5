/**
 * The result of the first phase: every file that the document names, local and probed. Made by fetch.ts and
 * probe.ts; fonts and decoding have their own files.
 */
import type { Problem } from '../../../shared/renderscript/source.ts';
import type { AddressRule } from '../../system/address-rule.ts';
import type { HiddenMedia } from '../../system/media-folders.ts';
import type { Voices } from './voices/voices.ts';
import type { MediaInfo } from '../../../shared/engine/media-info.ts';

/** One input file: named by the document, copied to this computer, with its facts. */
export interface MediaFile {
  /** The document's `source` value; the key in `Assets.media`. */
  readonly source: string;
  /** Absolute path of the local copy. */
  readonly path: string;
  readonly info: MediaInfo;
  /** Where the document names it first, for messages: the element's name and the place, e.g. `elements[2].source`. */
  readonly element?: string;
  readonly place?: string;
}

/** All inputs of a render. */
export interface Assets {
  /** By the `source` value of the document. */
  readonly media: ReadonlyMap<string, MediaFile>;
  /** Local copies of custom fonts, by the `source` value of the document's `fonts`. */
  readonly fonts?: ReadonlyMap<string, string>;
  /** The same of tables of colours, by `look_lut`. */
  readonly luts?: ReadonlyMap<string, string>;
  readonly warnings: readonly Problem[];
}

/** What loading needs besides the document. */
export interface AssetOptions extends AddressRule {
  /** Copies and downloads of this attempt. */
  readonly workFolder: string;
  /** Downloads kept between renders. */
  readonly cacheFolder: string;
  /** Bytes that they may take; absent: the usual limit. */
  readonly cacheLimit?: number | undefined;
  /** Folders that `file:` addresses and relative paths may lie in; for relative ones the first match wins. */
  readonly mediaFolders: readonly string[];
  /** See `findLocal`. */
  readonly hiddenMedia?: HiddenMedia | undefined;
  /** Who speaks texts, and whether for a preview; see `speak`. */
  readonly voices?: Voices | undefined;
  readonly isTrial?: boolean | undefined;
  readonly pictureMegapixels: number;
  readonly mediaBytes: number;
  readonly signal: AbortSignal;
  /** Called whenever something has arrived, which may be thousands of times. */
  readonly onProgress?: (progress: FetchProgress) => void;
  /** Called with the place of the file being read; null while it is several, or none. */
  readonly onElement?: (path: string | null) => void;
}

/** How far fetching is. */
interface FetchProgress {
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
