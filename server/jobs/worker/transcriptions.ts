/**
 * Transcribing for the editor: one recording at a time, each by a worker process of its own that ends when nobody waits
 * any more. The words are kept where renders keep theirs.
 */
import type { TranscriptFailure } from '../../../shared/api/preview.ts';
import { describeError, type Log } from '../../system/log.ts';
import { askWorker, inWorkFolder } from './ask-worker.ts';
import type { ForkWorker } from './protocol.ts';
import { explain, isBug, isLate, stopped, type TaskFault } from './task-faults.ts';
import type { TaskInput, TaskOutput } from './tasks.ts';

/** What became of it; never a rejection. */
export type TranscriptionOutcome =
  | ({ readonly kind: 'made' } & TaskOutput<'transcribe'>)
  | {
      readonly kind: 'failed';
      readonly why: TranscriptFailure['why'];
      readonly message: string;
    }
  /** No recogniser is set up. */
  | { readonly kind: 'none' };

type Input = TaskInput<'transcribe'>;
type Named = Extract<Input['recording'], { source: string }>;

/** A file that is there, or one as documents of a project name it, with what is known of it. */
export type Recording =
  | { readonly filePath: string }
  | {
      readonly source: string;
      readonly project: string;
      readonly language?: string | undefined;
      readonly words?: string | undefined;
    };

/** What the service is made with. */
export interface TranscriptionOptions {
  readonly fork: ForkWorker;
  readonly engine: Pick<Input, 'ffmpegPath' | 'cacheFolder'> &
    Omit<Named, 'source' | 'hiddenMedia'>;
  /** Files that documents of a project must not see. */
  readonly hiddenMedia: (project: string) => Named['hiddenMedia'];
  /** The recogniser that is chosen now. */
  readonly transcriber: () => Partial<Pick<Input, 'transcriber'>>;
  /** Only this service writes here, for one recording at a time. */
  readonly folder: string;
  readonly log: Log;
  /** How long one recording may take, in ms. Default: 12 hours. */
  readonly longest?: number;
}

const gone = failed('fault', 'Nobody waits for it any more');

function whyOf(fault: TaskFault): TranscriptFailure['why'] {
  if (fault.kind === 'failed') return isBug(fault) ? 'fault' : 'recogniser';
  return isLate(fault) ? 'late' : 'crash';
}

function failed(why: TranscriptFailure['why'], message: string): TranscriptionOutcome {
  return { kind: 'failed', why, message };
}

/** Transcriptions, one after the other. */
export class TranscriptionService {
  readonly #options: TranscriptionOptions;
  readonly #life = new AbortController();
  /** Ends with the newest piece of work. */
  #line: Promise<unknown> = Promise.resolve();

  constructor(options: TranscriptionOptions) {
    this.#options = options;
  }

  /**
   * Sees to it that the words of a recording are known.
   *
   * @param signal Who asked does not wait any more.
   * @param onProgress told the share that is done, 0–1
   */
  make(
    recording: Recording,
    signal: AbortSignal,
    onProgress: (share: number) => void,
  ): Promise<TranscriptionOutcome> {
    const either = AbortSignal.any([signal, this.#life.signal]);
    const outcome = this.#line.then(() => this.#run(recording, either, onProgress));
    this.#line = outcome;
    return outcome;
  }

  /** Ends what is being made. */
  close(): void {
    this.#life.abort();
  }

  /** As the worker is told of it. */
  #named(recording: Recording): Input['recording'] {
    if ('filePath' in recording) return recording;
    const { engine, hiddenMedia } = this.#options;
    const { mediaFolders, allowPrivateAddresses, ownPorts, limits, cacheLimit } = engine;
    const { source, project } = recording;
    const named: Named = { source, mediaFolders, allowPrivateAddresses, ownPorts, limits };
    const hidden = hiddenMedia(project);
    if (hidden) named.hiddenMedia = hidden;
    if (cacheLimit !== undefined) named.cacheLimit = cacheLimit;
    return named;
  }

  async #run(
    recording: Recording,
    signal: AbortSignal,
    onProgress: (share: number) => void,
  ): Promise<TranscriptionOutcome> {
    if (signal.aborted) return gone;
    const { fork, engine, folder: workFolder, log, longest } = this.#options;
    const { transcriber: chosen } = this.#options.transcriber();
    if (!chosen) return { kind: 'none' };
    const { cacheFolder, ffmpegPath } = engine;
    try {
      const transcriber = withHints(chosen, recording);
      const input = {
        ...{ cacheFolder, workFolder, transcriber, ffmpegPath },
        recording: this.#named(recording),
      };
      const limits = longest === undefined ? {} : { time: longest };
      const options = { signal, onProgress, limits };
      const answer = await inWorkFolder(workFolder, () =>
        askWorker({ fork, log }, 'transcribe', input, options),
      );
      if (answer.kind === 'done') return { kind: 'made', ...answer.output };
      if (answer.kind === 'ended' && answer.how === stopped) return gone;
      return failed(whyOf(answer), explain('transcribe', answer, log));
    } catch (error) {
      log('error', 'transcribe', describeError(error));
      return failed('fault', 'Something went wrong. The log has the details.');
    }
  }
}

/** What is known of this recording comes before what the settings say of all. */
function withHints(chosen: Input['transcriber'], recording: Recording): Input['transcriber'] {
  if ('filePath' in recording) return chosen;
  const { language, words } = recording;
  const hinted = { ...chosen };
  if (language !== undefined) hinted.language = language;
  if (words !== undefined) hinted.words = words;
  return hinted;
}
