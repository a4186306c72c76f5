/** Pictures of one moment of a document, drawn while the request waits. */
import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { counted } from '../../shared/counted.ts';
import { ApiError } from '../../shared/errors.ts';
import { openLimits } from '../../shared/limits.ts';
import { pictureType, type PreviewFacts } from '../../shared/preview.ts';
import {
  placedSentence,
  problemSentence,
  type JsonObject,
  type Problem,
} from '../../shared/renderscript/source.ts';
import type { PreviewService } from '../jobs/worker/preview.ts';
import type { JsonText } from '../system/json-text.ts';
import { parseParameters } from '../system/parameters.ts';
import { bodyOf, largeJsonBody } from './body.ts';
import { type Operation, projectRoutes } from './operation.ts';
import type { ProjectServices } from './project.ts';
import { previewBody, previewParameters } from './request-schemas.ts';

const route = projectRoutes('previews');

/** Warnings from drawing, as a JSON array of sentences, percent-encoded. */
export const warningsHeader = 'Preview-Warnings';
const mostWarnings = 5;

const wish = { names: Object.keys(previewParameters.shape) };

/** What a picture is made of. */
export type PictureQuestion = z.infer<typeof previewParameters>;

/** A drawn moment. */
export interface DrawnMoment {
  /** A jpg, or a png if partly transparent, in base64. */
  readonly picture: string;
  readonly facts: PreviewFacts;
  /** The first few sentences about what is not drawn as it should be. */
  readonly warnings: readonly string[];
}

/** Drawings that someone waits for, of each service. */
const open = new WeakMap<PreviewService, number>();

/**
 * Draws one moment of a document or template.
 *
 * @throws ApiError `nothing_to_render`, `template_not_found`, `document_wrong`, `preview_failed`, `preview_off`,
 * `busy`.
 */
export async function drawMoment(
  services: ProjectServices,
  { time = 0, max_side: side, ...question }: PictureQuestion,
): Promise<DrawnMoment> {
  const { previews } = services.pending;
  const source = await documentToDraw(services, question);
  const count = open.get(previews) ?? 0;
  if (count >= openLimits.previews) throw new ApiError('busy');
  open.set(previews, count + 1);
  try {
    const { text, problems } = await services.desk.prepare({
      source,
      scaling: {},
      hints: false,
      ...(question.modifications && { modifications: question.modifications }),
    });
    refuseErrors(problems);
    const outcome = await previews.draw({
      // A fresh ID, so that no other question replaces this one.
      client: randomUUID(),
      project: services.project.id,
      source: text,
      hidden: [],
      time,
      ...(side !== undefined && { side }),
    });
    if (outcome.kind === 'failed') {
      throw new ApiError('preview_failed', { reason: outcome.message.replace(/\.$/, '') });
    }
    if (outcome.kind !== 'drawn') {
      const reason = outcome.kind === 'superseded' ? 'it was given up' : outcome.reason;
      throw new ApiError('preview_off', { reason: reason.replace(/\.$/, '') });
    }
    const { picture, facts } = outcome;
    return {
      picture,
      facts,
      warnings: facts.warnings.slice(0, mostWarnings).map(problemSentence),
    };
  } finally {
    open.set(previews, (open.get(previews) ?? 1) - 1);
  }
}

/** The document itself, or that of a template. @throws ApiError `nothing_to_render`, `template_not_found`. */
export async function documentToDraw(
  { templates }: ProjectServices,
  { template_id: id, source: own }: Pick<PictureQuestion, 'template_id' | 'source'>,
): Promise<JsonObject | JsonText> {
  const template = id === undefined ? null : templates.find(id.toLowerCase());
  if (id !== undefined && !template) throw new ApiError('template_not_found', { id });
  const source = template ? await templates.readDocument(template) : own;
  if (!source) throw new ApiError('nothing_to_render');
  return source;
}

/** @throws ApiError `document_wrong` for a document that can't be drawn. */
export function refuseErrors(problems: readonly Problem[]): void {
  const errors = problems.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  if (!first) return;
  throw new ApiError('document_wrong', {
    errors: counted(errors.length, 'error'),
    first: placedSentence(first),
  });
}

/** The route of previews. */
export const previewOperations: readonly Operation[] = [
  route('POST /v2/previews', {
    id: 'createPreview',
    summary: 'Draw one moment',
    explanation:
      'Answers with the picture itself: a JPEG, or a PNG if it is partly transparent. Nothing is stored. Warnings, e.g. about a missing file that shows as a placeholder, are in the header `Preview-Warnings`: a JSON array of sentences, percent-encoded.',
    body: previewBody,
    answers: [{ status: 200, description: 'The picture.', content: { form: 'picture' } }],
    refusals: [
      'nothing_to_render',
      'document_wrong',
      'too_many_elements',
      'asks_too_much',
      'template_not_found',
      'template_damaged',
      'preview_failed',
      'preview_off',
      'busy',
    ],
    reader: ({ desk }) => largeJsonBody(desk, wish),
    answer: async (services, { request, response }) => {
      const asked = parseParameters(previewParameters, bodyOf(request));
      const { picture, warnings } = await drawMoment(services, asked);
      // Headers are ASCII.
      if (warnings.length > 0)
        response.set(warningsHeader, encodeURIComponent(JSON.stringify(warnings)));
      response.type(pictureType(picture)).send(Buffer.from(picture, 'base64'));
    },
  }),
];
