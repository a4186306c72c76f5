/**
 * The near side of the process that draws previews: starts it when a picture is first asked for, hands it one question at a
 * time, ends it when it falls silent or is not needed any more. Newest question wins: of one asker only the latest waits.
 * Real renders are another process; nothing here can disturb them.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { workLimits } from '../../shared/limits.ts';
import { previewSide, type PreviewFacts } from '../../shared/preview.ts';
import type { Source } from '../../shared/renderscript/source.ts';
import { describeError, type Log } from '../log.ts';
import type { PreviewMessage } from './preview-protocol.ts';
import { workerEvent, type ForkWorker, type WorkerPort } from './protocol.ts';
import { memoryLimit, Vitals, type Overdue } from './vitals.ts';

/** A picture that is wanted. */
export interface PreviewQuestion {
  /** Who asks. */
  readonly client: string;
  readonly source: Source;
  readonly hidden: readonly string[];
  /** Seconds. */
  readonly time: number;
  /** Longest side, pixels. Default 960. */
  readonly side?: number;
}

/** What became of it; never a rejection. */
export type PreviewOutcome =
  | { readonly kind: 'drawn'; readonly picture: Buffer; readonly facts: PreviewFacts }
  | { readonly kind: 'superseded' }
  | { readonly kind: 'failed'; readonly message: string; readonly path?: string | undefined }
  | { readonly kind: 'restarting' | 'off'; readonly reason: string };

/** What the service is made with. */
export interface PreviewOptions {
  readonly fork: ForkWorker;
  /** Where media and downloads lie, and what may be read; as for renders. */
  readonly engine: Omit<
    PreviewMessage,
    | 'type'
    | 'id'
    | 'source'
    | 'hidden'
    | 'time'
    | 'side'
    | 'picturePath'
    | 'workFolder'
    | 'transcriber'
  >;
  /** The recogniser in force; asked before every picture. */
  readonly transcriber?: () => Pick<PreviewMessage, 'transcriber'>;
  /** Pictures and media of this process; emptied when it starts. */
  readonly folder: string;
  readonly log: Log;
  /** Milliseconds; tests shorten them. */
  readonly times?: Partial<typeof previewTimes>;
  /** Bytes of memory that the process may take. Default: `memoryLimit()` of vitals.ts. */
  readonly memoryLimit?: number;
}

/** Milliseconds. */
const previewTimes = {
  /** Without any message while a picture is worked on. */
  silence: 15_000,
  /** One picture with all its media. */
  picture: 120_000,
  /** Without a question, before the process is ended. */
  idle: 5 * 60_000,
  /** Between two looks at a working process. */
  watch: 500,
};

/** Why a process was ended, as in "The preview engine stopped (…)". */
const previewReasons: Record<Overdue, string> = {
  silent: 'it gave no sign of life',
  frameless: 'it drew nothing',
  overtime: 'one picture took too long',
  memory: 'it took more of the computer’s memory than it may',
};

interface Waiting {
  readonly question: PreviewQuestion;
  readonly answer: (outcome: PreviewOutcome) => void;
}

interface Running extends Waiting {
  readonly id: string;
  readonly vitals: Vitals;
  replaced: boolean;
}

/** Pictures of documents, one at a time. */
export class PreviewService {
  readonly #options: PreviewOptions;
  readonly #times: typeof previewTimes;
  #port: WorkerPort | null = null;
  #starting: Promise<void> | null = null;
  #running: Running | null = null;
  /** Newest question of each asker, in the order in which they came. */
  readonly #waiting = new Map<string, Waiting>();
  #failedStarts = 0;
  #off = '';
  #closed = false;
  #busy = false;
  #idle: NodeJS.Timeout | undefined;

  constructor(options: PreviewOptions) {
    this.#options = options;
    this.#times = { ...previewTimes, ...options.times };
  }

  /** Process id, for tests and reports. */
  get pid(): number | undefined {
    return this.#port?.pid;
  }

