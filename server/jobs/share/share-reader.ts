/**
 * Reads a `.framewright` file that someone sent. First everything is checked, and nothing stored: the list, the sizes,
 * the manifest, each checksum. Then its media go to the library, and each template is what a request with the same
 * values would create. No name in the archive becomes a path, and nothing in it is run.
 *
 * A kit loses only those of its templates that are damaged, or that need a damaged file.
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
import type { Brand } from '../../../shared/api.ts';
import type { JsonObject } from '../../../shared/renderscript/source.ts';
import { JsonText } from '../../system/json-text.ts';
import type { MediaStore } from '../../store/media.ts';
import type { Desk } from '../desk/desk.ts';
import { receive, savingError, type MediaLibrary } from '../files/media-library.ts';
import {
  manifestName,
  mediaIdOf,
  readManifest,
  type Manifest,
  type SharedFile,
} from './manifest.ts';
import {
  readZipEntry,
  readZipList,
  RefusedShare,
  refuseShare,
  shown,
  type ZipEntry,
} from './zip-reader.ts';

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

/** A template of an archive whose content was checked, as its receiver accepts it. */
export interface CheckedTemplate<Accepted> {
  readonly template: Accepted;
  readonly missing: Manifest['missing'];
  readonly markers: Manifest['markers'];
  readonly files: readonly CheckedFile[];
  /** As the manifest of a kit calls it; '' in a file of one. */
  readonly name: string;
}

interface CheckedFile {
  readonly file: SharedFile;
  readonly entry: ZipEntry;
}

/** A template of a kit that can't be had. */
export interface UnreadableTemplate {
  readonly name: string;
  /** A sentence without its point. */
  readonly reason: string;
}

/** An archive whose content was checked. */
interface CheckedShare<Accepted> {
  readonly isKit: boolean;
  /** In the order of the manifest. */
  readonly templates: readonly CheckedTemplate<Accepted>[];
  readonly unreadable: readonly UnreadableTemplate[];
  /** The brand's, with the file of its logo if that is packed. */
  readonly brand: { readonly value: Brand; readonly files: readonly CheckedFile[] } | null;
}

/** What was in a file. */
export interface Received<Stored> {
  readonly isKit: boolean;
  /** At least one. */
  readonly stored: readonly Stored[];
  /** How many files they brought. */
  readonly files: number;
  /** What their sender could not pack. */
  readonly missing: Manifest['missing'];
  readonly unreadable: readonly UnreadableTemplate[];
  /** Whether the project took the kit's brand. */
  readonly brand: boolean;
}

/** What becomes of an archive's templates. */
export interface Receiver<Accepted, Stored> {
  /** Checks the values before anything is stored; may throw. */
  readonly accept: (template: SharedValues) => Accepted;
  readonly store: (checked: CheckedTemplate<Accepted>) => Promise<Stored>;
  /** Stores the brand, unless the project has one. */
  readonly takeBrand: (brand: Brand) => Promise<void>;
  readonly wantsBrand: boolean;
  /** Numbers of a kit's templates, from 1; undefined: all. */
  readonly only?: readonly number[] | undefined;
}

/** An archive on its way. */
export interface Incoming {
  readonly stream: Readable;
  /** The refusal once it has more than `shareLimits.bytes`. */
  readonly tooLarge: () => ApiError;
}

/**
 * Receives an archive, adds its media to the library and has its templates stored.
 *
 * @param turn Lets one archive at a time be unpacked.
 * @throws ApiError `share_refused`, `cannot_save`, `incomplete_body`, `media_library_full`, `busy`.
 */
