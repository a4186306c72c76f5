/** Runs of steps that are undone as one: keys pressed again and again on the same thing. Pure. */

/** The last run of one history. */
export class Runs {
  readonly #pause: number;
  #key = '';
  #began = 0;
  #last = 0;
  #state: readonly unknown[] = [];

  /** @param pause Milliseconds within which the next key belongs to the same run. */
  constructor(pause = 1000) {
    this.#pause = pause;
  }

  /**
   * A step is made.
   *
   * @param key What it is about; '' for what is in no run.
   * @param state What it may change: any other than after the last step was changed otherwise.
   * @returns whether it goes on with the last step, and when that one began, in ms since 1970.
   */
  next(
    key: string,
    state: readonly unknown[],
  ): { readonly goesOn: boolean; readonly began: number } {
    const now = Date.now();
    const isSoon = now - this.#last < this.#pause;
    const goesOn = key !== '' && key === this.#key && this.isLast(state) && isSoon;
    if (!goesOn) this.#began = now;
    this.#key = key;
    this.#last = now;
    return { goesOn, began: this.#began };
  }

  /** Whether nothing was changed since the last step. */
  isLast(state: readonly unknown[]): boolean {
    return state.every((one, index) => one === this.#state[index]);
  }

  /** The next step is of another run. */
  end(): void {
    this.#key = '';
  }

  /** The step was made. */
  done(state: readonly unknown[]): void {
    this.#state = state;
  }
}
