/** Speech models that a person has asked for in the window: fetched one at a time, for all who wait. */
import { speechModelNamed } from '../../shared/speech-models.ts';
import { describeError, type Log } from '../system/log.ts';
import { fetchModel, ModelNotFetched } from '../system/speech-download.ts';

/** What became of it; never a rejection. */
export type FetchedModel =
  { readonly kind: 'ready' } | { readonly kind: 'failed'; readonly message: string };

/** What the service is made with. */
export interface SpeechModelOptions {
  /** The folder of models. */
  readonly folder: string;
  /** In place of the publisher, as chosen now; null = from there. */
  readonly mirror: () => string | null;
  readonly log: Log;
}

/** See above. */
export class SpeechModelService {
  readonly #options: SpeechModelOptions;
  readonly #life = new AbortController();
  /** Ends with the newest order. */
  #line: Promise<unknown> = Promise.resolve();

  constructor(options: SpeechModelOptions) {
    this.#options = options;
  }

  /**
   * Fetches a model, unless it is there.
   *
   * @param signal Who asked does not wait any more: what has arrived stays for the next time.
   * @param onProgress told the share that is there, 0–1
   */
  fetch(
    name: string,
    signal: AbortSignal,
    onProgress: (share: number) => void,
  ): Promise<FetchedModel> {
    const either = AbortSignal.any([signal, this.#life.signal]);
    const outcome = this.#line.then(() => this.#run(name, either, onProgress));
    this.#line = outcome;
    return outcome;
  }

  /** Ends what is being fetched. */
  close(): void {
    this.#life.abort();
  }

  async #run(
    name: string,
    signal: AbortSignal,
    onProgress: (share: number) => void,
  ): Promise<FetchedModel> {
    const { folder, mirror, log } = this.#options;
    const model = speechModelNamed(name);
    if (!model) return { kind: 'failed', message: `There is no model '${name}'.` };
    let told = -1;
    try {
      signal.throwIfAborted();
      await fetchModel(model, {
        ...{ folder, mirror: mirror(), signal },
        onProgress(bytes) {
          // Chunks are small and many.
          const percent = Math.floor((100 * bytes) / model.bytes);
          if (percent === told) return;
          told = percent;
          onProgress(percent / 100);
        },
      });
      return { kind: 'ready' };
    } catch (error) {
      if (signal.aborted) return { kind: 'failed', message: 'Nobody waits for it any more' };
      if (error instanceof ModelNotFetched) return { kind: 'failed', message: error.message };
      log('error', 'models', describeError(error));
      const message = 'Something went wrong. The log has the details.';
      return { kind: 'failed', message };
    }
  }
}