export async function receiveShare<Accepted, Stored>(
  { stream, tooLarge }: Incoming,
  receiver: Receiver<Accepted, Stored>,
  context: ReadingContext,
  turn: (work: () => Promise<Received<Stored>>) => Promise<Received<Stored>>,
): Promise<Received<Stored>> {
  const folder = path.join(context.media.uploadFolder, randomUUID());
  try {
    await mkdir(folder, { recursive: true });
    const archive = path.join(folder, 'archive');
    await receive(stream, archive, shareLimits.bytes, tooLarge);
    return await turn(async () => {
      const file = await open(archive, 'r');
      try {
        const checked = await checkShare(file, context.desk, receiver.accept, receiver.only);
        return await storeShare(file, checked, receiver, folder, context);
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

/** One template after another with its files. In a kit, one that can't be stored doesn't keep the others. */
async function storeShare<Accepted, Stored>(
  archive: FileHandle,
  { templates, isKit, brand, ...checked }: CheckedShare<Accepted>,
  { store, takeBrand, wantsBrand }: Receiver<Accepted, Stored>,
  folder: string,
  context: ReadingContext,
): Promise<Received<Stored>> {
  const unreadable = [...checked.unreadable];
  const added = new Set<string>();
  const addAll = async (files: readonly CheckedFile[]): Promise<void> => {
    for (const { file, entry } of files) {
      if (added.has(file.path)) continue;
      await addFile(file, readZipEntry(archive, entry), folder, context);
      added.add(file.path);
    }
  };
  const stored: Stored[] = [];
  const missing = new Map<string, Manifest['missing'][number]>();
  let first: unknown;
  for (const one of templates) {
    try {
      await addAll(one.files);
      stored.push(await store(one));
      for (const lost of one.missing) missing.set(lost.source, lost);
    } catch (error) {
      if (!isKit || !(error instanceof ApiError)) throw error;
      first ??= error;
      unreadable.push({ name: one.name, reason: reasonOf(error) });
    }
  }
  // Nothing was stored: the first refusal says why.
  if (stored.length === 0) throw first;
  const takes = brand !== null && wantsBrand;
  if (takes) {
    await addAll(brand.files);
    await takeBrand(brand.value);
  }
  return {
    ...{ isKit, stored, unreadable, brand: takes },
    files: added.size,
    missing: [...missing.values()],
  };
}

function reasonOf(error: ApiError): string {
  return error instanceof RefusedShare ? error.reason : error.message.replace(/\.$/, '');
}

/** @param size Bytes of the archive. @throws ApiError `share_refused` if it would be too large when unpacked. */
function refuseTooLarge(entries: readonly ZipEntry[], size: number): void {
  const contained = entries.reduce((sum, { bytes }) => sum + bytes, 0);
  const most = Math.min(shareLimits.bytes, shareLimits.freeBytes + size * shareLimits.ratio);
  if (contained <= most) return;
  refuseShare(`it would be ${megabytes(contained)} when unpacked, and may be ${megabytes(most)}`);
}

/**
 * Reads all of an archive once, keeping only the manifest and the templates.
 *
 * @throws ApiError `share_refused`; in a kit only for what is wrong with the whole, or with all of its templates.
 */
export async function checkShare<Accepted>(
  file: FileHandle,
  desk: Desk,
  accept: (template: SharedValues) => Accepted,
  only?: readonly number[],
): Promise<CheckedShare<Accepted>> {
  const entries = await readZipList(file, shareLimits.files + 2);
  refuseTooLarge(entries, (await file.stat()).size);
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  const part = (name: string): ZipEntry => {
    const found = byName.get(name);
    if (!found) refuseShare(`it contains no ${shown(name)}`);
    byName.delete(name);
    return found;
  };
  const text = await readSmall(file, part(manifestName), shareLimits.listBytes);
  const { templates: listed, files, isKit, brand } = readManifest(text.toString('utf8'));
  const documents = listed.map((one) => ({ ...one, entry: part(one.path) }));
  for (const { picture } of listed) if (picture !== undefined) part(picture);
  const packed = files.map((facts) => ({ file: facts, entry: part(facts.path) }));
  const [other] = byName.keys();
  if (other !== undefined) refuseShare(`its manifest does not list ${shown(other)}`);
  const byPath = new Map(packed.map((one) => [one.file.path, one]));
  for (const name of listed.flatMap((one) => one.files))
    if (!byPath.has(name)) refuseShare(`its manifest does not list ${shown(name)}`);
  const documentBytes = documents.reduce((sum, { entry }) => sum + entry.bytes, 0);
  if (documentBytes > shareLimits.documentBytes) {
    const limit = megabytes(shareLimits.documentBytes);
    refuseShare(`its templates have ${megabytes(documentBytes)}, and may have ${limit}`);
  }
  for (const number of only ?? [])
    if (number > listed.length) refuseShare(`it has ${listed.length} templates, and no ${number}`);

  /** In a kit, a part that is refused is remembered with the reason. */
  const bad = new Map<string, RefusedShare>();
  const isolate = async <Result>(name: string, work: () => Promise<Result>) => {
    try {
      return await work();
    } catch (error) {
      if (!isKit || !(error instanceof RefusedShare)) throw error;
      bad.set(name, error);
      return undefined;
    }
  };
  const wanted = documents.filter((_, index) => only?.includes(index + 1) ?? true);
  const read = [];
  for (const { entry, ...facts } of wanted) {
    const template = await isolate(facts.path, async () =>
      accept(await readTemplate(await readSmall(file, entry, largestDocument), desk)),
    );
    read.push({ ...facts, template });
  }
  const logo =
    brand && packed.filter((one) => brand.logo === `media:${mediaIdOf(one.file.sha256)}`);
  const needed = new Set(wanted.flatMap((one) => one.files));
  for (const one of logo ?? []) needed.add(one.file.path);
  // A template alone needs all of them, listed or not.
  for (const one of packed)
    if (needed.has(one.file.path)) await isolate(one.file.path, () => checkFile(file, one));
  const templates: CheckedTemplate<Accepted>[] = [];
  const unreadable: UnreadableTemplate[] = [];
  for (const { template, files: names, path: own, name, missing, markers } of read) {
    const problem = [own, ...names].flatMap((one) => bad.get(one) ?? [])[0];
    if (problem) unreadable.push({ name, reason: problem.reason });
    else {
      const filesOf = names.flatMap((one) => byPath.get(one) ?? []);
      // Accepted, since nothing about it was refused.
      templates.push({ name, template: template as Accepted, missing, markers, files: filesOf });
    }
  }
  if (templates.length === 0) {
    const [first] = bad.values();
    refuseShare(`none of its templates can be read: ${first?.reason ?? 'none was asked for'}`);
  }
  const isWhole = brand && logo?.every((one) => !bad.has(one.file.path));
  return {
    ...{ isKit, templates, unreadable },
    brand: isWhole ? { value: brand, files: logo ?? [] } : null,
  };
}

/** Bytes of a template: the document's own limit; name and tags come on top. */
const largestDocument = requestLimits.bodyBytes + shareLimits.listBytes;

/** Reads a file once. @throws ApiError `share_refused` if it is not what the manifest says. */
async function checkFile(archive: FileHandle, { file: facts, entry }: CheckedFile): Promise<void> {
  if (entry.bytes !== facts.bytes) refuseShare(`${shown(facts.path)} has another size than listed`);
  if (facts.use !== 'media' && facts.bytes > shareLimits.partBytes) {
    refuseShare(`${shown(facts.path)} is larger than ${megabytes(shareLimits.partBytes)}`);
  }
  const hash = createHash('sha256');
  let isStart = true;
  for await (const piece of readZipEntry(archive, entry)) {
    if (isStart) checkStart(facts, piece);
    isStart = false;
    hash.update(piece);
  }
  if (hash.digest('hex') !== facts.sha256) {
    refuseShare(`${shown(facts.path)} is not the file that its manifest lists`);
  }
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
