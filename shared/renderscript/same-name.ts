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

/*
 * The font families that a document's JSON names, found in its text: parsing a long one would hold up the server. Pure.
 */

/** A string of JSON. */
const string = String.raw`"((?:[^"\\]|\\.)*)"`;
const property = new RegExp(String.raw`"font_family"\s*:\s*(?:${string}|\[([^\]]*)\])`, 'g');
const keyframe = new RegExp(String.raw`"value"\s*:\s*${string}`, 'g');
const tag = /\[family\s+([^\]"\\]+)\]/gi;

/** Families of elements, of keyframes and of `[family …]` tags: by their loose name → as written. */
export function familiesIn(json: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const add = (written: string): void => {
    const name = textOf(written).trim();
    const key = looseName(name);
    if (name !== '' && !found.has(key)) found.set(key, name);
  };
  for (const [, single, list = ''] of json.matchAll(property)) {
    if (single !== undefined) add(single);
    for (const [, value = ''] of list.matchAll(keyframe)) add(value);
  }
  for (const [, name = ''] of json.matchAll(tag)) add(name);
  return found;
}

/** Without JSON's escapes. */
function textOf(written: string): string {
  if (!written.includes('\\')) return written;
  const text: unknown = JSON.parse(`"${written}"`);
  return typeof text === 'string' ? text : written;
}
