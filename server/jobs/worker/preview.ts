/**
 * The server's side of the process that draws previews: starts it with the first request for a picture, sends it one
 * question at a time, and ends it when it is no longer needed. The newest question wins: for each
 * client only the latest waits. Renders run in other processes; nothing here can disturb them.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { previewSide, type PreviewFacts } from '../../../shared/preview.ts';
import { contentOf, isSameContent, type JsonText } from '../../system/json-text.ts';
import type { Source } from '../../../shared/renderscript/source.ts';
import { describeError, type Log } from '../../system/log.ts';
import type { HiddenMedia } from '../../system/media-folders.ts';
import { handOver } from './engine-settings.ts';
import { isBug, OwnFaults, stopped, type TaskOutcome } from './task-faults.ts';
import type { ForkWorker } from './protocol.ts';
import type { TaskInput } from './tasks.ts';
import type { Overdue, VitalLimits } from './vitals.ts';
import { WorkerProcess } from './worker-process.ts';

/** A wanted picture. */
export interface PreviewQuestion {
  /** Who asks. */
  readonly client: string;
  /** Whose media library the document sees; null: all of it, for the window. */
  readonly project: string | null;
  readonly source: Source | JsonText;
  readonly hidden: readonly string[];
  /** Seconds. */
  readonly time: number;
  /** Longest side, pixels. Default 960. */
  readonly side?: number;
  /** True to also get what a page needs to draw the document itself. */
  readonly kit?: boolean;
}

/** The outcome; never a rejection. */
export type PreviewOutcome =
  | {
      readonly kind: 'drawn';
      /** A jpg or a png, in base64. */
      readonly picture: string;
      readonly facts: PreviewFacts;
      /** A `LiveKit` as text and the paths of the files that it lists; null if not wanted. */
      readonly kit?: { readonly text: string; readonly files: readonly string[] } | null;
    }
  | { readonly kind: 'superseded' }
  | { readonly kind: 'failed'; readonly message: string; readonly path?: string | undefined }
  | { readonly kind: 'restarting' | 'off'; readonly reason: string };

/** What the service is made with. */
export interface PreviewOptions {
  readonly fork: ForkWorker;
  /** Where media and downloads lie, and what may be read; as for renders. */
  readonly engine: Omit<
    TaskInput<'preview'>,
    'source' | 'hidden' | 'time' | 'side' | 'kit' | 'workFolder' | 'transcriber' | 'hiddenMedia'
  >;
  /** See AttemptContext. Default: nothing is hidden. */
  readonly hiddenMedia?: (project: string) => HiddenMedia;
  /** The current recogniser; read before every picture. */
  readonly transcriber?: () => Pick<TaskInput<'preview'>, 'transcriber'>;
  /** Pictures and media of this process; emptied when it starts. */
  readonly folder: string;
  readonly log: Log;
  /** Other limits of one picture than its row's; for tests. */
  readonly limits?: Partial<VitalLimits>;
  /** Milliseconds without a question before the process is ended. Default: 5 minutes. */
  readonly idle?: number;
  /** Pauses before automatic retries once it is off, ms. Default: see shared/limits.ts. */
  readonly restartPauses?: readonly number[];
}

/** Why a process was ended, as in "The preview engine stopped (…)". */
const previewReasons: Record<Overdue, string> = {
  silent: 'it gave no sign of life',
  stuck: 'it did not come to an end with one picture',
  frameless: 'it drew nothing',
  idle: 'it waited for too long',
  overtime: 'one picture took too long',
  memory: 'it took more of the computer’s memory than it may',
  deaf: 'a cancelled picture took too long',
};

/** Milliseconds without a question, before the process is ended. */
const usualIdle = 5 * 60_000;

interface Waiting {
  readonly question: PreviewQuestion;
  readonly answer: (outcome: PreviewOutcome) => void;
}

interface Running {
  readonly question: PreviewQuestion;
  replaced: boolean;
}

