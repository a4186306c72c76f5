/**
 * Webhook deliveries of the chosen project and the test receiver: loaded while the API page shows them. Window only.
 */
import { call } from '../frame/connection/call.ts';
import { webhookRows } from '../../shared/api/projects.ts';
import type { DeliveryRecord, ReceiverAnswer, ReceiverRecord } from '../../shared/api.ts';
import type { Projects } from '../frame/projects.svelte.ts';

export class WebhooksState {
  /** Newest first; null until they are loaded. */
  deliveries = $state.raw<readonly DeliveryRecord[] | null>(null);
  /** Null until it is loaded. */
  receiver = $state.raw<ReceiverRecord | null>(null);
  /** The page that shows them is open; otherwise nothing is loaded. */
  watched = false;

  readonly #projects: Projects;

  constructor(projects: Projects) {
    this.#projects = projects;
  }

  async load(): Promise<void> {
    const project = this.#projects.chosen?.id;
    if (!this.watched || project === undefined) return;
    [this.deliveries, this.receiver] = await Promise.all([
      call(webhookRows.list, { params: { id: project } }),
      call(webhookRows.receiver),
    ]);
  }

  async turnReceiver(on: boolean): Promise<void> {
    this.receiver = await call(webhookRows.changeReceiver, { body: { on } });
  }

  async answerWith(answer: ReceiverAnswer): Promise<void> {
    this.receiver = await call(webhookRows.changeReceiver, { body: { answer } });
  }

  async clear(): Promise<void> {
    await call(webhookRows.clearReceiver);
    this.receiver = await call(webhookRows.receiver);
  }
}
