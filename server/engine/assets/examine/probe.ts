/**
 * Phase 1: what a local file is and contains: the findings of the examining thread (examine.ts) and, for videos,
 * ffmpeg's report. This thread reads nothing of a file's content.
 */
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { RenderError } from '../../../../shared/engine/errors.ts';
import { type Ffmpeg, runFfmpeg } from '../../ffmpeg.ts';
import { decodeLimits, examineLimits } from '../../../../shared/limits.ts';
import type { FileFacts } from './examine.ts';
import { examine } from './examiner.ts';
import { fileFormatNamed, inputArguments, sniffLength } from './sniff.ts';
import type { MediaInfo, VideoPicture } from '../../../../shared/engine/media-info.ts';
import { type MediaReport, parseReport, type SoundFacts } from '../report.ts';

// Findings about files, cached by content for the process's lifetime. A clip that every row of a feed uses is
// examined once, and a damaged one that is sent repeatedly delays the queue only once.

/** How many files' facts to keep; the least recently used goes first. */
const keptFiles = 200;

/** Failures that depend on the file alone, and so repeat. */
const ofTheFile = new Set(['media_unreadable', 'limit_exceeded']);

const isItsFault = (error: unknown): boolean =>
  error instanceof RenderError && ofTheFile.has(error.code);

interface Finding<T> {
  readonly result: Promise<T>;
  /** Steady time in ms until which it is valid; a failure may only mean a busy computer. */
  until: number;
}

/** Findings of one sort. */
export class KnownFiles<T> {
  readonly #findings = new Map<string, Finding<T>>();

  /**
   * What `look` returns for the file, or has returned for the same bytes. Files larger than `examineLimits.knownBytes`
   * are examined each time, because reading them whole takes longer.
   *
   * @param by What else the answer depends on.
   */
  async find(filePath: string, by: string, look: () => Promise<T>): Promise<T> {
    const { size } = await stat(filePath);
    if (size > examineLimits.knownBytes) return look();
    const digest = createHash('sha256').update(await readFile(filePath));
    const key = `${digest.digest('base64')} ${by}`;
    const known = this.#findings.get(key);
    this.#findings.delete(key);
    if (known && known.until > performance.now()) {
      this.#findings.set(key, known);
      try {
        return await known.result;
      } catch (error) {
        // If that render was cancelled, its result says nothing about the file.
        if (isItsFault(error)) throw error;
      }
    }
    const finding = { result: look(), until: Infinity };
    this.#keep(key, finding);
    finding.result.catch((error: unknown) => {
      finding.until = isItsFault(error) ? performance.now() + examineLimits.failureKept : -Infinity;
    });
    return finding.result;
  }

  #keep(key: string, finding: Finding<T>): void {
    this.#findings.set(key, finding);
    for (const oldest of this.#findings.keys()) {
      if (this.#findings.size <= keptFiles) break;
      this.#findings.delete(oldest);
    }
  }
}

const unreadable = 'The file is not a video, image or audio file we can read';
const hasEntitiesWords =
  'The picture has entities (<!ENTITY …>) that are not plain text; save it as plain SVG';
const endsEarly = 'The file ends too early';

/** What a file is, and whether it is complete. */
export interface Probe {
  readonly info: MediaInfo;
  /** The file ends too early, and plays as far as it goes. */
  readonly isCutOff: boolean;
}

/** What probing works with. */
export interface ProbeOptions {
  /** Null if the render needs none; transport streams, avi and videos can't be probed then. */
  readonly ffmpeg: Ffmpeg | null;
  readonly signal?: AbortSignal;
}

const known = new KnownFiles<Probe>();

/**
 * Finds out what a file is, in bounded time and memory.
 *
 * @throws RenderError `media_unreadable`, `limit_exceeded`; its message is only the reason, without the element.
 */
export function probe(filePath: string, options: ProbeOptions): Promise<Probe> {
  return known.find(filePath, options.ffmpeg?.path ?? '', () => look(filePath, options));
}

async function look(filePath: string, options: ProbeOptions): Promise<Probe> {
  const facts = await examine(filePath, options.signal);
  const { format, isCutOff, refusal } = facts;
  if (format === null || refusal !== undefined)
    throw new RenderError('media_unreadable', refusal ?? unreadable);
  const kind = fileFormatNamed(format)?.kind;
  const info =
    kind === 'picture' ? pictureInfo(facts) : await mediaInfo(filePath, format, facts, options);
  return { info, isCutOff };
}

/** The facts alone: {@link probe}. */
export async function probeFile(filePath: string, ffmpeg: Ffmpeg | null): Promise<MediaInfo> {
  return (await probe(filePath, { ffmpeg })).info;
}

function pictureInfo({ picture, size, hasEntities }: FileFacts): MediaInfo {
  if (!picture)
    throw new RenderError('media_unreadable', size < sniffLength ? endsEarly : unreadable);
  if (hasEntities) throw new RenderError('media_unreadable', hasEntitiesWords);
  return picture;
}

