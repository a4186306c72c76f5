/**
 * Phase 1 joined: every file that a document names, fetched into the work folder and probed. What goes wrong here names
 * the element and the address, because nothing else helps the person who sent the document.
 */
import { mkdir, readFile, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Problem, Source } from '../../../shared/renderscript/source.ts';
import { RenderError } from '../errors.ts';
import type { Ffmpeg } from '../ffmpeg.ts';
import type { AssetOptions, Assets, MediaFile } from './assets.ts';
import { collectMedia, type MediaRequest, type MediaUse } from './collect.ts';
import { isCutOff } from './cut-off.ts';
import { tooLarge } from './download.ts';
import { fetchToFile, type FetchOptions } from './fetch.ts';
import { findFocus } from './focus.ts';
import { decodeBytes } from './images.ts';
import type { Focus, MediaInfo } from './media-info.ts';
import { maxAnimationFrames } from './picture-animation.ts';
import { formatOf, probeFile } from './probe.ts';

/** Downloads at a time. */
const parallel = 4;
const maxFiles = 1_000;
const maxTotalBytes = 20 * 1024 ** 3;
const maxPictureBytes = 100 * 1024 ** 2;
/** Pixels of a picture's side. */
const maxSide = 20_000;

/** Times and resolver of the network; tests shorten them. */
export type LoadTuning = Pick<FetchOptions, 'times' | 'resolve'>;

/**
 * Fetches and probes every file of a document, several at a time, each address once.
 *
 * @param ffmpeg Null when the render needs none; documents with videos can't be loaded then.
 * @throws RenderError with a whole sentence: `Source error: Photo.source: The server answered 404 Not Found (https://…)`.
 */
export async function loadAssets(
  source: Source,
  options: AssetOptions,
  ffmpeg: Ffmpeg | null,
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

  // The first failure ends the other downloads.
  const ending = new AbortController();
  const signal = AbortSignal.any([options.signal, ending.signal]);
  const loaded = new Array<Loaded | undefined>(requests.length);
  const warnings: Problem[] = [];
  let [next, done, totalBytes] = [0, 0, 0];
  const work = async (): Promise<void> => {
    for (let index = next++; index < requests.length; index = next++) {
      const request = requests[index];
      if (!request) return;
      const result = await loadOne(request, index, { ...options, ...tuning, signal }, ffmpeg);
      loaded[index] = result;
      totalBytes += result.bytes;
      if (totalBytes > maxTotalBytes) {
        throw new RenderError(
          'limit_exceeded',
          'Source error: The files of the document are larger than 20 GB together',
        );
      }
      options.onProgress?.(++done, requests.length);
    }
  };
  options.onProgress?.(0, requests.length);
  const workers = Array.from({ length: parallel }, async () => {
    try {
      await work();
    } catch (error) {
      // Only the first failure says something; the others are its echo.
      if (!ending.signal.aborted) ending.abort(error);
    }
  });
  await Promise.all(workers);
  options.signal.throwIfAborted();
  ending.signal.throwIfAborted();

  const media = new Map<string, MediaFile>();
  const fonts = new Map<string, string>();
  loaded.forEach((result, index) => {
    const request = requests[index];
    if (!result || !request) return;
    warnings.push(...result.warnings);
    if (result.info === null) fonts.set(request.source, result.path);
    else {
      const { element, path: place } = request;
      media.set(request.source, {
        source: request.source,
        path: result.path,
        info: result.info,
        element,
        place,
      });
    }
  });
  return { media, fonts, warnings };
}

interface Loaded {
  readonly path: string;
  readonly bytes: number;
  /** Null for fonts. */
  readonly info: MediaInfo | null;
  readonly warnings: readonly Problem[];
}

async function loadOne(
  request: MediaRequest,
  index: number,
  options: AssetOptions & LoadTuning,
  ffmpeg: Ffmpeg | null,
): Promise<Loaded> {
  try {
    const fetched = path.join(options.workFolder, `media-${index + 1}`);
    const { warning } = await fetchToFile(request.source, fetched, {
      ...options,
      maxBytes: options.mediaBytes,
    });
    const warnings = warning === undefined ? [] : [problem(request, 'cached_copy', warning)];
    const { size: bytes } = await stat(fetched);

    if (request.uses.has('font'))
      return { path: await checkFont(fetched), bytes, info: null, warnings };
    const info = await probeFile(fetched, ffmpeg);
    for (const use of request.uses) checkUse(info, use);
    if (info.claimedDuration !== undefined) warnings.push(wrongLength(request, info));
    if (info.kind === 'image') {
      checkPicture(info, bytes, options.pictureMegapixels);
      if (info.format === 'svg') await checkSvg(fetched);
    }
    if (await isCutOff(fetched, info.format)) {
      const what = info.kind === 'image' ? 'the picture is drawn' : 'it is played';
      const message = `The file ends too early; ${what} as far as it goes`;
      warnings.push(problem(request, 'file_cut_off', message));
    }
    const focus = request.smartCrop && info.kind === 'image' ? await focusIn(fetched) : null;
    // The ending is for people who look into the work folder, and for tools that judge by it.
    const filePath = `${fetched}.${info.format}`;
    await rename(fetched, filePath);
    return { path: filePath, bytes, info: focus ? { ...info, focus } : info, warnings };
  } catch (error) {
    if (!(error instanceof RenderError) || error.code === 'cancelled') throw error;
    const message = `Source error: ${request.element}.source: ${error.message} (${shortAddress(request.source)})`;
    throw new RenderError(error.code, message, { path: request.path, cause: error });
  }
}

