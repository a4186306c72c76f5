/**
 * The secret that a project's webhooks are signed with: show, replace, and end the day in which the one before signs,
 * too.
 */
import type { WebhookSecretRecord } from '../../shared/api.ts';
import { one, type Operation } from './operation.ts';
import type { ProjectServices } from './project.ts';
import { webhookSecretAnswer } from './schemas.ts';
import { formatDate } from './serialize.ts';

function secretRecord({ project }: ProjectServices): WebhookSecretRecord {
  const { secret, previousUntil } = project.secret.find();
  return {
    secret,
    ...(previousUntil !== null && { previous_until: formatDate(new Date(previousUntil)) }),
  };
}

/** The routes of the secret. */
export const webhookSecretOperations: readonly Operation[] = [
  {
    id: 'readWebhookSecret',
    method: 'GET',
    path: '/v2/webhook-secret',
    topic: 'webhooks',
    summary: 'Read the signing secret',
    explanation: "The project's. Keep it where your receivers keep theirs.",
    answers: [one(200, webhookSecretAnswer, 'The secret.')],
    refusals: [],
    serve: (services) => [
      (_request, response) => {
        response.json(secretRecord(services));
      },
    ],
  },
  {
    id: 'rotateWebhookSecret',
    method: 'POST',
    path: '/v2/webhook-secret/rotate',
    topic: 'webhooks',
    summary: 'Replace the signing secret',
    explanation:
      'For a day, calls carry two signatures: of the new secret and of the one before. So receivers can change one after the other, without missing a call. If the secret has leaked, revoke the previous one afterwards.',
    answers: [one(200, webhookSecretAnswer, 'The new secret.')],
    refusals: ['cannot_save'],
    serve: (services) => [
      async (_request, response) => {
        await services.project.secret.replace();
        services.events.emit({ type: 'projects.changed' });
        response.json(secretRecord(services));
      },
    ],
  },
  {
    id: 'revokePreviousWebhookSecret',
    method: 'DELETE',
    path: '/v2/webhook-secret/previous',
    topic: 'webhooks',
    summary: 'Revoke the previous signing secret',
    explanation: 'From now on, calls carry the signature of the present secret alone.',
    answers: [{ status: 204, description: 'It signs nothing, or there was none.', content: null }],
    refusals: ['cannot_save'],
    serve: (services) => [
      async (_request, response) => {
        await services.project.secret.revokePrevious();
        services.events.emit({ type: 'projects.changed' });
        response.status(204).end();
      },
    ],
  },
];
