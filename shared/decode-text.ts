/**
 * Text from the bytes of a file, whichever way it comes in: subtitles, word lists, tables, documents. UTF-8, UTF-16
 * and UTF-32 with their marks or without, else the older encoding that it most likely has. Runs anywhere, pure.
 */
import { analyse } from 'chardet';
import { textEncodings, type TextEncoding } from './text-encodings.ts';

/** What browsers and Node have; this folder knows the types of neither. */
declare class TextDecoder {
  constructor(encoding: string, options?: { fatal: boolean });
  decode(bytes: Uint8Array, options?: { stream: boolean }): string;
}

/** A text, and how it was read. */
export interface DecodedText {
  readonly text: string;
  readonly encoding: TextEncoding;
  /** Only the likeliest encoding: people should be told. */
  readonly isGuess: boolean;
}

/** @param chosen Default: what the bytes show. @returns null for bytes that are no text. */
export function decodeText(bytes: Uint8Array, chosen?: TextEncoding): DecodedText | null {
  const sure = chosen ?? certainEncoding(bytes);
  if (sure !== null && /^utf-(?:16|32)/.test(sure)) {
    return { text: decodeAs(inPairs(bytes), sure), encoding: sure, isGuess: false };
  }
  const own = withoutFilling(bytes);
  const isFilled = own.length < bytes.length && own.length > 0 && !own.includes(0);
  if (isFilled) return decodeText(own, chosen);
  if (bytes.includes(0)) return null;
  const encoding = sure ?? likelyEncoding(bytes);
  return { text: decodeAs(bytes, encoding), encoding, isGuess: sure === null };
}

/** What DOS wrote at the end of a text; others fill their last block with zeros. */
const endOfFile = 0x1a;
/** What switches between the alphabets of ISO 2022. */
const escape = 0x1b;

const withoutFilling = (bytes: Uint8Array): Uint8Array =>
  bytes.subarray(0, bytes.findLastIndex((byte) => byte !== 0 && byte !== endOfFile) + 1);
const inPairs = (bytes: Uint8Array): Uint8Array =>
  bytes.length % 2 === 0 ? bytes : bytes.subarray(0, -1);

/** What marks or the bytes themselves prove; null for an older encoding. */
export function certainEncoding(bytes: Uint8Array): TextEncoding | null {
  // Its mark begins as that of UTF-16.
  if (isUtf32(bytes, true)) return 'utf-32le';
  if (isUtf32(bytes, false)) return 'utf-32be';
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (bytes.includes(0)) return unmarkedUtf16(bytes);
  if (bytes.includes(escape) && decodes(bytes, 'iso-2022-jp')) return 'iso-2022-jp';
  return decodes(bytes, 'utf-8') ? 'utf-8' : null;
}

/** Every four bytes are a character: no other text has so many zeros. */
function isUtf32(bytes: Uint8Array, isLittle: boolean): boolean {
  if (bytes.length === 0 || bytes.length % 4 > 0) return false;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at < bytes.length; at += 4) {
    if (!isCharacter(view.getUint32(at, isLittle))) return false;
  }
  return true;
}

const isCharacter = (code: number): boolean =>
  code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);

/**
 * Blanks, digits and line ends of UTF-16 have zeros, all in odd places or all in even ones; hardly any other file has.
 */
function unmarkedUtf16(all: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (!withoutFilling(all).includes(0)) return null;
  const bytes = inPairs(all);
  const zeros = [0, 0];
  bytes.forEach((byte, at) => {
    if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  });
  const [even = 0, odd = 0] = zeros;
  if (Math.min(even, odd) > 0 || Math.max(even, odd) < bytes.length / 32) return null;
  const encoding = even === 0 ? 'utf-16le' : 'utf-16be';
  return decodes(bytes, encoding) ? encoding : null;
}

/** Bytes that are looked at for a guess. */
const sampleBytes = 32_768;
/** Names of the detector for parts of larger encodings, which files nearly always have. */
const wider: Readonly<Record<string, TextEncoding>> = {
  'iso-8859-1': 'windows-1252',
  'iso-8859-7': 'windows-1253',
  'iso-8859-8': 'windows-1255',
  'iso-8859-9': 'windows-1254',
};
/** Encodings of Latin letters; where Western European is nearly as likely, it is taken, which most files are in. */
const latin: readonly TextEncoding[] = [
  'windows-1250',
  'iso-8859-2',
  'windows-1257',
  'windows-1258',
];
/** Confidence, from 0 to 100. */
const westernEnough = 50;
/** What the detector gives to an encoding that it has only not ruled out. */
const unsure = 10;

function likelyEncoding(bytes: Uint8Array): TextEncoding {
  const sample = foreignLines(bytes);
  if (isBrokenUtf8(sample)) return 'utf-8';
  const found = analyse(sample).flatMap(({ name, confidence }) => {
    const lower = name.toLowerCase();
    const encoding = wider[lower] ?? textEncodings.find((one) => one === lower);
    // A letter that is cut at the end of the sample is no fault.
    const fits = encoding && confidence > unsure && decodes(sample, encoding, true);
    return fits ? [{ encoding, confidence }] : [];
  });
  const western = found.find(({ encoding }) => encoding === 'windows-1252')?.confidence ?? 0;
  const best = found[0]?.encoding ?? 'windows-1252';
  if (best === 'windows-1256' && isThai(sample)) return 'windows-874';
  const isWestern = western > westernEnough && latin.includes(best);
  if (!isWestern && best !== 'windows-1252') return best;
  // The sign for any currency is never written; in its place the other has €.
  const isLatin9 = sample.includes(0xa4) && !sample.some((byte) => byte >= 0x80 && byte < 0xa0);
  return unlistedEncoding(sample) ?? (isLatin9 ? 'iso-8859-15' : 'windows-1252');
}

