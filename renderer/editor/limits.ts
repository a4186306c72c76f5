/** Sizes and times of the editor. */

/** Characters: longer sources are checked after a second of quiet, and completed on demand only. */
export const largeSource = 1_000_000;

/** How many fields of a form, or lines of a list, are in the page at first, and are added when the last one is near. */
export const linesAtOnce = 40;
