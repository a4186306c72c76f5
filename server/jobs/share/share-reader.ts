/**
 * Reads a `.framewright` file that someone sent. First everything is checked, and nothing stored: the list, the sizes,
 * the manifest, each checksum. Then its media go to the library, and the template is what a request with the same
 * values would create. No name in the archive becomes a path, and nothing in it is run.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, rm, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { certainEncoding } from '../../../shared/decode-text.ts';
import { ApiError } from '../../../shared/errors.ts';
import {
  deskLimits,
  mediaLibraryLimits,
  requestLimits,
  shareLimits,
} from '../../../shared/limits.ts';
import type { JsonObject } from '../../../shared/renderscript/source.ts';
import { JsonText } from '../../system/json-text.ts';
import type { MediaStore } from '../../store/media.ts';
import type { Desk } from '../desk/desk.ts';
import { receive, savingError, type MediaLibrary } from '../files/media-library.ts';
import {
  manifestName,
  mediaIdOf,
  readManifest,
  templateName,
  type Manifest,
  type SharedFile,
} from './manifest.ts';
import { readZipEntry, readZipList, refuseShare, shown, type ZipEntry } from './zip-reader.ts';

/** What unpacking needs of the server. */
export interface ReaderContext {
  readonly desk: Desk;
  readonly media: MediaStore;
  readonly library: MediaLibrary;
}

/** The same for one archive. */
interface ReadingContext extends ReaderContext {
  /** Whose key sent it; null: its media are for all projects. */
  readonly project: string | null;
}

/** `name`, `tags` and `source` of a template, unchecked. */
export type SharedValues = Readonly<Record<string, unknown>>;

/** What was in a file: the template as its receiver accepted it, how many files, and what its sender could not pack. */
export interface Received<Accepted> {
  readonly template: Accepted;
  readonly files: number;
  readonly missing: Manifest['missing'];
  readonly markers: Manifest['markers'];
}

/** An archive whose content was checked. */
interface CheckedShare {
  readonly template: SharedValues;
  readonly missing: Manifest['missing'];
  readonly markers: Manifest['markers'];
  readonly files: readonly { readonly file: SharedFile; readonly entry: ZipEntry }[];
}

/** An archive on its way. */
export interface Incoming {
  readonly stream: Readable;
  /** The refusal once it has more than `shareLimits.bytes`. */
  readonly tooLarge: () => ApiError;
}

/**
 * Receives an archive and adds its media to the library. The caller stores the template.
 *
 * @param accept Checks the template's values before anything is stored; may throw.
 * @param turn Lets one archive at a time be unpacked.
 * @throws ApiError `share_refused`, `cannot_save`, `incomplete_body`, `media_library_full`, `busy`.
 */
