/** The two clocks of the server. Handed in where time matters, so that tests can move it. */

/** Where the time comes from. */
export interface Clock {
  /** Wall time in ms since 1970; may jump when someone sets it. For what people read. */
  now(): number;
  /** Milliseconds since some moment; never jumps. For limits and pauses. */
  steady(): number;
}

/** The computer's own. */
export const systemClock: Clock = {
  now: () => Date.now(),
  steady: () => performance.now(),
};
