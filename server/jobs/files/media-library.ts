/**
 * Adds files to the media library: writes them to the disk as they arrive, identifies them by content, and has a worker
 * process examine them. Files that the worker can't read are refused with its reason.
 */
import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ApiError } from '../../../shared/errors.ts';
import { engineLimits, mediaLibraryLimits } from '../../../shared/limits.ts';
import { describeError, type Log } from '../../system/log.ts';
import type { MediaStore, StoredMedia } from '../../store/media.ts';
import { askWorker } from '../worker/ask-worker.ts';
import type { ForkWorker } from '../worker/protocol.ts';
import { explain } from '../worker/task-faults.ts';
import type { TaskOutput } from '../worker/tasks.ts';
import { errorCode, refusalKind } from '../../system/files.ts';

/** What the library is made with. */
export interface MediaLibraryOptions {
  readonly media: MediaStore;
  readonly fork: ForkWorker;
  /** As for renders. */
  readonly engine: { readonly fontFolder: string; readonly ffmpegPath?: string | undefined };
  readonly log: Log;
}

/** What the worker says about a file. */
type Inspected = TaskOutput<'inspect'> | { readonly reason: string };

/** A file of the library after adding it. */
export interface AddedMedia {
  readonly media: StoredMedia;
  /** False: it was there already. */
  readonly isNew: boolean;
}

/** Adds files, one after the other. */
export class MediaLibrary {
  readonly #options: MediaLibraryOptions;
  /** The last of the files that wait to be examined. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: MediaLibraryOptions) {
    this.#options = options;
  }

  /**
   * Adds a file. The same content is stored once, under its first name.
   *
   * @param project Whose key sent it. Default: the window, for all projects.
   * @returns the file, and whether it is new, to the project at least.
   * @throws ApiError `media_too_large`, `media_library_full`, `media_not_usable`, `cannot_save`.
   */
  async add(content: Readable, name: string, project: string | null = null): Promise<AddedMedia> {
    const { media } = this.#options;
    const folder = path.join(media.uploadFolder, randomUUID());
    try {
      await mkdir(folder, { recursive: true });
      const filePath = path.join(folder, 'content');
      const { id, bytes } = await receive(content, filePath);
      // One at a time: two equal files that arrive together are one, and one worker is enough.
      const turn = this.#turn.then(() =>
        this.#takeIn({ id, name, bytes, project }, folder, filePath),
      );
      this.#turn = turn.catch(() => undefined);
      return await turn;
    } catch (error) {
      throw savingError(error);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async #takeIn(
    { project, ...file }: { id: string; name: string; bytes: number; project: string | null },
    folder: string,
    filePath: string,
  ): Promise<AddedMedia> {
    const { media } = this.#options;
    const known = media.find(file.id);
    const isThere = known !== null && (await media.hasContent(known));
    const given = isThere ? await media.give(file.id, project) : null;
    if (given) return given;
    const limit = mediaLibraryLimits.files;
    if (!known && media.list().length >= limit) throw new ApiError('media_library_full', { limit });
    const thumbnailPath = path.join(folder, 'thumbnail');
    const seen = await this.#inspect(filePath, thumbnailPath, path.join(folder, 'work'));
    if ('reason' in seen) throw new ApiError('media_not_usable', seen);
    const { facts, thumbnail } = seen;
    const picture = thumbnail === null ? null : `${thumbnailPath}.${thumbnail}`;
    const projects = ownersOf(known, project);
    const told = { ...file, ...facts, thumbnail, ...(projects && { projects }) };
    const stored = await media.keep(told, filePath, picture, known);
    if (stored) return { media: stored, isNew: true };
    const theirs = await media.give(file.id, project);
    if (!theirs) throw new ApiError('cannot_save', { reason: 'the file was removed meanwhile' });
    return theirs;
  }

  /** Asks a separate process, because a broken file may end it. */
  async #inspect(filePath: string, thumbnailPath: string, workFolder: string): Promise<Inspected> {
    const { fork, engine, log } = this.#options;
    await mkdir(workFolder, { recursive: true });
    const { fontFolder, ffmpegPath } = engine;
    const files = { filePath, thumbnailPath, workFolder };
    const input = { ...files, fontFolder, ffmpegPath, limits: engineLimits };
    const seen = await askWorker({ fork, log }, 'inspect', input);
    return seen.kind === 'done' ? seen.output : { reason: explain('inspect', seen, log) };
  }
}

/** The projects of a file whose content comes, perhaps again; null: all. */
function ownersOf(known: StoredMedia | null, project: string | null): string[] | null {
  if (project === null || (known && known.projects === undefined)) return null;
  return [...new Set([...(known?.projects ?? []), project])];
}

/**
 * Writes the incoming data to a file and names it by its content.
 *
 * @param tooLarge The refusal of more than `limit` bytes. Default: `media_too_large`.
 * @throws ApiError that refusal.
 */
export async function receive(
  content: Readable,
  filePath: string,
  limit: number = engineLimits.mediaBytes,
  tooLarge = (most: number): ApiError =>
    new ApiError('media_too_large', { limit: `${most / 1e9} GB` }),
): Promise<{ id: string; bytes: number }> {
  // It may have broken off before anyone listened.
  if (content.destroyed) throw content.errored ?? new ApiError('incomplete_body');
  const hash = createHash('sha256');
  let bytes = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      hash.update(chunk);
      if (bytes > limit) done(tooLarge(limit));
      else done(null, chunk);
    },
  });
  await pipeline(content, counted, createWriteStream(filePath, { mode: 0o600 }));
  return { id: hash.digest('hex').slice(0, 32), bytes };
}

/** Neither a full disk nor a client that goes away is a bug. */
export function savingError(error: unknown): unknown {
  if (error instanceof ApiError || !(error instanceof Error)) return error;
  const code = errorCode(error);
  if (refusalKind(error) === 'full')
    return new ApiError('cannot_save', { reason: 'the disk is full' });
  if (code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ECONNRESET')
    return new ApiError('incomplete_body');
  return code === undefined ? error : new Error(describeError(error), { cause: error });
}
