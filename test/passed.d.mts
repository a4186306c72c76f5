/** See passed.mjs. */
export function recordPassed(record: string, reports: readonly string[], soughtFile: string): void;
export function readPassed(record: string): {
  readonly passed: readonly string[];
  /** By file: the tests that ran with the packaged ffmpeg. */
  readonly packaged: Readonly<Record<string, readonly string[]>>;
};
