/** Which encoders of hardware work here, for the settings: a worker process of its own tries them, one at a time. */
import path from 'node:path';
import type { HardwareTrial } from '../../../shared/api.ts';
import { ApiError } from '../../../shared/errors.ts';
import type { HardwareFamily } from '../../../shared/hardware.ts';
import type { Log } from '../../system/log.ts';
import { askWorker, inWorkFolder } from './ask-worker.ts';
import type { ForkWorker } from './protocol.ts';
import { explain } from './task-faults.ts';
import type { TaskInput } from './tasks.ts';

/** What the service is made with. */
export interface EncoderTrialOptions {
  readonly fork: ForkWorker;
  /** Which ffmpeg, and where trials are remembered: renders look there. Read for each trial. */
  readonly engine: Pick<TaskInput<'try-hardware'>, 'ffmpegPath' | 'cacheFolder'>;
  /** Only this service writes here. */
  readonly folder: string;
  readonly log: Log;
}

/** See above. */
export class EncoderTrials {
  readonly #options: EncoderTrialOptions;
  readonly #life = new AbortController();
  /** Resolves with the newest trial. */
  #line: Promise<unknown> = Promise.resolve();

  constructor(options: EncoderTrialOptions) {
    this.#options = options;
  }

  /**
   * What came of the trials of a family, or of all that ffmpeg lists.
   *
   * @param again Tries what is known, too. @throws ApiError `ffmpeg_unusable`
   */
  find(family: HardwareFamily | null, again: boolean): Promise<readonly HardwareTrial[]> {
    const answer = this.#line.then(() => this.#ask(family, again));
    this.#line = answer.catch(() => undefined);
    return answer;
  }

  /** Ends what is being tried. */
  close(): void {
    this.#life.abort();
  }

  async #ask(family: HardwareFamily | null, again: boolean): Promise<readonly HardwareTrial[]> {
    const { fork, log, engine, folder } = this.#options;
    const { ffmpegPath, cacheFolder } = engine;
    const workFolder = path.join(folder, 'work');
    const input = { family, again, workFolder, cacheFolder, ffmpegPath };
    return inWorkFolder(workFolder, async () => {
      const answer = await askWorker({ fork, log }, 'try-hardware', input, {
        signal: this.#life.signal,
      });
      if (answer.kind === 'done') return answer.output.found;
      const reason = explain('try-hardware', answer, log).replace(/\.$/, '');
      throw new ApiError('ffmpeg_unusable', { reason });
    });
  }
}
