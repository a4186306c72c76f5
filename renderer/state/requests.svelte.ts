/** The requests to the public API that the API page shows: loaded when the page opens, then kept current by events. */
import type { RequestEntry, RequestList } from '../../shared/api.ts';
import { clearRequests, loadRequests, recordRequests } from '../lib/api.ts';
import type { NumberedEvent } from '../lib/events.ts';

/** Entries that are shown at most; the server keeps as many. */
const most = 500;

/** Newest first. */
export class RequestsState {
  list = $state.raw<readonly RequestEntry[]>([]);
  recording = $state(true);
  /** When each key was last used, by its ID. */
  keysUsed = $state.raw<RequestList['keysUsed']>({});
  /** What the rate limit lets through; null without one. */
  limit = $state.raw<{ readonly left: number; readonly of: number } | null>(null);
  loading = $state<'loading' | 'ready' | 'error'>('loading');

  async load(): Promise<void> {
    try {
      const { requests, recording, keysUsed, left, limit } = await loadRequests();
      this.list = requests;
      this.recording = recording;
      this.keysUsed = keysUsed;
      this.limit = left === null || limit === null ? null : { left, of: limit };
      this.loading = 'ready';
    } catch {
      if (this.loading === 'loading') this.loading = 'error';
    }
  }

  /** Takes in one event; others than those about requests are passed over. */
  apply(event: NumberedEvent): void {
    if (event.type !== 'api.request' || this.loading !== 'ready') return;
    const { entry } = event;
    if (this.list.some(({ number }) => number === entry.number)) return;
    this.list = [entry, ...this.list].slice(0, most);
  }

  async record(recording: boolean): Promise<void> {
    await recordRequests(recording);
    this.recording = recording;
  }

  async clear(): Promise<void> {
    await clearRequests();
    this.list = [];
  }
}
