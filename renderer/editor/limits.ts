/** Sizes and times of the editor. */

/** Characters: longer sources are checked after a second of quiet, and completed on demand only. */
export const largeSource = 1_000_000;

/** Fields of a form, or lines of a list, that are in the page at first, and that come in addition when the last is near. */
export const linesAtOnce = 40;
