/**
 * The secret that a project's webhooks are signed with: show, replace, and end the day in which the one before signs,
 * too. A key does so for its own project; keys of the first project, for all.
 */
import type { Request, RequestHandler } from 'express';
import { z } from 'zod';
import type { WebhookSecretRecord } from '../../shared/api.ts';
import type { EventBus } from '../jobs/events.ts';
import type { ProjectSecret } from '../store/projects.ts';
import { idOf, many, one, type Operation, type WholeServer } from './operation.ts';
import { sureProject } from './projects.ts';
import { date, webhookSecretAnswer } from './schemas.ts';
import { formatDate } from './serialize.ts';
import { ApiError } from '../../shared/errors.ts';
import { listedDeliveries } from '../../shared/limits.ts';
import type { Delivery } from '../store/deliveries.ts';

/** The secret that a request is about. */
type SecretOf = (request: Request) => ProjectSecret;

function secretRecord(of: ProjectSecret): WebhookSecretRecord {
  const { secret, previousUntil } = of.find();
  return {
    secret,
    ...(previousUntil !== null && { previous_until: formatDate(new Date(previousUntil)) }),
  };
}

const read =
  (secretOf: SecretOf): RequestHandler =>
  (request, response) => {
    response.json(secretRecord(secretOf(request)));
  };

const rotate =
  (secretOf: SecretOf, events: EventBus): RequestHandler =>
  async (request, response) => {
    const secret = secretOf(request);
    await secret.replace();
    events.emit({ type: 'projects.changed' });
    response.json(secretRecord(secret));
  };

const revokePrevious =
  (secretOf: SecretOf, events: EventBus): RequestHandler =>
  async (request, response) => {
    await secretOf(request).revokePrevious();
    events.emit({ type: 'projects.changed' });
    response.status(204).end();
  };

const inNamedProject =
  (server: WholeServer): SecretOf =>
  (request) =>
    server.store.projects.secretInProject(sureProject(server, idOf(request)).id);

const readWords = {
  summary: 'Read the signing secret',
  explanation: "The project's. Keep it where your receivers keep theirs.",
  answers: [one(200, webhookSecretAnswer, 'The secret.')],
} as const;
const rotateWords = {
  summary: 'Replace the signing secret',
  explanation:
    'For a day, calls carry two signatures: of the new secret and of the one before. So receivers can change one after the other, without missing a call. If the secret has leaked, revoke the previous one afterwards.',
  answers: [one(200, webhookSecretAnswer, 'The new secret.')],
} as const;
const revokeWords = {
  summary: 'Revoke the previous signing secret',
  explanation: 'From now on, calls carry the signature of the present secret alone.',
  answers: [{ status: 204, description: 'It signs nothing, or there was none.', content: null }],
} as const;

/** The routes of the secret of the key's project. */
export const webhookSecretOperations: readonly Operation[] = [
  {
    id: 'readWebhookSecret',
    method: 'GET',
    path: '/v2/webhook-secret',
    topic: 'webhooks',
    ...readWords,
    refusals: [],
    serve: ({ project }) => [read(() => project.secret)],
  },
  {
    id: 'rotateWebhookSecret',
    method: 'POST',
    path: '/v2/webhook-secret/rotate',
    topic: 'webhooks',
    ...rotateWords,
    refusals: ['cannot_save'],
    serve: ({ project, events }) => [rotate(() => project.secret, events)],
  },
  {
    id: 'revokePreviousWebhookSecret',
    method: 'DELETE',
    path: '/v2/webhook-secret/previous',
    topic: 'webhooks',
    ...revokeWords,
    refusals: ['cannot_save'],
    serve: ({ project, events }) => [revokePrevious(() => project.secret, events)],
  },
];

/** The same for any project. */
export const projectSecretOperations: readonly Operation[] = [
  {
    id: 'readWebhookSecretOfProject',
    of: 'server',
    method: 'GET',
    path: '/v2/projects/{id}/webhook-secret',
    topic: 'projects',
    ...readWords,
    refusals: ['project_not_found'],
    serve: (server) => [read(inNamedProject(server))],
  },
  {
    id: 'rotateWebhookSecretOfProject',
    of: 'server',
    method: 'POST',
    path: '/v2/projects/{id}/webhook-secret/rotate',
    topic: 'projects',
    ...rotateWords,
    refusals: ['project_not_found', 'cannot_save'],
    serve: (server) => [rotate(inNamedProject(server), server.events)],
  },
  {
    id: 'revokePreviousWebhookSecretOfProject',
    of: 'server',
    method: 'DELETE',
    path: '/v2/projects/{id}/webhook-secret/previous',
    topic: 'projects',
    ...revokeWords,
    refusals: ['project_not_found', 'cannot_save'],
    serve: (server) => [revokePrevious(inNamedProject(server), server.events)],
  },
];

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
