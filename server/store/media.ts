/**
 * The media library: files that people add, stored once per content. The facts are a record; the content is stored
 * under its ID in a folder that is one of the renders' media folders, so that `media:ID` finds it.
 */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { libraryFacts } from '../../shared/api/media.ts';
import { ApiError } from '../../shared/errors.ts';
import type { Clock } from '../system/clock.ts';
import type { HiddenMedia } from '../system/media-folders.ts';
import { renameOver } from '../system/files.ts';
import { ContentFolder, type ContentPlace } from './content-folder.ts';
import type { RecordKeeper, Records } from './records.ts';
import type { StoreNotice } from './repair.ts';

const mediaDoc = z.object({
  ...libraryFacts.shape,
  /** The beginning of the content's SHA-256, 32 hexadecimal digits. */
  _id: z.string(),
  /** The file's original name. */
  name: z.string(),
  bytes: z.number(),
  addedAt: z.number(),
  /** File ending of its thumbnail; null: none. */
  thumbnail: z.enum(['jpg', 'png']).nullable(),
  /** IDs of the projects whose keys sent it. Left out: it was added in the window, for all projects. */
  projects: z.array(z.string()).optional(),
  /** A font or words that a template brought with it: not listed, and without facts. */
  isPart: z.literal(true).optional(),
});

type MediaDoc = z.infer<typeof mediaDoc>;

/** A file of the library. */
export type StoredMedia = Omit<MediaDoc, '_id'> & { readonly id: string };

/** The library as the keys of one project see it: what they have sent, and what is for all projects. */
export interface ProjectMedia {
  /** Its ID. */
  readonly project: string;
  /** Newest first. */
  list(): StoredMedia[];
  /** The file's facts; null also for one of another project. */
  find(id: string): StoredMedia | null;
  /** The content of a file that `find` has found: its folder and its name there. */
  readonly contentFolder: string;
  /**
   * Removes a file from the project, and for good if no other one has it.
   *
   * @returns false if there is none. @throws ApiError `media_for_all`, `cannot_save`.
   */
  remove(id: string): Promise<boolean>;
}

/** The files of the data folder's library, of all projects. */
export class MediaStore {
  readonly #collection: Records<MediaDoc>;
  readonly #clock: Clock;
  readonly #contents: ContentFolder;
  readonly #thumbnailFolder: string;
  /** What `hiddenFrom` has found, by project, and after how many changes: every render asks. */
  readonly #hidden = new Map<string, { readonly changes: number; readonly media: HiddenMedia }>();

  private constructor(
    { collection, contents }: { collection: Records<MediaDoc>; contents: ContentFolder },
    thumbnailFolder: string,
    clock: Clock,
  ) {
    this.#collection = collection;
    this.#clock = clock;
    this.#contents = contents;
    this.#thumbnailFolder = thumbnailFolder;
  }

  /** Opens the collection `media` and the library's own folder. */
  static async open(keeper: RecordKeeper, clock: Clock, place: ContentPlace): Promise<MediaStore> {
    const thumbnails = path.join(place.folder, 'thumbnails');
    const what = 'files of the library';
    const opened = await ContentFolder.open(keeper, 'media', mediaDoc, place, what, [thumbnails]);
    return new MediaStore(opened, thumbnails, clock);
  }

  /** Only content, by ID: renders may read everything here. */
  get contentFolder(): string {
    return this.#contents.folder;
  }

  /** Where uploads are written before they are added; on the same drive. */
  get uploadFolder(): string {
    return this.#contents.uploads;
  }

  get notices(): readonly StoreNotice[] {
    return this.#collection.notices;
  }

  /** Newest first. */
  list(): StoredMedia[] {
    return this.#collection
      .all()
      .filter(({ isPart }) => isPart !== true)
      .sort((a, b) => b.addedAt - a.addedAt || (a._id < b._id ? -1 : 1))
      .map(storedMedia);
  }

  /** The file's facts, or null. */
  find(id: string): StoredMedia | null {
    const doc = this.#collection.find(id);
    return doc && doc.isPart !== true ? storedMedia(doc) : null;
  }

  /** The library of one project. */
  inProject(project: string): ProjectMedia {
    const sees = (media: StoredMedia): boolean => isOf(media, project);
    return {
      project,
      contentFolder: this.contentFolder,
      list: () => this.list().filter(sees),
      find: (id) => {
        const media = this.find(id);
        return media && sees(media) ? media : null;
      },
      remove: (id) => this.#leave(id, project),
    };
  }

  /** What documents of a project must not see: what keys of other projects have sent. */
  hiddenFrom(project: string): HiddenMedia {
    const { changes } = this.#collection;
    const known = this.#hidden.get(project);
    if (known?.changes === changes) return known.media;
    const others = this.#collection
      .all()
      .filter(({ projects }) => projects?.includes(project) === false);
    const names = others.map(({ _id }) => _id);
    const media: HiddenMedia = { project, folder: this.contentFolder, names };
    this.#hidden.set(project, { changes, media });
    return media;
  }