/** Letters as words have them: a large one in the middle of a word is another letter, read wrongly. */
const western = /[à-öø-üßœ]|(?<![a-zà-ÿ])[À-ÖØ-ÜŒ]/g;
/** Signs stand beside words; only an apostrophe stands in them. */
const westernSigns =
  /’|(?<![a-z])[–—“”„‘…•«»¡¿€¤£¥§©®™°²³¼½¾·×±µ]|[–—“”…•«»€¤£¥§©®™°²³¼½¾·×±](?![a-z])/gi;
const russian = /(?<![a-z])[а-яё](?![a-z])/gi;
/** What the detector does not know, e.g. "CSV (Macintosh)" and "CSV (MS-DOS)" of Excel, and how their letters stand. */
const unlisted: readonly (readonly [TextEncoding, RegExp])[] = [
  ['macintosh', western],
  ['ibm850', western],
  ['ibm866', russian],
];
/** The share of the foreign characters that has to make sense, and how far it has to be above that of Windows-1252. */
const sensible = { share: 0.8, lead: 0.2 };

/** One of them that makes sense of the sample, more than Windows-1252 does. */
function unlistedEncoding(sample: Uint8Array): TextEncoding | null {
  const foreign = sample.filter((byte) => byte > 0x7f).length;
  const share = (encoding: TextEncoding, ...meant: readonly RegExp[]): number => {
    const text = decodeAs(sample, encoding);
    return meant.reduce((sum, one) => sum + (text.match(one)?.length ?? 0), 0) / foreign;
  };
  const [best] = unlisted
    .map(([encoding, meant]) => ({ encoding, share: share(encoding, meant) }))
    .sort((one, other) => other.share - one.share);
  const least = Math.max(
    sensible.share,
    share('windows-1252', western, westernSigns) + sensible.lead,
  );
  return best && best.share > least ? best.encoding : null;
}

/**
 * The beginning of the lines and quoted texts that are not ASCII: times and keys say nothing. No letter of any encoding
 * has such bytes.
 */
function foreignLines(bytes: Uint8Array): Uint8Array {
  const sample = new Uint8Array(sampleBytes);
  let [length, start, isForeign] = [0, 0, false];
  for (let at = 0; at <= bytes.length && length < sampleBytes; at++) {
    const byte = bytes[at] ?? 0;
    isForeign ||= byte > 0x7f;
    if (byte >= 0x20 && byte !== 0x22) continue;
    if (isForeign) {
      const line = bytes.subarray(start, Math.min(at, start + sampleBytes - length - 1));
      sample.set(line, length);
      length += line.length;
      sample[length++] = 0x20;
    }
    [start, isForeign] = [at + 1, false];
  }
  return sample.subarray(0, length);
}

/** Most foreign letters are UTF-8: a file that was cut, or put together from two. Others seldom have such bytes. */
function isBrokenUtf8(sample: Uint8Array): boolean {
  const text = decodeAs(sample, 'utf-8');
  const letters = text.match(/[^\0-\x7f]/gu)?.length ?? 0;
  const broken = text.match(/\ufffd/g)?.length ?? 0;
  return letters - broken >= 2 * broken;
}

/** The detector takes Thai for Arabic, but many of its letters stand where that has signs. */
function isThai(sample: Uint8Array): boolean {
  const foreign = sample.filter((byte) => byte > 0x7f);
  const early = foreign.filter((byte) => byte > 0xa0 && byte < 0xc0);
  return early.length > foreign.length / 4 && foreign.every((byte) => byte > 0xa0 && byte < 0xfc);
}

function decodes(bytes: Uint8Array, encoding: TextEncoding, isBeginning = false): boolean {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: isBeginning });
    return true;
  } catch {
    return false;
  }
}

/** Windows-1252 differs from Latin 1 in these 32 places; Node 20's decoder confuses the two. */
const windowsSigns = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';
/** What the upper 128 bytes of DOS mean in Western Europe; the letters of American DOS stand in the same places. */
const dosSigns =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐' +
  '└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0';

function decodeAs(bytes: Uint8Array, encoding: TextEncoding): string {
  if (encoding === 'utf-32le' || encoding === 'utf-32be') return fromUtf32(bytes, encoding);
  const isDos = encoding === 'ibm850';
  const text = new TextDecoder(isDos ? 'iso-8859-1' : encoding).decode(bytes);
  const signs = isDos ? dosSigns : encoding === 'windows-1252' ? windowsSigns : null;
  if (signs === null) return text;
  return text.replace(/[\u0080-\u00ff]/g, (sign) => signs[sign.charCodeAt(0) - 0x80] ?? sign);
}

/** Without its mark; what is no character becomes \ufffd. */
function fromUtf32(bytes: Uint8Array, encoding: 'utf-32le' | 'utf-32be'): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const pairs = new DataView(new ArrayBuffer(bytes.length));
  let length = 0;
  for (let at = 0; at + 4 <= bytes.length; at += 4) {
    const code = view.getUint32(at, encoding === 'utf-32le');
    const sign = String.fromCodePoint(isCharacter(code) ? code : 0xfffd);
    for (let unit = 0; unit < sign.length; unit++, length += 2) {
      pairs.setUint16(length, sign.charCodeAt(unit));
    }
  }
  return decodeAs(new Uint8Array(pairs.buffer, 0, length), 'utf-16be');
}
