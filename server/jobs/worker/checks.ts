/**
 * Checks documents before they are rendered, each by a worker process of its own, so that whatever a file breaks breaks
 * nothing else. One at a time: whoever waits for a render is not held up by many checks.
 */
import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { ApiError } from '../../../shared/errors.ts';
import type { CheckReport } from '../../../shared/findings.ts';
import { checkLimits } from '../../../shared/limits.ts';
import type { Problem, Source } from '../../../shared/renderscript/source.ts';
import type { JsonText } from '../../system/json-text.ts';
import type { Log } from '../../system/log.ts';
import type { HiddenMedia } from '../../system/media-folders.ts';
import { askWorker, inWorkFolder } from './ask-worker.ts';
import { handOver } from './engine-settings.ts';
import type { ForkWorker } from './protocol.ts';
import { explain } from './task-faults.ts';
import type { TaskInput } from './tasks.ts';

/** What is checked. */
export interface CheckQuestion {
  /** The document after modifications. */
  readonly source: Source | JsonText;
  /** What the language's own checker says of it. */
  readonly problems: readonly Problem[];
  /** How the render would be scaled. */
  readonly scaling: TaskInput<'check'>['scaling'];
}

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
    question: CheckQuestion,
    project: string | null,
    signal: AbortSignal,
  ): Promise<CheckReport> {
    if (this.#waiting >= checkLimits.waiting) throw new ApiError('busy');
    this.#waiting += 1;
    const end = AbortSignal.any([signal, this.#life.signal]);
    const report = this.#line.then(() => this.#ask(question, project, end));
    this.#line = report.catch(() => undefined);
    try {
      return await report;
    } finally {
      this.#waiting -= 1;
    }
  }

  /** Ends what is being checked. */
  close(): void {
    this.#life.abort();
  }

  async #ask(
    { source: document, problems, scaling }: CheckQuestion,
    project: string | null,
    signal: AbortSignal,
  ): Promise<CheckReport> {
    const { fork, log, engine, folder, hiddenMedia, transcriber } = this.#options;
    const workFolder = path.join(folder, randomUUID());
    const answer = await inWorkFolder(workFolder, async () => {
      await mkdir(workFolder, { recursive: true });
      const source = await handOver(document, path.join(workFolder, 'document.json'));
      const own = { source, problems: [...problems], scaling, workFolder };
      const input = { ...engine, ...transcriber(), ...own };
      if (hiddenMedia && project !== null)
        Object.assign(input, { hiddenMedia: hiddenMedia(project) });
      return askWorker({ fork, log }, 'check', input, { signal });
    });
    if (answer.kind === 'done') return answer.output.report;
    const reason = explain('check', answer, log).replace(/\.$/, '');
    throw new ApiError('check_failed', { reason });
  }
}
