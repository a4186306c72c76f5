/** Pictures of one moment of a document, drawn while the request waits. */
import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import { counted } from '../../shared/counted.ts';
import { ApiError } from '../../shared/errors.ts';
import { openLimits } from '../../shared/limits.ts';
import { pictureType } from '../../shared/preview.ts';
import { problemSentence, type Problem } from '../../shared/renderscript/source.ts';
import { parseParameters } from '../parameters.ts';
import { bodyOf, largeJsonBody } from './body.ts';
import type { Operation } from './operation.ts';
import type { ProjectServices } from './project.ts';
import { previewBody, previewParameters } from './schemas.ts';

/** Warnings from drawing, as a JSON array of sentences, percent-encoded. */
export const warningsHeader = 'Preview-Warnings';
const mostWarnings = 5;

const wish = { names: Object.keys(previewParameters.shape) };

function draw(services: ProjectServices, open: { count: number }): RequestHandler {
  return async (request, response) => {
    const asked = parseParameters(previewParameters, bodyOf(request));
    const { template_id: id, source: own, modifications, time = 0, max_side: side } = asked;
    const template = id === undefined ? null : services.templates.find(id.toLowerCase());
    if (id !== undefined && !template) throw new ApiError('template_not_found', { id });
    const source = template ? await services.templates.readDocument(template) : own;
    if (!source) throw new ApiError('nothing_to_render');
    if (open.count >= openLimits.previews) throw new ApiError('busy');
    open.count++;
    try {
      const { text, problems } = await services.desk.prepare({
        source,
        scaling: {},
        hints: false,
        ...(modifications && { modifications }),
      });
      refuseErrors(problems);
      const outcome = await services.previews.draw({
        // A fresh ID, so that no other question replaces this one.
        client: randomUUID(),
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
      const warnings = facts.warnings.slice(0, mostWarnings).map(problemSentence);
      // Headers are ASCII.
      if (warnings.length > 0)
        response.set(warningsHeader, encodeURIComponent(JSON.stringify(warnings)));
      response.type(pictureType(picture)).send(Buffer.from(picture, 'base64'));
    } finally {
      open.count--;
    }
  };
}

function refuseErrors(problems: readonly Problem[]): void {
  const errors = problems.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  if (!first) return;
  const place = first.path === '' ? '' : ` (at ${first.path})`;
  throw new ApiError('document_wrong', {
    errors: counted(errors.length, 'error'),
    first: `${problemSentence(first)}${place}`,
  });
}

/** The route of previews. */
export const previewOperations: readonly Operation[] = [
  {
    id: 'createPreview',
    method: 'POST',
    path: '/v2/previews',
    topic: 'previews',
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
    serve: (services) => {
      const open = { count: 0 };
      return [largeJsonBody(services.desk, wish), draw(services, open)];
    },
  },
];
