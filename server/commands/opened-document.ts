/** A document of a file or a server with its files, for commands that look at it in a worker and need no server. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { ApiError } from '../../shared/errors.ts';
import { engineLimits } from '../../shared/limits.ts';
import { LoneFolder } from '../jobs/lone-renders.ts';
import { CheckService } from '../jobs/worker/checks.ts';
import { forkWorker } from '../jobs/worker/fork-worker.ts';
import { transcriberSetting } from '../jobs/worker/transcriber.ts';
import { voiceSetting } from '../jobs/worker/voices.ts';
import { fontFolder } from '../system/paths.ts';
import { stopAtSignal } from '../system/programs.ts';
import { usualModelFolder } from '../system/speech-folder.ts';
import { askedOf, readDocumentFile } from './document-file.ts';
import { foldersOf, problemsOf, type CheckedDocument } from './document-problems.ts';
import { CommandError, usageOf, type CommandRow } from './option-rows.ts';
import { documentOfTemplate, type ServerDocument, type TemplateChoice } from './server-document.ts';

/** A document that a worker can be asked about. */
export interface OpenedDocument extends CheckedDocument {
  readonly asked: ServerDocument['asked'];
  readonly service: CheckService;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

/** The options that choose a document. */
export interface DocumentChoice extends TemplateChoice {
  readonly ffmpeg?: string;
}

/**
 * Opens the one document that a command's arguments name, and removes afterwards what that took.
 *
 * @throws CommandError, FramewrightError.
 */
export async function withDocument<Result>(
  { name, row }: { readonly name: string; readonly row: CommandRow },
  [given, more]: readonly string[],
  options: DocumentChoice,
  work: (opened: OpenedDocument) => Promise<Result>,
): Promise<Result> {
  if (more !== undefined || (given === undefined) === (options.template === undefined))
    throw new CommandError(usageOf(name, row));
  const folder = new LoneFolder();
  const { signal, endIfTold } = stopAtSignal();
  let result: Result;
  try {
    const { asked, mediaFolders } = await documentOf(given, options, folder.path);
    const service = serviceIn(folder.path, mediaFolders, options.ffmpeg);
    result = await work({ ...problemsOf(asked), asked, service, signal });
  } catch (error) {
    endIfTold();
    throw error instanceof ApiError ? new CommandError(error.message) : error;
  } finally {
    folder.remove();
  }
  endIfTold();
  return result;
}

/** The document of a file, or a template by its name or ID. */
async function documentOf(
  given: string | undefined,
  options: DocumentChoice,
  folder: string,
): Promise<ServerDocument> {
  const isId = given !== undefined && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(given);
  if (given === undefined || (isId && !existsSync(given))) {
    const template = given ?? options.template;
    return documentOfTemplate({ ...options, ...(template !== undefined && { template }) }, folder);
  }
  const asked = askedOf(readDocumentFile(given));
  return { asked, mediaFolders: foldersOf(given, options.media) };
}

function serviceIn(
  folder: string,
  mediaFolders: readonly string[],
  ffmpegPath: string | undefined,
): CheckService {
  return new CheckService({
    fork: forkWorker,
    engine: {
      cacheFolder: path.join(folder, 'cache'),
      mediaFolders: [...mediaFolders],
      fontFolder: fontFolder(),
      ffmpegPath,
      // A command reads what the person who calls it may read.
      allowPrivateAddresses: true,
      ownPorts: [],
      limits: engineLimits,
      voices: voiceSetting(),
    },
    transcriber: () => transcriberSetting({ models: usualModelFolder() }),
    folder: path.join(folder, 'checking'),
    log: (level, place, text) => {
      if (level === 'error' && place !== 'worker') console.error(text);
    },
  });
}
