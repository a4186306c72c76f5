/**
 * Writes templates with their media and fonts as one zip, while it is sent. Reads only what renders may read: the media
 * library and the media folders. Everything else stays an address in the document. Several templates are a kit, in
 * which each file is once.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { once } from 'node:events';
import path from 'node:path';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { Zip, ZipPassThrough } from 'fflate';
import type { Brand } from '../../../shared/api.ts';
import { ApiError } from '../../../shared/errors.ts';
import { shareLimits } from '../../../shared/limits.ts';
import { looseName } from '../../../shared/renderscript/same-name.ts';
import type { JsonText } from '../../system/json-text.ts';
import type { StoredFont } from '../../store/fonts.ts';
import type { MediaStore } from '../../store/media.ts';
import { filesOutside, findLocal, type LocalFile } from '../../system/media-folders.ts';
import type { Desk } from '../desk/desk.ts';
import type { FileUse, SharedFont } from './document-files.ts';
import {
  kitVersion,
  manifestName,
  mediaIdOf,
  nameInArchive,
  shareVersion,
  templateName,
  type KitManifest,
  type Manifest,
  type SharedFile,
} from './manifest.ts';

/** What packing needs of the server. */
export interface WriterContext {
  readonly desk: Desk;
  readonly media: MediaStore;
  readonly mediaFolders: () => readonly string[];
  /** Fonts that people added. */
  readonly addedFonts: () => readonly StoredFont[];
  /** Where the window keeps the templates' pictures. */
  readonly pictureFolder: string;
}

/** A template to pack. */
export interface SharedTemplate {
  readonly name: string;
  readonly tags: readonly string[];
  readonly source: JsonText;
  readonly markers: Manifest['markers'];
  /** The name of its picture's file, which kits have for the window; it may not be there. */
  readonly picture: string;
}

/** What a file is made of. */
export interface SharedContent {
  /** One, or those of a kit. */
  readonly templates: readonly SharedTemplate[];
  /** Whose media library they see; null: all of it, for the window. */
  readonly project: string | null;
  /** Of a kit. Undefined: none. */
  readonly brand?: Brand | undefined;
}

/** A file to pack, and all addresses that lead to it. */
interface FoundFile {
  readonly path: string;
  readonly name: string;
  readonly use: FileUse;
  readonly bytes: number;
  readonly addresses: string[];
  /** An added font, which the packed document brings itself. */
  readonly font?: StoredFont;
}

/** A template with the files that it needs. */
interface PackedTemplate extends SharedTemplate {
  readonly files: ReadonlySet<FoundFile>;
  /** Addresses of files that are not packed. */
  readonly missing: Manifest['missing'];
}

/** What will be packed. */
export interface Packing {
  readonly templates: readonly PackedTemplate[];
  readonly files: readonly FoundFile[];
  /** Of all templates, each once. */
  readonly missing: Manifest['missing'];
  /** Bytes of all files. */
  readonly bytes: number;
  readonly brand?: Brand | undefined;
}

