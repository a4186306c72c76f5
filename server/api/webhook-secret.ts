/**
 * The secret that a project's webhooks are signed with: show, replace, and end the day in which the one before signs,
 * too. A key does so for its own project; keys of the first project, for all.
 */
import type { Request, RequestHandler } from 'express';
import type { WebhookSecretRecord } from '../../shared/api.ts';
import type { EventBus } from '../jobs/events.ts';
import type { ProjectSecret } from '../store/projects.ts';
import { idOf, one, type Operation } from './operation.ts';
import { sureProject } from './projects.ts';
import { webhookSecretAnswer } from './schemas.ts';
import { formatDate } from './serialize.ts';
import type { WholeServer } from './whole-server.ts';

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
