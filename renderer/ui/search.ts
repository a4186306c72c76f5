/**
 * One way to search all lists: every typed word must occur in one of the texts, ignoring case, accents and soft
 * hyphens. Pure.
 */

/** Marks above and below Latin, Greek and Cyrillic letters, after they were taken apart, and soft hyphens. */
const ignored = /[\u0300-\u036f\u00ad]/g;

/** A text without capitals, accents and soft hyphens: `Cámara` → `camara`. */
export function folded(text: string): string {
  return text.toLowerCase().normalize('NFD').replace(ignored, '').normalize('NFC');
}

/** The words of a search, folded. */
export function wordsOf(search: string): readonly string[] {
  return folded(search)
    .split(/\s+/)
    .filter((word) => word !== '');
}

/** Makes a function that tells whether texts match a search; an empty search matches everything. */
export function finder(
  search: string,
): (...texts: readonly (string | null | undefined)[]) => boolean {
  const words = wordsOf(search);
  return (...texts) => {
    if (words.length === 0) return true;
    const within = texts.map((text) => folded(text ?? ''));
    return words.every((word) => within.some((text) => text.includes(word)));
  };
}
