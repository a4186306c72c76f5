/**
 * Templates as one file, each alone or several as a kit, with their media and fonts: made and received. Routes of
 * window and API use it.
 */
import type { Writable } from 'node:stream';
import { ApiError } from '../../../shared/errors.ts';
import { shareLimits } from '../../../shared/limits.ts';
import { describeError, type Log } from '../../system/log.ts';
import {
  receiveShare,
  type Incoming,
  type ReaderContext,
  type Received,
  type Receiver,
} from './share-reader.ts';
import {
  planPacking,
  writeShare,
  type Packing,
  type SharedContent,
  type WriterContext,
} from './share-writer.ts';

/** For all projects. */
export class TemplateShares {
  readonly #context: ReaderContext & WriterContext;
  readonly #log: Log;
  /** The last of the archives that wait to be unpacked. */
  #turn: Promise<unknown> = Promise.resolve();
  #imports = 0;

  constructor({ log, ...context }: ReaderContext & WriterContext & { readonly log: Log }) {
    this.#context = context;
    this.#log = log;
  }

  /** What a file will contain. @throws ApiError `share_too_large`, `busy`. */
  plan(content: SharedContent): Promise<Packing> {
    return planPacking(content, this.#context);
  }

  /** Writes the file and ends the stream. @throws when a file can't be read or the receiver goes. */
  async write(packing: Packing, out: Writable): Promise<void> {
    try {
      await writeShare(packing, this.#context, out);
    } catch (error) {
      const text = `A template's file was not sent to its end: ${describeError(error)}`;
      this.#log('warning', 'templates', text);
      throw error;
    }
  }

  /**
   * Receives a file, adds its media to the library and has its templates stored.
   *
   * @param project Whose key sent it. Null: the window, and its media are for all projects.
   * @throws ApiError `share_refused`, `busy`, `cannot_save`, `incomplete_body`, `media_library_full`; and what the
   * receiver and `tooLarge` make.
   */
  async receive<Accepted, Stored>(
    content: Incoming,
    receiver: Receiver<Accepted, Stored>,
    project: string | null,
  ): Promise<Received<Stored>> {
    // Each may fill the drive with its file.
    if (this.#imports >= shareLimits.imports) throw new ApiError('busy');
    this.#imports += 1;
    try {
      return await receiveShare(content, receiver, { ...this.#context, project }, (work) =>
        this.#inTurn(work),
      );
    } finally {
      this.#imports -= 1;
    }
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }
}
