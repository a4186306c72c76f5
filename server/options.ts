/** How a server is to run: given by the command line, the desktop shell, or a test. */
import type { FixedSetting } from '../shared/api.ts';
import type { Clock } from './clock.ts';
import type { DeskOptions } from './jobs/desk/desk.ts';
import type { ReadPower } from './jobs/power.ts';
import type { ForkWorker } from './jobs/worker/protocol.ts';
import type { WorkerTuning } from './jobs/worker/worker-client.ts';
import type { Log } from './log.ts';

/** How the server is to run. */
export interface ServerOptions {
  /** Of the API; 0 = any free one. When it is taken, the API stays off; with the port in `fixedSettings` the start fails. */
  readonly port: number;
  /** The address that the API listens at. Default `127.0.0.1`: this computer alone, which is then reached at `::1`, too. */
  readonly host?: string;
  /** Names beside its own that the API answers to. Default: none. */
  readonly allowedHosts?: readonly string[];
  /** Of the window; 0 = any free one. Absent: the same at each start, see window/address.ts. Taken, the start fails. */
  readonly windowPort?: number;
  /** Templates, renders, keys; made when missing. One program at a time. */
  readonly dataFolder: string;
  /** Finished files; made when missing. */
  readonly outputFolder: string;
  /** The project's key from now on. Absent: the stored one, or a new one at first. */
  readonly apiKey?: string;
  /** False answers any number of requests. */
  readonly rateLimit: boolean;
  /** The built window; absent: the listener of the window serves data only. */
  readonly windowFolder?: string;
  /** Sample templates for a new data folder, and their media. */
  readonly sampleFolder?: string;
  /** False: a new data folder begins without sample templates. Default true. */
  readonly bringSamples?: boolean;
  /** Folders beside the samples' that `file:` and relative sources may lie in. */
  readonly mediaFolders?: readonly string[];
  /** A chosen ffmpeg; absent: the worker finds one. */
  readonly ffmpegPath?: string;
  /** Whether media may come from, and webhooks go to, this computer and the local network. Default: see `addressRule` in choices.ts. */
  readonly allowPrivateAddresses?: boolean;
  /** Renders at the same time. Default 1. */
  readonly concurrency?: number;
  /** Which of the options above a person has named, so that stored settings don't replace them. Default: none. */
  readonly fixedSettings?: readonly FixedSetting[];
  /** Pauses between tries of a webhook, ms. Default: see shared/limits.ts. */
  readonly webhookPauses?: readonly number[];
  /** When workers are started again, and when ended. */
  readonly workers?: WorkerTuning;
  /** Of one call of a receiver, ms. Default: see shared/limits.ts. */
  readonly webhookTimeout?: number;
  /** Free bytes of the drive of a folder, null where that is not known. Default: as the system says. */
  readonly freeBytes?: (folder: string) => Promise<number | null>;
  /** Tells how the computer is powered. Default: as the system says. */
  readonly readPower?: ReadPower;
  /** What the program found wrong before the server's start, in sentences for the window's banner. Default: nothing. */
  readonly notices?: readonly string[];
  /** What the desk's threads may take. Default: see shared/limits.ts. */
  readonly desk?: DeskOptions;
  readonly forkWorker: ForkWorker;
  readonly log: Log;
  /** Default: the computer's clocks. */
  readonly clock?: Clock;
}
