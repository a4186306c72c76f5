/** Speech models in the window: fetched one at a time for all who wait, added as files of one's own, removed. */
import { mkdir, open, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import type { KeptSpeechModel } from '../../shared/api/speech.ts';
import { ApiError } from '../../shared/errors.ts';
import { speechModelLimits } from '../../shared/limits.ts';
import { speechModelNamed, speechModels } from '../../shared/speech-models.ts';
import { renameOver } from '../system/files.ts';
import { describeError, type Log } from '../system/log.ts';
import { fetchModel, ModelNotFetched } from '../system/speech-download.ts';
import { begunModels, keptModels, nameOfFile, removeModel } from '../system/speech-folder.ts';
import { receive, savingError } from './files/media-library.ts';

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
  /** Files that are being added. */
  readonly #arriving = new Set<string>();

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

  /** Those that are there, then those that were fetched in part. */
  list(): KeptSpeechModel[] {
    const { folder } = this.#options;
    const kept = keptModels(folder).map(({ name, bytes }) => ({ name, bytes, isWhole: true }));
    const begun = begunModels(folder).filter(({ name }) => kept.every((one) => one.name !== name));
    return [...kept, ...begun.map((one) => ({ ...one, isWhole: false }))];
  }

  /**
   * Adds a file of one's own. One whose content the table knows gets the name that it has there.
   *
   * @param file Its name, without a folder. What an earlier try has left of it is written over.
   * @throws ApiError `model_not_usable`, `model_too_large`, `cannot_save`, `incomplete_body`
   */
  async add(
    content: Readable,
    file: string,
  ): Promise<{ readonly model: KeptSpeechModel; readonly isNew: boolean }> {
    const { folder } = this.#options;
    const part = path.join(folder, `${file}.upload`);
    if (this.#arriving.has(file)) throw unusable(`${file} is being added already`);
    this.#arriving.add(file);
    try {
      await mkdir(folder, { recursive: true });
      const { id, bytes } = await receive(content, part, speechModelLimits.bytes, (most) => {
        return new ApiError('model_too_large', { limit: `${most / 1e9} GB` });
      });
      const row = speechModels.find(({ sha256 }) => sha256.startsWith(id));
      if (!row) await checkModel(part, file);
      const target = path.join(folder, row?.file ?? file);
      const isThere = (await stat(target).catch(() => null)) !== null;
      if (isThere && !row) throw unusable(`there is one called ${file}; remove it first`);
      if (!isThere) await renameOver(part, target);
      const model = this.list().find(({ name }) => name === (row?.name ?? nameOfFile(file)));
      if (!model) throw new Error(`unreachable: ${target} is there, and the list lacks it`);
      return { model: { ...model, bytes }, isNew: !isThere };
    } catch (error) {
      throw savingError(error);
    } finally {
      this.#arriving.delete(file);
      await rm(part, { force: true });
    }
  }

  /** Removes a model, and what was fetched of it. @throws ApiError `model_not_found` */
  remove(name: string): void {
    if (!removeModel(this.#options.folder, name)) throw new ApiError('model_not_found', { name });
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

function unusable(reason: string): ApiError {
  return new ApiError('model_not_usable', { reason });
}

/** How whisper.cpp's files begin, and how many pieces of words its models know: a few more or fewer. */
const [beginning, pieces] = ['lmgg', { least: 51_000, most: 53_000 }];

/** Looks at how a file begins: all else the library finds out. @throws ApiError `model_not_usable` */
async function checkModel(place: string, file: string): Promise<void> {
  if (speechModelNamed(file))
    throw unusable(`it is called ${file} and is another file; give it another name`);
  const head = Buffer.alloc(8);
  const opened = await open(place);
  try {
    await opened.read(head, 0, head.length, 0);
  } finally {
    await opened.close();
  }
  const count = head.readInt32LE(4);
  const isOne = head.toString('latin1', 0, 4) === beginning;
  if (!isOne || count < pieces.least || count > pieces.most)
    throw unusable('it is no model of whisper.cpp; expected a file in its ggml form');
}
