/** How a server is to run: given by the command line, the desktop shell, or a test. */
import type { FixedSetting } from '../shared/api.ts';
import type { Clock } from './system/clock.ts';
import type { HeldPorts } from './api/listener/held-ports.ts';
import type { DeskOptions } from './jobs/desk/desk.ts';
import type { ReadPower } from './jobs/power.ts';
import type { ForkWorker } from './jobs/worker/protocol.ts';
import type { WorkerTuning } from './jobs/worker/vitals.ts';
import type { Served } from './api/listener/listen.ts';
import type { Log } from './system/log.ts';

/** How the server is to run. */
export interface ServerOptions {
  /** Ports that stay open while a server is closed and opened again. Default: none. */
  readonly held?: HeldPorts<Served> | undefined;
  /**
   * Port of the API; 0 = any free one. If it is taken, the API stays off; with `port` in `fixedSettings` the start
   * fails.
   */
  readonly port: number;
  /** The address that the API listens at. Default `127.0.0.1`: this computer alone, then also at `::1`. */
  readonly host?: string;
  /** Extra names that the API answers to. Default: none. */
  readonly allowedHosts?: readonly string[];
  /**
   * The address that all links begin with, without a slash at its end: that of a proxy, perhaps with a path that the
   * proxy takes away. The API answers to its name. Default: the address that a request used.
   */
  readonly publicUrl?: string;
  /** Reads `X-Forwarded-Host` and `X-Forwarded-Proto`: only behind a proxy that sets both itself. Default false. */
  readonly trustProxy?: boolean;
  /**
   * Port of the window; 0 = any free one. Absent: the same at each start, see window/address.ts. If it is taken, the
   * start fails.
   */
  readonly windowPort?: number | undefined;
  /** Templates, renders, keys; made when missing. One program at a time. */
  readonly dataFolder: string;
  /** `postgres://…`: the database with the records of the data folder. Default: they are in files there. */
  readonly database?: string;
  /** A folder or `s3://bucket/folder?…`: where finished files go. Default, or empty: they stay in the output folder. */
  readonly storage?: string;
  /**
   * The folder that all servers and workers of the database share: documents, media and fonts. Then any number of
   * servers may use the database, and the data folder has what belongs to this one. Default: the data folder has all,
   * and one server uses it.
   */
  readonly shared?: string;
  /** With `shared`: false leaves the renders to workers elsewhere. Default true. */
  readonly works?: boolean;
  /**
   * With `shared`: about how many renders of a project may run at the same time, over all workers. Default: any number.
   */
  readonly perProject?: number;
  /** Finished files; made when missing. */
  readonly outputFolder: string;
  /** The project's key from now on. Absent: the stored one, or a new one at the first start. */
  readonly apiKey?: string;
  /**
   * What webhooks of the first project are signed with from now on, `whsec_…`. Absent: the stored secret, or a new one.
   */
  readonly webhookSecret?: string;
  /** False: any number of requests is answered. */
  readonly rateLimit: boolean;
  /** The built window; absent: the window's listener serves data only. */
  readonly windowFolder?: string;
  /** Sample templates for a new data folder, and their media. */
  readonly sampleFolder?: string;
  /** False: a new data folder starts without sample templates. Default true. */
  readonly bringSamples?: boolean;
  /** Further folders that `file:` and relative sources may lie in, beside the samples' own. */
  readonly mediaFolders?: readonly string[];
  /** A chosen ffmpeg; absent: the worker finds one. */
  readonly ffmpegPath?: string;
  /**
   * Whether media may come from this computer and the local network, and webhooks may go there. Default: see
   * `addressRule` in choices.ts.
   */
  readonly allowPrivateAddresses?: boolean;
  /** Renders at the same time. Default 1. */
  readonly concurrency?: number;
  /** No side of a file gets longer than this, in pixels; for tests that need files fast. Default: no limit. */
  readonly largestSide?: number;
  /** Which of the options above the user has named, so that stored settings don't replace them. Default: none. */
  readonly fixedSettings?: readonly FixedSetting[];
  /** Pauses between tries of a webhook, ms. Default: see shared/limits.ts. */
  readonly webhookPauses?: readonly number[];
  /** Between two looks at the files that feeds follow, ms. Default: 2,000. */
  readonly feedPause?: number;
  /** When workers are restarted and ended. */
  readonly workers?: WorkerTuning;
  /** Limit for one call of a receiver, ms. Default: see shared/limits.ts. */
  readonly webhookTimeout?: number;
  /** Free bytes on a folder's drive, null if unknown. Default: asks the system. */
  readonly freeBytes?: (folder: string) => Promise<number | null>;
  /** How the computer is powered. Default: asks the system. */
  readonly readPower?: ReadPower;
  /**
   * Ends the server and starts it again with the same options, because a backup is to be put back. Default: it does
   * not, and the next start does it.
   */
  readonly restart?: () => void;
  /** Problems found before the server's start, in sentences for the window's banner. Default: none. */
  readonly notices?: readonly string[];
  /** Limits of the desk's threads. Default: see shared/limits.ts. */
  readonly desk?: DeskOptions;
  readonly forkWorker: ForkWorker;
  readonly log: Log;
  /** Default: the computer's clocks. */
  readonly clock?: Clock;
}
