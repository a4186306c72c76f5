/** Webhook deliveries over HTTP: what was called and what came of it, and sending one again. */
import { z } from 'zod';
import { ApiError } from '../../shared/errors.ts';
import { listedDeliveries } from '../../shared/limits.ts';
import type { Delivery } from '../store/deliveries.ts';
import { idOf, many, one, type Operation } from './operation.ts';
import { date } from './schemas.ts';
import { formatDate } from './serialize.ts';

const deliveryAnswer = z
  .strictObject({
    id: z.string().meta({ description: 'The `webhook-id` of its calls.' }),
    render_id: z.guid(),
    url: z.string(),
    state: z.enum(['waiting', 'delivered', 'given_up']),
    tries: z.int().meta({ description: 'Calls that were made since it was sent, or sent again.' }),
    created_at: date,
    next_try_at: date.meta({ description: 'Only while it waits.' }).exactOptional(),
    finished_at: date.exactOptional(),
    result: z.string().meta({ description: 'How the last call ended, in words.' }).exactOptional(),
    calls: z
      .array(
        z.strictObject({
          started_at: z.string().meta({ description: 'ISO 8601, in UTC.' }),
          status: z.int().meta({ description: 'Of the answer.' }).exactOptional(),
          error: z.string().meta({ description: 'Why there was no answer.' }).exactOptional(),
          duration: z.number().meta({ description: 'Seconds.' }),
        }),
      )
      .meta({ description: 'The newest ones, the oldest of them first.' }),
  })
  .meta({ id: 'WebhookDelivery' });

function deliveryRecord(delivery: Delivery): z.infer<typeof deliveryAnswer> {
  const { id, render, url, state, tries, createdAt, dueAt, finishedAt, result } = delivery;
  const dateOf = (time: number): string => formatDate(new Date(time));
  return {
    id,
    render_id: render,
    url,
    state: state === 'given-up' ? 'given_up' : state,
    tries,
    created_at: dateOf(createdAt),
    ...(state === 'waiting' && { next_try_at: dateOf(dueAt) }),
    ...(finishedAt !== undefined && { finished_at: dateOf(finishedAt) }),
    ...(result !== undefined && { result }),
    calls: (delivery.calls ?? []).map((call) => ({
      started_at: call.time,
      ...(typeof call.result === 'number' ? { status: call.result } : { error: call.result }),
      duration: call.duration / 1000,
    })),
  };
}

/** The routes of deliveries. */
export const webhookDeliveryOperations: readonly Operation[] = [
  {
    id: 'listWebhookDeliveries',
    method: 'GET',
    path: '/v2/webhook-deliveries',
    topic: 'webhooks',
    summary: 'List deliveries',
    explanation: `The last ${listedDeliveries} of the project, the newest first. A delivery is removed with its render.`,
    answers: [many(200, deliveryAnswer, 'The deliveries.')],
    refusals: [],
    serve: ({ project }) => [
      (_request, response) => {
        response.json(project.deliveries.newest(project.id, listedDeliveries).map(deliveryRecord));
      },
    ],
  },
  {
    id: 'retryWebhookDelivery',
    method: 'POST',
    path: '/v2/webhook-deliveries/{id}/retry',
    topic: 'webhooks',
    summary: 'Send a delivery again',
    explanation:
      'At once, with the same body and ID, whatever came of it before; if the call fails, it is repeated with all pauses.',
    answers: [one(200, deliveryAnswer, 'The delivery, which waits for its call.')],
    refusals: ['delivery_not_found', 'cannot_save'],
    serve: ({ project, work }) => [
      async (request, response) => {
        const id = idOf(request);
        if (project.deliveries.find(id)?.project !== project.id)
          throw new ApiError('delivery_not_found', { id });
        response.json(deliveryRecord(await work.webhooks.retry(id)));
      },
    ],
  },
];
