/**
 * The media library in the window: list, add, look at, who uses it, remove. Below `/api`, behind the window's token.
 */
import { Router } from 'express';
import path from 'node:path';
import { z } from 'zod';
import type { WindowMedia } from '../../shared/api.ts';
import { ApiError } from '../../shared/errors.ts';
import { mediaLibraryLimits } from '../../shared/limits.ts';
import type { MediaLibrary } from '../jobs/files/media-library.ts';
import { parseParameters } from '../system/parameters.ts';
import type { MediaStore, StoredMedia } from '../store/media.ts';
import type { TemplateStore } from '../store/templates.ts';

const nameRule = `a string of 1 to ${mediaLibraryLimits.nameLength} characters`;
const newMedia = z.object({
  name: z.string(nameRule).min(1, nameRule).max(mediaLibraryLimits.nameLength, nameRule),
});

/** Routes below `/api`. */
export function mediaRoutes(
  media: MediaStore,
  library: MediaLibrary,
  templates: TemplateStore,
): Router {
  const routes = Router({ caseSensitive: true });
  const sure = (id: string): StoredMedia => {
    const found = media.find(id);
    if (!found) throw new ApiError('media_not_found', { id });
    return found;
  };

  routes.get('/media', (_request, response) => {
    response.json(media.list().map(windowMedia));
  });

  /** The file is the body, which is not held in memory; its name is in the query. 200: it existed already. */
  routes.post('/media', async (request, response) => {
    const { name } = parseParameters(newMedia, request.query);
    const { media: added, isNew } = await library.add(request, name);
    response.status(isNew ? 201 : 200).json(windowMedia(added));
  });

  routes.get('/media/:id', (request, response) => {
    response.json(windowMedia(sure(request.params.id)));
  });

  /** Names of the templates, in all projects, that use the file. */
  routes.get('/media/:id/uses', async (request, response) => {
    const word = `"media:${sure(request.params.id).id}"`;
    const names: string[] = [];
    for (const template of templates.list()) {
      if (await templates.hasWord(template, word)) names.push(template.name);
    }
    response.json(names);
  });

  routes.get('/media/:id/thumbnail', async (request, response) => {
    const { id } = request.params;
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
  });

  routes.delete('/media/:id', async (request, response) => {
    const { id } = request.params;
    if (!(await media.remove(id))) throw new ApiError('media_not_found', { id });
    response.status(204).end();
  });

  return routes;
}

function windowMedia({ thumbnail, ...facts }: StoredMedia): WindowMedia {
  const shown = { ...facts, source: `media:${facts.id}`, hasThumbnail: thumbnail !== null };
  // The window shows the library of all.
  delete shown.projects;
  return shown;
}
