/** The feeds that the window shows and the batches of renders that were made of them. Window only. */
import { call } from '../frame/connection/call.ts';
import { batchRows, feedRows } from '../../shared/api/feeds.ts';
import type { WindowFeed, WindowFeedBatch } from '../../shared/api.ts';
import type { Loading } from '../queue/renders.svelte.ts';

export class FeedsState {
  loading = $state<Loading>('loading');
  list = $state.raw<readonly WindowFeed[]>([]);
  /** The newest first. */
  batches = $state.raw<readonly WindowFeedBatch[]>([]);

  /** @throws RequestProblem */
  async load(): Promise<void> {
    try {
      const [list, batches] = await Promise.all([call(feedRows.list), call(batchRows.list)]);
      this.list = list;
      this.batches = batches;
      this.loading = 'ready';
    } catch (reason) {
      if (this.loading === 'loading') this.loading = 'error';
      throw reason;
    }
  }

  /** The renders of a batch wait because someone paused it. */
  isPaused(batch: string | undefined): boolean {
    return batch !== undefined && this.batches.some(({ id, paused }) => paused && id === batch);
  }

  /** Takes in a feed as the server answered it. */
  take(feed: WindowFeed): void {
    this.list = [feed, ...this.list.filter(({ id }) => id !== feed.id)];
  }

  drop(id: string): void {
    this.list = this.list.filter((one) => one.id !== id);
  }
}
