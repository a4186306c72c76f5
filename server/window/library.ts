/**
 * The libraries in the window: the families that texts can use, added ones with their files, those that templates miss;
 * media to list, add, look at, play. Who uses one, remove. Below `/api`, behind the window's token.
 */
import { createHmac, randomBytes } from 'node:crypto';
import path from 'node:path';
import { Router } from 'express';
import { type AddedFamily, fontRows } from '../../shared/api/fonts.ts';
import { mediaRows, type WindowMedia } from '../../shared/api/media.ts';
import { ApiError } from '../../shared/errors.ts';
import { sameSecret } from '../api/auth.ts';
import { sendInParts } from '../api/files.ts';
import { groupFamilies } from '../jobs/files/font-library.ts';
import type { MediaLibrary } from '../jobs/files/media-library.ts';
import type { MediaStore, StoredMedia } from '../store/media.ts';
import type { ServerServices } from '../services.ts';
import type { TemplateStore } from '../store/templates.ts';
import { serveRows } from './rows.ts';

/** Routes below `/api`. */
export function fontRoutes({
  library: { fonts, fontLibrary },
  store,
}: Pick<ServerServices, 'library' | 'store'>): Router {
  const addedFamilies = (): readonly AddedFamily[] =>
    groupFamilies(store.fonts.list()).map(({ family, files }) => ({
      family,
      bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
      files: files.map(({ id, name, style, minWeight, maxWeight }) => ({
        ...{ id, name, style, minWeight, maxWeight },
      })),
    }));

  return serveRows(fontRows, {
    /** Also for completion in the editor. */
    all: () => fonts.list(),
    added: addedFamilies,
    add: async ({ query, request, response }) => {
      const { family, isNew } = await fontLibrary.add(request, query.name);
      const key = family.toLowerCase();
      const added = addedFamilies().find((one) => one.family.toLowerCase() === key);
      if (!added) throw new ApiError('font_not_found', { family });
      if (isNew) response.status(201);
      return added;
    },
    uses: async ({ params: { family } }) => {
      if (store.fonts.ofFamily(family).length === 0)
        throw new ApiError('font_not_found', { family });
      const key = family.toLowerCase();
      const brands = store.projects.list().filter(({ brand }) => {
        return [brand?.titleFont, brand?.textFont].some((name) => name?.toLowerCase() === key);
      });
      const users = await fontLibrary.usersOf(family);
      return {
        templates: users.map(({ name }) => name),
        brands: brands.map(({ name }) => name),
      };
    },
    remove: ({ params: { family } }) => fontLibrary.remove(family),
    missing: async () => {
      const { bundled, added, installed } = await fonts.list();
      return fontLibrary.missing([...bundled, ...added, ...installed]);
    },
  });
}

/** Routes below `/api`, and the one without a token that plays a file. */
export function mediaRoutes(
  media: MediaStore,
  library: MediaLibrary,
  templates: TemplateStore,
): { readonly asking: Router; readonly fetching: Router } {
  const sure = (id: string): StoredMedia => {
    const found = media.find(id);
    if (!found) throw new ApiError('media_not_found', { id });
    return found;
  };

  const played = (id: string): StoredMedia => {
    const found = sure(id);
    // A drawing could be a page with a program in it.
    if (found.kind !== 'video' && found.kind !== 'audio')
      throw new ApiError('media_not_found', { id });
    return found;
  };
  const secret = randomBytes(32);
  /** What an address must have: IDs alone can be guessed by who has the file. */
  const markOf = (id: string): string => createHmac('sha256', secret).update(id).digest('hex');

  const fetching = Router({ caseSensitive: true });
  fetching.get('/media/:mark/:id', async (request, response) => {
    const { id, mark } = request.params;
    if (!sameSecret(mark, markOf(id))) throw new ApiError('file_not_found', { path: request.path });
    const { kind, format, name } = played(id);
    response.set('Cross-Origin-Resource-Policy', 'same-origin');
    const file = path.join(media.contentFolder, id);
    await sendInParts(request, response, {
      file,
      type: playedTypes[format] ?? `${kind}/${format}`,
      name,
    });
  });

  const asking = serveRows(mediaRows, {
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
    playing: ({ params }) => {
      const { id } = played(params.id);
      return { path: `/media/${markOf(id)}/${id}` };
    },
    remove: async ({ params: { id } }) => {
      if (!(await media.remove(id))) throw new ApiError('media_not_found', { id });
    },
  });
  return { asking, fetching };
}

/** Types of formats that are not called so. */
const playedTypes: Readonly<Record<string, string>> = {
  mp3: 'audio/mpeg',
  mov: 'video/mp4',
  mkv: 'video/webm',
};

/** A file of the library as the window shows it. */
export function windowMedia({ thumbnail, ...facts }: StoredMedia): WindowMedia {
  const shown = { ...facts, source: `media:${facts.id}`, hasThumbnail: thumbnail !== null };
  // The window shows the library of all.
  delete shown.projects;
  return shown;
}
