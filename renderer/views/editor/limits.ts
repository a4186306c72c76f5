/** Sizes and times of the editor. */

/** Characters: longer sources are checked after a second of quiet, and completed on demand only. */
export const largeSource = 1_000_000;

/** Fields of a form that are in the page at first, and that come in addition when the last of them is near. */
export const fieldsAtOnce = 40;
