/**
 * Vector pictures as plain UTF-8: other programs pack them, write UTF-16, give every element a prefix, or name their
 * namespaces by entities. Everything after this reads one form. Pure.
 */
import { gunzipSync } from 'node:zlib';
import { certainEncoding, decodeText } from '../../../../shared/decode-text.ts';
import { pictureBytes } from '../../../../shared/limits.ts';
import { textEncodings } from '../../../../shared/text-encodings.ts';

/** Characters that entities may take, and add together: namespaces of drawing programs have a few hundred. */
const mostEntityText = 65_536;

/** True for XML whose first element is `svg`, packed or not. @param head The file's first bytes. */
export function isVectorStart(head: Buffer): boolean {
  try {
    const text = textOf(isPacked(head) ? unpack(head, head.length * 8) : head);
    return text !== null && rootOf(text) !== null;
  } catch {
    return false;
  }
}

/** The picture in its plain form; the same bytes where it has that already, and where it can't be brought into it. */
export function plainVector(bytes: Buffer): Buffer {
  let text: string | null;
  try {
    text = textOf(isPacked(bytes) ? unpack(bytes, pictureBytes) : bytes);
  } catch {
    return bytes;
  }
  const root = text === null ? null : rootOf(text);
  if (text === null || root === null) return bytes;
  const plain = withoutPrefix(withoutEntities(text, root.start), root.prefix);
  return Buffer.from(
    plain.replace(/^(\s*<\?xml\s[^>]{0,200}?)\sencoding=["'][\w-]{1,40}["']/i, '$1'),
  );
}

const isPacked = (bytes: Buffer): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

/** A beginning may end in the middle. */
function unpack(bytes: Buffer, most: number): Buffer {
  return gunzipSync(bytes, { finishFlush: 2, maxOutputLength: Math.max(most, 4096) });
}

/** As its bytes show, else as its declaration says; null for what is no text. */
function textOf(bytes: Buffer): string | null {
  // A beginning may end inside of a letter.
  const even = bytes.includes(0) && bytes.length % 2 === 1 ? bytes.subarray(0, -1) : bytes;
  const [, declared = ''] =
    /^\s*<\?xml\s[^>]{0,100}encoding=["']([\w-]{1,40})["']/i.exec(
      even.toString('latin1', 0, 200),
    ) ?? [];
  const name = declared.toLowerCase().replace('iso-8859-1', 'windows-1252');
  const encoding =
    certainEncoding(even) ??
    textEncodings.find((one) => one === name) ??
    (declared === '' ? undefined : 'utf-8');
  return decodeText(even, encoding)?.text ?? null;
}

/** Where the root element begins, behind declarations, comments and a document type; null where it is no picture. */
function rootOf(text: string): { start: number; prefix: string } | null {
  let place = 0;
  while (place < longestStart) {
    place += /^\s*/.exec(text.slice(place, place + longestGap))?.[0].length ?? 0;
    const end = endOfMisc(text, place);
    if (end === null) break;
    place = end;
  }
  const tag = /^<(?:([\w-]{1,40}):)?svg(?=[\s/>])/i.exec(text.slice(place, place + 60));
  return tag && { start: place, prefix: tag[1] ?? '' };
}

/** Characters that are searched for the root. */
const longestStart = 1_000_000;
/** Blanks between two parts before it. */
const longestGap = 4096;

/** The end of a comment, a processing instruction or a document type that begins at a place; null for anything else. */
function endOfMisc(text: string, place: number): number | null {
  const behind = (mark: string, from: number): number | null => {
    const at = text.indexOf(mark, from);
    return at < 0 ? null : at + mark.length;
  };
  if (text.startsWith('<!--', place)) return behind('-->', place + 4);
  if (text.startsWith('<?', place)) return behind('?>', place);
  if (!/^<!doctype\s/i.test(text.slice(place, place + 10))) return null;
  const [close, open] = [text.indexOf('>', place), text.indexOf('[', place)];
  if (close < 0) return null;
  const inner = open >= 0 && open < close ? behind(']', open) : null;
  return inner === null ? close + 1 : behind('>', inner);
}

/** Entities put into their places where each is plain text and short; else as it was, which is refused later. */
function withoutEntities(text: string, root: number): string {
  const head = text.slice(0, root);
  if (root > mostEntityText || !/<!ENTITY/i.test(head)) return text;
  const entities = new Map<string, string>();
  for (const [, name = '', one, two] of head.matchAll(
    /<!ENTITY\s+([\w.-]{1,80})\s+(?:"([^"&%<]{0,1000})"|'([^'&%<]{0,1000})')\s*>/gi,
  ))
    entities.set(name, one ?? two ?? '');
  if (entities.size !== (head.match(/<!ENTITY/gi) ?? []).length) return text;
  let left = mostEntityText;
  const body = text.slice(root).replace(/&([\w.-]{1,80});/g, (whole, name: string) => {
    const value = entities.get(name);
    if (value === undefined) return whole;
    left -= value.length;
    return left < 0 ? whole : value;
  });
  return left < 0 ? text : body;
}

/** Elements of the prefix that the root has, without it. */
function withoutPrefix(text: string, prefix: string): string {
  if (prefix === '') return text;
  return text
    .replaceAll(`<${prefix}:`, '<')
    .replaceAll(`</${prefix}:`, '</')
    .replaceAll(`xmlns:${prefix}=`, 'xmlns=');
}
