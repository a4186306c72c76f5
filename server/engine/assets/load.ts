/**
 * All of phase 1: fetches every file of a document into the work folder and probes it. Errors name the element and the
 * address, because that is what helps the document's author.
 */
import { setMaxListeners } from 'node:events';
import { mkdir, open, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fontLimits, pictureBytes, pictureDepth } from '../../../shared/limits.ts';
import { linkHint } from '../../../shared/renderscript/page-links.ts';
import {
  readLottieAddress,
  type LottieEdits,
} from '../../../shared/renderscript/lottie-address.ts';
import { spokenText } from '../../../shared/renderscript/voices.ts';
import type { Problem, Source } from '../../../shared/renderscript/source.ts';
import { RenderError } from '../../../shared/engine/errors.ts';
import { lutBytes } from '../../../shared/engine/lut.ts';
import { decoderKilled, type Ffmpeg } from '../ffmpeg.ts';
import { type AssetOptions, type Assets, FetchMeter, type MediaFile } from './assets.ts';
import {
  collectMedia,
  fitsUse,
  type MediaRequest,
  type MediaUse,
} from '../../../shared/renderscript/media-requests.ts';
import { tooLarge } from './fetch/download-request.ts';
import { examine, warmExaminer } from './examine/examiner.ts';
import { fetchToFile, type FetchOptions } from './fetch/fetch.ts';
import { findFocus, thumbnailSide } from './focus.ts';
import { plainLottie, type PlainLottie } from './lottie/lottie-file.ts';
import { readLut } from './luts.ts';
import { sniffFile } from './examine/sniff.ts';
import { decodeBytes } from './pictures/images.ts';
import type { Focus, MediaInfo } from '../../../shared/engine/media-info.ts';
import { mayRead, refuseForOldFfmpeg } from './examine/old-ffmpeg.ts';
import { unrollAvif } from './pictures/moving-picture.ts';
import { plainVector } from './pictures/plain-vector.ts';
import { maxAnimationFrames } from './pictures/picture-animation.ts';
import { probe } from './examine/probe.ts';
import { needsTrial, tryPicture } from './examine/trial.ts';
import { renameOver } from '../../system/files.ts';

/** Downloads at a time. */
const parallel = 4;
const maxFiles = 1_000;
const maxTotalBytes = 20 * 1024 ** 3;
/** Pixels of a picture's side. */
const maxSide = 20_000;

/** An ffmpeg that is there, is being looked for, or isn't needed. */
export type SoughtFfmpeg = Ffmpeg | Promise<Ffmpeg> | null;

/** Codes of errors for which no file is to blame. */
const notOfFiles: ReadonlySet<string> = new Set(['cancelled', 'encoder_missing']);

/** Times and resolver of the network; tests shorten them. */
export type LoadTuning = Pick<FetchOptions, 'times' | 'resolve'>;

/**
 * Fetches and probes every file of a document, several at a time, each address once.
 *
 * @param ffmpeg Null if the render needs none; documents with videos can't be loaded then. While it is looked for,
 *   files are fetched.
 * @throws RenderError with a complete message: `Source error: Photo.source: The server answered 404 Not Found
 * (https://…)`.
 */
export async function loadAssets(
  source: Source,
  options: AssetOptions,
  ffmpeg: SoughtFfmpeg,
  tuning: LoadTuning = {},
): Promise<Assets> {
  const requests = collectMedia(source);
  if (requests.length > maxFiles) {
    throw new RenderError(
      'limit_exceeded',
      `Source error: The document uses ${requests.length} files; the limit is ${maxFiles}`,
    );
  }
  await mkdir(options.workFolder, { recursive: true });
  if (requests.some(({ kind }) => kind !== 'font' && kind !== 'lut')) warmExaminer();

  const loaded = await loadAll(requests, { ...options, ...tuning }, ffmpeg);

  const media = new Map<string, MediaFile>();
  const fonts = new Map<string, string>();
  const luts = new Map<string, string>();
  loaded.forEach(({ path: file, info }, index) => {
    const request = requests[index];
    if (!request) return;
    const { source: address, element, path: place } = request;
    if (file === null) return;
    if (request.uses.has('lut')) luts.set(address, file);
    else if (info === null) fonts.set(address, file);
    else media.set(address, { source: address, path: file, info, element, place });
  });
  return { media, fonts, luts, warnings: loaded.flatMap(({ warnings }) => warnings) };
}