/** Pictures of documents, one at a time. */
export class PreviewService {
  readonly #options: PreviewOptions;
  #process: WorkerProcess | null = null;
  /** Resolves with a process that is ready; null: none was started, or it has ended. */
  #starting: Promise<WorkerProcess> | null = null;
  #running: Running | null = null;
  /** The newest question of each client, in order of arrival. */
  readonly #waiting = new Map<string, Waiting>();
  /** Failed starts; crashes caused by a document don't count. */
  readonly #faults: OwnFaults;
  /** Why the last start failed. */
  #fault = '';
  #closed = false;
  #busy = false;
  #idle: NodeJS.Timeout | undefined;

  constructor(options: PreviewOptions) {
    this.#options = options;
    this.#faults = new OwnFaults(options.restartPauses);
  }

  /** Process id, for tests and reports. */
  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** Asks for a picture. */
  draw(question: PreviewQuestion): Promise<PreviewOutcome> {
    const { areEnough, nextTryAt } = this.#faults;
    // While it is off, the first question after a pause tries again.
    if (areEnough && Date.now() < (nextTryAt ?? 0)) {
      return Promise.resolve({ kind: 'off', reason: this.#fault });
    }
    const { client } = question;
    this.#waiting.get(client)?.answer(superseded);
    const running = this.#running;
    // Another moment of the same document does not cancel it: otherwise dragging would never show a picture.
    if (running?.question.client === client && !isSameDocument(running.question, question)) {
      running.replaced = true;
      this.#process?.cancel();
    }
    return new Promise((answer) => {
      this.#waiting.set(client, { question, answer });
      void this.#work();
    });
  }

  /**
   * Starts the process before an expected question, and has it draw once: the first picture of all loads fonts and
   * code. Without a question the process ends by itself.
   */
  wake(): void {
    const isStarted = this.#starting !== null && this.#process?.isEnded !== true;
    if (this.#closed || this.#busy || isStarted || this.#faults.areEnough) return;
    this.#ready().then(
      // Whoever was faster draws the first picture.
      () => {
        if (!this.#busy)
          void this.draw({ client: '', project: null, source: firstDocument, hidden: [], time: 0 });
      },
      // The next question will find out and report it.
      () => (this.#starting = null),
    );
  }

  /** Tries again after the process gave up. */
  restart(): void {
    this.#faults.forget();
  }

  /** Ends the process; open questions are answered. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#idle);
    this.#process?.end('The program is closing');
    this.#answerAll({ kind: 'restarting', reason: 'The program is closing' });
  }

  async #work(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    clearTimeout(this.#idle);
    for (let next = this.#take(); next && !this.#closed; next = this.#take()) {
      let process: WorkerProcess;
      try {
        process = await this.#ready();
      } catch (error) {
        this.#starting = null;
        next.answer(this.#failedStart(error));
        continue;
      }
      try {
        await this.#ask(process, next);
      } catch (error) {
        // Our bug: tell the client, then ask the next question.
        this.#options.log('error', 'preview', describeError(error));
        next.answer({ kind: 'failed', message: 'Something went wrong. The log has the details.' });
      }
    }
    this.#busy = false;
    this.#rest();
  }

  /** Ends the process unless a question comes in time. */
  #rest(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.#process?.end(), this.#options.idle ?? usualIdle);
    this.#idle.unref();
  }

  #take(): Waiting | undefined {
    for (const [client, waiting] of this.#waiting) {
      this.#waiting.delete(client);
      return waiting;
    }
    return undefined;
  }

  /** Sends one question and waits for the outcome. */
  async #ask(process: WorkerProcess, { question, answer }: Waiting): Promise<void> {
    const { folder, engine, hiddenMedia, transcriber, limits = {} } = this.#options;
    const source = await handOver(question.source, path.join(folder, `${randomUUID()}.json`));
    const running: Running = { question, replaced: false };
    this.#running = running;
    const { hidden, time, side = previewSide, kit = false, project } = question;
    const input = {
      source,
      hidden: [...hidden],
      time,
      side,
      kit,
      ...engine,
      ...(hiddenMedia && project !== null && { hiddenMedia: hiddenMedia(project) }),
      ...transcriber?.(),
      workFolder: path.join(folder, 'media'),
    };
    const outcome = this.#outcomeOf(process, await process.ask('preview', input, { limits }));
    this.#running = null;
    answer(running.replaced ? superseded : outcome);
    if (typeof source === 'string') return;
    // The next start of the process empties the folder anyway.
    await rm(source.file, { force: true }).catch((error: unknown) => {
      this.#options.log('warning', 'preview', `a document stays: ${describeError(error)}`);
    });
  }

  /** A process that has not ended, started if there is none. */
  #ready(): Promise<WorkerProcess> {
    if (this.#process?.isEnded) this.#starting = null;
    return (this.#starting ??= this.#start());
  }

  /** Starts a process; settles with its first message. */
  async #start(): Promise<WorkerProcess> {
    const { folder, fork, log } = this.#options;
    this.#process = null;
    // What can't be removed is harmless: names are never used twice.
    await rm(folder, { recursive: true, force: true }).catch((error: unknown) => {
      log('warning', 'preview', `old pictures stay: ${describeError(error)}`);
    });
    await mkdir(path.join(folder, 'media'), { recursive: true });
    this.#process = new WorkerProcess({
      fork,
      log,
      called: 'the preview engine',
      onEvent: (event) => {
        if (event.type === 'log' && this.#running) log(event.level, 'preview', event.text);
      },
    });
    await this.#process.ready;
    this.#faults.forget();
    return this.#process;
  }

