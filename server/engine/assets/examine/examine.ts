/**
 * Phase 1: what a local file contains, judging by its own bytes. Runs in the examining thread (examine-thread.ts),
 * because a damaged or hostile file can keep a reader busy for ever or fill the memory; nothing else may call a
 * demuxer.
 */
import { open, readFile, stat, type FileHandle } from 'node:fs/promises';
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
  type InputAudioTrack,
  type InputFormat,
} from 'mediabunny';
import { pictureBytes } from '../../../../shared/limits.ts';
import { RenderError } from '../../../../shared/engine/errors.ts';
import { isCutOff } from '../fetch/cut-off.ts';
import { refusalOf } from './other-formats.ts';
import { type FileFormat, lookAtStart } from './sniff.ts';
import type { MediaInfo } from '../../../../shared/engine/media-info.ts';
import { plainLottie } from '../lottie/lottie-file.ts';
import { mayBeAnimated } from '../pictures/picture-animation.ts';
import { plainVector } from '../pictures/plain-vector.ts';
import { readPictureHeader } from '../pictures/picture-header.ts';
import { standardRate, type SoundFacts } from '../report.ts';

/** What the examining thread finds out about a file. Plain data, because it crosses threads. */
export interface FileFacts {
  /** A format name of sniff.ts; null for formats that we don't read. */
  readonly format: string | null;
  /** Why it can't be used: other formats and fonts. A sentence without a full stop. */
  readonly refusal?: string;
  /** Facts of a picture; null for other files and for pictures whose header is damaged. */
  readonly picture: MediaInfo | null;
  /** What the demuxer finds; null if it can't read the container or the file. */
  readonly demuxed: Demuxed | null;
  /** The file ends before it should. */
  readonly isCutOff: boolean;
  /** Bytes. */
  readonly size: number;
  /** False for mp4 and mov files with a missing or incomplete index, which can't be played at all. */
  readonly hasIndex: boolean;
  /** True for an SVG that defines entities, which can expand without end. */
  readonly hasEntities: boolean;
}

/** Facts of a video or sound from a demuxer. */
export interface Demuxed extends Pick<
  MediaInfo,
  'width' | 'height' | 'duration' | 'frameRate' | 'hasAudio' | 'hasAlpha'
> {
  /** Of all its sounds. */
  readonly sounds: readonly SoundFacts[];
}

/** Containers that the demuxer reads. */
const demuxers: Readonly<Record<string, InputFormat[]>> = {
  mp4: [MP4, QTFF],
  webm: [WEBM, MATROSKA],
  ogg: [OGG],
  wav: [WAVE],
  mp3: [MP3],
  flac: [FLAC],
  aac: [ADTS],
};

const fontRefusal =
  "The file is a font, which is no picture, video or sound: name it in the document's fonts";

/** Packets to read for the frame rate: two seconds at the highest usual one. */
const ratePackets = 120;

/** Examines a file of any kind. A hostile one may take for ever. */
export async function examineFile(filePath: string): Promise<FileFacts> {
  const { format, head } = await lookAtStart(filePath);
  const { size } = await stat(filePath);
  const nothing = { picture: null, demuxed: null, size, hasIndex: true, hasEntities: false };
  if (format === null)
    return { ...nothing, format: null, refusal: refusalOf(head), isCutOff: false };
  if (format.kind === 'font')
    return { ...nothing, format: format.name, refusal: fontRefusal, isCutOff: false };
  const facts = { ...nothing, format: format.name };
  if (format.name === 'lottie')
    return { ...facts, isCutOff: false, ...(await examineLottie(filePath)) };
  if (format.kind === 'picture') {
    const picture = await examinePicture(filePath, format);
    return {
      ...facts,
      picture,
      isCutOff: await isCutOff(filePath, format.name),
      hasEntities: format.name === 'svg' && size <= pictureBytes && (await hasEntities(filePath)),
    };
  }
  const hasIndex = format.name !== 'mp4' || (await holdsIndex(filePath));
  return {
    ...facts,
    hasIndex,
    demuxed: hasIndex ? await demux(filePath, demuxers[format.name]) : null,
    isCutOff: await isCutOff(filePath, format.name),
  };
}

/** A damaged one says why. */
async function examineLottie(filePath: string): Promise<Pick<FileFacts, 'picture' | 'refusal'>> {
  try {
    const { width, height, frameRate, duration } = plainLottie(await readFile(filePath));
    const animation = { starts: [0], plays: null, isSmooth: true } as const;
    const kind = { kind: 'lottie', format: 'lottie', hasAudio: false, hasAlpha: true } as const;
    return { picture: { ...kind, width, height, frameRate, duration, animation } };
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    return { picture: null, refusal: error.message };
  }
}

async function examinePicture(filePath: string, { name }: FileFormat): Promise<MediaInfo | null> {
  await using file = await open(filePath, 'r');
  const { size } = await file.stat();
  const head = await readStart(file, Math.min(size, 4 << 20));
  // Animations are read to their end; of other pictures only the head matters.
  const looksOn = head.length < size && size <= pictureBytes && mayBeAnimated(name, head);
  const read = looksOn ? await readStart(file, size) : head;
  const bytes = name === 'svg' ? plainVector(read) : read;
  const facts = readPictureHeader(name, bytes);
  if (!facts) return null;
  const { frames, ...info } = facts;
  const frameRate = info.duration > 0 ? frames / info.duration : 0;
  return { kind: 'image', format: name, ...info, frameRate, hasAudio: false };
}

async function readStart(file: FileHandle, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await file.read(bytes, 0, length, 0);
  return bytes.subarray(0, bytesRead);
}

/** What the demuxer finds; null when it doesn't read this container or this file. */
async function demux(
  filePath: string,
  formats: InputFormat[] | undefined,
): Promise<Demuxed | null> {
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
    const sounds = await Promise.all((await input.getAudioTracks()).map(soundFacts));
    const still = { width: 0, height: 0, frameRate: 0, hasAlpha: false };
    if (!video) return { ...still, duration, hasAudio, sounds };
    const { averagePacketRate } = await video.computePacketStats(ratePackets);
    return {
      width: await video.getDisplayWidth(),
      height: await video.getDisplayHeight(),
      duration,
      frameRate: standardRate(averagePacketRate),
      hasAudio,
      sounds,
      hasAlpha: await video.canBeTransparent(),
    };
  } catch {
    // ffmpeg may still cope with the damage; its report decides.
    return null;
  }
}

async function soundFacts(track: InputAudioTrack): Promise<SoundFacts> {
  return {
    sampleRate: await track.getSampleRate(),
    channels: await track.getNumberOfChannels(),
  };
}

/** True if an mp4 or mov file has its complete index (`moov`); files cut off while recording or copying don't. */
async function holdsIndex(filePath: string): Promise<boolean> {
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

/** Entities can expand without end, and no drawing program needs them. */
async function hasEntities(filePath: string): Promise<boolean> {
  return /<!ENTITY/i.test(plainVector(await readFile(filePath)).toString('utf8'));
}
