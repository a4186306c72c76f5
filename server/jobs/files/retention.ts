/**
 * Removes what has expired: renders with their files 30 days after creation, unless a person keeps them (from then on
 * no answer has them, see store/renders), transcripts 30 days after theirs, templates 30 days after deletion. Checks at
 * the start and every hour; a timer of 30 days would fire at once.
 */
import { retention } from '../../../shared/limits.ts';
import type { Clock } from '../../system/clock.ts';
import { describeError, type Log } from '../../system/log.ts';
import { expiryOf } from '../../store/render-record.ts';
import type { Store } from '../../store/store.ts';
import type { EventBus } from '../events.ts';
import type { OutputFiles } from './output-files.ts';

/** What cleaning needs. */
export interface RetentionOptions {
  readonly store: Store;
  readonly files: OutputFiles;
  readonly events: EventBus;
  readonly clock: Clock;
  readonly log: Log;
  /** Whether this one of several servers removes what has expired. Default: always. */
  readonly leads?: () => boolean;
  /** Removes what is left of films that several workers made. Default: there is nothing. @param now ms since 1970. */
  readonly sweepShared?: (now: number) => Promise<unknown>;
}

/** A check for expired things. */
interface Look {
  /** Ms since 1970. */
  readonly wall: number;
  /** Steady time; for an earlier run, derived from its wall time. */
  readonly steady: number;
}

/** Milliseconds between two sweeps of storage. */
const sweepEvery = 12 * 3_600_000;

/** How many checks to remember: ten minutes of them and one before, even if someone keeps restarting the program. */
const mostLooks = 50;

/** Checks for expired things while the server runs. */
export class Retention {
  readonly #options: RetentionOptions;
  /** The last checks, oldest first: those of the last ten minutes and one before, including earlier runs. */
  #looks: readonly Look[] = [];
  /** True after this run's first check. */
  #hasLooked = false;
  /** How many expired things the last check left. */
  #left = 0;
  #timer: NodeJS.Timeout | undefined;
  #sweeps: NodeJS.Timeout | undefined;
  #jumped = false;

  constructor(options: RetentionOptions) {
    this.#options = options;
  }

  start(): void {
    const { leads = () => true } = this.#options;
    if (leads()) this.begin();
    this.#timer = setInterval(() => {
      if (leads()) this.#look();
    }, retention.checkEvery).unref();
    // Now and then is enough for what a crash leaves, and the list of a full storage is long.
    this.#sweeps = setInterval(() => {
      if (leads()) this.#sweep();
    }, sweepEvery).unref();
  }

  /** Looks now, and removes files without a record. Call it when this one of several servers begins to lead. */
  begin(): void {
    this.#look();
    this.#sweep();
    const { store, clock, log } = this.#options;
    for (const kind of [store.renders, store.templates, store.feeds]) {
      kind.removeStrays(clock.now()).catch((error: unknown) => {
        log('warning', 'retention', describeError(error));
      });
    }
  }

  #sweep(): void {
    const { store, files, clock, log, sweepShared } = this.#options;
    const now = clock.now();
    for (const sweep of [files.sweep(store.renders, now), sweepShared?.(now)]) {
      sweep?.catch((error: unknown) => log('warning', 'retention', describeError(error)));
    }
  }

  #look(): void {
    void this.check().catch((error: unknown) => {
      this.#options.log('error', 'retention', describeError(error));
    });
  }

  close(): void {
    clearInterval(this.#timer);
    clearInterval(this.#sweeps);
  }

  /** Warns when the clock has jumped ahead and things are about to be removed; else null. */
  get notice(): string | null {
    const count = this.#left;
    if (!this.#jumped || count === 0 || this.#options.store.settings.values.deletionPaused) {
      return null;
    }
    const things = count === 1 ? '1 render or template has' : `${count} renders and templates have`;
    return `The computer's clock has jumped ahead. ${things} expired by it and will be removed at the next check; pause deletion if the clock is wrong.`;
  }

  /**
   * Checks once. Removes what was also expired at a check at least ten minutes ago and at all since: a clock that jumps
   * ahead for a moment must not empty the output folder. The earlier check may belong to an earlier run. What can't be
   * removed is tried again at the next check.
   *
   * @returns how many renders and templates were removed.
   */
  async check(): Promise<number> {
    const { store, events, clock } = this.#options;
    const now = { wall: clock.now(), steady: clock.steady() };
    const agreed = await this.#agreed(now);
    const isPaused = store.settings.values.deletionPaused;
    let left = 0;
    let gone = 0;
    for (const render of store.renders.listExpired(now.wall)) {
      const isAgreed = agreed > expiryOf(render) && !isPaused;
      const removed =
        isAgreed &&
        (await this.#remove(`render ${render.id}`, async () => {
          await this.#options.files.remove(render);
          await store.renders.remove(render.id);
          // After the render: otherwise a crash in between would send it again.
          if (render.event) await store.deliveries.remove(render.event.id);
        }));
      if (!removed) {
        left++;
        continue;
      }
      events.emit({ type: 'render.removed', id: render.id });
      gone++;
    }
    for (const { id, deletedAt } of store.templates.listDeleted()) {
      if (now.wall - deletedAt <= retention.deletedTemplates) continue;
      const isAgreed = agreed - deletedAt > retention.deletedTemplates && !isPaused;
      if (!isAgreed || !(await this.#remove(`template ${id}`, () => store.templates.purge(id)))) {
        left++;
        continue;
      }
      events.emit({ type: 'template.removed', id });
      gone++;
    }
    for (const { id, createdAt } of store.transcripts.listExpired(now.wall)) {
      if (agreed - createdAt <= retention.renders || isPaused) continue;
      await this.#remove(`transcript ${id}`, () => store.transcripts.remove(id));
    }
    this.#left = left;
    if (left === 0) this.#jumped = false;
    if (this.#jumped || gone > 0) events.emit({ type: 'server.state' });
    return gone;
  }

  /**
   * Records a check. @returns the time up to which the checks agree: the earliest of all since the last one that is ten
   * minutes old; -Infinity if there is none.
   */
  async #agreed(now: Look): Promise<number> {
    const { settings } = this.#options.store;
    const earlier = this.#hasLooked ? this.#looks : this.#looksOfBefore(now);
    const last = earlier.at(-1);
    if (last && now.wall - last.wall - (now.steady - last.steady) > retention.clockJump) {
      this.#jumped = true;
    }
    this.#hasLooked = true;
    const isOld = ({ steady }: Look): boolean => now.steady - steady >= retention.agreeAfter;
    // The last old one and all after it.
    const first = Math.max(0, earlier.findLastIndex(isOld));
    const looks = [...earlier.slice(first), now];
    // If there are too many, drop one in the middle: the oldest and the newest decide.
    if (looks.length > mostLooks) looks.splice(1, 1);
    this.#looks = looks;
    await settings.rememberLooks(looks.map(({ wall }) => wall)).catch(() => undefined);
    return looks.some(isOld) ? Math.min(...looks.map(({ wall }) => wall)) : -Infinity;
  }

  /**
   * The earlier checks that count: not those before a jump of the wall clock, nor those of an earlier run after which
   * the clock went back, or ahead by more than a usual break between runs.
   */
  #looksOfBefore({ wall, steady }: Look): Look[] {
    const walls = this.#options.store.settings.looks;
    const last = walls.at(-1);
    if (last === undefined) return [];
    if (wall - last > retention.longPause) this.#jumped = true;
    if (this.#jumped || walls.some((time) => time > wall)) return [];
    return walls.map((time) => ({ wall: time, steady: steady - (wall - time) }));
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