/** Loads several files at a time, in the order of the requests. The first failure ends the others. */
async function loadAll(
  requests: readonly MediaRequest[],
  options: AssetOptions & LoadTuning,
  ffmpeg: SoughtFfmpeg,
): Promise<readonly Loaded[]> {
  const ending = new AbortController();
  const signal = AbortSignal.any([options.signal, ending.signal]);
  // Every file that is loaded listens for the end, with each program that reads it.
  setMaxListeners(0, signal);
  const loaded: Loaded[] = [];
  const meter = new FetchMeter(requests.length, (progress) => options.onProgress?.(progress));
  // All loops take from one list, so that none waits behind a large file.
  const waiting = requests.entries();
  let totalBytes = 0;
  const reading = new Set<string>();
  const follow = (): void => {
    const [first = null] = reading;
    options.onElement?.(reading.size === 1 ? first : null);
  };
  const work = async (): Promise<void> => {
    for (const [index, request] of waiting) {
      reading.add(request.path);
      follow();
      const result = await loadOne(request, index, { ...options, signal }, ffmpeg, meter);
      reading.delete(request.path);
      follow();
      loaded[index] = result;
      totalBytes += result.bytes;
      if (totalBytes > maxTotalBytes) {
        throw new RenderError(
          'limit_exceeded',
          'Source error: The files of the document are larger than 20 GB together',
        );
      }
      meter.finish();
    }
  };
  const workers = Array.from({ length: parallel }, async () => {
    try {
      await work();
    } catch (error) {
      // Only the first failure matters; the others follow from it.
      if (!ending.signal.aborted) ending.abort(error);
    }
  });
  await Promise.all(workers);
  options.signal.throwIfAborted();
  ending.signal.throwIfAborted();
  return loaded;
}

interface Loaded {
  /** Null for a font that is left out. */
  readonly path: string | null;
  readonly bytes: number;
  /** Null for fonts. */
  readonly info: MediaInfo | null;
  readonly warnings: readonly Problem[];
}

async function loadOne(
  request: MediaRequest,
  index: number,
  options: AssetOptions & LoadTuning,
  ffmpeg: SoughtFfmpeg,
  meter: FetchMeter,
): Promise<Loaded> {
  try {
    const fetched = path.join(options.workFolder, `media-${index + 1}`);
    const { file: address, ...edits } = readLottieAddress(request.source);
    const { warning } = await fetchToFile(address, fetched, {
      ...options,
      maxBytes: mostBytes(request.uses, options.mediaBytes),
      onBytes: (received, announced) => meter.arrive(index, received, announced),
    });
    const warnings = warning === undefined ? [] : [problem(request, 'cached_copy', warning)];
    const { size: bytes } = await stat(fetched);
    meter.complete(index, bytes);

    if (request.uses.has('lut')) {
      if (request.uses.size > 1)
        throw new RenderError(
          'media_unreadable',
          'The same file is used as a color table and as something else',
        );
      await readLut(fetched);
      await renameOver(fetched, `${fetched}.cube`);
      return { path: `${fetched}.cube`, bytes, info: null, warnings };
    }
    if (request.uses.has('font')) {
      const font = await checkFont(fetched);
      if (font === null) warnings.push(unreadableFont(request));
      return { path: font, bytes, info: null, warnings };
    }
    await makePlain(fetched, bytes);
    const lottie = await makePlainLottie(fetched, request, edits, options.signal);
    for (const one of lottie?.warnings ?? [])
      warnings.push(problem(request, 'lottie_not_whole', one));
    const program = await ffmpeg;
    await refuseForOldFfmpeg(address, fetched, program);
    const reader = program && mayRead(address, program) ? program : null;
    if (!(await unrollAvif(fetched, reader, options.signal))) {
      const message =
        'The picture moves, which needs ffmpeg and no transparency; its first frame is shown';
      warnings.push(problem(request, 'picture_stands_still', message));
    }
    const { info, isCutOff } = await probe(fetched, { ffmpeg: program, signal: options.signal });
    for (const use of request.uses) checkUse(info, use);
    if (info.claimedDuration !== undefined) warnings.push(wrongLength(request, info));
    if (info.unreadSound !== undefined) warnings.push(unreadSound(request, info));
    if (info.kind === 'image') checkPicture(info, bytes, options.pictureMegapixels);
    if (isCutOff) {
      const what = info.kind === 'image' ? 'the picture is drawn' : 'it is played';
      const message = `The file ends too early; ${what} as far as it goes`;
      warnings.push(problem(request, 'file_cut_off', message));
    }
    const focus = request.smartCrop && info.kind === 'image' ? await focusIn(fetched, info) : null;
    // The ending helps people who look into the work folder, and tools that rely on it.
    const filePath = `${fetched}.${info.format}`;
    await renameOver(fetched, filePath);
    const facts = { ...info, ...(focus && { focus }), ...(lottie && { parts: lottie.parts }) };
    return { path: filePath, bytes, info: facts, warnings };
  } catch (error) {
    if (!(error instanceof RenderError) || notOfFiles.has(error.code)) throw error;
    if (error.code === 'encoder_killed') throw decoderKilled(request.element, request.path, error);
    if (spokenText(request.source)) {
      const place = request.path.replace(/source$/, 'provider');
      const message = `Source error: ${request.element}.provider: ${error.message}`;
      throw new RenderError(error.code, message, { path: place, cause: error });
    }
    const hint =
      error.code === 'media_unreadable' ? linkHint(readLottieAddress(request.source).file) : null;
    const reason = hint === null ? error.message : `${error.message}. ${hint}`;
    const property = propertyOf(request);
    const message = `Source error: ${request.element}.${property}: ${reason} (${shortAddress(readLottieAddress(request.source).file)})`;
    throw new RenderError(error.code, message, { path: request.path, cause: error });
  }
}

