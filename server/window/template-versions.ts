/**
 * Earlier versions of templates in the window: list, document, name, removal. Below `/api`, behind the window's token.
 */
import { Router } from 'express';
import { z } from 'zod';
import type { VersionList, WindowVersion } from '../../shared/api.ts';
import { ApiError } from '../../shared/errors.ts';
import { requestLimits as limits } from '../../shared/limits.ts';
import { bodyOf, jsonBody } from '../api/body.ts';
import { parseParameters } from '../system/parameters.ts';
import type { ServerServices } from '../services.ts';
import type { TemplateVersion } from '../store/template-versions.ts';

const words = { name: `null or a string of 1 to ${limits.nameLength} characters` };
const change = z.object({
  name: z.string(words.name).min(1, words.name).max(limits.nameLength, words.name).nullable(),
});

/** Routes below `/api/templates/ID/versions`. */
export function versionRoutes({ store }: ServerServices): Router {
  const { templates } = store;
  const { versions } = templates;
  const routes = Router({ caseSensitive: true });
  const found = (template: string, id: string): TemplateVersion => {
    const version = templates.find(template) && versions.find(template, id);
    if (!version) throw new ApiError('version_not_found', { id });
    return version;
  };

  routes.get('/templates/:id/versions', (request, response) => {
    const { id } = request.params;
    if (!templates.find(id)) throw new ApiError('template_not_found', { id });
    response.json({ versions: versions.list(id).map(windowVersion) } satisfies VersionList);
  });

  /** The document itself, as it was saved. */
  routes.get('/templates/:id/versions/:version', async (request, response) => {
    const { id, version } = request.params;
    response.type('json').send(await versions.read(found(id, version)));
  });

  routes.patch('/templates/:id/versions/:version', jsonBody);
  routes.patch('/templates/:id/versions/:version', async (request, response) => {
    const { id, version } = request.params;
    const { name } = parseParameters(change, bodyOf(request));
    found(id, version);
    const renamed = await versions.rename(id, version, name);
    if (!renamed) throw new ApiError('version_not_found', { id: version });
    response.json(windowVersion(renamed));
  });

  routes.delete('/templates/:id/versions/:version', async (request, response) => {
    const { id, version } = request.params;
    found(id, version);
    await templates.removeVersion(id, version);
    response.status(204).end();
  });
  return routes;
}

function windowVersion({ id, savedAt, name, file }: TemplateVersion): WindowVersion {
  return { id, savedAt, name, bytes: file.bytes };
}
