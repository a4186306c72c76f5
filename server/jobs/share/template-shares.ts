/** Templates as one file each, with their media and fonts: made and received. Routes of window and API use it. */
import type { Readable, Writable } from 'node:stream';
import { ApiError } from '../../../shared/errors.ts';
import { shareLimits } from '../../../shared/limits.ts';
import { receiveShare, type ReaderContext, type ReceivedShare } from './share-reader.ts';
import {
  planPacking,
  writeShare,
  type Packing,
  type SharedTemplate,
  type WriterContext,
} from './share-writer.ts';

/** For all projects. */
export class TemplateShares {
  readonly #context: ReaderContext & WriterContext;
  /** The last of the archives that wait to be unpacked. */
  #turn: Promise<unknown> = Promise.resolve();
  #imports = 0;

  constructor(context: ReaderContext & WriterContext) {
    this.#context = context;
  }

  /** What a template's file will contain. @throws ApiError `share_too_large`, `busy`. */
  plan(template: SharedTemplate): Promise<Packing> {
    return planPacking(template, this.#context);
  }

  /** Writes the file and ends the stream. @throws when a file can't be read or the receiver goes. */
  write(packing: Packing, out: Writable): Promise<void> {
    return writeShare(packing, this.#context, out);
  }

  /**
   * Receives a file and adds its media to the library.
   *
   * @returns the template's values for the caller to check and to store. @throws ApiError `share_refused`, `busy`,
   * `cannot_save`, `incomplete_body`, `media_library_full`.
   */
  async receive(content: Readable): Promise<ReceivedShare> {
    // Each may fill the drive with its file.
    if (this.#imports >= shareLimits.imports) throw new ApiError('busy');
    this.#imports += 1;
    try {
      return await receiveShare(content, this.#context, (work) => this.#inTurn(work));
    } finally {
      this.#imports -= 1;
    }
  }

  #inTurn(work: () => Promise<ReceivedShare>): Promise<ReceivedShare> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }
}
