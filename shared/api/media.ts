/** The window's routes about the media library. */
import * as z from 'zod/mini';
import { mediaLibraryLimits } from '../limits.ts';
import { libraryKinds, mediaKinds } from '../renderscript/source.ts';
import { longList, type Of, type Rows } from './row.ts';

const facts = {
  kind: z.enum(mediaKinds),
  /** Container or picture format found by content, e.g. `mp4`, `png`, `svg`, `gif`. */
  format: z.string(),
  /** Upright pixels (rotation marks applied); 0 for sounds. */
  width: z.number(),
  height: z.number(),
  /** Seconds; 0 for still pictures. Animated pictures have one (of a single loop) although their kind is `image`. */
  duration: z.number(),
  /** Average frames per second of the picture; 0 when there is none. */
  frameRate: z.number(),
  hasAudio: z.boolean(),
  hasAlpha: z.boolean(),
};
export const mediaFacts = z.object(facts);
/** What a media file is and contains. */
export type MediaFacts = Of<typeof mediaFacts>;
/** The same of any file of the library: a table of colors has no size and no length. */
export const libraryFacts = z.object({ ...facts, kind: z.enum(libraryKinds) });
export type LibraryFacts = Of<typeof libraryFacts>;

export const windowMedia = z.object({
  id: z.string(),
  ...libraryFacts.shape,
  /** Its `source` for elements: `media:ID`. */
  source: z.string(),
  /** The file's name where it came from. */
  name: z.string(),
  bytes: z.number(),
  /** ms since 1970. */
  addedAt: z.number(),
  /** There is a small picture at `/api/media/ID/thumbnail`. */
  hasThumbnail: z.boolean(),
});
/** A file of the media library as the window shows it. */
export type WindowMedia = Of<typeof windowMedia>;

const nameRule = `a string of 1 to ${mediaLibraryLimits.nameLength} characters`;
const newFile = z.object({
  name: z
    .string(nameRule)
    .check(z.minLength(1, nameRule), z.maxLength(mediaLibraryLimits.nameLength, nameRule)),
});

/** The files of the library. */
export const mediaRows = {
  /** Newest first. */
  list: { method: 'GET', path: '/media', answer: longList(windowMedia) },
  /** The file is the body, which is not held in memory. 201; 200: it existed already. */
  add: { method: 'POST', path: '/media', query: newFile, answer: windowMedia },
  find: { method: 'GET', path: '/media/:id', answer: windowMedia },
  /** Names of the templates, in all projects, that use it. */
  uses: { method: 'GET', path: '/media/:id/uses', answer: z.array(z.string()) },
  thumbnail: { method: 'GET', path: '/media/:id/thumbnail', answer: 'file' },
  /**
   * Where a sound or video is played from, whole or in parts: a path on this listener that nobody can guess, since what
   * plays in a page sends no token. Valid until the server ends. 404 for pictures.
   */
  playing: { method: 'GET', path: '/media/:id/playing', answer: z.object({ path: z.string() }) },
  remove: { method: 'DELETE', path: '/media/:id', answer: null },
} as const satisfies Rows;
