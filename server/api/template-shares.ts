/** Templates as one file, over HTTP: one or several with media and fonts are sent, or received as new templates. */
import type { Request, Response } from 'express';
import type { z } from 'zod';
import type { Brand } from '../../shared/api.ts';
import { ApiError } from '../../shared/errors.ts';
import { cleanFileName } from '../../shared/file-name.ts';
import { freeName } from '../../shared/free-name.ts';
import { requestLimits, shareLimits } from '../../shared/limits.ts';
import type { Received, SharedValues } from '../jobs/share/share-reader.ts';
import { refuseShare } from '../jobs/share/zip-reader.ts';
import {
  tooLarge as shareTooLarge,
  type Packing,
  type SharedTemplate,
} from '../jobs/share/share-writer.ts';
import type { TemplateShares } from '../jobs/share/template-shares.ts';
import { parseParameters } from '../system/parameters.ts';
import { pictureName, type StoredTemplate } from '../store/template-record.ts';
import { tooLarge } from './body-bytes.ts';
import { savedAs } from './answer.ts';
import { one, type Operation, projectRoutes } from './operation.ts';
import type { ProjectServices } from './project.ts';
import { importedTemplateAnswer } from './answer-schemas.ts';
import { createTemplateBody, importQuery, shareQuery } from './request-schemas.ts';
import { fullTemplateRecord, templateRecord } from './serialize.ts';
import { createTemplate, type WholeTemplate } from './templates.ts';
import { contentOf } from './uploads.ts';

const route = projectRoutes('templates');

/** What could not be packed. */
export const missingHeader = 'Share-Missing';
/** How many of them the header names, and the characters of each: headers are short. */
const inHeader = { files: 20, characters: 200 };

/** What a shared template must have; its ID is always a new one. */
const sharedTemplate = createTemplateBody.omit({ id: true });

/** Sends a file; a failure in the middle breaks the connection, so that half a file never looks whole. */
export async function sendShare(
  shares: TemplateShares,
  packing: Packing,
  response: Response,
): Promise<void> {
  const { templates, missing } = packing;
  const more = templates.length - 1;
  const stem = cleanFileName(templates[0]?.name ?? '') || 'template';
  response.set({
    'Content-Type': 'application/zip',
    'Content-Disposition': savedAs(`${stem}${more > 0 ? ` + ${more}` : ''}.framewright`),
    'Cross-Origin-Resource-Policy': 'same-origin',
  });
  if (missing.length > 0) {
    const named = missing
      .slice(0, inHeader.files)
      .map(({ source, reason }) => `${source.slice(0, inHeader.characters)}: ${reason}`);
    response.set(missingHeader, encodeURIComponent(JSON.stringify(named)));
  }
  try {
    await shares.write(packing, response);
  } catch (error) {
    if (!response.headersSent) throw error;
    // Nobody can be answered any more; the log says why.
    response.destroy();
  }
}

/**
 * The file of a template, or of a kit, before it is sent.
 *
 * @param also IDs of the kit's other templates, with commas between them.
 * @param services Where they are found, whose media they may have (null: all), and the brand of a kit.
 * @throws ApiError `template_not_found`, `share_too_large`, `template_damaged`, `busy`.
 */
export async function planShare(
  id: string,
  also: string,
  {
    shares,
    templates,
    ...services
  }: {
    readonly shares: TemplateShares;
    readonly templates: Pick<ProjectServices['templates'], 'find' | 'readDocument'>;
    readonly project: string | null;
    readonly brandOf: (template: StoredTemplate) => Brand | undefined;
  },
): Promise<Packing> {
  const ids = [id, ...also.split(',').filter((one) => one.trim() !== '')];
  const all = new Set(ids.map((one) => one.trim().toLowerCase()));
  const { templates: most, documentBytes } = shareLimits;
  if (all.size > most) shareTooLarge(`it has ${all.size} templates; one file holds ${most}`);
  const content: SharedTemplate[] = [];
  let brand: Brand | undefined;
  let bytes = 0;
  for (const one of all) {
    const template = templates.find(one);
    if (!template) throw new ApiError('template_not_found', { id: one });
    const { name, tags, markers } = template;
    const source = await templates.readDocument(template);
    bytes += source.length;
    if (bytes > documentBytes)
      shareTooLarge(`its templates have more than ${documentBytes / 1e6} MB`);
    if (all.size > 1) brand ??= services.brandOf(template);
    content.push({ name, tags, markers: [...markers], picture: pictureName(template), source });
  }
  return shares.plan({ templates: content, project: services.project, brand });
}

