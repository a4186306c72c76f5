/**
 * Phase 1: size and nature of a picture from its header, before decoding: a hundred kilobytes can expand to a billion
 * pixels. Pure functions on bytes.
 */
import type { AnimationTimes } from '../../../../shared/engine/media-info.ts';
import {
  fitsCanvas,
  readAnimation,
  readFrames,
  type PictureAnimation,
} from './picture-animation.ts';

/** What a picture's header says. */
export interface PictureFacts {
  /** Upright pixels: turned by the picture's own orientation mark. */
  readonly width: number;
  readonly height: number;
  readonly hasAlpha: boolean;
  /** Bytes per pixel that its decoder holds beside the picture itself; absent if it needs no more than a few lines. */
  readonly held?: number;
  /** Seconds of one loop of an animated picture; 0 for a still one. */
  readonly duration: number;
  /** Number of frames; 1 for a still one. */
  readonly frames: number;
  /** Absent for still pictures. */
  readonly animation?: AnimationTimes;
}

/** What the formats' own readers find. */
type StillFacts = Pick<PictureFacts, 'width' | 'height' | 'hasAlpha' | 'held'>;

/**
 * Reads the header of a picture.
 *
 * @param format A word from sniff.ts whose kind is `picture`.
 * @returns null when the header is damaged or ends too early.
 */
export function readPictureHeader(format: string, bytes: Buffer): PictureFacts | null {
  try {
    const facts = readers[format]?.(bytes) ?? null;
    if (!facts || facts.width <= 0 || facts.height <= 0) return null;
    const animation = readAnimation(format, bytes);
    return { ...facts, ...(animation ? timesOf(animation) : { duration: 0, frames: 1 }) };
  } catch (error) {
    if (error instanceof RangeError) return null; // read past the end: the file is cut
    throw error;
  }
}

const readers: Readonly<Record<string, (bytes: Buffer) => StillFacts | null>> = {
  jpg: readJpeg,
  png: readPng,
  gif: readGif,
  webp: readWebp,
  bmp: readBmp,
  avif: readAvif,
  svg: readSvg,
};

function timesOf({
  frames,
  plays,
}: PictureAnimation): Pick<PictureFacts, 'duration' | 'frames' | 'animation'> {
  const starts: number[] = [];
  let duration = 0;
  for (const { delay } of frames) {
    starts.push(duration);
    // Rounds away binary fractions in sums of milliseconds.
    duration = Math.round((duration + delay) * 1e6) / 1e6;
  }
  return { duration, frames: frames.length, animation: { starts, plays } };
}

function still(
  width: number,
  height: number,
  hasAlpha: boolean,
  orientation = 1,
  held = 0,
): StillFacts {
  // Orientations 5 to 8 of the EXIF standard turn the picture on its side.
  const lying = orientation >= 5 && orientation <= 8;
  return {
    width: lying ? height : width,
    height: lying ? width : height,
    hasAlpha,
    ...(held > 0 && { held }),
  };
}

/** Markers of progressive frames. */
const progressive = new Set([0xc2, 0xc6, 0xca, 0xce]);

function readJpeg(bytes: Buffer): StillFacts | null {
  let orientation = 1;
  for (let offset = 2; ;) {
    while (bytes.readUInt8(offset) !== 0xff) offset++;
    while (bytes.readUInt8(offset) === 0xff) offset++;
    const marker = bytes.readUInt8(offset++);
    if (marker === 0xd9 || marker === 0xda) return null;
    if (marker === 1 || (marker >= 0xd0 && marker <= 0xd7)) continue;
    const length = bytes.readUInt16BE(offset);
    const isFrame =
      marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame)
      return still(
        bytes.readUInt16BE(offset + 5),
        bytes.readUInt16BE(offset + 3),
        false,
        orientation,
        // All passes of a progressive one are collected, in 16 bits for each component.
        progressive.has(marker) ? 2 * bytes.readUInt8(offset + 7) : 0,
      );
    if (marker === 0xe1 && bytes.toString('latin1', offset + 2, offset + 8) === 'Exif\0\0') {
      orientation = exifOrientation(bytes.subarray(offset + 8, offset + length)) ?? orientation;
    }
    offset += length;
  }
}