  /** Asks for a picture. */
  draw(question: PreviewQuestion): Promise<PreviewOutcome> {
    if (this.#off !== '') return Promise.resolve({ kind: 'off', reason: this.#off });
    const { client } = question;
    this.#waiting.get(client)?.answer(superseded);
    const running = this.#running;
    // Another moment of the same document is drawn to its end: who drags through it would never see one otherwise.
    if (running?.question.client === client && !isSameDocument(running.question, question)) {
      running.replaced = true;
      this.#port?.send({ type: 'cancel' });
    }
    return new Promise((answer) => {
      this.#waiting.set(client, { question, answer });
      void this.#work();
    });
  }

  /** Tries again after the process gave up. */
  restart(): void {
    this.#off = '';
    this.#failedStarts = 0;
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
      await this.#ask(next);
    }
    this.#busy = false;
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

  /** Hands over one question and waits for what becomes of it. */
  async #ask({ question, answer }: Waiting): Promise<void> {
    const port = this.#port;
    if (!port) {
      answer({ kind: 'restarting', reason: 'The preview engine stopped' });
      return;
    }
    const id = randomUUID();
    const { folder, engine, transcriber } = this.#options;
    const picturePath = path.join(folder, `${id}.png`);
    const outcome = await new Promise<PreviewOutcome>((resolve) => {
      const { silence, picture } = this.#times;
      const memory = this.#options.memoryLimit ?? memoryLimit();
      const limits = { silence, frameless: Infinity, time: picture, memory };
      const vitals = new Vitals(performance.now(), limits);
      this.#running = { id, question, vitals, replaced: false, answer: resolve };
      this.#watch(this.#running);
      const { source, hidden, time, side = previewSide } = question;
      port.send({
        ...{ type: 'preview', id, source, hidden: [...hidden], time, side, picturePath },
        ...engine,
        ...transcriber?.(),
        workFolder: path.join(folder, 'media'),
      });
    });
    const replaced = this.#running?.replaced ?? false;
    this.#running = null;
    const final = replaced ? superseded : await withPicture(outcome, picturePath);
    await rm(picturePath, { force: true });
    answer(final);
  }

  /** Starts a process; settles with its first message. */
  async #start(): Promise<void> {
    const { folder, fork, log } = this.#options;
    await rm(folder, { recursive: true, force: true });
    await mkdir(path.join(folder, 'media'), { recursive: true });
    await new Promise<void>((resolve, reject) => {
      const port = fork();
      this.#port = port;
      const late = setTimeout(() => port.kill(), workLimits.startTime);
      port.onMessage((message) => {
        const event = workerEvent.safeParse(message);
        if (!event.success) {
          log('error', 'preview', `not understood: ${JSON.stringify(message)}`);
        } else if (event.data.type === 'ready') {
          clearTimeout(late);
          this.#failedStarts = 0;
          resolve();
        } else if (this.#port === port) {
          this.#receive(event.data);
        }
      });
      port.onExit(({ code, signal }) => {
        clearTimeout(late);
        const how = signal ?? `code ${code ?? 'unknown'}`;
        reject(new Error(`the preview engine ended while starting (${how})`));
        if (this.#port === port) this.#lose(how);
      });
    });
  }

  #receive(event: ReturnType<typeof workerEvent.parse>): void {
    const running = this.#running;
    if (!running || !('id' in event) || event.id !== running.id) return;
    running.vitals.hear(performance.now(), 'memory' in event ? event.memory : undefined);
    if (event.type === 'preview-done') {
      // The picture is read when the question is answered.
      running.answer({ kind: 'drawn', picture: Buffer.alloc(0), facts: event.facts });
    } else if (event.type === 'preview-failed') {
      if (event.stack !== undefined) this.#options.log('error', 'preview', event.stack);
      running.answer({ kind: 'failed', message: event.message, path: event.path });
    }
  }

  /** Ends a process that shows no life, no end, or no limit. */
  #watch(running: Running): void {
    const timer = setInterval(() => {
      if (this.#running !== running) {
        clearInterval(timer);
        return;
      }
      const overdue = running.vitals.look(performance.now());
      if (overdue !== null) this.#endProcess(previewReasons[overdue]);
    }, this.#times.watch);
    timer.unref();
  }

  #endProcess(reason: string): void {
    const port = this.#port;
    if (!port) return;
    this.#lose(reason);
    port.kill();
  }

  /** The process is gone, and with it the picture in work. */
  #lose(how: string): void {
    this.#port = null;
    this.#starting = null;
    if (!this.#running) return;
    this.#options.log('warning', 'preview', `the process ended: ${how}`);
    this.#running.answer({ kind: 'restarting', reason: `The preview engine stopped (${how})` });
  }

  #failedStart(error: unknown): PreviewOutcome {
    const reason = error instanceof Error ? error.message : String(error);
    this.#options.log('error', 'preview', `can't be started: ${describeError(error)}`);
    this.#failedStarts += 1;
    if (this.#failedStarts < workLimits.restartPauses.length) return { kind: 'restarting', reason };
    this.#off = reason;
    return { kind: 'off', reason };
  }

  #answerAll(outcome: PreviewOutcome): void {
    for (const { answer } of this.#waiting.values()) answer(outcome);
    this.#waiting.clear();
  }
}

const superseded: PreviewOutcome = { kind: 'superseded' };

function isSameDocument(a: PreviewQuestion, b: PreviewQuestion): boolean {
  return (
    a.side === b.side &&
    JSON.stringify([a.source, a.hidden]) === JSON.stringify([b.source, b.hidden])
  );
}

async function withPicture(outcome: PreviewOutcome, file: string): Promise<PreviewOutcome> {
  if (outcome.kind !== 'drawn') return outcome;
  try {
    return { ...outcome, picture: await readFile(file) };
  } catch (error) {
    return { kind: 'failed', message: `The picture could not be read: ${describeError(error)}` };
  }
}
