/**
 * Templates in the window: list, make, rename, duplicate, picture, the Trash, and earlier versions. Below `/api`,
 * behind the window's token. Documents are opened and saved by the editor's own routes (drafts.ts).
 */
import { randomUUID } from 'node:crypto';
import { Router } from 'express';
import {
  templateRows,
  trashRows,
  versionRows,
  type WindowSample,
  type WindowVersion,
} from '../../shared/api/templates.ts';
import { ApiError } from '../../shared/errors.ts';
import { pictureType } from '../../shared/preview.ts';
import { largeJsonBody } from '../api/body.ts';
import { readSamples } from '../jobs/first-templates.ts';
import type { TemplateVersion } from '../store/template-versions.ts';
import { describeError, type Log } from '../system/log.ts';
import { goneAt, restoreTemplate } from '../api/templates.ts';
import type { ServerServices } from '../services.ts';
import type { StoredTemplate } from '../store/template-record.ts';
import type { NewTemplate } from '../store/templates.ts';
import { sent, serveRows } from './rows.ts';
import { learnLong, learnShort, windowTemplate } from './view.ts';
import type { Thumbnails } from './thumbnails.ts';

/** Routes below `/api`. @param sampleFolder The samples that new templates can start from; undefined: none. */
export function templateWindowRoutes(
  services: ServerServices,
  thumbnails: Thumbnails,
  sampleFolder: string | undefined,
): Router {
  const { store, events, log } = services;
  const { templates, projects } = store;
  const sure = (template: StoredTemplate | null, id: string): StoredTemplate => {
    if (!template) throw new ApiError('template_not_found', { id });
    return template;
  };
  const insert = async (
    project: string,
    given: NewTemplate,
    id?: string,
  ): Promise<StoredTemplate> => {
    const kept = id && (await templates.insertNew(project, id.toLowerCase(), given));
    const template = kept || (await templates.insert(project, randomUUID(), given));
    events.emit({ type: 'template.created', template });
    return template;
  };

  let learning: Promise<void> | null = null;
  /** Lists don't wait for the facts of long documents: events report them as they come. */
  const learn = (): void => {
    learning ??= learnLong(templates, services.desk, (template) =>
      events.emit({ type: 'template.updated', template }),
    )
      .catch((error: unknown) => log('warning', 'templates', describeError(error)))
      .finally(() => (learning = null));
  };
  // Most are then known by the time a window asks.
  void learnShort(templates.list()).then(learn);

  const newBody = largeJsonBody(services.desk, {
    names: Object.keys(templateRows.create.body.shape),
  });
  const routes = serveRows(
    templateRows,
    {
      list: async () => {
        const eventNumber = events.number;
        const list = templates.list();
        await learnShort(list);
        learn();
        return { templates: list.map(windowTemplate), eventNumber };
      },
      create: async ({ body: { project, id, ...given } }) => {
        if (!projects.find(project)) throw new ApiError('project_not_found', { id: project });
        return windowTemplate(await insert(project, given, id));
      },
      duplicate: async ({ params: { id }, body: { name } }) => {
        const template = sure(templates.find(id), id);
        const { project, tags, markers } = template;
        const source = await templates.readDocument(template);
        return windowTemplate(await insert(project, { name, tags, source, markers }));
      },
      change: async ({ params: { id }, body }) => {
        const template = sure(await templates.change(id, body), id);
        events.emit({ type: 'template.updated', template });
        return windowTemplate(template);
      },
      remove: async ({ params: { id } }) => {
        if (!(await templates.remove(id))) throw new ApiError('template_not_found', { id });
        events.emit({ type: 'template.removed', id });
      },
      picture: async ({ params: { id }, response }) => {
        const trashed = templates.listDeleted().find((one) => one.id === id);
        const waiting = new AbortController();
        response.once('close', () => waiting.abort());
        const template = sure(templates.find(id) ?? trashed ?? null, id);
        const picture = await thumbnails.of(template, waiting.signal);
        if (waiting.signal.aborted) return;
        if (picture) response.type(pictureType(picture.toString('base64', 0, 6))).send(picture);
        else response.status(204).end();
      },
      samples: () => (sampleFolder === undefined ? [] : windowSamples(sampleFolder, log)),
    },
    { create: newBody },
  );
  return Router({ caseSensitive: true }).use(routes, trashRoutes(services));
}

function windowSamples(folder: string, log: Log): WindowSample[] {
  return readSamples(folder, log).map(({ id, name, tags, family, source }) => ({
    id,
    name,
    tags,
    family,
    source,
  }));
}

function trashRoutes({ store, events }: ServerServices): Router {
  const { templates } = store;
  return serveRows(trashRows, {
    list: () =>
      templates.listDeleted().map((template) => ({
        ...windowTemplate(template),
        deletedAt: template.deletedAt,
        goneAt: goneAt(template),
      })),
    restore: async ({ params: { id } }) =>
      windowTemplate(await restoreTemplate({ templates, events }, id)),
    purge: async ({ params: { id } }) => {
      if (!templates.listDeleted().some((template) => template.id === id))
        throw new ApiError('template_not_found', { id });
      await templates.purge(id);
      // Emitted again, so that other windows reload the Trash.
      events.emit({ type: 'template.removed', id });
    },
  });
}

/** Earlier versions: list, document, name, removal. */
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