function wrongLength(request: MediaRequest, { duration, claimedDuration = 0 }: MediaInfo): Problem {
  const seconds = (value: number): string => `${Math.round(value * 100) / 100} s`;
  const message = `The file says that it lasts ${seconds(claimedDuration)}, but has ${seconds(duration)}; that is used`;
  return problem(request, 'wrong_length', message);
}

function problem({ path: place, element }: MediaRequest, code: string, message: string): Problem {
  return { path: place, element, property: 'source', severity: 'warning', code, message };
}

/** Which kinds of files an element can use: sounds may come from videos, moving pictures from animated ones. */
function checkUse({ kind, hasAudio, duration }: MediaInfo, use: MediaUse): void {
  const found = { image: 'an image', video: 'a video', audio: 'a sound' }[kind];
  const fits =
    use === 'image'
      ? kind === 'image'
      : use === 'video'
        ? kind === 'video' || duration > 0
        : kind === 'audio' || hasAudio;
  if (fits && !(use === 'video' && kind === 'audio')) return;
  if (use === 'audio' && kind === 'video')
    throw new RenderError('media_unreadable', 'The video has no sound');
  const wanted = { image: 'an image', video: 'a video', audio: 'a sound', font: 'a font' }[use];
  throw new RenderError('media_unreadable', `Expected ${wanted}, but the file is ${found}`);
}

function checkPicture(
  { format, width, height, animation }: MediaInfo,
  bytes: number,
  megapixels: number,
): void {
  if (bytes > maxPictureBytes) throw tooLarge(maxPictureBytes);
  if (animation && animation.starts.length > maxAnimationFrames) {
    throw new RenderError(
      'limit_exceeded',
      `The animated picture has more than ${maxAnimationFrames} frames, which is the limit`,
    );
  }
  // Vector pictures are drawn at the size needed, whatever size they say.
  if (format === 'svg') return;
  const found = (width * height) / 1e6;
  if (found > megapixels) {
    const amount = found >= 10 ? Math.round(found) : Math.round(found * 10) / 10;
    throw new RenderError(
      'limit_exceeded',
      `The image has ${amount} megapixels; the limit is ${megapixels}`,
    );
  }
  if (Math.max(width, height) > maxSide) {
    throw new RenderError(
      'limit_exceeded',
      `The image has a side of ${Math.max(width, height)} pixels; the limit is ${maxSide}`,
    );
  }
}

/** Where the subject of a picture is; null when it can't be decoded, which opening it will say. */
async function focusIn(filePath: string): Promise<Focus | null> {
  const picture = decodeBytes(await readFile(filePath));
  return picture && findFocus(picture);
}

/** Entities can unfold without end, and no drawing program needs them. */
async function checkSvg(filePath: string): Promise<void> {
  if (!/<!ENTITY/i.test(await readFile(filePath, 'utf8'))) return;
  throw new RenderError(
    'media_unreadable',
    'The file is not a video, image or audio file we can read',
  );
}

async function checkFont(filePath: string): Promise<string> {
  const format = await formatOf(filePath);
  if (format?.kind !== 'font')
    throw new RenderError('media_unreadable', 'The file is not a font file we can read');
  await rename(filePath, `${filePath}.${format.name}`);
  return `${filePath}.${format.name}`;
}

/** An address for messages: without its query, which may hold secrets, and not longer than a line. */
function shortAddress(address: string): string {
  const plain = address.startsWith('data:')
    ? `${address.slice(0, address.indexOf(',') + 1 || 20)}…`
    : (address.split(/[?#]/)[0] ?? '');
  const clean = plain.replace(/\/\/[^/@]*@/, '//***@');
  return clean.length <= 200 ? clean : `${clean.slice(0, 199)}…`;
}
