/** Encodings of text files and their names. Runs anywhere. */

/** Encodings that can be chosen or recognised, by the names of the Encoding Standard and of IANA. */
export const textEncodings = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'utf-32le',
  'utf-32be',
  'windows-1252',
  'iso-8859-15',
  'macintosh',
  'ibm850',
  'windows-1250',
  'iso-8859-2',
  'windows-1251',
  'iso-8859-5',
  'koi8-r',
  'ibm866',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'windows-1257',
  'windows-1258',
  'windows-874',
  'shift_jis',
  'euc-jp',
  'iso-2022-jp',
  'gb18030',
  'big5',
  'euc-kr',
] as const;
/** One of them. */
export type TextEncoding = (typeof textEncodings)[number];

/** Its name for people: `Windows-1252`, `Macintosh`, `KOI8-R`. */
export function encodingName(encoding: TextEncoding): string {
  const isName = /^[wm]/.test(encoding);
  return isName ? encoding.charAt(0).toUpperCase() + encoding.slice(1) : encoding.toUpperCase();
}

/** A sentence about a text whose encoding is only the likeliest, without a full stop. */
export function guessNote(encoding: TextEncoding): string {
  if (encoding === 'utf-8')
    return 'Some bytes of the file are not UTF-8 and are shown as \ufffd; save it as UTF-8 again';
  return `The file is not in UTF-8 and was read as ${encodingName(encoding)}; if its letters are wrong, save it as UTF-8`;
}
