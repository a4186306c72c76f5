/**
 * Has files tried as renders use them, before any render is made of them: a process of the engine renders a picture of
 * each. A file that ends the process is found by trying the rest one by one.
 */
import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { fileTrialLimits } from '../../../shared/limits.ts';
import type { MediaRequest } from '../../../shared/renderscript/media-requests.ts';
import { findLocal, type HiddenMedia } from '../../system/media-folders.ts';
import type { Log } from '../../system/log.ts';
import { askWorker, inWorkFolder } from '../worker/ask-worker.ts';
import type { ForkWorker } from '../worker/protocol.ts';
import { explain } from '../worker/task-faults.ts';
import type { TaskInput, TaskProgress } from '../worker/tasks.ts';

/** A file that a document wants. */
export type WantedFile = Pick<MediaRequest, 'source' | 'kind' | 'element' | 'smartCrop'>;
/** Why renders can't use it. */
export type FileFault = NonNullable<TaskProgress<'try-files'>['fault']>;

/** What files are tried with. */
export interface FileTrialOptions {
  readonly fork: ForkWorker;
  readonly engine: Omit<TaskInput<'try-files'>, 'files' | 'atOnce' | 'workFolder' | 'hiddenMedia'>;
  readonly hiddenMedia: (project: string) => HiddenMedia;
  /** For folders of its own; emptied when the program starts. */
  readonly workFolder: string;
  readonly log: Log;
}

/** See above. */
export class FileTrials {
  readonly #options: FileTrialOptions;
  /** Prints of local files that were fine. */
  readonly #fine = new Set<string>();

  constructor(options: FileTrialOptions) {
    this.#options = options;
  }

  /**
   * Tries files of documents of a project.
   *
   * @returns by the file: null if renders can use it; files for which there was no time are absent.
   */
  async try(
    files: readonly WantedFile[],
    project: string,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<WantedFile, FileFault | null>> {
    const { hiddenMedia } = this.#options;
    const hidden = hiddenMedia(project);
    const found = new Map<WantedFile, FileFault | null>();
    const prints = new Map<WantedFile, string>();
    for (const file of files) {
      const print = await this.#printOf(file, hidden);
      if (print === null) continue;
      prints.set(file, print);
      if (this.#fine.has(print)) found.set(file, null);
    }
    const end = AbortSignal.any([signal, AbortSignal.timeout(fileTrialLimits.time)]);
    const rest = (): WantedFile[] => files.filter((file) => !found.has(file));
    for (
      let { atOnce } = fileTrialLimits as { atOnce: number };
      rest().length > 0 && !end.aborted;
      atOnce = 1
    ) {
      const batch = rest();
      const fault = await this.#ask(batch, hidden, { atOnce, end, found });
      if (fault === null) break;
      const [blamed] = rest();
      // Of several it isn't known which one it was.
      if (atOnce === 1 && blamed) {
        const { element, source } = blamed;
        found.set(blamed, { ...fault, message: `${element}.source: ${fault.message} (${source})` });
      }
    }
    for (const [file, fault] of found) if (fault === null) this.#keep(prints.get(file));
    return found;
  }

  /** @returns why it ended before all were tried; null: they were, or nobody can try them now */
  async #ask(
    files: readonly WantedFile[],
    hiddenMedia: HiddenMedia,
    { atOnce, end, found }: Run,
  ): Promise<FileFault | null> {
    const { fork, log, engine } = this.#options;
    const workFolder = path.join(this.#options.workFolder, `files-${randomUUID()}`);
    return inWorkFolder(workFolder, async () => {
      const input = { ...engine, files: [...files], atOnce, hiddenMedia, workFolder };
      const outcome = await askWorker({ fork, log }, 'try-files', input, {
        signal: end,
        onProgress: ({ index, fault }) => {
          const file = files[index];
          if (file) found.set(file, fault);
        },
      });
      if (outcome.kind === 'done' || end.aborted) return null;
      const message = explain('try-files', outcome, log);
      // It says itself that it can't work now, e.g. without ffmpeg.
      return outcome.kind === 'failed' ? null : { code: 'media_unreadable', message };
    });
  }

  /** Tells a file of this computer apart from what it was; null for others. */
  async #printOf(
    { source, kind, smartCrop }: WantedFile,
    hidden: HiddenMedia,
  ): Promise<string | null> {
    const local = await findLocal(source, this.#options.engine.mediaFolders, hidden);
    if (local?.kind !== 'file') return null;
    const facts = await stat(local.path).catch(() => null);
    return facts && [kind, smartCrop, facts.size, facts.mtimeMs, local.path].join(' ');
  }

  #keep(print: string | undefined): void {
    if (print === undefined) return;
    if (this.#fine.size >= fileTrialLimits.known) this.#fine.clear();
    this.#fine.add(print);
  }
}

/** How files are tried. */
interface Run {
  readonly atOnce: number;
  readonly end: AbortSignal;
  /** Gets what is found. */
  readonly found: Map<WantedFile, FileFault | null>;
}