/** The orientation mark (tag 0x0112) of an EXIF block, or null. */
function exifOrientation(exif: Buffer): number | null {
  if (exif.length < 14) return null;
  const little = exif.toString('latin1', 0, 2) === 'II';
  const short = (offset: number): number =>
    little ? exif.readUInt16LE(offset) : exif.readUInt16BE(offset);
  const start = little ? exif.readUInt32LE(4) : exif.readUInt32BE(4);
  if (start + 2 > exif.length) return null;
  for (let index = 0; index < short(start); index++) {
    const entry = start + 2 + index * 12;
    if (entry + 12 > exif.length) return null;
    if (short(entry) === 0x0112) return short(entry + 8);
  }
  return null;
}

function readPng(bytes: Buffer): StillFacts {
  const width = bytes.readUInt32BE(16);
  const height = bytes.readUInt32BE(20);
  const colorType = bytes.readUInt8(25);
  let hasAlpha = colorType === 4 || colorType === 6;
  let [orientation, isAnimated] = [1, false];
  for (let offset = 33; offset + 12 <= bytes.length;) {
    const length = bytes.readUInt32BE(offset);
    const type = bytes.toString('latin1', offset + 4, offset + 8);
    if (type === 'IDAT') break;
    if (type === 'tRNS') hasAlpha = true;
    if (type === 'acTL') isAnimated = true;
    if (type === 'eXIf')
      orientation = exifOrientation(bytes.subarray(offset + 8, offset + 8 + length)) ?? 1;
    offset += length + 12;
  }
  if (isAnimated) return still(width, height, true);
  // Interlaced lines are collected until the last pass, in four channels if it has colours.
  const channels = colorType === 0 ? 1 : 4;
  const held = bytes.readUInt8(28) === 0 ? 0 : (channels * Math.max(8, bytes.readUInt8(24))) / 8;
  return still(width, height, hasAlpha, orientation, held);
}

