/**
 * The media library in the window: list, add, look at, who uses it, remove. Below `/api`, behind the window's token.
 */
import type { Router } from 'express';
import path from 'node:path';
import { mediaRows, type WindowMedia } from '../../shared/api/media.ts';
import { ApiError } from '../../shared/errors.ts';
import type { MediaLibrary } from '../jobs/files/media-library.ts';
import type { MediaStore, StoredMedia } from '../store/media.ts';
import type { TemplateStore } from '../store/templates.ts';
import { serveRows } from './rows.ts';

/** Routes below `/api`. */
export function mediaRoutes(
  media: MediaStore,
  library: MediaLibrary,
  templates: TemplateStore,
): Router {
  const sure = (id: string): StoredMedia => {
    const found = media.find(id);
    if (!found) throw new ApiError('media_not_found', { id });
    return found;
  };

  return serveRows(mediaRows, {
    list: () => media.list().map(windowMedia),
    add: async ({ query: { name }, request, response }) => {
      const { media: added, isNew } = await library.add(request, name);
      if (isNew) response.status(201);
      return windowMedia(added);
    },
    find: ({ params: { id } }) => windowMedia(sure(id)),
    uses: async ({ params: { id } }) => {
      const word = `"media:${sure(id).id}"`;
      const names: string[] = [];
      for (const template of templates.list()) {
        if (await templates.hasWord(template, word)) names.push(template.name);
      }
      return names;
    },
    thumbnail: async ({ params: { id }, response }) => {
      const file = media.thumbnailPath(sure(id));
      if (file === null) throw new ApiError('media_not_found', { id });
      response.type(path.extname(file));
      await new Promise<void>((resolve, reject) => {
        const options = { root: path.dirname(file), cacheControl: false };
        response.sendFile(path.basename(file), options, (error?: Error & { status?: number }) => {
          // A reader that goes away in the middle is no error.
          if (!error || response.headersSent) resolve();
          else reject(error.status === 404 ? new ApiError('media_not_found', { id }) : error);
        });
      });
    },
    remove: async ({ params: { id } }) => {
      if (!(await media.remove(id))) throw new ApiError('media_not_found', { id });
    },
  });
}

/** A file of the library as the window shows it. */
export function windowMedia({ thumbnail, ...facts }: StoredMedia): WindowMedia {
  const shown = { ...facts, source: `media:${facts.id}`, hasThumbnail: thumbnail !== null };
  // The window shows the library of all.
  delete shown.projects;
  return shown;
}
