/**
 * Fonts in the window: the families that texts can use; added ones with their files, add, who uses one, remove; and
 * those that templates miss. Below `/api`, behind the window's token.
 */
import { Router } from 'express';
import { z } from 'zod';
import type { AddedFamily, FontUses, MissingFamily } from '../../shared/api.ts';
import { ApiError } from '../../shared/errors.ts';
import { fontLibraryLimits } from '../../shared/limits.ts';
import { looseName } from '../../shared/renderscript/same-name.ts';
import { groupFamilies } from '../jobs/files/font-library.ts';
import { parseParameters } from '../system/parameters.ts';
import type { ServerServices } from '../services.ts';

const nameRule = `a string of 1 to ${fontLibraryLimits.nameLength} characters`;
const newFont = z.object({
  name: z.string(nameRule).min(1, nameRule).max(fontLibraryLimits.nameLength, nameRule),
});

/** Routes below `/api`. */
export function fontRoutes({ fonts, fontLibrary, store }: ServerServices): Router {
  const routes = Router({ caseSensitive: true });

  /** All families, also for completion in the editor. */
  routes.get('/fonts', async (_request, response) => {
    response.json(await fonts.list());
  });

  routes.get('/fonts/added', (_request, response) => {
    response.json(addedFamilies());
  });

  /** The file is the body, which is not held in memory; its name is in the query. 200: it existed already. */
  routes.post('/fonts/added', async (request, response) => {
    const { name } = parseParameters(newFont, request.query);
    const { family, isNew } = await fontLibrary.add(request, name);
    const added = addedFamilies().find((one) => looseName(one.family) === looseName(family));
    response.status(isNew ? 201 : 200).json(added);
  });

  routes.get('/fonts/added/:family/uses', async (request, response) => {
    const { family } = request.params;
    if (store.fonts.ofFamily(family).length === 0) throw new ApiError('font_not_found', { family });
    const key = looseName(family);
    const brands = store.projects.list().filter(({ brand }) => {
      return [brand?.titleFont, brand?.textFont].some(
        (name) => name !== undefined && looseName(name) === key,
      );
    });
    const users = await fontLibrary.usersOf(family);
    response.json({
      templates: users.map(({ name }) => name),
      brands: brands.map(({ name }) => name),
    } satisfies FontUses);
  });

  routes.delete('/fonts/added/:family', async (request, response) => {
    await fontLibrary.remove(request.params.family);
    response.status(204).end();
  });

  /** Families that templates name and nothing has. */
  routes.get('/fonts/missing', async (_request, response) => {
    const { bundled, added, installed } = await fonts.list();
    const missing = await fontLibrary.missing([...bundled, ...added, ...installed]);
    response.json(missing satisfies readonly MissingFamily[]);
  });

  function addedFamilies(): readonly AddedFamily[] {
    return groupFamilies(store.fonts.list()).map(({ family, files }) => ({
      family,
      bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
      files: files.map(({ id, name, style, minWeight, maxWeight }) => ({
        ...{ id, name, style, minWeight, maxWeight },
      })),
    }));
  }

  return routes;
}
