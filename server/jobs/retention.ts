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
  /** Both clocks at the last look of this run. */
  #last: { readonly wall: number; readonly steady: number } | null = null;
  #jumped = false;

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

  /** A sentence about a clock that jumped ahead while things are about to be removed; null otherwise. */
  get notice(): string | null {
    const count = this.#seen.size;
    if (!this.#jumped || count === 0 || this.#options.store.settings.values.deletionPaused) {
      return null;
    }
    const things = count === 1 ? '1 render or template has' : `${count} renders and templates have`;
    return `The computer's clock has jumped ahead. ${things} expired by it and will be removed at the next check; pause deletion if the clock is wrong.`;
  }

  /**
   * One look. Removes what an earlier look, at least ten minutes of steady time ago, found expired too: a clock that
   * jumps ahead for a moment must not empty the output folder. What can't be removed is tried again at the next look.
   *
   * @returns how many renders and templates went.
   */
  async check(): Promise<number> {
    const { store, events, clock } = this.#options;
    const now = clock.now();
    const steady = clock.steady();
    await this.#watchClock(now, steady);
    const seenBefore = this.#seen;
    this.#seen = new Map();
    /** True when it is time; remembers the rest for the next look. */
    const agreed = (id: string): boolean => {
      const first = seenBefore.get(id) ?? steady;
      this.#seen.set(id, first);
      return steady - first >= retention.agreeAfter && !store.settings.values.deletionPaused;
    };

    let gone = 0;
    for (const render of store.renders.list()) {
      const expired = isFinal(render.status) && now - render.createdAt > retention.renders;
      if (!expired || !agreed(render.id)) continue;
      const removed = await this.#remove(`render ${render.id}`, async () => {
        await this.#options.files.remove(render);
        await store.renders.remove(render.id);
        // After the render: the other way round a crash in between would have it told again.
        if (render.event) await store.deliveries.remove(render.event.id);
      });
      if (!removed) continue;
      this.#seen.delete(render.id);
      events.emit({ type: 'render.removed', id: render.id });
      gone++;
    }
    for (const { id, deletedAt } of store.templates.listDeleted()) {
      if (now - deletedAt <= retention.deletedTemplates || !agreed(id)) continue;
      if (!(await this.#remove(`template ${id}`, () => store.templates.purge(id)))) continue;
      this.#seen.delete(id);
      events.emit({ type: 'template.removed', id });
      gone++;
    }
    if (this.#seen.size === 0) this.#jumped = false;
    if (this.#jumped || gone > 0) events.emit({ type: 'server.state' });
    return gone;
  }

  /** Notices a wall clock that went further ahead than the steady one, or than a program is usually not run for. */
  async #watchClock(wall: number, steady: number): Promise<void> {
    const { settings } = this.#options.store;
    const before = this.#last;
    const sinceStart = settings.lastLook;
    if (before) {
      const ahead = wall - before.wall - (steady - before.steady);
      if (ahead > retention.clockJump) this.#jumped = true;
    } else if (sinceStart !== null && wall - sinceStart > retention.longPause) {
      this.#jumped = true;
    }
    this.#last = { wall, steady };
    await settings.rememberLook(wall).catch(() => undefined);
  }

  /** @returns false, with a line in the log, when it could not be removed. */
  async #remove(what: string, remove: () => Promise<void>): Promise<boolean> {
    try {
      await remove();
      return true;
    } catch (error) {
      const { log } = this.#options;
      log(
        'warning',
        'retention',
        `${what} has expired and can't be removed: ${describeError(error)}`,
      );
      return false;
    }
  }
}