/** Finds the files of templates. @throws ApiError `share_too_large`, `busy`. */
export async function planPacking(
  { templates, project, brand }: SharedContent,
  { desk, media, mediaFolders, addedFonts }: WriterContext,
): Promise<Packing> {
  const hidden = project === null ? undefined : media.hiddenFrom(project);
  const files = new FoundFiles();
  const packed: PackedTemplate[] = [];
  const add = async (address: string, use: FileUse): Promise<FoundFile | string> => {
    const found = await findLocal(address, mediaFolders(), hidden);
    if (found?.kind !== 'file') return whyMissing(found);
    const kept = media.find(path.basename(found.path));
    // Recordings whose words are shown are media; subtitles and words are not, and the library would refuse them.
    const isMedia = use === 'media' || (use === 'words' && (kept || !isText(found.path, address)));
    const file = await files.add({
      path: found.path,
      name: (kept?.name ?? path.basename(found.path)).slice(0, 256),
      use: isMedia ? 'media' : use,
      bytes: found.bytes,
      addresses: [],
    });
    file.addresses.push(address);
    return file;
  };
  const added = addedFonts();
  for (const template of templates) {
    const needed = new Set<FoundFile>();
    const missing: Manifest['missing'] = [];
    const named = await desk.localFiles(template.source);
    if (named.length > shareLimits.files) {
      tooLarge(`it names ${named.length} files; one file holds ${shareLimits.files}`);
    }
    for (const { address, use } of named) {
      const found = await add(address, use);
      if (typeof found === 'string') missing.push({ source: address, reason: found });
      else needed.add(found);
    }
    const families = added.length > 0 ? await desk.familiesOf(template.source) : new Map();
    for (const font of added) {
      if (!families.has(looseName(font.family))) continue;
      const { path: file, name, bytes } = font;
      needed.add(await files.add({ path: file, name, use: 'font', bytes, addresses: [], font }));
    }
    packed.push({ ...template, files: needed, missing });
  }
  if (brand && brand.logo !== '' && !/^(?:https?|data):/i.test(brand.logo))
    await add(brand.logo, 'media');
  const all = files.all();
  const own = templates.length === 1 ? 0 : 2 * templates.length;
  if (all.length + own > shareLimits.files) {
    tooLarge(`it would have ${all.length + own} files; one file holds ${shareLimits.files}`);
  }
  const documents = templates.reduce((sum, { source }) => sum + source.length, 0);
  const bytes = all.reduce((sum, one) => sum + one.bytes, documents);
  const room = shareLimits.bytes - shareLimits.listBytes;
  if (bytes > room) {
    tooLarge(`its files have ${(bytes / 1e9).toFixed(1)} GB; one file holds ${room / 1e9} GB`);
  }
  const missing = new Map(packed.flatMap((one) => one.missing.map((lost) => [lost.source, lost])));
  return { templates: packed, files: all, missing: [...missing.values()], bytes, brand };
}

/** Files, each content once: those of one size are compared. */
class FoundFiles {
  readonly #byPath = new Map<string, FoundFile>();
  readonly #bySize = new Map<string, FoundFile[]>();

  /** @returns the file, or one with the same content that is there already. */
  async add(file: FoundFile): Promise<FoundFile> {
    const known = this.#byPath.get(file.path);
    if (known) return known;
    const key = `${file.bytes} ${file.use} ${file.font?.family ?? ''}`;
    const like = this.#bySize.get(key) ?? [];
    let same: FoundFile | undefined;
    if (like.length > 0) {
      const digest = await digestOf(file.path);
      for (const one of like) if (digest === (await digestOf(one.path))) same ??= one;
    }
    if (!same) this.#bySize.set(key, [...like, file]);
    this.#byPath.set(file.path, same ?? file);
    return same ?? file;
  }

