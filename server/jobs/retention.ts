/**
 * Removes what has expired: renders with their files 30 days after they were created, templates 30 days after they were
 * deleted. Looks at the start and every hour; never a timer of 30 days, which would fire at once.
 */
import { isFinal } from '../../shared/api.ts';
import { retention } from '../../shared/limits.ts';
import type { Clock } from '../clock.ts';
import { describeError, type Log } from '../log.ts';
import type { Store } from '../store/store.ts';
import type { EventBus } from './events.ts';
import type { OutputFiles } from './output-files.ts';

/** What cleaning needs. */
export interface RetentionOptions {
  readonly store: Store;
  readonly files: OutputFiles;
  readonly events: EventBus;
  readonly clock: Clock;
  readonly log: Log;
}

/** Looks for expired things while the server runs. */
export class Retention {
  readonly #options: RetentionOptions;
  /** Expired things, with the steady time at which they were first seen to be. */
  #seen = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: RetentionOptions) {
    this.#options = options;
  }

  start(): void {
    const look = (): void => {
      void this.check().catch((error: unknown) => {
        this.#options.log('error', 'retention', describeError(error));
      });
    };
    look();
    this.#timer = setInterval(look, retention.checkEvery).unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /**
   * One look. Removes what an earlier look, at least ten minutes of steady time ago, found expired too: a clock that
   * jumps ahead for a moment must not empty the output folder.
   *
   * @returns how many renders and templates went.
   */
  async check(): Promise<number> {
    const { store, clock } = this.#options;
    const now = clock.now();
    const steady = clock.steady();
    const seenBefore = this.#seen;
    this.#seen = new Map();
    /** True when it is time; remembers the rest for the next look. */
    const agreed = (id: string): boolean => {
      const first = seenBefore.get(id) ?? steady;
      this.#seen.set(id, first);
      return steady - first >= retention.agreeAfter;
    };

    let gone = 0;
    for (const render of store.renders.list()) {
      const expired = isFinal(render.status) && now - render.createdAt > retention.renders;
      if (!expired || !agreed(render.id)) continue;
      await this.#options.files.remove(render);
      await store.renders.remove(render.id);
      this.#options.events.emit({ type: 'render.removed', id: render.id });
      gone++;
    }
    for (const { id, deletedAt } of store.templates.listDeleted()) {
      if (now - deletedAt <= retention.deletedTemplates || !agreed(id)) continue;
      await store.templates.purge(id);
      gone++;
    }
    return gone;
  }
}
