/** Templates as one file, over HTTP: a template with its media and fonts is sent, or received as a new template. */
import type { Request, Response } from 'express';
import type { z } from 'zod';
import { ApiError } from '../../shared/errors.ts';
import { cleanFileName } from '../../shared/file-name.ts';
import { freeName } from '../../shared/free-name.ts';
import { requestLimits, shareLimits } from '../../shared/limits.ts';
import type { SharedValues } from '../jobs/share/share-reader.ts';
import { refuseShare } from '../jobs/share/zip-reader.ts';
import type { Packing } from '../jobs/share/share-writer.ts';
import type { TemplateShares } from '../jobs/share/template-shares.ts';
import { parseParameters } from '../system/parameters.ts';
import type { StoredTemplate } from '../store/template-record.ts';
import { tooLarge } from './body-bytes.ts';
import { savedAs } from './answer.ts';
import { one, type Operation, projectRoutes } from './operation.ts';
import type { ProjectServices } from './project.ts';
import { fullTemplateAnswer } from './answer-schemas.ts';
import { createTemplateBody } from './request-schemas.ts';
import { fullTemplateRecord } from './serialize.ts';
import { createTemplate, type WholeTemplate } from './templates.ts';
import { contentOf } from './uploads.ts';

const route = projectRoutes('templates');

/** What could not be packed. */
export const missingHeader = 'Share-Missing';
/** How many of them the header names, and the characters of each: headers are short. */
const inHeader = { files: 20, characters: 200 };

/** What a shared template must have; its ID is always a new one. */
const sharedTemplate = createTemplateBody.omit({ id: true });

/** Sends a template's file; a failure in the middle breaks the connection, so that half a file never looks whole. */
export async function sendShare(
  shares: TemplateShares,
  packing: Packing,
  response: Response,
): Promise<void> {
  const { template, missing } = packing;
  const name = `${cleanFileName(template.name) || 'template'}.framewright`;
  response.set({
    'Content-Type': 'application/zip',
    'Content-Disposition': savedAs(name),
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
 * The file of a template, before it is sent.
 * @param project Whose media it may have; null: all.
 * @throws ApiError `share_too_large`, `template_damaged`, `busy`.
 */
export async function planShare(
  shares: TemplateShares,
  templates: Pick<ProjectServices['templates'], 'readDocument'>,
  template: StoredTemplate,
  project: string | null,
): Promise<Packing> {
  const { name, tags, markers } = template;
  return shares.plan({
    name,
    tags,
    markers: [...markers],
    project,
    source: await templates.readDocument(template),
  });
}

/** A template that came as a file. */
export interface ReceivedTemplate extends WholeTemplate {
  /** How many files it brought. */
  readonly files: number;
  /** Addresses of files that its sender could not pack, with the reason. */
  readonly missing: Packing['missing'];
}

/**
 * Stores what a request brings as a new template.
 *
 * @param owner The project that gets its media; null: all of them. @throws ApiError as the route's row says.
 */
export async function receiveTemplate(
  services: ProjectServices,
  request: Request,
  owner: string | null,
): Promise<ReceivedTemplate> {
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
  const content = { stream: contentOf(request), tooLarge: larger };
  const { template, markers, ...rest } = await services.library.shares.receive(
    content,
    accept,
    owner,
  );
  // People tell templates apart by their names; programs have IDs, and get the name that they sent.
  const name = owner === null ? nameBeside(services, template.name) : template.name;
  return { ...(await createTemplate(services, { ...template, name, markers })), ...rest };
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
    explanation: `Answers with one zip archive, a \`.framewright\` file: the template, and those of its media and fonts that are files of this computer, from the media library and the media folders. Addresses on the network stay addresses. Files that can't be packed are named in the header \`${missingHeader}\`: a JSON array of sentences, percent-encoded.`,
    answers: [{ status: 200, description: 'The file.', content: { form: 'archive' } }],
    refusals: ['template_not_found', 'template_damaged', 'share_too_large', 'busy'],
    answer: async ({ templates, project, library: { shares } }, { id, response }) => {
      const template = templates.find(id.toLowerCase());
      if (!template) throw new ApiError('template_not_found', { id });
      await sendShare(shares, await planShare(shares, templates, template, project.id), response);
    },
  }),
  route('POST /v2/templates/import', {
    id: 'receiveTemplate',
    summary: 'Create a template from such a file',
    explanation: `The body is the file, up to ${shareLimits.bytes / 1e9} GB. Everything in it is checked before anything is stored; then its media are added to the media library, and the template is created under a new ID. Nothing in the file is run.`,
    bodyForm: 'archive',
    answers: [one(201, fullTemplateAnswer, 'The template with its new ID.')],
    refusals: [
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
    answer: async (services, { request }) => {
      const { template, source } = await receiveTemplate(services, request, services.project.id);
      return fullTemplateRecord(template, source);
    },
  }),
];
