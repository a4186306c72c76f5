/** The window's requests about webhooks. Window only. */
import type {
  DeliveryCall,
  DeliveryRecord,
  ProjectRecord,
  ReceiverAnswer,
  ReceiverRecord,
} from '../../../shared/api.ts';
import { answerOf, request } from './api.ts';

// The `as` below name the form that shared/api.ts promises for each address.

async function ask(method: string, path: string, sent?: object): Promise<unknown> {
  const body = sent && {
    body: JSON.stringify(sent),
    headers: { 'content-type': 'application/json' },
  };
  return answerOf(await request(path, { method, ...body }));
}

const at = (project: string, rest = ''): string =>
  `/api/projects/${encodeURIComponent(project)}${rest}`;

/** The newest deliveries of a project, newest first. */
export const loadProjectDeliveries = async (project: string): Promise<readonly DeliveryRecord[]> =>
  (await ask('GET', at(project, '/deliveries'))) as DeliveryRecord[];

/** Sets the address that a project calls; null: none. */
export async function setWebhook(project: string, webhookUrl: string | null): Promise<void> {
  await ask('PATCH', at(project), { webhookUrl });
}

/** Makes a new secret; the old one also signs for a day. */
export const replaceSecret = async (project: string): Promise<ProjectRecord> =>
  (await ask('POST', at(project, '/secret'))) as ProjectRecord;

/** Calls an address once. Settles with the receiver's answer. */
export const sendTest = async (project: string, url: string): Promise<DeliveryCall> =>
  (await ask('POST', at(project, '/webhook-test'), { url })) as DeliveryCall;

/** The test receiver and what arrived there. */
export const loadReceiver = async (): Promise<ReceiverRecord> =>
  (await ask('GET', '/api/webhook-receiver')) as ReceiverRecord;

/** Starts or stops the test receiver, or chooses its answer. */
export const changeReceiver = async (change: {
  readonly on?: boolean;
  readonly answer?: ReceiverAnswer;
}): Promise<ReceiverRecord> =>
  (await ask('PATCH', '/api/webhook-receiver', change)) as ReceiverRecord;

/** Forgets what arrived. */
export async function clearReceiver(): Promise<void> {
  await ask('DELETE', '/api/webhook-receiver/calls');
}
