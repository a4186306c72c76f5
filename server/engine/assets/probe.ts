/**
 * Phase 1: what a local file is and holds, by its content. Pictures are judged by their headers, before anything is
 * decoded; videos and sounds by a demuxer, and by ffmpeg's own report where the demuxer does not know the container.
 */
import { open, stat, type FileHandle } from 'node:fs/promises';
import {
  ADTS,
  FilePathSource,
  FLAC,
  Input,
  MATROSKA,
  MP3,
  MP4,
  OGG,
  QTFF,
  WAVE,
  WEBM,
  type InputFormat,
} from 'mediabunny';
import { RenderError } from '../errors.ts';
import { runFfmpeg, type Ffmpeg } from '../ffmpeg.ts';
import type { MediaInfo, VideoPicture } from './media-info.ts';
import { mayBeAnimated } from './picture-animation.ts';
import { readPictureHeader } from './picture-header.ts';
import { parseReport, standardRate, type MediaReport } from './report.ts';
import { formatNamed, sniffFormat, sniffLength, type FileFormat } from './sniff.ts';

/** Containers that the demuxer reads by itself. */
const demuxers: Readonly<Record<string, InputFormat[]>> = {
  mp4: [MP4, QTFF],
  webm: [WEBM, MATROSKA],
  ogg: [OGG],
  wav: [WAVE],
  mp3: [MP3],
  flac: [FLAC],
  aac: [ADTS],
};

/** Packets looked at to find a frame rate: two seconds of the fastest usual one. */
const ratePackets = 120;

const unreadable = 'The file is not a video, image or audio file we can read';
const endsEarly = 'The file ends too early';

/**
 * Finds out what a file is.
 *
 * @param ffmpeg Null when the render needs none; transport streams, avi and videos can't be probed then.
 * @throws RenderError `media_unreadable`; its message is the reason alone, without the element.
 */
export async function probeFile(filePath: string, ffmpeg: Ffmpeg | null): Promise<MediaInfo> {
  const format = await formatOf(filePath);
  if (format === null || format.kind === 'font')
    throw new RenderError('media_unreadable', unreadable);
  return format.kind === 'picture'
    ? probePicture(filePath, format)
    : probeMedia(filePath, format, ffmpeg);
}

/** The format of a file by its first bytes; null when it is none that we read. */
export async function formatOf(filePath: string): Promise<FileFormat | null> {
  await using file = await open(filePath, 'r');
  const head = Buffer.alloc(sniffLength);
  const { bytesRead } = await file.read(head, 0, sniffLength, 0);
  return sniffFormat(head.subarray(0, bytesRead));
}

/**
 * ffmpeg's input arguments for a file of a probed format: local files only, the demuxer named, nothing guessed.
 *
 * @param format `MediaInfo.format`.
 */
export function inputArguments(format: string): string[] {
  const demuxer = formatNamed(format)?.demuxer;
  if (demuxer === undefined || demuxer === null)
    throw new Error(`ffmpeg is never asked to read ${format}`);
  return ['-protocol_whitelist', 'file,pipe', '-f', demuxer];
}

async function probePicture(filePath: string, { name }: FileFormat): Promise<MediaInfo> {
  await using file = await open(filePath, 'r');
  const { size } = await file.stat();
  const head = await readStart(file, Math.min(size, 4 << 20));
  // Animations are looked through to their end; of other pictures only the head matters, whatever their size.
  const bytes =
    head.length < size && mayBeAnimated(name, head) ? await readStart(file, size) : head;
  const facts = readPictureHeader(name, bytes);
  if (!facts)
    throw new RenderError('media_unreadable', size < sniffLength ? endsEarly : unreadable);
  const { frames, ...info } = facts;
  const frameRate = info.duration > 0 ? frames / info.duration : 0;
  return { kind: 'image', format: name, ...info, frameRate, hasAudio: false };
}

async function readStart(file: FileHandle, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await file.read(bytes, 0, length, 0);
  return bytes.subarray(0, bytesRead);
}

async function probeMedia(
  filePath: string,
  { name }: FileFormat,
  ffmpeg: Ffmpeg | null,
): Promise<MediaInfo> {
  if (name === 'mp4' && !(await hasIndex(filePath)))
    throw new RenderError('media_unreadable', endsEarly);
  const facts = await demux(filePath, demuxers[name]);
  // Colours, codec and start time are read from ffmpeg, because it is ffmpeg that will decode.
  const needsReport = facts === null || facts.width > 0;
  const report = ffmpeg && needsReport ? await reportOf(filePath, name, ffmpeg) : null;
  if (!facts && !report) throw new RenderError('media_unreadable', unreadable);
  if (report) refuseUnknownCodec(report);

  const video = report?.video ?? null;
  const measured =
    facts?.duration ??
    (ffmpeg && video && headerLengths.has(name)
      ? await countedLength(filePath, name, video.frameRate, ffmpeg)
      : null);
  const width = facts?.width ?? video?.width ?? 0;
  const height = facts?.height ?? video?.height ?? 0;
  const isVideo = width > 0 && height > 0;
  const hasAudio = facts?.hasAudio ?? report?.hasAudio ?? false;
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
  } as const;
  return report && video ? { ...info, picture: pictureOf(report, video) } : info;
}

