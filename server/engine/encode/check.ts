/**
 * Checks a finished file against the plan. Reads the file itself, because an encoder whose input ends early leaves a
 * shorter file that still plays. Runs in the worker, before a file gets its final name.
 */
import { readFile, stat } from 'node:fs/promises';
import { readPictureHeader } from '../assets/pictures/picture-header.ts';
import {
  fileEnding,
  formats,
  isFilm,
  isSequence,
  isSound,
  isStill,
  type FilmFormat,
  type OutputFormat,
  type PictureFormat,
  type SoundFormat,
} from '../../../shared/renderscript/formats.ts';
import { RenderError } from '../../../shared/engine/errors.ts';
import { filmFormats, soundFormats } from './film-formats.ts';
import { readPictureZip } from './picture-zip.ts';

/** What was planned. */
export interface ExpectedFile {
  readonly format: OutputFormat;
  /** Pixels; ignored for sounds. */
  readonly width: number;
  readonly height: number;
  /** Frames per second and total frames, for moving formats. */
  readonly frameRate?: number;
  readonly frameCount?: number;
  /** True if a film has sound; not checked if absent, nor in other formats. */
  readonly sound?: boolean;
}

/** What the file is. */
export interface FileFacts {
  /** Pixels; 0 for sounds. */
  readonly width: number;
  readonly height: number;
  /** Frames per second, to a thousandth; absent for pictures and sounds. */
  readonly frameRate?: number;
  /** Seconds, to a thousandth; absent for pictures. */
  readonly duration?: number;
  /** Bytes. */
  readonly fileSize: number;
}

/** A gif counts time in hundredths of a second. */
const gifTick = 0.01;

/**
 * Reads a finished file and compares it with the plan: stream, size in pixels, number of frames, length within a frame.
 *
 * @throws RenderError `encoder_failed` saying what was expected and what was found.
 */
export async function checkResult(filePath: string, expected: ExpectedFile): Promise<FileFacts> {
  const { size: fileSize } = await stat(filePath);
  if (fileSize === 0) throw wrong('a file with content', 'an empty file');
  const { format } = expected;
  if (isFilm(format)) return { ...(await checkFilm(filePath, format, expected)), fileSize };
  if (isSound(format)) return { ...(await checkSound(filePath, format, expected)), fileSize };
  if (isSequence(format)) return { ...(await checkSequence(filePath, expected)), fileSize };
  return { ...(await checkPicture(filePath, format, expected)), fileSize };
}

/** Sound comes in packets of up to 24 ms, so it does not end exactly with the picture. */
const soundSlack = 0.05;

async function checkSound(
  filePath: string,
  format: SoundFormat,
  { frameRate = 1, frameCount }: ExpectedFile,
): Promise<Omit<FileFacts, 'fileSize'>> {
  const streams = await soundFormats[format].readStreams(filePath);
  const [sound, ...others] = streams ?? [];
  if (!sound) throw wrong(`a complete ${format}`, 'a damaged one');
  if (sound.kind !== 'sound' || others.length > 0) throw wrong('sound alone', 'something else');
  const { duration } = sound;
  const seconds = (frameCount ?? 0) / frameRate;
  if (frameCount !== undefined && Math.abs(duration - seconds) > soundSlack)
    throw wrong(`${round(seconds)} s of sound`, `${round(duration)} s`);
  return { width: 0, height: 0, duration: round(duration) };
}

async function checkFilm(
  filePath: string,
  format: FilmFormat,
  expected: ExpectedFile,
): Promise<Omit<FileFacts, 'fileSize'>> {
  const streams = await filmFormats[format].readStreams(filePath);
  if (!streams) throw wrong(`a complete ${format}`, 'a damaged one');
  const video = streams.find(({ kind }) => kind === 'video');
  if (!video) throw wrong('a video stream', 'none');
  const { width, height, samples, duration } = video;
  checkSize(expected, width, height);

  const { frameRate, frameCount } = expected;
  if (frameCount !== undefined && samples !== frameCount)
    throw wrong(`${frameCount} frames`, `${samples}`);
  if (frameCount !== undefined && frameRate !== undefined)
    checkDuration(frameCount, frameRate, duration);

  const sound = streams.find(({ kind }) => kind === 'sound');
  if (expected.sound !== undefined && (sound !== undefined) !== expected.sound) {
    throw wrong(expected.sound ? 'sound' : 'no sound', sound ? 'sound' : 'none');
  }
  const slack = 1 / (frameRate ?? 1) + soundSlack;
  if (sound && Math.abs(sound.duration - duration) > slack) {
    throw wrong(`${round(duration)} s of sound`, `${round(sound.duration)} s`);
  }
  return { width, height, frameRate: round(samples / duration), duration: round(duration) };
}

