/**
 * The server's side of the process that draws previews: starts it with the first request for a picture, sends it one
 * question at a time, and ends it when it falls silent or is no longer needed. The newest question wins: for each
 * client only the latest waits. Renders run in other processes; nothing here can disturb them.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { workLimits } from '../../../shared/limits.ts';
import { previewSide, type PreviewFacts } from '../../../shared/preview.ts';
import { contentOf, isSameContent, type JsonText } from '../../system/json-text.ts';
import type { Source } from '../../../shared/renderscript/source.ts';
import { describeError, type Log } from '../../system/log.ts';
import type { HiddenMedia } from '../../system/media-folders.ts';
import { handOver } from './sent-document.ts';
import { OwnFaults } from './own-faults.ts';
import type { ForkWorker } from './protocol.ts';
import { isBug, type TaskOutcome } from './task-faults.ts';
import type { TaskInput } from './tasks.ts';
import { memoryLimit, Vitals, type Overdue } from './vitals.ts';
import { WorkerProcess, type WorkEvent } from './worker-process.ts';

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
  /** Milliseconds; tests shorten them. */
  readonly times?: Partial<typeof previewTimes>;
  /** Bytes of memory that the process may take. Default: `memoryLimit()` of vitals.ts. */
  readonly memoryLimit?: number;
  /** Pauses before automatic retries once it is off, ms. Default: see shared/limits.ts. */
  readonly restartPauses?: readonly number[];
}

/** Milliseconds. */
const previewTimes = {
  /** Without any message while a picture is worked on. */
  silence: 15_000,
  /** Computed in one step of a picture. */
  step: workLimits.previewStep,
  /** One picture with all its media. */
  picture: 120_000,
  /** Without a question, before the process is ended. */
  idle: 5 * 60_000,
  /** Between two checks of a working process. */
  watch: 500,
};

/** Why a process was ended, as in "The preview engine stopped (…)". */
const previewReasons: Record<Overdue, string> = {
  silent: 'it gave no sign of life',
  stuck: 'it did not come to an end with one picture',
  frameless: 'it drew nothing',
  idle: 'it waited for too long',
  overtime: 'one picture took too long',
  memory: 'it took more of the computer’s memory than it may',
};

interface Waiting {
  readonly question: PreviewQuestion;
  readonly answer: (outcome: PreviewOutcome) => void;
}

interface Running extends Waiting {
  readonly vitals: Vitals;
  replaced: boolean;
}

/** Pictures of documents, one at a time. */
export class PreviewService {
  readonly #options: PreviewOptions;
  readonly #times: typeof previewTimes;
  #process: WorkerProcess | null = null;
  #starting: Promise<void> | null = null;
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
    this.#times = { ...previewTimes, ...options.times };
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
      this.#process?.send({ type: 'cancel' });
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
    if (this.#closed || this.#busy || this.#starting || this.#faults.areEnough) return;
    this.#starting = this.#start();
    this.#starting.then(
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
    this.#endProcess('The program is closing');
    this.#answerAll({ kind: 'restarting', reason: 'The program is closing' });
  }

