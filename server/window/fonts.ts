/**
 * Fonts in the window: the families that texts can use; added ones with their files, add, who uses one, remove; and
 * those that templates miss. Below `/api`, behind the window's token.
 */
import type { Router } from 'express';
import { fontRows, type AddedFamily } from '../../shared/api/fonts.ts';
import { ApiError } from '../../shared/errors.ts';
import { groupFamilies } from '../jobs/files/font-library.ts';
import type { ServerServices } from '../services.ts';
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
