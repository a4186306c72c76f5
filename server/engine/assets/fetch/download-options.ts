/** Phase 1: what a download may do, and how long it may wait. */
import type { AddressRule } from '../../../system/address-rule.ts';
import type { ResolveName } from '../../../system/connect.ts';

/** How long to wait, in milliseconds. */
export interface DownloadTimes {
  /** Until the connection is open. */
  readonly connect: number;
  /** From then until the answer begins. */
  readonly firstByte: number;
  /** Between two pieces of the answer. */
  readonly silence: number;
  /** For one try as a whole. */
  readonly whole: number;
  /** Before the second try, the third, …; their number limits the tries. */
  readonly pauses: readonly number[];
  /** Longest pause that a server may ask for. */
  readonly longestPause: number;
}

/** The times for renders; tests wait less. */
export const usualTimes: DownloadTimes = {
  connect: 10_000,
  firstByte: 30_000,
  silence: 30_000,
  whole: 600_000,
  pauses: [1_000, 4_000],
  longestPause: 60_000,
};

/** What a download may do. */
export interface DownloadOptions extends AddressRule {
  /** Largest file, bytes, counted while reading and after decompression. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  readonly times?: DownloadTimes;
  /** Another resolver, for tests. */
  readonly resolve?: ResolveName;
  /** Called while the file arrives: bytes of this try so far, and the total if the server announces it (compressed). */
  readonly onBytes?: (received: number, announced: number | null) => void;
  /** The validators of an earlier copy; the server may then answer that it is unchanged. */
  readonly validators?: Validators;
}

/** Marks of a file's version, as given by its server. */
export interface Validators {
  readonly etag?: string;
  readonly lastModified?: string;
}
