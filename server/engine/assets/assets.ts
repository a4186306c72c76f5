/**
 * The result of the first phase: every file that the document names, local and probed. Made by fetch.ts and
 * probe.ts; fonts and decoding have their own files.
 */
import type { Problem } from '../../../shared/renderscript/source.ts';
import type { AddressRule } from '../../system/address-rule.ts';
import type { HiddenMedia } from '../../system/media-folders.ts';
import type { FetchProgress } from './fetch/fetch-meter.ts';
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
  readonly pictureMegapixels: number;
  readonly mediaBytes: number;
  readonly signal: AbortSignal;
  /** Called whenever something has arrived, which may be thousands of times. */
  readonly onProgress?: (progress: FetchProgress) => void;
  /** Called with the place of the file being read; null while it is several, or none. */
  readonly onElement?: (path: string | null) => void;
}
