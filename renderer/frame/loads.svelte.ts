/**
 * What the window loads once it is connected, each by itself: a failure does not delay the others, and is tried again
 * with growing pauses until it succeeds or the connection is lost. Window only.
 */
/** Pauses before trying again, in ms; the last one repeats. */
const pauses = [1000, 2000, 5000, 10_000];

/** One of them, with its state. */
interface Load {
  readonly run: () => Promise<unknown>;
  /** The request under way. */
  running: Promise<void> | null;
  /** Requested again meanwhile: the answer under way may be out of date. */
  isStale: boolean;
  failures: number;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/** Loads by name. */
export class Loads<Name extends string> {
  /** Those whose last answer was a failure. */
  failing = $state.raw<readonly Name[]>([]);

  readonly #loads: ReadonlyMap<Name, Load>;
  #stopped = true;

  constructor(runs: Readonly<Record<Name, () => Promise<unknown>>>) {
    // Object.entries forgets the names of the keys.
    const entries = Object.entries(runs) as [Name, Load['run']][];
    // eslint-disable-next-line svelte/prefer-svelte-reactivity -- only the methods here use it
    this.#loads = new Map(
      entries.map(([name, run]) => [
        name,
        { run, running: null, isStale: false, failures: 0, timer: undefined },
      ]),
    );
  }

  /** Loads everything again. Settles when each was answered once, and never rejects. */
  async all(): Promise<void> {
    await Promise.all([...this.#loads.keys()].map((name) => this.ask(name)));
  }

  /** Loads one again, likewise. Two requests for the same never run at once: the older answer could come last. */
  ask(name: Name): Promise<void> {
    const load = this.#loads.get(name);
    if (!load) return Promise.resolve();
    this.#stopped = false;
    clearTimeout(load.timer);
    if (load.running) {
      load.isStale = true;
      return load.running;
    }
    const running = this.#answer(name, load).finally(() => {
      load.running = null;
    });
    load.running = running;
    return running;
  }

  async #answer(name: Name, load: Load): Promise<void> {
    const isStale = (): boolean => load.isStale;
    do {
      load.isStale = false;
      try {
        await load.run();
        load.failures = 0;
        this.failing = this.failing.filter((one) => one !== name);
      } catch {
        // What it was is said by the page of the list, and by a banner.
        const pause = pauses[Math.min(load.failures, pauses.length - 1)];
        load.failures += 1;
        if (!this.failing.includes(name)) this.failing = [...this.failing, name];
        if (!this.#stopped) load.timer = setTimeout(() => void this.ask(name), pause);
      }
    } while (isStale());
  }

  /** The connection is lost: nothing is asked for until it is back. */
  stop(): void {
    this.#stopped = true;
    this.failing = [];
    for (const { timer } of this.#loads.values()) clearTimeout(timer);
  }
}
