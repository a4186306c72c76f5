/** The feeds that the window shows, and which of them is open. Loaded when their page is opened: no event tells of them. Window only. */
import type { WindowFeed } from '../../shared/api.ts';
import { loadFeeds } from '../lib/connection/feeds.ts';
import type { Loading } from './renders.svelte.ts';

export class FeedsState {
  loading = $state<Loading>('loading');
  list = $state.raw<readonly WindowFeed[]>([]);
  /** ID of the one that is open; null: the list is shown. */
  opened = $state<string | null>(null);

  async load(): Promise<void> {
    try {
      this.list = await loadFeeds();
      this.loading = 'ready';
    } catch {
      if (this.loading === 'loading') this.loading = 'error';
    }
  }

  /** Takes in a feed as the server answered it. */
  take(feed: WindowFeed): void {
    this.list = [feed, ...this.list.filter(({ id }) => id !== feed.id)];
  }

  drop(id: string): void {
    this.list = this.list.filter((one) => one.id !== id);
    if (this.opened === id) this.opened = null;
  }
}
