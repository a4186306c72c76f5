/**
 * The renders that the window shows: loaded once, then kept current by events. Window only.
 * The order changes only when something but progress does, so that a running render costs one row, not the whole list.
 */
import { SvelteMap, SvelteSet } from 'svelte/reactivity';
import { untrack } from 'svelte';
import { call } from '../frame/connection/call.ts';
import { renderRows } from '../../shared/api/renders.ts';
import type { RenderProgress, WindowRender } from '../../shared/api.ts';
import { isSinglePicture, stageOf, type Stage } from './display.ts';
import type { NumberedEvent } from '../frame/connection/events.ts';
import { steadyRemaining, type ShownRemaining } from '../ui/format.ts';
import { Pace } from '../ui/turns.ts';
import { batchMembers } from './queue-view.ts';

/** Between two times that progress is drawn, in ms: ten times a second for all renders together. */
const progressPause = 100;

/** Where the list stands: never loaded, loaded, or failed to load. */
export type Loading = 'loading' | 'ready' | 'error';

/** How a render ended, for announcements. */
export type Outcome = 'done' | 'failed';

interface Options {
  /** Called when a render ends while the window is open. */
  readonly onOutcome: (render: WindowRender, outcome: Outcome) => void;
  /** Called when a render passes a quarter of its work: 25, 50 or 75 percent. */
  readonly onQuarter: (render: WindowRender, percent: number) => void;
}

/** Renders by ID, in the order of the queue. */
export class RendersState {
  loading = $state<Loading>('loading');

