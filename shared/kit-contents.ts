/**
 * What is in a kit, before it is imported: names and pictures of its templates, read from the end of the file without
 * unpacking it. Only to be shown: the server checks everything when it imports. No Node, no DOM.
 */
import * as z from 'zod/mini';
import { decodeText } from './decode-text.ts';
import { requestLimits, shareLimits } from './limits.ts';

/** A file that is read in pieces. */
export interface PiecedFile {
  readonly size: number;
  readonly read: (start: number, length: number) => Promise<Uint8Array<ArrayBuffer>>;
}

/** A template of a kit. */
export interface KitTemplate {
  readonly name: string;
  /** JPEG or PNG; null: it has none. */
  readonly picture: Uint8Array<ArrayBuffer> | null;
}

const manifest = z.object({
  version: z.literal(2),
  templates: z
    .array(
      z.object({
        name: z.string().check(z.maxLength(requestLimits.nameLength)),
        picture: z.exactOptional(z.string()),
      }),
    )
    .check(z.minLength(1), z.maxLength(shareLimits.templates)),
});

/** Parts of a zip archive (PKWARE APPNOTE 4.3): lengths without names and remarks. */
const [endLength, listLength, headLength] = [22, 46, 30];

/** @returns null for files of one template, and for what can't be read like this. */
export async function readKit(file: PiecedFile): Promise<readonly KitTemplate[] | null> {
  try {
    const end = await view(file, file.size - endLength, endLength);
    if (end.getUint32(0, true) !== 0x06054b50) return null;
    const [length, start] = [end.getUint32(12, true), end.getUint32(16, true)];
    if (length > shareLimits.listBytes) return null;
    const list = await view(file, start, length);
    /** Sizes and places of parts that are stored as they are, as this program does. */
    const parts = new Map<string, { readonly bytes: number; readonly place: number }>();
    for (let place = 0; place + listLength <= length;) {
      const nameLength = list.getUint16(place + 28, true);
      const name = new Uint8Array(list.buffer, list.byteOffset + place + listLength, nameLength);
      const [packed, bytes] = [list.getUint32(place + 20, true), list.getUint32(place + 24, true)];
      const part = { bytes, place: list.getUint32(place + 42, true) };
      if (packed === bytes) parts.set(decodeText(name)?.text ?? '', part);
      const more = list.getUint16(place + 30, true) + list.getUint16(place + 32, true);
      place += listLength + nameLength + more;
    }
    const read = async (name: string, most: number): Promise<Uint8Array<ArrayBuffer> | null> => {
      const part = parts.get(name);
      if (!part || part.bytes > most) return null;
      const head = await view(file, part.place, headLength);
      const names = head.getUint16(26, true) + head.getUint16(28, true);
      return file.read(part.place + headLength + names, part.bytes);
    };
    const text = await read('manifest.json', shareLimits.listBytes);
    const { data } = manifest.safeParse(text && JSON.parse(decodeText(text)?.text ?? ''));
    if (!data) return null;
    return await Promise.all(
      data.templates.map(async ({ name, picture }) => ({
        name,
        picture: picture === undefined ? null : await read(picture, shareLimits.pictureBytes),
      })),
    );
  } catch {
    // Cut off or damaged: the import says what is wrong.
    return null;
  }
}

async function view(file: PiecedFile, start: number, length: number): Promise<DataView> {
  const { buffer, byteOffset, byteLength } = await file.read(start, length);
  return new DataView(buffer, byteOffset, byteLength);
}