  all(): readonly FoundFile[] {
    return [...new Set(this.#byPath.values())];
  }
}

/** Of a file's content. */
async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/** @throws ApiError `share_too_large`, always. */
export function tooLarge(reason: string): never {
  throw new ApiError('share_too_large', { reason });
}

/** Content of the library without facts is a font or a text. */
function isText(file: string, address: string): boolean {
  return /\.(srt|vtt|json)$/i.test(file) || /^\s*media:/i.test(address);
}

function whyMissing(found: LocalFile | null): string {
  if (found?.kind === 'missing') return 'The file does not exist';
  if (found?.kind === 'not a file') return 'It is not a file';
  return filesOutside;
}

/**
 * Writes the archive and ends the stream; reads no faster than its receiver.
 * @throws when a file changes or the receiver goes.
 */
export async function writeShare(
  { templates, files, missing, brand }: Packing,
  { desk, pictureFolder }: WriterContext,
  out: Writable,
): Promise<void> {
  const zip = new Zipped(out);
  const shared = new Map<FoundFile, SharedFile>();
  const addresses = new Map<string, string>();
  for (const [index, found] of files.entries()) {
    const { path: from, name, use, bytes, addresses: all } = found;
    const archived = nameInArchive(index, name);
    const hash = createHash('sha256');
    let seen = 0;
    await zip.add(archived, piecesOf(from, bytes), (piece) => {
      seen += piece.length;
      hash.update(piece);
    });
    if (seen !== bytes) throw new Error(`${name} changed while it was packed`);
    const sha256 = hash.digest('hex');
    shared.set(found, { path: archived, name, use, bytes, sha256 });
    for (const address of all) addresses.set(address, sourceOf(sha256));
  }
  const listed: KitManifest['templates'] = [];
  for (const [index, one] of templates.entries()) {
    const fonts: SharedFont[] = [];
    for (const found of one.files) {
      const file = shared.get(found);
      if (file && found.font) fonts.push(sharedFont(found.font, sourceOf(file.sha256)));
    }
    const { name, tags, source, markers } = one;
    const isKit = templates.length > 1;
    const archived = isKit ? `templates/${index + 1}.json` : templateName;
    await zip.add(archived, [
      await desk.sharedTemplate(source, { name, tags }, { addresses, fonts }),
    ]);
    listed.push({
      ...{ path: archived, name, missing: one.missing, markers },
      files: [...one.files].flatMap((found) => shared.get(found)?.path ?? []),
      ...(isKit && (await addPicture(zip, path.join(pictureFolder, one.picture), index))),
    });
  }
  const [only] = listed;
  const format = 'framewright-template';
  const head = { format, files: [...shared.values()] } satisfies Partial<Manifest>;
  const logo = brand && (addresses.get(brand.logo) ?? brand.logo);
  const manifest: Manifest | KitManifest =
    listed.length === 1 && only
      ? { ...head, version: shareVersion, missing: [...missing], markers: only.markers }
      : {
          ...{ ...head, version: kitVersion, templates: listed },
          ...(brand && { brand: { ...brand, colors: [...brand.colors], logo: logo ?? '' } }),
        };
  await zip.add(manifestName, [Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)]);
  await zip.end();
}

const sourceOf = (sha256: string): string => `media:${mediaIdOf(sha256)}`;

/** Adds a template's picture, if one was drawn; the program keeps JPEG and PNG. */
async function addPicture(
  zip: Zipped,
  file: string,
  index: number,
): Promise<{ readonly picture?: string }> {
  const bytes = await readFile(file).catch(() => null);
  if (bytes === null || bytes.length > shareLimits.pictureBytes) return {};
  const picture = `pictures/${index + 1}.${bytes[0] === 0x89 ? 'png' : 'jpg'}`;
  await zip.add(picture, [bytes]);
  return { picture };
}

/** An added font as a document brings it. */
function sharedFont(
  { family, style, minWeight, maxWeight }: StoredFont,
  source: string,
): SharedFont {
  const weight = minWeight === maxWeight ? String(minWeight) : `${minWeight} ${maxWeight}`;
  return { family, source, weight, style };
}

/** The first bytes of a file: one that grows meanwhile is cut, one that shrinks is noticed by the caller. */
async function* piecesOf(file: string, bytes: number): AsyncGenerator<Uint8Array> {
  if (bytes === 0) return;
  // A stream without an encoding gives buffers.
  for await (const piece of createReadStream(file, { end: bytes - 1 })) yield piece as Buffer;
}

/** Bytes that get their checksum at once. */
const pieceBytes = 256 * 1024;

/** A zip on its way to a stream, uncompressed: media hardly get smaller. */
class Zipped {
  readonly #out: Writable;
  readonly #zip: Zip;
  readonly #gone = new AbortController();
  #isFull = false;

  constructor(out: Writable) {
    this.#out = out;
    out.once('close', () => this.#gone.abort());
    this.#zip = new Zip((error, piece) => {
      if (error) throw error;
      if (!out.write(piece)) this.#isFull = true;
    });
  }

  async add(
    name: string,
    content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
    see: (piece: Uint8Array) => void = () => undefined,
  ): Promise<void> {
    const entry = new ZipPassThrough(name);
    this.#zip.add(entry);
    for await (const long of content) {
      for (let start = 0; start < long.length; start += pieceBytes) {
        const piece = long.subarray(start, start + pieceBytes);
        see(piece);
        entry.push(piece);
        await this.#taken();
      }
    }
    entry.push(new Uint8Array(0), true);
    await this.#taken();
  }

  async end(): Promise<void> {
    this.#zip.end();
    this.#out.end();
    if (!this.#out.writableFinished) await once(this.#out, 'finish', { signal: this.#gone.signal });
  }

  async #taken(): Promise<void> {
    if (this.#out.destroyed) throw new Error('the receiver went away');
    if (!this.#isFull) {
      // Others get their turn between the pieces of a long document.
      await setImmediate();
      return;
    }
    this.#isFull = false;
    await once(this.#out, 'drain', { signal: this.#gone.signal });
  }
}
