/** One way to search all lists: every typed word must occur in one of the texts, ignoring case. Pure. */

/** Makes a function that tells whether texts match a search; an empty search matches everything. */
export function finder(
  search: string,
): (...texts: readonly (string | null | undefined)[]) => boolean {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return (...texts) => {
    if (words.length === 0) return true;
    const within = texts.map((text) => text?.toLowerCase() ?? '');
    return words.every((word) => within.some((text) => text.includes(word)));
  };
}
