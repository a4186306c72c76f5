/**
 * Phase 1 for previews: keeps media on the disk from one document to the next; each address is fetched once in a while.
 * A file that can't be loaded is reported; the others still work. Runs in the preview's worker process.
 */
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { JsonObject, Problem, Source } from '../../../shared/renderscript/source.ts';
import { RenderError } from '../../../shared/engine/errors.ts';
import type { Ffmpeg } from '../ffmpeg.ts';
import type { AssetOptions, Assets, MediaFile } from './assets.ts';
import {
  collectMedia,
  mayNeedFfmpeg,
  type MediaRequest,
} from '../../../shared/renderscript/media-requests.ts';
import { loadAssets } from './load.ts';

/**
 * A file is checked again after this time, in ms: sooner if it could not be loaded, because someone may be fixing it.
 */
const freshFor = { found: 60_000, missing: 8_000 };
/** How many files to keep; the least recently used go first. */
const most = 300;
/** Fetched at the same time. */
const parallel = 4;

/** What is known about one address. */
interface Kept {
  readonly folder: string;
  readonly loadedAt: number;
  readonly outcome: Assets | RenderError;
}

/** The media of one document that could be loaded. */
export interface Found {
  readonly assets: Assets;
  /** Addresses that could not be loaded. */
  readonly missing: ReadonlySet<string>;
  /** A warning for each of them. */
  readonly problems: readonly Problem[];
}

/** Media by address. */
export class MediaShelf {
  /** By address and use; oldest use first. */
  readonly #kept = new Map<string, Kept>();
  #next = 1;
  /** Of this process: another one, which gets the same folder, must never call another file by the same path. */
  readonly #run = randomUUID().slice(0, 8);

  /**
   * All media of a document.
   *
   * @param findFfmpeg Called if a file needs it; may throw a RenderError.
   * @throws RenderError `cancelled`; other failures belong to their file.
   */
  async load(
    source: Source,
    options: AssetOptions,
    findFfmpeg: () => Promise<Ffmpeg>,
  ): Promise<Found> {
    const requests = collectMedia(source);
    const outcomes = new Map<MediaRequest, Assets | RenderError>();
    const queue = [...requests];
    await Promise.all(
      Array.from({ length: parallel }, async () => {
        for (let request = queue.shift(); request; request = queue.shift()) {
          outcomes.set(request, await this.#one(request, options, findFfmpeg));
        }
      }),
    );
    options.signal.throwIfAborted();
    await this.#tidy(requests.length);
    return joined(requests, outcomes);
  }

  async #one(
    request: MediaRequest,
    options: AssetOptions,
    findFfmpeg: () => Promise<Ffmpeg>,
  ): Promise<Assets | RenderError> {
    const { source, uses, smartCrop } = request;
    const project = options.hiddenMedia?.project;
    const key = JSON.stringify([project, source, [...uses].sort(), smartCrop]);
    const kept = this.#kept.get(key);
    const now = performance.now();
    if (kept) {
      const age = now - kept.loadedAt;
      this.#kept.delete(key);
      if (age < (kept.outcome instanceof RenderError ? freshFor.missing : freshFor.found)) {
        this.#kept.set(key, kept);
        return kept.outcome;
      }
      await rm(kept.folder, { recursive: true, force: true });
    }
    const folder = path.join(options.workFolder, `media-${this.#run}-${this.#next++}`);
    const outcome = await load(request, { ...options, workFolder: folder }, findFfmpeg);
    // A voice may be heard the next moment, and is there then; looking costs nothing.
    const isMute = outcome instanceof RenderError && outcome.code === 'voice_missing';
    if (isMute) await rm(folder, { recursive: true, force: true });
    // A cancelled load says nothing about the file.
    else if (!options.signal.aborted) this.#kept.set(key, { folder, loadedAt: now, outcome });
    return outcome;
  }

  async #tidy(used: number): Promise<void> {
    for (const [key, { folder }] of this.#kept) {
      if (this.#kept.size <= Math.max(most, used)) return;
      this.#kept.delete(key);
      await rm(folder, { recursive: true, force: true });
    }
  }
}

/** Loads one address as a document with nothing else. */
async function load(
  request: MediaRequest,
  options: AssetOptions,
  findFfmpeg: () => Promise<Ffmpeg>,
): Promise<Assets | RenderError> {
  try {
    const needsFfmpeg = [...request.uses].some(mayNeedFfmpeg);
    const ffmpeg = needsFfmpeg ? await findFfmpeg() : null;
    return await loadAssets(documentOf(request), { ...options, isTrial: true }, ffmpeg);
  } catch (error) {
    if (error instanceof RenderError && error.code !== 'cancelled') return error;
    throw error;
  }
}

function documentOf({ source, uses, smartCrop }: MediaRequest): Source {
  const elements: JsonObject[] = [];
  for (const type of uses)
    if (type === 'lut') elements.push({ type: 'shape', look_lut: source });
    else if (type !== 'font')
      elements.push({ type, source, ...(smartCrop && { smart_crop: true }) });
  return { elements, ...(uses.has('font') && { fonts: [{ source }] }) };
}

function joined(
  requests: readonly MediaRequest[],
  outcomes: ReadonlyMap<MediaRequest, Assets | RenderError>,
): Found {
  const media = new Map<string, MediaFile>();
  const fonts = new Map<string, string>();
  const luts = new Map<string, string>();
  const warnings: Problem[] = [];
  const missing = new Set<string>();
  const problems: Problem[] = [];
  for (const request of requests) {
    const outcome = outcomes.get(request);
    const { source, path: place, element } = request;
    if (outcome === undefined) continue;
    if (outcome instanceof RenderError) {
      missing.add(source);
      problems.push(problemOf(request, outcome));
      continue;
    }
    for (const file of outcome.media.values()) media.set(source, { ...file, element, place });
    for (const file of outcome.fonts?.values() ?? []) fonts.set(source, file);
    for (const file of outcome.luts?.values() ?? []) luts.set(source, file);
    warnings.push(...outcome.warnings.map((warning) => ({ ...warning, path: place, element })));
  }
  return { assets: { media, fonts, luts, warnings }, missing, problems };
}

/** The cause has only the reason; the sentence around it names the stand-in document. */
function problemOf({ path: place, element }: MediaRequest, error: RenderError): Problem {
  const { cause } = error;
  const message = cause instanceof RenderError ? cause.message : error.message;
  return {
    path: place,
    element,
    property: place.slice(place.lastIndexOf('.') + 1),
    severity: 'warning',
    code: error.code,
    message,
  };
}
