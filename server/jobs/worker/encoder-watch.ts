/**
 * Whether the workers find ffmpeg: films wait while it is missing. They look for it at the start, before each film, and
 * when there is a reason to (a changed setting, a new render, a press on Try again); never on a timer.
 */
import type { FfmpegInUse, ServerState } from '../../../shared/api.ts';
import { workLimits } from '../../../shared/limits.ts';
import type { Log } from '../../system/log.ts';
import type { EngineSettings } from '../attempt.ts';
import type { WorkerClient } from './worker-client.ts';

/** What the watch works with. */
export interface EncoderWatchOptions {
  /** The path in it may change at any time. */
  readonly engine: Pick<EngineSettings, 'ffmpegPath'>;
  /** A worker to ask. */
  readonly worker: () => WorkerClient | undefined;
  readonly onChange: (isMissing: boolean) => void;
  readonly log: Log;
}

/** Knows whether films can be made. */
export class EncoderWatch {
  readonly #options: EncoderWatchOptions;
  /** Why it is missing; null if it was found, undefined before a worker has looked. */
  #missing: string | null | undefined;
  /** The one that was found. */
  #found: FfmpegInUse | undefined;
  /** The latest search, and the one that follows it. */
  #looking = Promise.resolve();
  #nextLook: Promise<void> | null = null;
  #closed = false;

  constructor(options: EncoderWatchOptions) {
    this.#options = options;
  }

  /** As the window is told. */
  get state(): Pick<ServerState, 'encoder' | 'encoderReason' | 'ffmpeg'> {
    if (this.#missing === undefined) return { encoder: 'unknown' };
    if (this.#missing === null)
      return { encoder: 'found', ...(this.#found && { ffmpeg: this.#found }) };
    // If none was named, the reason lists all the places searched.
    const isNamed = this.#options.engine.ffmpegPath !== undefined;
    return { encoder: 'missing', ...(isNamed && { encoderReason: this.#missing }) };
  }

  /** Asks a running worker. @returns false if it dies meanwhile; then nothing changes. */
  async find(client: WorkerClient): Promise<boolean> {
    const { engine } = this.#options;
    for (;;) {
      const { ffmpegPath } = engine;
      const answer = await client.findEncoder(ffmpegPath);
      if (!answer) return false;
      // The settings may name another one by now.
      if (ffmpegPath !== engine.ffmpegPath) continue;
      this.#take(answer.reason, answer.found);
      return true;
    }
  }

  /** A render found that it is missing. @param reason In words. */
  lose(reason: string): void {
    this.#take(reason);
  }

  /** Searches as soon as a worker can. Waits for a search under way, which may have missed the latest change. */
  look(): Promise<void> {
    this.#nextLook ??= this.#looking.then(() => {
      this.#nextLook = null;
      this.#looking = this.#look();
      return this.#looking;
    });
    return this.#nextLook;
  }

  async #look(): Promise<void> {
    // If workers keep dying of it, the renders will show that.
    for (let tries = 0; tries < workLimits.attempts && !this.#closed; tries++) {
      const client = this.#options.worker();
      await client?.prepare();
      if (client && (await this.find(client))) return;
    }
  }

  #take(reason: string | null, found?: FfmpegInUse): void {
    const isOther = JSON.stringify(found) !== JSON.stringify(this.#found);
    if (reason === this.#missing && !isOther) return;
    this.#found = found;
    const [wasMissing, isMissing] = [typeof this.#missing === 'string', reason !== null];
    this.#missing = reason;
    if (isMissing) this.#options.log('warning', 'queue', `films wait: ${reason}`);
    else if (wasMissing) this.#options.log('info', 'queue', 'the encoder is there, films go on');
    this.#options.onChange(isMissing);
  }

  close(): void {
    this.#closed = true;
  }
}