  /** True if the content of a file is complete; someone may have tidied up the folder. */
  hasContent({ id, bytes }: StoredMedia): Promise<boolean> {
    return this.#contents.isWhole(id, bytes);
  }

  /** Path of a file's thumbnail; null if it has none. */
  thumbnailPath({ id, thumbnail }: StoredMedia): string | null {
    return thumbnail === null ? null : path.join(this.#thumbnailFolder, `${id}.${thumbnail}`);
  }

  /**
   * Adds a file: moves its content and thumbnail here and flushes them before writing the record.
   *
   * @param known What there was of it: its content was lost. Null: nothing.
   * @returns the file; null if another server has added it meanwhile, which stays.
   * @throws ApiError `cannot_save`.
   */
  async keep(
    media: Omit<StoredMedia, 'addedAt'>,
    contentPath: string,
    thumbnailPath: string | null,
    known: StoredMedia | null,
  ): Promise<StoredMedia | null> {
    const { id, ...facts } = media;
    const doc: MediaDoc = { _id: id, ...facts, addedAt: this.#clock.now() };
    const picture = this.thumbnailPath(storedMedia(doc));
    if (picture !== null && thumbnailPath !== null) await renameOver(thumbnailPath, picture);
    await this.#contents.take(id, contentPath);
    const kept = await this.#collection.put(id, (found) => {
      if (found?.isPart) return withOwner(doc, found);
      return found && found.addedAt !== known?.addedAt ? null : doc;
    });
    return kept && storedMedia(kept);
  }

  /**
   * Gives a file that is there to a project, or to all of them.
   *
   * @param project null: to all.
   * @returns the file, and whether that was new to the project; null if the file was removed meanwhile.
   * @throws ApiError `cannot_save`.
   */
  async give(
    id: string,
    project: string | null,
  ): Promise<{ media: StoredMedia; isNew: boolean } | null> {
    const media = this.find(id);
    if (!media) return null;
    if (project === null ? media.projects === undefined : isOf(media, project))
      return { media, isNew: false };
    const given = await this.#collection.change(id, ({ projects = [], ...doc }) =>
      project === null ? doc : { ...doc, projects: [...new Set([...projects, project])] },
    );
    // The window lists it already.
    return given && { media: storedMedia(given), isNew: project !== null };
  }

  /**
   * Keeps content that is not listed: fonts and subtitles that a template brought with it. `media:ID` finds it like the
   * others.
   *
   * @param project Whose key sent it; null: it is for all.
   */
  async keepPart(id: string, contentPath: string, project: string | null): Promise<void> {
    const isThere = await this.#contents.has(id);
    await this.#contents.take(id, contentPath);
    const part: MediaDoc = {
      ...{ _id: id, name: '', isPart: true, addedAt: this.#clock.now(), thumbnail: null, bytes: 0 },
      ...{ kind: 'image', format: '', width: 0, height: 0, duration: 0, frameRate: 0 },
      ...{ hasAudio: false, hasAlpha: false },
      ...(project !== null && { projects: [project] }),
    };
    await this.#collection.put(id, (found) => {
      if (found) return withOwner(found, part);
      // What an earlier version kept has no record: documents of all projects may name it.
      return isThere ? null : part;
    });
  }

  /** Removes a file permanently. @returns false if there is none. @throws ApiError `cannot_save`. */
  async remove(id: string): Promise<boolean> {
    const media = this.find(id);
    if (!media) return false;
    await this.#collection.remove(id);
    await this.#contents.remove(id);
    const picture = this.thumbnailPath(media);
    if (picture !== null) await rm(picture, { force: true });
    return true;
  }

  close(): Promise<void> {
    return this.#collection.close();
  }

  /** See ProjectMedia. */
  async #leave(id: string, project: string): Promise<boolean> {
    const media = this.find(id);
    if (!media || !isOf(media, project)) return false;
    if (media.projects === undefined) throw new ApiError('media_for_all', { id });
    const others = media.projects.filter((one) => one !== project);
    if (others.length === 0) return this.remove(id);
    await this.#collection.change(id, ({ projects = [], ...doc }) => ({
      ...doc,
      projects: projects.filter((one) => one !== project),
    }));
    return true;
  }
}

function isOf({ projects }: StoredMedia, project: string): boolean {
  return projects?.includes(project) ?? true;
}

/** A file that has come for the owners of another one as well. */
function withOwner({ projects, ...media }: MediaDoc, other: MediaDoc): MediaDoc {
  if (projects === undefined || other.projects === undefined) return media;
  return { ...media, projects: [...new Set([...projects, ...other.projects])] };
}

function storedMedia({ _id: id, ...facts }: MediaDoc): StoredMedia {
  return { id, ...facts };
}
