/** Many renders in one request, each with an answer of its own: a wrong one refuses only itself. */
import { z } from 'zod';
import type { RequestHandler } from 'express';
import { isFinal } from '../../shared/api.ts';
import { ApiError } from '../../shared/errors.ts';
import { requestLimits } from '../../shared/limits.ts';
import {
  createEach,
  dryRun,
  type Created,
  type MakeRender,
  type Trial,
} from '../jobs/create-render.ts';
import { answerParts, type TextContent } from '../system/json-text.ts';
import { parseParameters } from '../system/parameters.ts';
import { baseUrlOf, sendParts } from './answer.ts';
import { batchBody, batchOf } from './body.ts';
import { asRefusal, errorRecord } from './errors.ts';
import { onceKeyOf, readOnceKey, waitAsPreferred } from './request-headers.ts';
import { one, type Operation, projectRoutes } from './operation.ts';
import type { ProjectServices } from './project.ts';
import {
  asNow,
  asRequested,
  checkOf,
  createdRecord,
  createHeaders,
  createWish,
  readOrder,
} from './renders.ts';
import { createdRenderAnswer, dryRunAnswer, errorAnswer, type Answer } from './answer-schemas.ts';
import { renderOptionParameters, createRenderBody } from './request-schemas.ts';

/** Body of `POST /v2/renders/batch`. */
const createBatchBody = z
  .object({
    renders: z
      .array(createRenderBody)
      .min(1)
      .max(requestLimits.batch)
      .describe(`1 to ${requestLimits.batch} orders.`),
  })
  .meta({ id: 'CreateRenderBatch' });

/** The answer to a batch of renders. */
export const batchAnswer = z
  .strictObject({
    accepted: z.int().describe('How many renders there are now.'),
    refused: z.int().describe('How many items were refused.'),
    results: z
      .array(
        z
          .xor([
            z
              .strictObject({ status: z.literal(202), render: createdRenderAnswer })
              .meta({ id: 'AcceptedRender', description: 'The render was created.' }),
            z
              .strictObject({ status: z.literal(200), check: dryRunAnswer })
              .meta({ id: 'CheckedRender', description: 'With `dry_run`: what was found.' }),
            z
              .strictObject({
                status: z.int().describe('400 and above.'),
                error: errorAnswer,
              })
              .meta({ id: 'RefusedRender', description: 'The item was refused.' }),
          ])
          .meta({ id: 'BatchResult', description: 'One of three forms.' }),
      )
      .describe('One for each item, in the order of the request.'),
  })
  .meta({ id: 'RenderBatch' });
export type RenderBatch = Answer<typeof batchAnswer>;

const route = projectRoutes('renders');

/** What came of one of them. */
type Outcome = Created | Trial | ApiError;

function createBatch(services: ProjectServices): readonly RequestHandler[] {
  const answer: RequestHandler = async (request, response) => {
    const works = batchOf(request).map((item) => (make: MakeRender) => {
      const own = parseParameters(renderOptionParameters, item);
      const order = asRequested(readOrder(item, own, services));
      return own.dry_run === true
        ? dryRun(services, order, checkOf(services, own, response))
        : make(order);
    });
    const { outcomes, isReplay } = await createEach<Trial>(
      services,
      works,
      onceKeyOf(request),
      (error) => asRefusal(error, request.method, request.originalUrl, services.log),
    );
    if (isReplay) response.set('Idempotent-Replayed', 'true');
    const ids = outcomes.flatMap((outcome) => ('render' in outcome ? outcome.render.id : []));
    const hasWaited =
      ids.length > 0 && (await waitAsPreferred(request, response, ids, services.pending.waits));
    const told: Outcome[] = [];
    for (const outcome of outcomes) {
      told.push(hasWaited && 'render' in outcome ? await asNow(services, outcome) : outcome);
    }
    const isEnded =
      hasWaited && told.every((one) => !('render' in one) || isFinal(one.render.status));
    const url = baseUrlOf(request, services.address.apiUrl());
    sendParts(response.status(isEnded ? 201 : 202), batchParts(told, ids.length, url));
  };
  return [batchBody(services.desk, createWish, readOnceKey), answer];
}

/** The answer as JSON. Long modifications stay bytes. */
function batchParts(told: readonly Outcome[], accepted: number, url: string): TextContent[] {
  const refused = told.filter((outcome) => outcome instanceof ApiError).length;
  const results = told.flatMap((outcome, index): TextContent[] => {
    const [status, name, part] =
      outcome instanceof ApiError
        ? [outcome.status, 'error', errorRecord(outcome, url)]
        : 'render' in outcome
          ? [202, 'render', createdRecord(outcome, url)]
          : [200, 'check', outcome];
    const begin = `${index === 0 ? '' : ','}{"status":${status},"${name}":`;
    return [begin, ...answerParts(part), '}'];
  });
  return [`{"accepted":${accepted},"refused":${refused},"results":[`, ...results, ']}'];
}

/** The route. */
export const renderBatchOperations: readonly Operation[] = [
  route('POST /v2/renders/batch', {
    id: 'createRenderBatch',
    summary: 'Create many renders, each with its own answer',
    explanation: `Each item of \`renders\`, 1 to ${requestLimits.batch}, is what the body of \`POST /v2/renders\` would be, with \`dry_run\` too. \`results\` has one answer for each, in the same order: its \`status\` is that of the single request, with the \`render\`, the \`check\` of a dry run, or the \`error\` that refused it. One wrong item refuses only itself. All of them together are one request, for the rate limit too, and at most ${requestLimits.bodyBytes / 1_000_000} MB.\n\nWith an \`Idempotency-Key\`, a batch that broke off can be sent again: renders that exist are answered again, those that are missing are created, and items that were refused are tried again.`,
    headers: createHeaders,
    body: createBatchBody,
    answers: [
      one(202, batchAnswer, 'What came of each item; perhaps all of them were refused.'),
      one(201, batchAnswer, 'With `Prefer: wait`: the same, all renders ended.'),
    ],
    refusals: ['asks_too_much', 'idempotency_key_in_use', 'idempotency_key_reused', 'busy'],
    serve: (services) => createBatch(services),
  }),
];
