/** Names of files that are made from names people gave: what every file system takes. Anywhere. */

/** Characters of a name at most; its ending comes on top. */
const longest = 120;

/**
 * A name as a file's, without an ending: no separators, control characters, dots or blanks at its ends.
 *
 * @returns '' where nothing is left of it, and for a name that Windows keeps for itself (`con`, `lpt1`)
 */
export function cleanFileName(name: string): string {
  const cleaned = name
    .replace(/[\p{Cc}\p{Cf}<>:"/\\|?*]/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+/, '')
    .slice(0, longest)
    .replace(/[. ]+$/, '');
  return /^(con|prn|aux|nul|com\d|lpt\d)$/i.test(cleaned) ? '' : cleaned;
}
