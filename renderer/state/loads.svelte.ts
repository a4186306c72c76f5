/**
 * What the window loads when it has connected, each by itself: one that fails holds back no other, and is asked again with
 * growing pauses until it is there or the connection is lost. Window only.
 */
/** Pauses before asking again, in ms; the last one stays. */
const pauses = [1000, 2000, 5000, 10_000];

/** One of them, with what is under way. */
interface Load {
  readonly run: () => Promise<unknown>;
  /** An answer that is awaited. */
  running: Promise<void> | null;
  /** Asked for again meanwhile: the answer may be older than that. */
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
    // No one looks at it but the methods here.
    // eslint-disable-next-line svelte/prefer-svelte-reactivity
    this.#loads = new Map(
      entries.map(([name, run]) => [
        name,
        { run, running: null, isStale: false, failures: 0, timer: undefined },
      ]),
    );
  }

  /** Asks for all anew. Settles when each was answered once, and never rejects. */
  async all(): Promise<void> {
    await Promise.all([...this.#loads.keys()].map((name) => this.ask(name)));
  }

  /** Asks for one anew; likewise. Two answers of the same are never awaited at a time: the older could come last. */
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
