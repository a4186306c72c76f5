/**
 * Earlier versions of templates in the window: list, document, name, removal. Below `/api`, behind the window's token.
 */
import type { Router } from 'express';
import { versionRows, type WindowVersion } from '../../shared/api/templates.ts';
import { ApiError } from '../../shared/errors.ts';
import type { ServerServices } from '../services.ts';
import type { TemplateVersion } from '../store/template-versions.ts';
import { sent, serveRows } from './rows.ts';

/** Routes below `/api`. */
export function versionRoutes({ store }: ServerServices): Router {
  const { templates } = store;
  const { versions } = templates;
  const found = (template: string, id: string): TemplateVersion => {
    const version = templates.find(template) && versions.find(template, id);
    if (!version) throw new ApiError('version_not_found', { id });
    return version;
  };

  return serveRows(versionRows, {
    list: ({ params: { id } }) => {
      if (!templates.find(id)) throw new ApiError('template_not_found', { id });
      return { versions: versions.list(id).map(windowVersion) };
    },
    document: async ({ params: { id, version }, response }) => {
      response.type('json').send(await versions.read(found(id, version)));
      return sent;
    },
    rename: async ({ params: { id, version }, body: { name } }) => {
      found(id, version);
      const renamed = await versions.rename(id, version, name);
      if (!renamed) throw new ApiError('version_not_found', { id: version });
      return windowVersion(renamed);
    },
    remove: async ({ params: { id, version } }) => {
      found(id, version);
      await templates.removeVersion(id, version);
    },
  });
}

function windowVersion({ id, savedAt, name, file }: TemplateVersion): WindowVersion {
  return { id, savedAt, name, bytes: file.bytes };
}
