/** The two clocks of the server. Passed in where time matters, so that tests can move it. */

/** Where the time comes from. */
export interface Clock {
  /** Wall time in ms since 1970; jumps when someone sets the clock. For times that people read. */
  now(): number;
  /** Milliseconds since some moment; never jumps. For limits and pauses. */
  steady(): number;
}

/** The computer's own. */
export const systemClock: Clock = {
  now: () => Date.now(),
  steady: () => performance.now(),
};