async function checkSequence(
  filePath: string,
  expected: ExpectedFile,
): Promise<Omit<FileFacts, 'fileSize'>> {
  const zip = await readPictureZip(filePath);
  if (!zip) throw wrong('a complete zip of pictures', 'a damaged one');
  const { count, width, height } = zip;
  checkSize(expected, width, height);
  const { frameRate = 1, frameCount = count } = expected;
  if (count !== frameCount) throw wrong(`${frameCount} pictures`, `${count}`);
  return { width, height, frameRate: round(frameRate), duration: round(count / frameRate) };
}

const endsWith =
  (...ending: readonly number[]) =>
  (file: Buffer): boolean =>
    file.subarray(-ending.length).equals(Buffer.from(ending));

/** Whether a file of each picture format has its end. */
const isComplete: Readonly<Record<PictureFormat, (file: Buffer) => boolean>> = {
  jpg: endsWith(0xff, 0xd9),
  png: endsWith(...Buffer.from('IEND\xae\x42\x60\x82', 'latin1')),
  gif: endsWith(0x3b),
  webp: isWholeRiff,
  'webp-animated': isWholeRiff,
  avif: fillsBoxes,
};

/** Whether a file is as long as it says, behind its first word. */
function isWholeRiff(file: Buffer): boolean {
  return file.length >= 12 && file.readUInt32LE(4) + 8 === file.length;
}

/** Whether the boxes of a file end where it does. */
function fillsBoxes(file: Buffer): boolean {
  let at = 0;
  while (at + 8 <= file.length) {
    const size = file.readUInt32BE(at);
    if (size < 8) return false;
    at += size;
  }
  return at === file.length;
}

async function checkPicture(
  filePath: string,
  format: PictureFormat,
  expected: ExpectedFile,
): Promise<Omit<FileFacts, 'fileSize'>> {
  const file = await readFile(filePath);
  if (!isComplete[format](file)) throw wrong(`a complete ${format}`, 'one that ends early');

  const facts = readPictureHeader(fileEnding(format), file);
  if (!facts) throw wrong(formats[format].called, 'something else');
  const { width, height, frames } = facts;
  checkSize(expected, width, height);
  if (isStill(format)) return { width, height };
  // A webp whose frames are all the same is a picture without time, which shows what was planned.
  const isStanding = format === 'webp-animated' && frames === 1;
  const { frameCount: planned = 1, frameRate: rate = 1 } = expected;
  const duration = isStanding ? planned / rate : facts.duration;
  const { frameRate = frames / duration, frameCount = frames } = expected;
  // Frames equal to the last one may be left out, which then shows longer: fewer are right, more are not.
  if (frames > frameCount) throw wrong(`${frameCount} frames`, `${frames}`);
  checkDuration(frameCount, frameRate, duration, gifTick);
  return { width, height, frameRate: round(frameRate), duration: round(duration) };
}

function checkSize({ width, height }: ExpectedFile, foundWidth: number, foundHeight: number): void {
  if (width === foundWidth && height === foundHeight) return;
  throw wrong(`${width} x ${height} pixels`, `${foundWidth} x ${foundHeight}`);
}

/** The length must be right within a frame and the format's rounding. */
function checkDuration(
  frameCount: number,
  frameRate: number,
  duration: number,
  rounding = 0,
): void {
  const seconds = frameCount / frameRate;
  if (Math.abs(duration - seconds) <= 1 / frameRate + rounding) return;
  throw wrong(`${round(seconds)} s`, `${round(duration)} s`);
}

function wrong(expected: string, found: string, cause?: unknown): RenderError {
  const message = `Render error: The finished file is not right: expected ${expected}, found ${found}`;
  return new RenderError('encoder_failed', message, { cause });
}

const round = (value: number): number => Math.round(value * 1000) / 1000;