  readonly #byId = new SvelteMap<string, WindowRender>();
  /** Removed by a person, but can still be restored. */
  readonly #hidden = new SvelteSet<string>();
  readonly #remaining = new SvelteMap<string, ShownRemaining>();
  /** Grows whenever the order or the counts may have changed. */
  #shape = $state(0);
  /** Events that arrive while the list is being loaded; null otherwise. */
  #early: NumberedEvent[] | null = null;
  /** The server sends each render's progress four times a second; drawing all of it would be a waste. */
  readonly #pace = new Pace<RenderProgress>(progressPause, (id, progress) =>
    this.#putProgress(id, progress),
  );
  readonly #onOutcome: Options['onOutcome'];
  readonly #onQuarter: Options['onQuarter'];

  /** All renders in queue order. Their progress may be older than that of `get`. */
  readonly ordered = $derived.by((): readonly WindowRender[] => {
    // Reading it is what brings this list up to date; 0 = nothing loaded yet.
    if (this.#shape === 0) return [];
    const hidden = this.#hidden;
    return untrack(() =>
      [...this.#byId.values()].filter(({ id }) => !hidden.has(id)).sort(byQueueOrder),
    );
  });

  readonly counts = $derived.by((): Readonly<Record<Stage, number>> => {
    const counts = { active: 0, queued: 0, done: 0, failed: 0, cancelled: 0 };
    for (const render of this.ordered) counts[stageOf(render)] += 1;
    return counts;
  });

  /** IDs of the queued renders, the next to run first. */
  readonly waiting = $derived(
    this.ordered.filter((render) => stageOf(render) === 'queued').map(({ id }) => id),
  );

  /** Places of the queued renders by ID; 1 = the next to run. */
  readonly places = $derived.by((): Readonly<Partial<Record<string, number>>> =>
    Object.fromEntries(this.waiting.map((id, index) => [id, index + 1])),
  );

  /** IDs of the renders of each feed batch, in queue order. */
  readonly batches = $derived(batchMembers(this.ordered));

  /** The running render, with its newest progress. */
  readonly active = $derived.by((): WindowRender | undefined => {
    const first = this.ordered[0];
    return first && stageOf(first) === 'active' ? this.get(first.id) : undefined;
  });

  constructor({ onOutcome, onQuarter }: Options) {
    this.#onOutcome = onOutcome;
    this.#onQuarter = onQuarter;
  }

  get(id: string): WindowRender | undefined {
    return this.#byId.get(id);
  }

  /** Seconds left to show for a render; undefined where they are not known. */
  secondsLeft(id: string): number | undefined {
    return this.#remaining.get(id)?.seconds;
  }

  /** Loads the whole list; what is shown stays until it is there. */
  async load(): Promise<void> {
    this.#early = [];
    try {
      const { renders, eventNumber } = await call(renderRows.list);
      this.#pace.drop();
      this.#byId.clear();
      for (const render of renders) this.#byId.set(render.id, render);
      this.#shape += 1;
      this.loading = 'ready';
      const missed = this.#takeEarly();
      for (const event of missed) if (event.number > eventNumber) this.apply(event);
    } catch (reason) {
      this.#takeEarly();
      if (this.loading === 'loading') this.loading = 'error';
      throw reason;
    }
  }

  #takeEarly(): NumberedEvent[] {
    const early = this.#early ?? [];
    this.#early = null;
    return early;
  }

  /** Applies one event; ignores those that are not about renders. */
  apply(event: NumberedEvent): void {
    if (this.#early) {
      this.#early.push(event);
      return;
    }
    switch (event.type) {
      case 'render.created':
      case 'render.updated':
        this.put(event.render);
        break;
      case 'render.progress':
        this.#pace.add(event.id, event.progress);
        break;
      case 'render.removed':
        this.#pace.drop(event.id);
        this.#byId.delete(event.id);
        this.#hidden.delete(event.id);
        this.#remaining.delete(event.id);
        this.#shape += 1;
        break;
      default:
        break;
    }
  }

  #putProgress(id: string, progress: RenderProgress): void {
    const render = this.#byId.get(id);
    // A render that has ended has no progress.
    if (!render || stageOf(render) !== 'active') return;
    this.#byId.set(id, { ...render, progress });
    this.#estimate(id, progress.secondsLeft);
    const before = Math.floor((render.progress?.percent ?? 0) / 25);
    const quarter = Math.floor(progress.percent / 25);
    // A single picture is drawn at once: it has no quarters.
    if (quarter > before && quarter < 4 && !isSinglePicture(render)) {
      this.#onQuarter(render, quarter * 25);
    }
  }

  put(render: WindowRender): void {
    this.#pace.drop(render.id);
    const before = this.#byId.get(render.id);
    this.#byId.set(render.id, render);
    this.#estimate(render.id, render.progress?.secondsLeft);
    this.#shape += 1;
    const outcome = stageOf(render);
    if (before && stageOf(before) !== outcome && (outcome === 'done' || outcome === 'failed')) {
      this.#onOutcome(render, outcome);
    }
  }

  #estimate(id: string, seconds: number | undefined): void {
    if (seconds === undefined) this.#remaining.delete(id);
    else {
      const shown = steadyRemaining(this.#remaining.get(id), seconds, performance.now());
      this.#remaining.set(id, shown);
    }
  }

  /** Stops a queued or running render. */
  async cancel(id: string): Promise<void> {
    await call(renderRows.cancel, { params: { id } });
  }

  /** Puts a queued render in front of another one, or at the end. */
  async move(id: string, before: string | null): Promise<void> {
    await call(renderRows.move, { params: { id }, body: { before } });
  }

  /** Hides renders; `remove` then removes them, `unhide` brings them back. */
  hide(ids: readonly string[]): void {
    for (const id of ids) this.#hidden.add(id);
    this.#shape += 1;
  }

  unhide(ids: readonly string[]): void {
    for (const id of ids) this.#hidden.delete(id);
    this.#shape += 1;
  }

  /** Removes records and files. */
  async remove(ids: readonly string[]): Promise<void> {
    try {
      await call(renderRows.remove, { body: { ids } });
    } catch (reason) {
      this.unhide(ids);
      throw reason;
    }
  }

  /** Queues the same request again. @returns the new render */
  async again(id: string): Promise<WindowRender> {
    return call(renderRows.again, { params: { id } });
  }
}

const stageOrder: Record<Stage, number> = {
  active: 0,
  queued: 1,
  done: 2,
  failed: 2,
  cancelled: 2,
};

/** Active first, then queued in their real order, then finished ones with the newest first. */
function byQueueOrder(a: WindowRender, b: WindowRender): number {
  const stage = stageOrder[stageOf(a)] - stageOrder[stageOf(b)];
  if (stage !== 0) return stage;
  if (stageOf(a) === 'queued') return a.order - b.order;
  return b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1);
}