/** Templates that came as a file. */
export type ReceivedTemplates = Received<WholeTemplate>;

/**
 * Stores what a request brings as new templates.
 *
 * @param owner The project that gets its media; null: all of them.
 * @param only Numbers of a kit's templates with commas between them; undefined: all.
 * @throws ApiError as the route's row says.
 */
export async function receiveTemplates(
  services: ProjectServices,
  request: Request,
  owner: string | null,
  only?: string,
): Promise<ReceivedTemplates> {
  const larger = (): ApiError => tooLarge(request, shareLimits.bytes);
  if (Number(request.headers['content-length']) > shareLimits.bytes) throw larger();
  const accept = (values: SharedValues): z.infer<typeof sharedTemplate> => {
    try {
      return parseParameters(sharedTemplate, values);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return refuseShare(`its template is not complete (${error.message.replace(/\.$/, '')})`);
    }
  };
  const { project, library } = services;
  return library.shares.receive(
    { stream: contentOf(request), tooLarge: larger },
    {
      accept,
      store: ({ template, markers }) => {
        // People tell templates apart by their names; programs have IDs, and get the name that they sent.
        const name = owner === null ? nameBeside(services, template.name) : template.name;
        return createTemplate(services, { ...template, name, markers });
      },
      wantsBrand: project.brand() === undefined,
      takeBrand: project.takeBrand,
      only: only?.split(',').map(Number),
    },
    owner,
  );
}

function nameBeside({ templates }: ProjectServices, name: string): string {
  const taken = new Set(templates.list().map((one) => one.name.toLowerCase()));
  return freeName(name, (one) => taken.has(one), requestLimits.nameLength);
}

/** The routes of shared templates. */
export const templateShareOperations: readonly Operation[] = [
  route('GET /v2/templates/{id}/share', {
    id: 'shareTemplate',
    summary: 'Load a template with its files',
    explanation: `Answers with one zip archive, a \`.framewright\` file: the template, or with \`also\` a kit of several with the brand of their project, and those of its media and fonts that are files of this computer, from the media library and the media folders. Addresses on the network stay addresses. Files that can't be packed are named in the header \`${missingHeader}\`: a JSON array of sentences, percent-encoded.`,
    query: shareQuery,
    answers: [{ status: 200, description: 'The file.', content: { form: 'archive' } }],
    refusals: [
      'invalid_parameter',
      'template_not_found',
      'template_damaged',
      'share_too_large',
      'busy',
    ],
    answer: async ({ templates, project, library: { shares } }, { id, query, response }) => {
      const from = { shares, templates, project: project.id, brandOf: project.brand };
      await sendShare(shares, await planShare(id, query.also ?? '', from), response);
    },
  }),
  route('POST /v2/templates/import', {
    id: 'receiveTemplate',
    summary: 'Create a template from such a file',
    explanation: `The body is the file, up to ${shareLimits.bytes / 1e9} GB. Everything in it is checked before anything is stored; then its media are added to the media library, and the template is created under a new ID. Of a kit, all templates are created that can be read; the answer is the first one, and names the others in \`kit\`. Nothing in the file is run.`,
    bodyForm: 'archive',
    query: importQuery,
    answers: [one(201, importedTemplateAnswer, 'The template with its new ID.')],
    refusals: [
      'invalid_parameter',
      'share_refused',
      'body_too_large',
      'media_too_large',
      'media_library_full',
      'incomplete_body',
      'cannot_save',
      'asks_too_much',
      'too_many_elements',
      'busy',
    ],
    answer: async (services, { request, query }) => {
      const { id } = services.project;
      const { isKit, stored, unreadable, brand } = await receiveTemplates(
        services,
        request,
        id,
        query.only,
      );
      const [first] = stored;
      // A file without one is refused.
      if (!first) throw new Error('unreachable');
      const record = fullTemplateRecord(first.template, first.source);
      if (!isKit) return record;
      const templates = stored.map(({ template }) => templateRecord(template));
      return { ...record, kit: { templates, unreadable, brand } };
    },
  }),
];
