/** The window's requests about webhooks. Window only. */
import {
  projectRows,
  webhookRows,
  type DeliveryCall,
  type DeliveryRecord,
  type ProjectRecord,
  type ReceiverAnswer,
  type ReceiverRecord,
} from '../../../shared/api/projects.ts';
import { call } from './call.ts';

/** The newest deliveries of a project, newest first. */
export const loadProjectDeliveries = (id: string): Promise<readonly DeliveryRecord[]> =>
  call(webhookRows.list, { params: { id } });

/** Calls the receiver again. */
export const sendAgain = (id: string): Promise<DeliveryRecord> =>
  call(webhookRows.retry, { params: { id } });

/** Sets the address that a project calls; null: none. */
export const setWebhook = (id: string, webhookUrl: string | null): Promise<ProjectRecord> =>
  call(projectRows.change, { params: { id }, body: { webhookUrl } });

/** Makes a new secret; the old one also signs for a day. */
export const replaceSecret = (id: string): Promise<ProjectRecord> =>
  call(projectRows.replaceSecret, { params: { id } });

/** Calls an address once. Settles with the receiver's answer. */
export const sendTest = (id: string, url: string): Promise<DeliveryCall> =>
  call(webhookRows.test, { params: { id }, body: { url } });

/** The test receiver and what arrived there. */
export const loadReceiver = (): Promise<ReceiverRecord> => call(webhookRows.receiver);

/** Starts or stops the test receiver, or chooses its answer. */
export const changeReceiver = (change: {
  readonly on?: boolean;
  readonly answer?: ReceiverAnswer;
}): Promise<ReceiverRecord> => call(webhookRows.changeReceiver, { body: change });

/** Forgets what arrived. */
export const clearReceiver = (): Promise<undefined> => call(webhookRows.clearReceiver);