function readGif(bytes: Buffer): StillFacts | null {
  const frames = readFrames('gif', bytes)?.frames ?? [];
  const canvas = { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  const [first] = frames;
  if (first && !fitsCanvas(first, canvas)) return null;
  return {
    ...canvas,
    // Frames of an animation may cover only parts of the canvas.
    hasAlpha: frames.length > 1 || frames.some(({ transparentIndex }) => transparentIndex !== null),
  };
}

function readWebp(bytes: Buffer): StillFacts | null {
  let facts: StillFacts | null = null;
  let [isAnimated, orientation] = [false, 1];
  for (let offset = 12; offset + 8 <= bytes.length;) {
    const type = bytes.toString('latin1', offset, offset + 4);
    const length = bytes.readUInt32LE(offset + 4);
    const data = offset + 8;
    if (type === 'VP8X') {
      const hasAlpha = (bytes.readUInt8(data) & 0x10) !== 0;
      facts = still(bytes.readUIntLE(data + 4, 3) + 1, bytes.readUIntLE(data + 7, 3) + 1, hasAlpha);
    } else if (type === 'VP8 ') {
      facts ??= still(
        bytes.readUInt16LE(data + 6) & 0x3fff,
        bytes.readUInt16LE(data + 8) & 0x3fff,
        false,
      );
    } else if (type === 'VP8L') {
      const bits = bytes.readUInt32LE(data + 1);
      facts ??= still((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1, ((bits >>> 28) & 1) === 1);
    } else if (type === 'ANMF') {
      isAnimated = true;
    } else if (type === 'EXIF') {
      const start = bytes.toString('latin1', data, data + 6) === 'Exif\0\0' ? data + 6 : data;
      orientation = exifOrientation(bytes.subarray(start, data + length)) ?? 1;
    }
    offset = data + length + (length & 1);
  }
  if (!facts) return null;
  // Orientation marks are for photographs; frames of an animation are shown as they are.
  if (isAnimated) return { ...facts, hasAlpha: true };
  return still(facts.width, facts.height, facts.hasAlpha, orientation);
}

function readBmp(bytes: Buffer): StillFacts {
  const headerSize = bytes.readUInt32LE(14);
  if (headerSize === 12) return still(bytes.readUInt16LE(18), bytes.readUInt16LE(20), false);
  // A negative height means that the rows run from top to bottom.
  return still(bytes.readInt32LE(18), Math.abs(bytes.readInt32LE(22)), false);
}

/** Sizes are in `ispe` boxes; the largest is the picture, the others are tiles and thumbnails. */
function readAvif(bytes: Buffer): StillFacts | null {
  const properties = findBox(bytes, ['meta', 'iprp', 'ipco']);
  if (!properties) return null;
  let size: { width: number; height: number } | null = null;
  let [lying, hasAlpha, depth] = [false, false, 8];
  for (const { type, start, end } of boxes(bytes, properties.start, properties.end)) {
    if (type === 'ispe') {
      const found = { width: bytes.readUInt32BE(start + 4), height: bytes.readUInt32BE(start + 8) };
      if (!size || found.width * found.height > size.width * size.height) size = found;
    } else if (type === 'irot') {
      lying = (bytes.readUInt8(start) & 1) === 1;
    } else if (type === 'pixi') {
      depth = Math.max(depth, bytes.readUInt8(start + 5));
    } else if (type === 'auxC') {
      hasAlpha ||= bytes.toString('latin1', start + 4, end).includes('alpha');
    }
  }
  // Whole planes are decoded before they become a picture.
  const held = (hasAlpha ? 4 : 3) * (depth > 8 ? 2 : 1);
  return size && still(size.width, size.height, hasAlpha, lying ? 6 : 1, held);
}

function findBox(bytes: Buffer, names: readonly string[]): { start: number; end: number } | null {
  let place = { start: 0, end: bytes.length };
  for (const name of names) {
    const box = [...boxes(bytes, place.start, place.end)].find(({ type }) => type === name);
    if (!box) return null;
    // `meta` is a full box: version and flags come before its children.
    place = { start: box.start + (name === 'meta' ? 4 : 0), end: box.end };
  }
  return place;
}

function* boxes(
  bytes: Buffer,
  from: number,
  to: number,
): Generator<{ type: string; start: number; end: number }> {
  for (let offset = from; offset + 8 <= to;) {
    const size = bytes.readUInt32BE(offset);
    const end = size === 0 ? to : Math.min(to, offset + size);
    if (size !== 0 && size < 8) return;
    yield { type: bytes.toString('latin1', offset + 4, offset + 8), start: offset + 8, end };
    offset = end;
  }
}

/** Width and height of the root element in pixels, else of its view box, else the 300 × 150 of the web. */
function readSvg(bytes: Buffer): StillFacts | null {
  const tag = /<svg\b(?:[^>"']|"[^"]*"|'[^']*')*>/i.exec(bytes.toString('utf8', 0, 1 << 20))?.[0];
  if (tag === undefined) return null;
  const attribute = (name: string): string =>
    new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'i').exec(tag)?.slice(1).join('') ??
    '';
  const view = attribute('viewBox')
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const [viewWidth = 0, viewHeight = 0] =
    view.length === 4 && view.every(Number.isFinite) ? view.slice(2) : [];
  const ratio = viewWidth > 0 && viewHeight > 0 ? viewWidth / viewHeight : 0;
  const width = svgPixels(attribute('width'));
  const height = svgPixels(attribute('height'));
  if (width && height) return still(width, height, true);
  if (width) return still(width, ratio ? width / ratio : 150, true);
  if (height) return still(ratio ? height * ratio : 300, height, true);
  return ratio ? still(viewWidth, viewHeight, true) : still(300, 150, true);
}

/** CSS lengths in pixels; percentages and unknown units count as absent. */
function svgPixels(text: string): number | null {
  const match = /^\s*([\d.]+(?:e[+-]?\d+)?)\s*(px|pt|pc|mm|cm|in|q|em|rem)?\s*$/i.exec(text);
  if (!match) return null;
  const units: Readonly<Record<string, number>> = {
    px: 1,
    pt: 4 / 3,
    pc: 16,
    in: 96,
    cm: 96 / 2.54,
    mm: 96 / 25.4,
    q: 96 / 101.6,
    em: 16,
    rem: 16,
  };
  const value = Number(match[1]) * (units[(match[2] ?? 'px').toLowerCase()] ?? 1);
  return value > 0 && Number.isFinite(value) ? value : null;
}
