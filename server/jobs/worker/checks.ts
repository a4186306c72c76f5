/**
 * Looks at documents with their files without rendering them: checks them, and makes files for editing programs of
 * them. Each has a worker process of its own, so that whatever a file breaks breaks nothing else. One at a time:
 * whoever waits for a render is not held up by many.
 */
import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { ApiError } from '../../../shared/errors.ts';
import type { CheckReport } from '../../../shared/findings.ts';
import type { HandedOver } from '../../../shared/handover.ts';
import { checkLimits } from '../../../shared/limits.ts';
import type { Problem, Source } from '../../../shared/renderscript/source.ts';
import type { JsonText } from '../../system/json-text.ts';
import type { Log } from '../../system/log.ts';
import type { HiddenMedia } from '../../system/media-folders.ts';
import { askWorker, inWorkFolder } from './ask-worker.ts';
import { handOver as handOverDocument } from './engine-settings.ts';
import type { ForkWorker } from './protocol.ts';
import { explain } from './task-faults.ts';
import type { TaskInput, TaskOutput } from './tasks.ts';

/** What is checked. */
export interface CheckQuestion {
  /** The document after modifications. */
  readonly source: Source | JsonText;
  /** What the language's own checker says of it. */
  readonly problems: readonly Problem[];
  /** How the render would be scaled. */
  readonly scaling: TaskInput<'check'>['scaling'];
}

/** What is handed over, and as what. */
export type HandoverQuestion = Pick<
  TaskInput<'hand-over'>,
  'form' | 'name' | 'markers' | 'transcribes' | 'longest'
> & {
  /** The document after modifications, without errors. */
  readonly source: Source | JsonText;
};

/** What the service can ask a worker. */
type Asked = 'check' | 'hand-over';

/** What a task is given beside the settings of the engine, which are the same for all. */
type Own<Name extends Asked> = Omit<
  TaskInput<Name>,
  keyof CheckOptions['engine'] | 'source' | 'workFolder' | 'hiddenMedia' | 'transcriber'
>;

/** What the service is made with. */
export interface CheckOptions {
  readonly fork: ForkWorker;
  /** Where media and downloads lie, and what may be read; as for renders. */
  readonly engine: Omit<
    TaskInput<'check'>,
    'source' | 'problems' | 'scaling' | 'workFolder' | 'hiddenMedia' | 'transcriber'
  >;
  /** The current recogniser; read before every check. */
  readonly transcriber: () => Pick<TaskInput<'check'>, 'transcriber'>;
  /** What a project must not see. Default: nothing is hidden. */
  readonly hiddenMedia?: (project: string) => HiddenMedia;
  /** For folders of its own; removed after each check. */
  readonly folder: string;
  readonly log: Log;
}

/** See above. */
export class CheckService {
  readonly #options: CheckOptions;
  readonly #life = new AbortController();
  /** Resolves with the newest check. */
  #line: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(options: CheckOptions) {
    this.#options = options;
  }

  /**
   * Checks a document of a project; null: with all media, for one that is not stored.
   *
   * @param signal Nobody waits any more. @throws ApiError `busy`, `check_failed`
   */
  async check(
    { source, problems, scaling }: CheckQuestion,
    project: string | null,
    signal: AbortSignal,
  ): Promise<CheckReport> {
    const own = { problems: [...problems], scaling };
    const answer = (end: AbortSignal): Promise<TaskOutput<'check'>> =>
      this.#ask('check', source, own, project, end);
    return (await this.#inLine(answer, signal)).report;
  }

  /** Makes a file of a document, in the same way. @throws ApiError `busy`, `export_failed` */
  async handOver(
    { source, ...own }: HandoverQuestion,
    project: string | null,
    signal: AbortSignal,
  ): Promise<HandedOver> {
    const answer = (end: AbortSignal): Promise<TaskOutput<'hand-over'>> =>
      this.#ask('hand-over', source, own, project, end);
    return (await this.#inLine(answer, signal)).file;
  }

  /** Ends what is being looked at. */
  close(): void {
    this.#life.abort();
  }

  /** Asks when all before have been answered. */
  async #inLine<Answer>(
    ask: (signal: AbortSignal) => Promise<Answer>,
    signal: AbortSignal,
  ): Promise<Answer> {
    if (this.#waiting >= checkLimits.waiting) throw new ApiError('busy');
    this.#waiting += 1;
    const end = AbortSignal.any([signal, this.#life.signal]);
    const answer = this.#line.then(() => ask(end));
    this.#line = answer.catch(() => undefined);
    try {
      return await answer;
    } finally {
      this.#waiting -= 1;
    }
  }

  async #ask<Name extends Asked>(
    name: Name,
    document: Source | JsonText,
    own: Own<Name>,
    project: string | null,
    signal: AbortSignal,
  ): Promise<TaskOutput<Name>> {
    const { fork, log, engine, folder, hiddenMedia, transcriber } = this.#options;
    const workFolder = path.join(folder, randomUUID());
    const answer = await inWorkFolder(workFolder, async () => {
      await mkdir(workFolder, { recursive: true });
      const source = await handOverDocument(document, path.join(workFolder, 'document.json'));
      const input = { ...engine, ...transcriber(), ...own, source, workFolder };
      if (hiddenMedia && project !== null)
        Object.assign(input, { hiddenMedia: hiddenMedia(project) });
      // Together they are what the task is given, which the types can't follow through the table.
      return askWorker({ fork, log }, name, input as unknown as TaskInput<Name>, { signal });
    });
    if (answer.kind === 'done') return answer.output;
    const reason = explain(name, answer, log).replace(/\.$/, '');
    throw new ApiError(refusals[name], { reason });
  }
}

/** How each is refused. */
const refusals = { check: 'check_failed', 'hand-over': 'export_failed' } as const;