/** Formats whose length ffmpeg takes from a header that anything may stand in. */
const headerLengths = new Set(['avi']);

/** Seconds of a file whose every packet is counted; null when it can't be read to its end. */
async function countedLength(
  filePath: string,
  format: string,
  frameRate: number,
  ffmpeg: Ffmpeg,
): Promise<number | null> {
  const counting = ['-map', '0:V:0', '-c', 'copy', '-f', 'null', '-'];
  const text = await runFfmpeg(ffmpeg, [
    ...inputArguments(format),
    ...['-i', filePath, ...counting],
  ]).catch(nullWhenFailed);
  const frames = Number(/frame=\s*(\d+)(?![\s\S]*frame=)/.exec(text ?? '')?.[1] ?? 0);
  return frames > 0 && frameRate > 0 ? frames / frameRate : null;
}

/**
 * The length to work with. Headers are believed unless the content is shorter or longer by a tenth and more than a second:
 * sound may end after the picture.
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
  { codec, matrix, fullRange, hdr }: VideoPicture | NonNullable<MediaReport['video']>,
): VideoPicture {
  const colors = { matrix, fullRange, ...(hdr && { hdr }) };
  return { codec, ...colors, start: Math.max(0, start), firstPacket: start };
}

function refuseUnknownCodec({ video, hasAudio }: MediaReport): void {
  if (video?.codec !== 'none' || hasAudio) return;
  throw new RenderError(
    'media_unreadable',
    `The file uses a format we cannot read (${video.unknownCodec ?? 'unknown video codec'})`,
  );
}

/** What the demuxer finds; null when it doesn't read this container or this file. */
async function demux(
  filePath: string,
  formats: InputFormat[] | undefined,
): Promise<Pick<
  MediaInfo,
  'width' | 'height' | 'duration' | 'frameRate' | 'hasAudio' | 'hasAlpha'
> | null> {
  if (!formats) return null;
  using input = new Input({ formats, source: new FilePathSource(filePath) });
  try {
    if (!(await input.canRead())) return null;
    const video = await input.getPrimaryVideoTrack();
    const audio = await input.getPrimaryAudioTrack();
    if (!video && !audio) return null;
    const end = await input.computeDuration();
    const start = await input.getFirstTimestamp();
    const duration = end - Math.max(0, start);
    const hasAudio = audio !== null;
    if (!video) return { width: 0, height: 0, duration, frameRate: 0, hasAudio, hasAlpha: false };
    const { averagePacketRate } = await video.computePacketStats(ratePackets);
    return {
      width: await video.getDisplayWidth(),
      height: await video.getDisplayHeight(),
      duration,
      frameRate: standardRate(averagePacketRate),
      hasAudio,
      hasAlpha: await video.canBeTransparent(),
    };
  } catch {
    // Damaged in a way that ffmpeg may still get over; its report decides.
    return null;
  }
}

async function reportOf(
  filePath: string,
  format: string,
  ffmpeg: Ffmpeg,
): Promise<MediaReport | null> {
  const args = [
    ...inputArguments(format),
    '-i',
    filePath,
    '-map',
    '0',
    '-ignore_unknown',
    '-c',
    'copy',
    '-t',
    '0',
    '-f',
    'null',
    '-',
  ];
  try {
    return parseReport(await runFfmpeg(ffmpeg, args));
  } catch (error) {
    return nullWhenFailed(error);
  }
}

/** What ffmpeg can't read is found out about by others; everything else is passed on. */
function nullWhenFailed(error: unknown): null {
  if (error instanceof RenderError && error.code === 'encoder_failed') return null;
  throw error;
}

/** True when an mp4 or mov file holds its index (`moov`) whole; files cut off while recording or copying don't. */
async function hasIndex(filePath: string): Promise<boolean> {
  const { size } = await stat(filePath);
  await using file = await open(filePath, 'r');
  const head = Buffer.alloc(16);
  for (let offset = 0; offset + 8 <= size;) {
    const { bytesRead } = await file.read(head, 0, 16, offset);
    if (bytesRead < 8) return false;
    const short = head.readUInt32BE(0);
    const length =
      short === 1 && bytesRead === 16
        ? Number(head.readBigUInt64BE(8))
        : short === 0
          ? size - offset
          : short;
    if (head.toString('latin1', 4, 8) === 'moov') return offset + length <= size;
    if (length < 8) return false;
    offset += length;
  }
  return false;
}
