/** Turns people's names into file names that every file system accepts. Runs anywhere. */

/** Most characters of a name, as JavaScript counts them; its ending comes on top. */
const longest = 120;
/** Bytes of a name at most: most file systems take 255 with the ending, and a character may have four. */
const mostBytes = 240;

/** Names that Windows reserves for devices, whatever follows their first dot. */
const reserved = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³]) *(\.|$)/i;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * A name as a file's, without an ending: no separators, control characters, halves of characters, dots or blanks at its
 * ends. Long names are cut between graphemes.
 *
 * @returns '' if nothing is left, and for a name that Windows reserves (`con`, `lpt1`)
 */
export function cleanFileName(name: string): string {
  const cleaned = name
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}<>:"/\\|?*]/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+/, '');
  const cut = beginningOf(cleaned).replace(/[. ]+$/, '');
  return reserved.test(cut) ? '' : cut;
}

/** The beginning of a text that fits a name. Nobody can read a single character longer than that. */
function beginningOf(text: string): string {
  let end = 0;
  let size = 0;
  for (const { segment, index } of graphemes.segment(text)) {
    for (const character of segment) size += bytesOf(character);
    if (index + segment.length > longest || size > mostBytes) break;
    end = index + segment.length;
  }
  return text.slice(0, end);
}

/** Of one character in UTF-8. */
function bytesOf(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return code < 0x10000 ? 3 : 4;
}
