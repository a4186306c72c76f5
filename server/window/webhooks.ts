/**
 * Webhooks in the window: deliveries and sending them again, a test call, and the receiver to try them with. Below
 * `/api`, behind the window's token. The address and the secret are the project's, see projects.ts.
 */
import type { Router } from 'express';
import { testWords, webhookRows, type ReceiverRecord } from '../../shared/api/projects.ts';
import { ApiError } from '../../shared/errors.ts';
import { listedDeliveries } from '../../shared/limits.ts';
import { checkWebhookAddress, isWebhookAddress } from '../jobs/webhooks/webhook-call.ts';
import type { ServerServices } from '../services.ts';
import { serveRows } from './rows.ts';

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
    clearReceiver: () => {
      testReceiver.clear();
    },
  });
}
