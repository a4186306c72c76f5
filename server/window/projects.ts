/** What the window does with projects and their keys. Below `/api`, behind the window's token. */
import type { Router } from 'express';
import {
  type ProjectRecord,
  projectRows,
  type ReceiverRecord,
  testWords,
  webhookRows,
} from '../../shared/api/projects.ts';
import {
  changeProject,
  dropKey,
  dropProject,
  keysOf,
  makeKey,
  makeProject,
  sureProject,
} from '../api/projects.ts';
import type { ServerServices } from '../services.ts';
import type { Project } from '../store/projects.ts';
import { serveRows } from './rows.ts';
import { ApiError } from '../../shared/errors.ts';
import { listedDeliveries } from '../../shared/limits.ts';
import { checkWebhookAddress, isWebhookAddress } from '../jobs/webhooks/webhook-call.ts';

/** Routes below `/api`. Every change emits `projects.changed`. */
export function projectRoutes(services: ServerServices): Router {
  const { projects } = services.store;
  const recordOf = (project: Project): ProjectRecord => ({
    ...project,
    keys: keysOf(services, project.id),
    webhookSecrets: projects.secretsOf(project.id),
  });

  return serveRows(projectRows, {
    list: () => projects.list().map(recordOf),
    create: async ({ body: { name } }) => recordOf(await makeProject(services, name)),
    change: async ({ params: { id }, body }) =>
      recordOf(await changeProject(services, id, body, 'webhookUrl')),
    remove: ({ params: { id } }) => dropProject(services, id),
    replaceSecret: async ({ params: { id } }) => {
      await projects.replaceSecret(id);
      const project = recordOf(sureProject(services, id));
      services.events.emit({ type: 'projects.changed' });
      return project;
    },
    createKey: ({ params: { id }, body: { name } }) => makeKey(services, id, name),
    removeKey: ({ params: { id } }) => dropKey(services, id),
  });
}

/** Routes below `/api`. */
export function webhookRoutes(services: ServerServices): Router {
  const { store } = services;
  const { webhooks, testReceiver } = services.work;
  const { addressRule, apiUrl } = services.address;
  const receiver = (): ReceiverRecord => {
    const { url, answer, calls } = testReceiver;
    const isReachable = url === null || isWebhookAddress(url, addressRule());
    return { url, isReachable, answer, calls };
  };

  return serveRows(webhookRows, {
    all: () => store.deliveries.list(),
    list: ({ params: { id } }) => store.deliveries.newest(id, listedDeliveries),
    retry: ({ params: { id } }) => webhooks.retry(id),
    test: ({ params: { id }, body: { url } }) => {
      if (!store.projects.find(id)) throw new ApiError('project_not_found', { id });
      checkWebhookAddress('url', url, addressRule(), testWords);
      return webhooks.test(id, url, apiUrl());
    },
    receiver,
    changeReceiver: async ({ body: { on, answer } }) => {
      if (answer !== undefined) testReceiver.answer = answer;
      if (on !== undefined) await testReceiver.turn(on);
      return receiver();
    },
    clearReceiver: () => testReceiver.clear(),
  });
}
