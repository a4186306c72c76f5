/**
 * What the first phase gives to the others: every file that the document names, local and probed.
 * The functions that make it are collect.ts, fetch.ts, probe.ts; fonts and decoding have files of their own.
 */
import type { Problem } from '../../../shared/renderscript/source.ts';
import type { AddressRule } from '../../system/address-rule.ts';
import type { FetchProgress } from './fetch/fetch-meter.ts';
import type { MediaInfo } from '../../../shared/engine/media-info.ts';

/** One input file: named by the document, lying on this computer, its facts known. */
export interface MediaFile {
  /** The `source` value as the document has it; the key in `Assets.media`. */
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
  readonly warnings: readonly Problem[];
}

/** What loading needs to know besides the document. */
export interface AssetOptions extends AddressRule {
  /** Copies and downloads of this attempt. */
  readonly workFolder: string;
  /** Downloads kept between renders. */
  readonly cacheFolder: string;
  /** Folders that `file:` addresses and relative paths may lie in, first match wins for relative ones. */
  readonly mediaFolders: readonly string[];
  readonly pictureMegapixels: number;
  readonly mediaBytes: number;
  readonly signal: AbortSignal;
  /** Called whenever something has arrived, which may be thousands of times. */
  readonly onProgress?: (progress: FetchProgress) => void;
  /** The place of the one file that is being read; null while several are, or none. */
  readonly onElement?: (path: string | null) => void;
}
