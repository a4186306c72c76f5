/** When workers are restarted and ended; tests have other bounds. */
export interface WorkerTuning {
  /**
   * Pauses before the next start after the first, second … failure of a worker itself, ms. Default: see
   * shared/limits.ts.
   */
  readonly restartPauses?: readonly number[];
  /** Bytes of memory that a worker may take. Default: `memoryLimit()` of vitals.ts. */
  readonly memoryLimit?: number;
  /** Bytes that it may keep between two renders. Default: see shared/limits.ts. */
  readonly restingMemory?: number;
  /** Computing time allowed in one drawing step, ms. Default: see shared/limits.ts. */
  readonly step?: number;
}