/** What a file may have: a picture that never ends is given up long before a film that long. */
function mostBytes(uses: MediaRequest['uses'], media: number): number {
  if (uses.has('font')) return fontLimits.bytes;
  if (uses.has('lut')) return Math.min(lutBytes, media);
  return [...uses].every((use) => use === 'image' || use === 'lottie')
    ? Math.min(pictureBytes, media)
    : media;
}

/** Gives a Lottie animation its plain form, with what its element changes; null for other files. */
async function makePlainLottie(
  filePath: string,
  { uses }: MediaRequest,
  edits: LottieEdits,
  signal: AbortSignal | undefined,
): Promise<PlainLottie | null> {
  if ((await sniffFile(filePath))?.name !== 'lottie') return null;
  if (!uses.has('lottie')) throw new RenderError('media_unreadable', asLottie);
  // In its thread first, which has a deadline; it fails here with its reason.
  await examine(filePath, signal);
  const plain = plainLottie(await readFile(filePath), edits);
  await writeFile(filePath, plain.text);
  return plain;
}

/** Gives a vector picture its plain form. */
async function makePlain(filePath: string, size: number): Promise<void> {
  if (size > pictureBytes || (await sniffFile(filePath))?.name !== 'svg') return;
  const bytes = await readFile(filePath);
  const plain = plainVector(bytes);
  if (!plain.equals(bytes)) await writeFile(filePath, plain);
}

function wrongLength(request: MediaRequest, { duration, claimedDuration = 0 }: MediaInfo): Problem {
  const seconds = (value: number): string => `${Math.round(value * 100) / 100} s`;
  const message = `The file says that it lasts ${seconds(claimedDuration)}, but has ${seconds(duration)}; that is used`;
  return problem(request, 'wrong_length', message);
}

function unreadSound(request: MediaRequest, { hasAudio, unreadSound: code }: MediaInfo): Problem {
  const heard = hasAudio ? 'the next one is heard' : 'the video is silent';
  return problem(
    request,
    'sound_unread',
    `The first sound of the file is in a format we cannot read (${code}); ${heard}`,
  );
}

function problem(request: MediaRequest, code: string, message: string): Problem {
  const { path: place, element } = request;
  const property = propertyOf(request);
  return { path: place, element, property, severity: 'warning', code, message };
}

/** The property that names a file. */
function propertyOf({ path: place }: MediaRequest): string {
  return place.slice(place.lastIndexOf('.') + 1);
}

const words: Readonly<Record<MediaUse, string>> = {
  image: 'an image',
  video: 'a video',
  audio: 'a sound',
  lottie: 'a Lottie animation',
  font: 'a font',
  lut: 'a color table',
};

