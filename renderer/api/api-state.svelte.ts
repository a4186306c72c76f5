/** What the API page shows: the last requests, webhooks and the test receiver; loaded while it is open. Window only. */
import { call } from '../frame/connection/call.ts';
import { requestRows } from '../../shared/api/requests.ts';
import type {
  DeliveryRecord,
  ReceiverAnswer,
  ReceiverRecord,
  RequestEntry,
  RequestLimit,
  RequestList,
} from '../../shared/api.ts';
import type { NumberedEvent } from '../frame/connection/events.ts';
import { webhookRows } from '../../shared/api/projects.ts';
import type { Projects } from '../frame/window-parts.svelte.ts';

/** Newest first. */
export class RequestsState {
  list = $state.raw<readonly RequestEntry[]>([]);
  recording = $state(true);
  /** How many requests are kept at most; 0: none are recorded. */
  size = $state(0);
  /** When each key was last used, by its ID. */
  keysUsed = $state.raw<RequestList['keysUsed']>({});
  /** What the rate limit lets through; null while it is not known. */
  limit = $state.raw<RequestLimit | null>(null);
  loading = $state<'loading' | 'ready' | 'error'>('loading');

  /** Loads the whole list; what is shown stays until it is there. */
  async load(): Promise<void> {
    try {
      const { requests, recording, keysUsed, size, limit } = await call(requestRows.list);
      this.list = requests;
      this.recording = recording;
      this.keysUsed = keysUsed;
      this.size = size;
      this.limit = limit;
      this.loading = 'ready';
    } catch (reason) {
      if (this.loading === 'loading') this.loading = 'error';
      throw reason;
    }
  }

  /** Loads what the rate limit lets through now. Failures are ignored: the next call makes up for them. */
  async loadLimit(): Promise<void> {
    this.limit = await call(requestRows.limit).catch(() => this.limit);
  }

  /** Applies one event; ignores those that are not about requests. */
  apply(event: NumberedEvent): void {
    if (event.type !== 'api.request' || this.loading !== 'ready') return;
    const { entry } = event;
    if (this.list.some(({ number }) => number === entry.number)) return;
    this.list = [entry, ...this.list].slice(0, this.size);
    if (entry.key !== undefined) this.keysUsed = { ...this.keysUsed, [entry.key]: entry.time };
  }

  async record(recording: boolean): Promise<void> {
    await call(requestRows.record, { body: { recording } });
    this.recording = recording;
  }

  async clear(): Promise<void> {
    await call(requestRows.clear);
    this.list = [];
  }
}

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
