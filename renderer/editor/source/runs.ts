/** Runs of steps that are undone as one: keys pressed again and again on the same thing. Pure. */

/** Milliseconds within which the next key belongs to the same run. */
const pause = 1000;

/** The last run of one history. */
export class Runs {
  #key = '';
  #began = 0;
  #last = 0;
  #state: readonly unknown[] = [];

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
    const isSame = state.every((one, index) => one === this.#state[index]);
    const goesOn = key !== '' && key === this.#key && isSame && now - this.#last < pause;
    if (!goesOn) this.#began = now;
    this.#key = key;
    this.#last = now;
    return { goesOn, began: this.#began };
  }

  /** The step was made. */
  done(state: readonly unknown[]): void {
    this.#state = state;
  }
}
