/** Sizes and times of the editor. */

/** Characters: longer sources are checked after a second of quiet, and completed on demand only. */
export const largeSource = 1_000_000;
