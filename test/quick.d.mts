/** Files in Node that `npm test` leaves to CI, with what they do all the time. */
export const leftInNode: Readonly<Record<string, string>>;
/** The window's files that `npm test` runs. */
export const windowFiles: readonly string[];
