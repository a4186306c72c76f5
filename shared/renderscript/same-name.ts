/**
 * Names as they are compared: an accented letter is one character or two, depending on the keyboard, the system and the
 * file.
 */

/** The one form of a name (NFC). */
export function sameName(name: string): string {
  return name.normalize('NFC');
}

/** The same without case and the blanks around it, as `transcript_source` finds elements. */
export function looseName(name: string): string {
  return sameName(name.trim().toLowerCase());
}
