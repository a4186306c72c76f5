/**
 * The secret that a project's webhooks are signed with: show, replace, and end the day in which the one before signs,
 * too. A key does so for its own project; keys of the first project, for all.
 */
import { z } from 'zod';
import type { EventBus } from '../jobs/events.ts';
import type { ProjectSecret } from '../store/projects.ts';
import {
  many,
  one,
  type Operation,
  type WholeServer,
  serverRoutes,
  projectRoutes,
} from './operation.ts';
import { sureProject } from './projects.ts';
import { date, type Answer } from './answer-schemas.ts';
import { formatDate } from './serialize.ts';
import { ApiError } from '../../shared/errors.ts';
import { listedDeliveries } from '../../shared/limits.ts';
import type { Delivery } from '../store/deliveries.ts';

/** The secret of a project's webhooks. */
const webhookSecretAnswer = z
  .strictObject({
    secret: z.string().describe('`whsec_` and the key in base64.'),
    previous_until: date
      .describe('Until then calls are signed with the secret before, too; absent: they are not.')
      .exactOptional(),
  })
  .meta({ id: 'WebhookSecret' });
export type WebhookSecretRecord = Answer<typeof webhookSecretAnswer>;

const route = projectRoutes('webhooks');
const ofServer = serverRoutes('projects');

function secretRecord(of: ProjectSecret): WebhookSecretRecord {
  const { secret, previousUntil } = of.find();
  return {
    secret,
    ...(previousUntil !== null && { previous_until: formatDate(new Date(previousUntil)) }),
  };
}

async function rotate(secret: ProjectSecret, events: EventBus): Promise<WebhookSecretRecord> {
  await secret.replace();
  events.emit({ type: 'projects.changed' });
  return secretRecord(secret);
}

async function revokePrevious(secret: ProjectSecret, events: EventBus): Promise<void> {
  await secret.revokePrevious();
  events.emit({ type: 'projects.changed' });
}

function secretOf(server: WholeServer, id: string): ProjectSecret {
  return server.store.projects.secretInProject(sureProject(server, id).id);
}

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
  route('GET /v2/webhook-secret', {
    id: 'readWebhookSecret',
    ...readWords,
    refusals: [],
    answer: ({ project }) => secretRecord(project.secret),
  }),
  route('POST /v2/webhook-secret/rotate', {
    id: 'rotateWebhookSecret',
    ...rotateWords,
    refusals: ['cannot_save'],
    answer: ({ project, events }) => rotate(project.secret, events),
  }),
  route('DELETE /v2/webhook-secret/previous', {
    id: 'revokePreviousWebhookSecret',
    ...revokeWords,
    refusals: ['cannot_save'],
    answer: ({ project, events }) => revokePrevious(project.secret, events),
  }),
];

/** The same for any project. */
export const projectSecretOperations: readonly Operation[] = [
  ofServer('GET /v2/projects/{id}/webhook-secret', {
    id: 'readWebhookSecretOfProject',
    ...readWords,
    refusals: ['project_not_found'],
    answer: (server, { id }) => secretRecord(secretOf(server, id)),
  }),
  ofServer('POST /v2/projects/{id}/webhook-secret/rotate', {
    id: 'rotateWebhookSecretOfProject',
    ...rotateWords,
    refusals: ['project_not_found', 'cannot_save'],
    answer: (server, { id }) => rotate(secretOf(server, id), server.events),
  }),
  ofServer('DELETE /v2/projects/{id}/webhook-secret/previous', {
    id: 'revokePreviousWebhookSecretOfProject',
    ...revokeWords,
    refusals: ['project_not_found', 'cannot_save'],
    answer: (server, { id }) => revokePrevious(secretOf(server, id), server.events),
  }),
];

const deliveryAnswer = z
  .strictObject({
    id: z.string().describe('The `webhook-id` of its calls.'),
    render_id: z.guid(),
    url: z.string(),
    state: z.enum(['waiting', 'delivered', 'given_up']),
    tries: z.int().describe('Calls that were made since it was sent, or sent again.'),
    created_at: date,
    next_try_at: date.describe('Only while it waits.').exactOptional(),
    finished_at: date.exactOptional(),
    result: z.string().describe('How the last call ended, in words.').exactOptional(),
    calls: z
      .array(
        z.strictObject({
          started_at: z.string().describe('ISO 8601, in UTC.'),
          status: z.int().describe('Of the answer.').exactOptional(),
          error: z.string().describe('Why there was no answer.').exactOptional(),
          duration: z.number().describe('Seconds.'),
        }),
      )
      .describe('The newest ones, the oldest of them first.'),
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
  route('GET /v2/webhook-deliveries', {
    id: 'listWebhookDeliveries',
    summary: 'List deliveries',
    explanation: `The last ${listedDeliveries} of the project, the newest first. A delivery is removed with its render.`,
    answers: [many(200, deliveryAnswer, 'The deliveries.')],
    refusals: [],
    answer: ({ project }) =>
      project.deliveries.newest(project.id, listedDeliveries).map(deliveryRecord),
  }),
  route('POST /v2/webhook-deliveries/{id}/retry', {
    id: 'retryWebhookDelivery',
    summary: 'Send a delivery again',
    explanation:
      'At once, with the same body and ID, whatever came of it before; if the call fails, it is repeated with all pauses.',
    answers: [one(200, deliveryAnswer, 'The delivery, which waits for its call.')],
    refusals: ['delivery_not_found', 'cannot_save'],
    answer: async ({ project, work }, { id }) => {
      if (project.deliveries.find(id)?.project !== project.id)
        throw new ApiError('delivery_not_found', { id });
      return deliveryRecord(await work.webhooks.retry(id));
    },
  }),
];
