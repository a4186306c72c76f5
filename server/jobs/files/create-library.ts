/** Makes what keeps files: finished ones, media, fonts, and templates that are handed on. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Storage } from '../../store/storage.ts';
import type { Ground } from '../create-work.ts';
import type { Desk } from '../desk/desk.ts';
import { FontFamilies, FontLibrary } from './font-library.ts';
import { TemplateShares } from '../share/template-shares.ts';
import { LastFrames } from './last-frames.ts';
import { MediaLibrary, type MediaLibraryOptions } from './media-library.ts';
import { createOutputFiles, type OutputFiles } from './output-files.ts';
import { Retention } from './retention.ts';

/** Files of all kinds. */
export interface Library {
  /** Finished files. */
  readonly files: OutputFiles;
  readonly lastFrames: LastFrames;
  readonly retention: Retention;
  readonly mediaLibrary: MediaLibrary;
  /** Templates as one file, with their media and fonts. */
  readonly shares: TemplateShares;
  readonly fonts: FontFamilies;
  readonly fontLibrary: FontLibrary;
}

/**
 * Opens the folders of finished files.
 *
 * @param started The output folder named at the start: it is made with all its parents. A folder chosen later may lie
 *   on a drive that is missing now: then the queue waits for it, and nothing is written in its place.
 * @param storage Where finished files go; null: they stay in the folder.
 */
export async function openFiles(
  { store, events, dataFolder, log, parts }: Ground,
  started: string,
  chosen: string,
  storage: Storage | null,
): Promise<Pick<Library, 'files' | 'lastFrames'>> {
  const files = createOutputFiles(started, storage);
  files.use(chosen, store.settings.values.earlierOutputFolders);
  if (files.folder === started) await mkdir(files.folder, { recursive: true });
  const folder = path.join(dataFolder, 'last-frames');
  const lastFrames = await LastFrames.open(folder, (id) => store.renders.has(id), log);
  parts.push({ close: lastFrames.follow(events) });
  return { files, lastFrames };
}

/** What the library is made of beside the ground. */
export interface LibraryParts extends Pick<Library, 'files' | 'lastFrames'> {
  readonly desk: Desk;
  readonly engine: MediaLibraryOptions['engine'] & { readonly mediaFolders: readonly string[] };
  /** See Farm; undefined: there is none. */
  readonly sweep: ((now: number) => Promise<void>) | undefined;
  /** The added fonts are other ones. */
  readonly onFonts: () => void;
}

/** Makes the rest. */
export function createLibrary(
  { store, events, clock, dataFolder, log, fork, leads }: Ground,
  { files, lastFrames, desk, engine, sweep, onFonts }: LibraryParts,
): Library {
  const { media, fonts, templates } = store;
  const { fontFolder } = engine;
  const addedFonts = (): ReturnType<typeof fonts.list> => fonts.list();
  const mediaLibrary = new MediaLibrary({ media, fork, engine, log });
  return {
    files,
    lastFrames,
    mediaLibrary,
    shares: new TemplateShares({
      desk,
      media,
      library: mediaLibrary,
      mediaFolders: () => engine.mediaFolders,
      addedFonts,
      pictureFolder: path.join(dataFolder, 'thumbnails'),
      log,
    }),
    fonts: new FontFamilies(fork, log, fontFolder, addedFonts),
    fontLibrary: new FontLibrary({
      fonts,
      templates,
      desk,
      fork,
      fontFolder,
      log,
      onChange: (users) => {
        onFonts();
        events.emit({ type: 'fonts.changed', templates: users.map(({ id }) => id) });
      },
    }),
    retention: new Retention({
      store,
      files,
      events,
      clock,
      log,
      leads,
      ...(sweep && { sweepShared: sweep }),
    }),
  };
}