  /** What a question's answer means. */
  #outcomeOf(process: WorkerProcess, drawn: TaskOutcome<'preview'>): PreviewOutcome {
    const { log } = this.#options;
    if (drawn.kind === 'done') return { kind: 'drawn', ...drawn.output };
    if (drawn.kind === 'failed') {
      const { message, path, details, spoilt } = drawn;
      if (isBug(drawn) && details !== undefined) log('error', 'preview', details);
      if (spoilt) process.end();
      return { kind: 'failed', message, path };
    }
    const how = drawn.kind === 'ended' ? drawn.how : previewReasons[drawn.why];
    if (how === stopped) return { kind: 'restarting', reason: 'The preview engine stopped' };
    log('warning', 'preview', `the process ended: ${how}`);
    return { kind: 'restarting', reason: `The preview engine stopped (${how})` };
  }

  #failedStart(error: unknown): PreviewOutcome {
    this.#fault = error instanceof Error ? error.message : String(error);
    this.#options.log('error', 'preview', `can't be started: ${describeError(error)}`);
    this.#faults.add(Date.now());
    return { kind: this.#faults.areEnough ? 'off' : 'restarting', reason: this.#fault };
  }

  #answerAll(outcome: PreviewOutcome): void {
    for (const { answer } of this.#waiting.values()) answer(outcome);
    this.#waiting.clear();
  }
}

/** Uses what most documents do. Nobody sees its picture. */
const firstDocument: Source = {
  output_format: 'mp4',
  width: 64,
  height: 64,
  duration: 1,
  elements: [
    { type: 'shape', width: '50%', height: '50%', fill_color: '#808080' },
    { type: 'text', text: 'First', animations: [{ type: 'fade', duration: 0.5 }] },
  ],
};

const superseded: PreviewOutcome = { kind: 'superseded' };

function isSameDocument(a: PreviewQuestion, b: PreviewQuestion): boolean {
  return (
    a.project === b.project &&
    a.side === b.side &&
    isSameContent(contentOf(a.source), contentOf(b.source)) &&
    JSON.stringify(a.hidden) === JSON.stringify(b.hidden)
  );
}
