/**
 * Writes a template with its media and fonts as one zip, while it is sent. Reads only what renders may read: the media
 * library and the media folders. Everything else stays an address in the document.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { once } from 'node:events';
import path from 'node:path';
import type { Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { Zip, ZipPassThrough } from 'fflate';
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
  manifestName,
  mediaIdOf,
  nameInArchive,
  shareVersion,
  templateName,
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
}

/** A template to pack. */
export interface SharedTemplate {
  readonly name: string;
  readonly tags: readonly string[];
  readonly source: JsonText;
  readonly markers: Manifest['markers'];
  /** Whose media library it sees; null: all of it, for the window. */
  readonly project: string | null;
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

/** What will be packed. Nothing is read yet but the sizes of files. */
export interface Packing {
  readonly template: SharedTemplate;
  readonly files: readonly FoundFile[];
  /** Addresses of files that are not packed. */
  readonly missing: Manifest['missing'];
  /** Bytes of all files. */
  readonly bytes: number;
}

/** Finds the files of a template. @throws ApiError `share_too_large`, `busy`. */
export async function planPacking(
  template: SharedTemplate,
  { desk, media, mediaFolders, addedFonts }: WriterContext,
): Promise<Packing> {
  const hidden = template.project === null ? undefined : media.hiddenFrom(template.project);
  const named = await desk.localFiles(template.source);
  if (named.length > shareLimits.files) {
    tooLarge(`it names ${named.length} files; one file holds ${shareLimits.files}`);
  }
  const files = new Map<string, FoundFile>();
  const missing: Manifest['missing'] = [];
  for (const { address, use } of named) {
    const found = await findLocal(address, mediaFolders(), hidden);
    if (found?.kind !== 'file') {
      missing.push({ source: address, reason: whyMissing(found) });
      continue;
    }
    const known = files.get(found.path);
    if (known) {
      known.addresses.push(address);
      continue;
    }
    const kept = media.find(path.basename(found.path));
    // Recordings whose words are shown are media; subtitles and words are not, and the library would refuse them.
    const isMedia = use === 'media' || (use === 'words' && (kept || !isText(found.path, address)));
    files.set(found.path, {
      path: found.path,
      name: (kept?.name ?? path.basename(found.path)).slice(0, 256),
      use: isMedia ? 'media' : use,
      bytes: found.bytes,
      addresses: [address],
    });
  }
  const added = addedFonts();
  const families = added.length > 0 ? await desk.familiesOf(template.source) : new Map();
  for (const font of added) {
    if (!families.has(looseName(font.family))) continue;
    const { path: file, name, bytes } = font;
    files.set(file, { path: file, name, use: 'font', bytes, addresses: [], font });
  }
  const bytes = [...files.values()].reduce((sum, one) => sum + one.bytes, template.source.length);
  const room = shareLimits.bytes - shareLimits.listBytes;
  if (bytes > room) {
    tooLarge(`its files have ${(bytes / 1e9).toFixed(1)} GB; one file holds ${room / 1e9} GB`);
  }
  return { template, files: [...files.values()], missing, bytes };
}

function tooLarge(reason: string): never {
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
  { template, files, missing }: Packing,
  { desk }: WriterContext,
  out: Writable,
): Promise<void> {
  const zip = new Zipped(out);
  const shared: SharedFile[] = [];
  const addresses = new Map<string, string>();
  const fonts: SharedFont[] = [];
  for (const [index, { path: from, name, use, bytes, addresses: all, font }] of files.entries()) {
    const archived = nameInArchive(index, name);
    const hash = createHash('sha256');
    let seen = 0;
    await zip.add(archived, piecesOf(from, bytes), (piece) => {
      seen += piece.length;
      hash.update(piece);
    });
    if (seen !== bytes) throw new Error(`${name} changed while it was packed`);
    const sha256 = hash.digest('hex');
    shared.push({ path: archived, name, use, bytes, sha256 });
    const source = `media:${mediaIdOf(sha256)}`;
    for (const address of all) addresses.set(address, source);
    if (font) fonts.push(sharedFont(font, source));
  }
  const { name, tags, source, markers } = template;
  await zip.add(templateName, [
    await desk.sharedTemplate(source, { name, tags }, { addresses, fonts }),
  ]);
  const manifest: Manifest = {
    format: 'framewright-template',
    version: shareVersion,
    files: shared,
    missing,
    markers,
  };
  await zip.add(manifestName, [Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)]);
  await zip.end();
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