  async #work(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    clearTimeout(this.#idle);
    for (let next = this.#take(); next && !this.#closed; next = this.#take()) {
      try {
        this.#starting ??= this.#start();
        await this.#starting;
      } catch (error) {
        this.#starting = null;
        next.answer(this.#failedStart(error));
        continue;
      }
      try {
        await this.#ask(next);
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
    this.#idle = setTimeout(() => this.#endProcess(''), this.#times.idle);
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
  async #ask({ question, answer }: Waiting): Promise<void> {
    const process = this.#process;
    if (!process) {
      answer({ kind: 'restarting', reason: 'The preview engine stopped' });
      return;
    }
    const { folder, engine, hiddenMedia, transcriber } = this.#options;
    const source = await handOver(question.source, path.join(folder, `${randomUUID()}.json`));
    const outcome = await new Promise<PreviewOutcome>((resolve) => {
      const { silence, step, picture } = this.#times;
      const memory = this.#options.memoryLimit ?? memoryLimit();
      const limits = { silence, step, frameless: Infinity, idle: Infinity, time: picture, memory };
      const vitals = new Vitals(performance.now(), limits);
      this.#running = { question, vitals, replaced: false, answer: resolve };
      this.#watch(this.#running);
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
      const onSign = (): void => vitals.hear(performance.now());
      void process
        .ask('preview', input, { onSign })
        .then((drawn) => resolve(this.#outcomeOf(drawn)));
    });
    const replaced = this.#running?.replaced ?? false;
    this.#running = null;
    answer(replaced ? superseded : outcome);
    if (typeof source === 'string') return;
    // The next start of the process empties the folder anyway.
    await rm(source.file, { force: true }).catch((error: unknown) => {
      this.#options.log('warning', 'preview', `a document stays: ${describeError(error)}`);
    });
  }

  /** Starts a process; settles with its first message. */
  async #start(): Promise<void> {
    const { folder, fork, log } = this.#options;
    // What can't be removed is harmless: names are never used twice.
    await rm(folder, { recursive: true, force: true }).catch((error: unknown) => {
      log('warning', 'preview', `old pictures stay: ${describeError(error)}`);
    });
    await mkdir(path.join(folder, 'media'), { recursive: true });
    const process: WorkerProcess = new WorkerProcess({
      fork,
      log,
      called: 'the preview engine',
      onEvent: (event) => {
        if (this.#process === process) this.#receive(event);
      },
      onDeath: (how) => {
        if (this.#process === process) this.#lose(how);
      },
    });
    this.#process = process;
    try {
      await process.ready;
    } catch (error) {
      if (this.#process === process) this.#process = null;
      throw error;
    }
    this.#faults.forget();
  }

  #receive(event: WorkEvent): void {
    const running = this.#running;
    if (!running) return;
    if (event.type === 'pulse') running.vitals.hear(performance.now(), event);
    if (event.type === 'log') this.#options.log(event.level, 'preview', event.text);
  }

  /** What a question's answer means; after the end of the process, `#lose` has answered already. */
  #outcomeOf(drawn: TaskOutcome<'preview'>): PreviewOutcome {
    if (drawn.kind === 'done') return { kind: 'drawn', ...drawn.output };
    if (drawn.kind !== 'failed')
      return { kind: 'restarting', reason: 'The preview engine stopped' };
    const { message, path, details, spoilt } = drawn;
    if (isBug(drawn) && details !== undefined) this.#options.log('error', 'preview', details);
    if (spoilt) {
      this.#process?.end();
      this.#process = null;
      this.#starting = null;
    }
    return { kind: 'failed', message, path };
  }

  /** Ends a process that is silent, endless, or takes too much memory. */
  #watch(running: Running): void {
    const timer = setInterval(() => {
      if (this.#running !== running) {
        clearInterval(timer);
        return;
      }
      const overdue = running.vitals.look(performance.now());
      if (overdue !== null) this.#endProcess(previewReasons[overdue]);
      // While it draws it does not hear the cancel, and the next question has waited long enough.
      else if (running.replaced && running.vitals.quiet > workLimits.cancelTime) {
        this.#endProcess('a cancelled picture took too long');
      }
    }, this.#times.watch);
    timer.unref();
  }

  #endProcess(reason: string): void {
    const process = this.#process;
    if (!process) return;
    this.#lose(reason);
    process.end();
  }

  /** The process is gone, and its current picture with it. */
  #lose(how: string): void {
    this.#process = null;
    this.#starting = null;
    if (!this.#running) return;
    this.#options.log('warning', 'preview', `the process ended: ${how}`);
    this.#running.answer({ kind: 'restarting', reason: `The preview engine stopped (${how})` });
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