export async function receiveShare<Accepted>(
  { stream, tooLarge }: Incoming,
  accept: (template: SharedValues) => Accepted,
  context: ReadingContext,
  turn: (work: () => Promise<Received<Accepted>>) => Promise<Received<Accepted>>,
): Promise<Received<Accepted>> {
  const folder = path.join(context.media.uploadFolder, randomUUID());
  try {
    await mkdir(folder, { recursive: true });
    const archive = path.join(folder, 'archive');
    await receive(stream, archive, shareLimits.bytes, tooLarge);
    return await turn(async () => {
      const file = await open(archive, 'r');
      try {
        const checked = await checkShare(file, context.desk);
        const template = accept(checked.template);
        for (const { file: facts, entry } of checked.files) {
          await addFile(facts, readZipEntry(file, entry), folder, context);
        }
        const { files, missing, markers } = checked;
        return { template, files: files.length, missing, markers };
      } finally {
        await file.close();
      }
    });
  } catch (error) {
    throw savingError(error);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Reads all of an archive once, keeping only the manifest and the template. @throws ApiError `share_refused`. */
export async function checkShare(file: FileHandle, desk: Desk): Promise<CheckedShare> {
  // Its two own files, and those of the template.
  const entries = await readZipList(file, shareLimits.files + 2);
  const { size } = await file.stat();
  const contained = entries.reduce((sum, { bytes }) => sum + bytes, 0);
  const most = Math.min(shareLimits.bytes, shareLimits.freeBytes + size * shareLimits.ratio);
  if (contained > most) {
    refuseShare(`it would be ${megabytes(contained)} when unpacked, and may be ${megabytes(most)}`);
  }
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  const part = (name: string): ZipEntry => {
    const found = byName.get(name);
    if (!found) refuseShare(`it contains no ${shown(name)}`);
    byName.delete(name);
    return found;
  };
  const ownManifest = part(manifestName);
  const text = await readSmall(file, ownManifest, shareLimits.listBytes);
  const { files: listed, missing, markers } = readManifest(text.toString('utf8'));
  const ownTemplate = part(templateName);
  const files = listed.map((facts) => ({ file: facts, entry: part(facts.path) }));
  const [other] = byName.keys();
  if (other !== undefined) refuseShare(`its manifest does not list ${shown(other)}`);
  // The document's own limit; name and tags come on top.
  const template = await readTemplate(
    await readSmall(file, ownTemplate, requestLimits.bodyBytes + shareLimits.listBytes),
    desk,
  );
  for (const { file: facts, entry } of files) {
    if (entry.bytes !== facts.bytes)
      refuseShare(`${shown(facts.path)} has another size than listed`);
    if (facts.use !== 'media' && facts.bytes > shareLimits.partBytes) {
      refuseShare(`${shown(facts.path)} is larger than ${megabytes(shareLimits.partBytes)}`);
    }
    const hash = createHash('sha256');
    let isStart = true;
    for await (const piece of readZipEntry(file, entry)) {
      if (isStart) checkStart(facts, piece);
      isStart = false;
      hash.update(piece);
    }
    if (hash.digest('hex') !== facts.sha256) {
      refuseShare(`${shown(facts.path)} is not the file that its manifest lists`);
    }
  }
  return { template, files, missing, markers };
}

/** Fonts and texts are looked at here; the library's own worker looks at media. */
function checkStart({ use, path: name }: SharedFile, piece: Buffer): void {
  if (use === 'font' && !fontStarts.includes(piece.toString('latin1', 0, 4))) {
    refuseShare(`${shown(name)} is no font`);
  }
  if ((use === 'words' || use === 'lut') && piece.includes(0) && certainEncoding(piece) === null)
    refuseShare(`${shown(name)} is no text`);
}

/** How font files begin: TrueType, OpenType, a collection, WOFF. */
const fontStarts: readonly string[] = [
  '\u0000\u0001\u0000\u0000',
  'true',
  'OTTO',
  'ttcf',
  'wOFF',
  'wOF2',
];

/** A part that is read as a whole. A long one goes piece by piece into memory shared with the desk's threads. */
async function readSmall(file: FileHandle, entry: ZipEntry, most: number): Promise<Buffer> {
  if (entry.bytes > most) {
    refuseShare(`${shown(entry.name)} is larger than ${megabytes(most)}`);
  }
  const isLong = entry.bytes > deskLimits.inlineCharacters;
  const whole = isLong
    ? Buffer.from(new SharedArrayBuffer(entry.bytes))
    : Buffer.alloc(entry.bytes);
  let at = 0;
  for await (const piece of readZipEntry(file, entry)) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** The template's values, parsed on the desk: large objects stay text. */
async function readTemplate(bytes: Buffer, desk: Desk): Promise<SharedValues> {
  try {
    const { fields, texts } = await desk.readBody(bytes, { names: ['name', 'tags', 'source'] });
    const long = Object.entries(texts).map(([name, { content, keys }]) => [
      name,
      new JsonText(content, keys),
    ]);
    const short: JsonObject = fields;
    return { ...short, ...Object.fromEntries(long) } as SharedValues; // by JSON names
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === 'busy') throw error;
    return refuseShare(`its template can't be read (${error.message.replace(/\.$/, '')})`);
  }
}

/** Stores one file: media in the library, fonts and texts beside them. Its name is its content's. */
async function addFile(
  { name, sha256, use, path: archived }: SharedFile,
  content: AsyncIterable<Buffer>,
  folder: string,
  { media, library, project }: ReadingContext,
): Promise<void> {
  const stream = Readable.from(content, { objectMode: false });
  if (use !== 'media') {
    const part = path.join(folder, 'part');
    const { id } = await receive(stream, part, shareLimits.partBytes);
    checkId(id, sha256, archived);
    await media.keepPart(id, part, project);
    return;
  }
  try {
    const { media: added } = await library.add(
      stream,
      name.slice(0, mediaLibraryLimits.nameLength),
      project,
    );
    checkId(added.id, sha256, archived);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'media_not_usable') throw error;
    refuseShare(`${shown(archived)}: ${error.message.replace(/\.$/, '')}`);
  }
}

/** The file in the upload folder is the one that was checked, unless the drive is broken. */
function checkId(id: string, sha256: string, archived: string): void {
  if (id !== mediaIdOf(sha256)) refuseShare(`${shown(archived)} changed while it was unpacked`);
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1e6).toLocaleString('en-US')} MB`;
}