const asLottie = 'The file is a Lottie animation: give the element the type "lottie"';

/** @throws RenderError for a file of a kind that an element can't use. */
function checkUse(info: MediaInfo, use: MediaUse): void {
  if (fitsUse(use, info)) return;
  const { kind } = info;
  const found = words[kind];
  if (use === 'audio' && kind === 'video')
    throw new RenderError('media_unreadable', 'The video has no sound');
  const wanted = words[use];
  throw new RenderError('media_unreadable', `Expected ${wanted}, but the file is ${found}`);
}

function checkPicture(
  { format, width, height, animation, held = 0 }: MediaInfo,
  bytes: number,
  megapixels: number,
): void {
  if (bytes > pictureBytes) throw tooLarge(pictureBytes);
  if (animation && animation.starts.length > maxAnimationFrames) {
    throw new RenderError(
      'limit_exceeded',
      `The animated picture has more than ${maxAnimationFrames} frames, which is the limit`,
    );
  }
  // Vector pictures are drawn at the needed size, whatever they declare.
  if (format === 'svg') return;
  const found = (width * height) / 1e6;
  if (found > megapixels) {
    const amount = found >= 10 ? Math.round(found) : Math.round(found * 10) / 10;
    throw new RenderError(
      'limit_exceeded',
      `The image has ${amount} megapixels; the limit is ${megapixels}`,
    );
  }
  const needed = found * (4 + held);
  const most = megapixels * pictureDepth;
  if (needed > most) {
    throw new RenderError(
      'limit_exceeded',
      `Decoding the image takes ${Math.round(needed)} MB of memory; the limit is ${most}: save it with 8 bits per channel, not interlaced or progressive, or smaller`,
    );
  }
  if (Math.max(width, height) > maxSide) {
    throw new RenderError(
      'limit_exceeded',
      `The image has a side of ${Math.max(width, height)} pixels; the limit is ${maxSide}`,
    );
  }
}

/** Where the subject of a picture is; null if it can't be decoded, which opening will report. */
async function focusIn(
  filePath: string,
  { format, width, height }: MediaInfo,
): Promise<Focus | null> {
  const bytes = await readFile(filePath);
  if (needsTrial(format, (width * height) / 1e6, bytes)) {
    const scale = Math.min(1, thumbnailSide / Math.max(width, height));
    tryPicture(bytes, width * scale, height * scale);
  }
  const picture = decodeBytes(bytes);
  return picture && findFocus(picture);
}

/**
 * The path of a font with its ending, or null for a damaged one, which is left out.
 *
 * @throws RenderError `media_unreadable` for a file of another kind.
 */
async function checkFont(filePath: string): Promise<string | null> {
  const format = await sniffFile(filePath);
  if (format === null) return null;
  if (format.kind !== 'font')
    throw new RenderError('media_unreadable', 'The file is not a font file we can read');
  if (format.name.startsWith('woff') && (await unpackedSize(filePath)) > fontLimits.bytes)
    return null;
  await renameOver(filePath, `${filePath}.${format.name}`);
  return `${filePath}.${format.name}`;
}

/**
 * The unpacked size that a packed font declares, which is the memory it takes. Both versions have it at the same place.
 */
async function unpackedSize(filePath: string): Promise<number> {
  await using file = await open(filePath, 'r');
  const size = Buffer.alloc(4);
  const { bytesRead } = await file.read(size, 0, 4, 16);
  return bytesRead === 4 ? size.readUInt32BE(0) : Infinity;
}

function unreadableFont(request: MediaRequest): Problem {
  const message = `The font file of ${request.element} (${shortAddress(request.source)}) is damaged or no font; another font is used`;
  return problem(request, 'font_unreadable', message);
}

/** An address for messages: without its query, which may contain secrets, and no longer than a line. */
function shortAddress(address: string): string {
  const plain = address.startsWith('data:')
    ? `${address.slice(0, address.indexOf(',') + 1 || 20)}…`
    : (address.split(/[?#]/)[0] ?? '');
  const clean = plain.replace(/\/\/[^/@]*@/, '//***@');
  return clean.length <= 200 ? clean : `${clean.slice(0, 199)}…`;
}