async function mediaInfo(
  filePath: string,
  name: string,
  { hasIndex, demuxed: facts }: FileFacts,
  options: ProbeOptions,
): Promise<MediaInfo> {
  const { ffmpeg } = options;
  if (!hasIndex) throw new RenderError('media_unreadable', endsEarly);
  // Colours, codec and start time come from ffmpeg, because ffmpeg will decode.
  const needsReport = facts === null || facts.width > 0;
  const report = ffmpeg && needsReport ? await reportOf(filePath, name, ffmpeg, options) : null;
  if (!facts && !report) throw new RenderError('media_unreadable', unreadable);
  if (report) refuseUnknownCodec(report);
  refuseOddSounds([...(facts?.sounds ?? []), ...(report?.sounds ?? [])]);

  const video = report?.video ?? null;
  const measured =
    facts?.duration ??
    (ffmpeg && video && headerLengths.has(name)
      ? await countedLength(filePath, name, video.frameRate, options)
      : null);
  const width = facts?.width ?? video?.width ?? 0;
  const height = facts?.height ?? video?.height ?? 0;
  const isVideo = width > 0 && height > 0;
  const hasAudio = report?.hasAudio ?? facts?.hasAudio ?? false;
  refuseHugeFrames(width * height);
  if (!isVideo && !hasAudio) throw new RenderError('media_unreadable', unreadable);
  const info = {
    kind: isVideo ? 'video' : 'audio',
    format: name,
    width,
    height,
    ...lengthOf(report?.duration ?? null, measured),
    frameRate: isVideo ? ((facts?.frameRate || video?.frameRate) ?? 0) : 0,
    hasAudio,
    hasAlpha: video?.hasAlpha ?? facts?.hasAlpha ?? false,
    ...(report?.soundTrack !== undefined && { soundTrack: report.soundTrack }),
    ...(report?.unreadSound !== undefined && { unreadSound: report.unreadSound }),
  } as const;
  return report && video ? { ...info, picture: pictureOf(report, video) } : info;
}

/** Formats whose length ffmpeg takes from an unreliable header. */
const headerLengths = new Set(['avi']);

/** The length in seconds by counting every packet; null if it can't be read to the end. */
async function countedLength(
  filePath: string,
  format: string,
  frameRate: number,
  { ffmpeg, signal }: ProbeOptions,
): Promise<number | null> {
  const counting = ['-map', '0:V:0', '-c', 'copy', '-f', 'null', '-'];
  const text = await reported(ffmpeg, [...inputOf(filePath, format), ...counting], signal);
  // The last one counts; earlier ones may be in the file's own tags.
  const last = text === null ? -1 : text.lastIndexOf('frame=');
  const frames = Number(/^frame=\s*(\d+)/.exec((text ?? '').slice(last))?.[1] ?? 0);
  return frames > 0 && frameRate > 0 ? frames / frameRate : null;
}

/**
 * The length to use. Headers are trusted unless the content differs by a tenth and more than a second: sound may end
 * after the picture.
 */
function lengthOf(
  claimed: number | null,
  measured: number | null,
): Pick<MediaInfo, 'duration' | 'claimedDuration'> {
  if (measured === null) return { duration: claimed ?? 0 };
  const isFar = claimed !== null && Math.abs(claimed - measured) > 1 + measured / 10;
  return isFar ? { duration: measured, claimedDuration: claimed } : { duration: measured };
}

function pictureOf(
  { start }: MediaReport,
  { codec, matrix, fullRange, inBlocks, hdr, primaries }: NonNullable<MediaReport['video']>,
): VideoPicture {
  const wide = { ...(hdr && { hdr }), ...(primaries && { primaries }) };
  const colors = { matrix, fullRange, ...(inBlocks && { inBlocks }), ...wide };
  return { codec, ...colors, start: Math.max(0, start), firstPacket: start };
}

function refuseUnknownCodec({ video, hasAudio }: MediaReport): void {
  if (video?.codec !== 'none' || hasAudio) return;
  throw new RenderError(
    'media_unreadable',
    `The file uses a format we cannot read (${video.unknownCodec ?? 'unknown video codec'})`,
  );
}

/** Before decoding, because resampling from or to a rate that no sound has takes gigabytes. */
function refuseOddSounds(sounds: readonly SoundFacts[]): void {
  const { least, most } = decodeLimits.sampleRate;
  for (const { sampleRate, channels } of sounds) {
    if (sampleRate < least || sampleRate > most) {
      throw new RenderError(
        'limit_exceeded',
        `The sound has ${sampleRate} samples per second; expected ${least} to ${most}: convert it to 48000`,
      );
    }
    if (channels !== null && channels > decodeLimits.channels) {
      throw new RenderError(
        'limit_exceeded',
        `The sound has ${channels} channels; the limit is ${decodeLimits.channels}: convert it to stereo`,
      );
    }
  }
}

function refuseHugeFrames(pixels: number): void {
  const { frameMegapixels } = decodeLimits;
  if (pixels <= frameMegapixels * 1e6) return;
  throw new RenderError(
    'limit_exceeded',
    `The video has frames of ${Math.round(pixels / 1e6)} megapixels; the limit is ${frameMegapixels}: make it smaller`,
  );
}

async function reportOf(
  filePath: string,
  format: string,
  ffmpeg: Ffmpeg,
  { signal }: ProbeOptions,
): Promise<MediaReport | null> {
  const reading = ['-map', '0', '-ignore_unknown', '-c', 'copy', '-t', '0', '-f', 'null', '-'];
  const text = await reported(ffmpeg, [...inputOf(filePath, format), ...reading], signal);
  return text === null ? null : parseReport(text);
}

function inputOf(filePath: string, format: string): string[] {
  return [...inputArguments(format), '-i', filePath];
}

/** What ffmpeg says about a file; null if it can't read it, which other checks report. */
async function reported(
  ffmpeg: Ffmpeg | null,
  args: readonly string[],
  signal: AbortSignal | undefined,
): Promise<string | null> {
  if (!ffmpeg) return null;
  try {
    return await runFfmpeg(ffmpeg, args, {
      deadline: examineLimits.ffmpegTime,
      ...(signal && { signal }),
    });
  } catch (error) {
    if (error instanceof RenderError && error.code === 'encoder_failed') return null;
    throw error;
  }
}
