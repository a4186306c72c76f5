/**
 * Webhooks in the window: deliveries and sending them again, a test call, and the receiver to try them with. Below
 * `/api`, behind the window's token. The address and the secret are the project's, see projects.ts.
 */
import { Router } from 'express';
import { z } from 'zod';
import {
  receiverAnswers,
  type DeliveryCall,
  type DeliveryRecord,
  type ReceiverRecord,
} from '../../shared/api.ts';
import { ApiError } from '../../shared/errors.ts';
import { listedDeliveries, requestLimits } from '../../shared/limits.ts';
import { bodyOf, jsonBody } from '../api/body.ts';
import { checkWebhookAddress, isWebhookAddress } from '../jobs/webhooks/webhook-call.ts';
import { parseParameters } from '../system/parameters.ts';
import type { ServerServices } from '../services.ts';

const words = {
  url: 'an http or https address that webhooks may call',
  on: 'true or false',
  answer: `one of ${receiverAnswers.join(', ')}`,
};
const test = z.object({ url: z.string(words.url).max(requestLimits.webhookUrlLength, words.url) });
const receiverChange = z.object({
  on: z.boolean(words.on).exactOptional(),
  answer: z.literal(receiverAnswers, words.answer).exactOptional(),
});

/** Routes below `/api`. */
export function webhookRoutes(services: ServerServices): Router {
  const { store, webhooks, testReceiver, addressRule, apiUrl } = services;
  const routes = Router({ caseSensitive: true });
  const receiver = (): ReceiverRecord => {
    const { url, answer, calls } = testReceiver;
    const isReachable = url === null || isWebhookAddress(url, addressRule());
    return { url, isReachable, answer, calls };
  };

  routes.get('/deliveries', (_request, response) => {
    response.json(store.deliveries.list() satisfies DeliveryRecord[]);
  });

  routes.get('/projects/:id/deliveries', (request, response) => {
    const newest = store.deliveries.newest(request.params.id, listedDeliveries);
    response.json(newest satisfies DeliveryRecord[]);
  });

  routes.post('/deliveries/:id/retry', async (request, response) => {
    response.json((await webhooks.retry(request.params.id)) satisfies DeliveryRecord);
  });

  /** The answer comes with the receiver's, or after the time limit of a call. */
  routes.post('/projects/:id/webhook-test', jsonBody);
  routes.post('/projects/:id/webhook-test', async (request, response) => {
    const { id } = request.params;
    const { url } = parseParameters(test, bodyOf(request));
    if (!store.projects.find(id)) throw new ApiError('project_not_found', { id });
    checkWebhookAddress('url', url, addressRule(), words.url);
    response.json((await webhooks.test(id, url, apiUrl())) satisfies DeliveryCall);
  });

  routes.get('/webhook-receiver', (_request, response) => {
    response.json(receiver());
  });

  routes.patch('/webhook-receiver', jsonBody, async (request, response) => {
    const { on, answer } = parseParameters(receiverChange, bodyOf(request));
    if (answer !== undefined) testReceiver.answer = answer;
    if (on !== undefined) await testReceiver.turn(on);
    response.json(receiver());
  });

  routes.delete('/webhook-receiver/calls', (_request, response) => {
    testReceiver.clear();
    response.status(204).end();
  });

  return routes;
}
