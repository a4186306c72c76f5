/**
 * Phase 1: the pictures inside an animated GIF, WebP or PNG. Decodes nothing: finds every frame with its place and
 * time, and can turn each into a separate still file, which the drawing library then decodes like any other. (It
 * decodes only the first frame of an animation, and ffmpeg 4.1 no animated WebP at all.) Pure functions on bytes.
 * Blocks are those of the GIF89a, WebP container and PNG (third edition) specifications.
 */
import { crc32 } from 'node:zlib';
import { engineLimits } from '../../../../shared/limits.ts';

/** Bytes [start, end) of the file. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** One picture of an animation, and its effect on the shared canvas. */
export interface AnimationFrame {
  /** Place on the canvas, pixels. May reach outside of it in damaged files. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Seconds for which it is shown. */
  readonly delay: number;
  /** `replace`: transparent pixels erase what is below; `over`: they let it show through. */
  readonly blend: 'over' | 'replace';
  /**
   * What happens to its area before the next frame: it stays, is cleared, or returns to the state before this frame.
   */
  readonly disposal: 'keep' | 'clear' | 'restore';
  /** Its coded pixels, in order. */
  readonly data: readonly ByteRange[];
  /** Index of the transparent colour; GIF only, null = none. */
  readonly transparentIndex: number | null;
}

/** An animated picture as its file describes it. */
export interface PictureAnimation {
  readonly format: 'gif' | 'webp' | 'png';
  /** The canvas, pixels. */
  readonly width: number;
  readonly height: number;
  /** How often the file is played; null = for ever. */
  readonly plays: number | null;
  readonly frames: readonly AnimationFrame[];
  /** What every frame needs besides its own bytes: colour tables, colour marks. */
  readonly shared: Buffer;
}

/** Frames beyond this are not read; a hundred megabytes could contain millions. load.ts refuses such files. */
export const maxAnimationFrames = 10_000;

/**
 * True if a frame may be decoded: it fits the canvas, whose size was checked. A much larger one could expand to
 * anything, and decoders would allocate the memory.
 */
export function fitsCanvas(
  frame: Pick<AnimationFrame, 'width' | 'height'>,
  canvas: Pick<PictureAnimation, 'width' | 'height'>,
): boolean {
  if (frame.width > 2 * canvas.width || frame.height > 2 * canvas.height) return false;
  return frame.width * frame.height <= engineLimits.pictureMegapixels * 1e6;
}

/**
 * Finds the frames of an animated picture. A file that is cut off is read as far as it goes.
 *
 * @param format A word from sniff.ts.
 * @returns null for still pictures, other formats and damaged headers.
 */
export function readAnimation(format: string, bytes: Buffer): PictureAnimation | null {
  const animation = readFrames(format, bytes);
  return animation && animation.frames.length > 1 ? animation : null;
}

/** The same, but also for files with a single frame, which are still pictures. */
export function readFrames(format: string, bytes: Buffer): PictureAnimation | null {
  try {
    return readers[format]?.(bytes) ?? null;
  } catch (error) {
    if (error instanceof RangeError) return null; // read past the end: the file is cut
    throw error;
  }
}

/** True if the first bytes of a picture say that it may be animated, so that the whole file must be read. */
export function mayBeAnimated(format: string, head: Buffer): boolean {
  if (format === 'gif') return true;
  if (format === 'webp') return head.length > 20 && (head.readUInt8(20) & 2) !== 0;
  if (format !== 'png') return false;
  for (const { type } of pngChunks(head)) {
    if (type === 'acTL') return true;
    if (type === 'IDAT') return false;
  }
  return false;
}

/** A frame as a still picture file of the animation's format, at its own size. `data`: the bytes of its ranges. */
export function standaloneFrame(
  animation: PictureAnimation,
  frame: AnimationFrame,
  data: readonly Buffer[],
): Buffer {
  return builders[animation.format](animation.shared, frame, Buffer.concat(data));
}

const readers: Readonly<Record<string, (bytes: Buffer) => PictureAnimation | null>> = {
  gif: readGif,
  webp: readWebp,
  png: readPng,
};

const builders: Readonly<
  Record<
    PictureAnimation['format'],
    (shared: Buffer, frame: AnimationFrame, data: Buffer) => Buffer
  >
> = { gif: buildGif, webp: buildWebp, png: buildPng };

/** Delays of 10 ms and less are shown as 100 ms by everything since the first browsers. */
function shownDelay(milliseconds: number): number {
  return (milliseconds <= 10 ? 100 : milliseconds) / 1000;
}

// ---- GIF -----------------------------------------------------------------------------------------------------------

function readGif(bytes: Buffer): PictureAnimation {
  const flags = bytes.readUInt8(10);
  const tableEnd = 13 + gifTableLength(flags);
  const frames: AnimationFrame[] = [];
  // Without a loop block a GIF plays once.
  let plays: number | null = 1;
  let control = { delay: 0, disposal: 'keep', transparentIndex: null } as GifControl;
  for (let offset = tableEnd; offset < bytes.length && frames.length <= maxAnimationFrames;) {
    const block = bytes[offset];
    if (block === 0x21) {
      const label = bytes[offset + 1];
      if (label === 0xf9 && offset + 6 < bytes.length) control = gifControl(bytes, offset + 3);
      const said = label === 0xff ? gifPlays(bytes, offset + 2) : undefined;
      if (said !== undefined) plays = said;
      offset = skipSubBlocks(bytes, offset + 2);
    } else if (block === 0x2c && offset + 9 < bytes.length) {
      const local = gifTableLength(bytes.readUInt8(offset + 9));
      const end = skipSubBlocks(bytes, offset + 11 + local);
      const { delay, disposal, transparentIndex } = control;
      frames.push({
        x: bytes.readUInt16LE(offset + 1),
        y: bytes.readUInt16LE(offset + 3),
        width: bytes.readUInt16LE(offset + 5),
        height: bytes.readUInt16LE(offset + 7),
        delay: shownDelay(delay * 10),
        blend: transparentIndex === null ? 'replace' : 'over',
        disposal,
        data: [{ start: offset + 9, end: Math.min(end, bytes.length) }],
        transparentIndex,
      });
      control = { delay: 0, disposal: 'keep', transparentIndex: null };
      offset = end;
    } else {
      break;
    }
  }
  return {
    format: 'gif',
    width: bytes.readUInt16LE(6),
    height: bytes.readUInt16LE(8),
    plays,
    frames,
    shared: Buffer.from(bytes.subarray(10, tableEnd)),
  };
}

/** The block before a frame. `delay`: hundredths of a second. */
interface GifControl {
  readonly delay: number;
  readonly disposal: AnimationFrame['disposal'];
  readonly transparentIndex: number | null;
}

function gifControl(bytes: Buffer, offset: number): GifControl {
  const flags = bytes.readUInt8(offset);
  const disposal = (flags >> 2) & 7;
  return {
    delay: bytes.readUInt16LE(offset + 1),
    disposal: disposal === 2 ? 'clear' : disposal === 3 ? 'restore' : 'keep',
    transparentIndex: (flags & 1) === 1 ? bytes.readUInt8(offset + 3) : null,
  };
}

/**
 * The first browsers' application block contains the number of repetitions after the first play; 0 = endless (null).
 */
function gifPlays(bytes: Buffer, offset: number): number | null | undefined {
  const name = bytes.toString('latin1', offset + 1, offset + 12);
  if (name !== 'NETSCAPE2.0' && name !== 'ANIMEXTS1.0') return undefined;
  if (bytes[offset + 12] !== 3 || bytes[offset + 13] !== 1) return undefined;
  const repetitions = bytes.readUInt16LE(offset + 14);
  return repetitions === 0 ? null : repetitions + 1;
}

/** Bytes of the colour table that the flags announce. */
function gifTableLength(flags: number): number {
  return flags & 0x80 ? 3 << ((flags & 7) + 1) : 0;
}

function skipSubBlocks(bytes: Buffer, start: number): number {
  let offset = start;
  for (let size = bytes[offset]; size !== undefined && size > 0; size = bytes[offset])
    offset += size + 1;
  return offset + 1;
}

/** `shared`: flags, background, aspect and colours of the file; `data`: from the frame's own flags on. */
function buildGif(shared: Buffer, frame: AnimationFrame, data: Buffer): Buffer {
  const { width, height, transparentIndex } = frame;
  const head = Buffer.alloc(10);
  head.write('GIF89a', 'latin1');
  head.writeUInt16LE(width, 6);
  head.writeUInt16LE(height, 8);
  const control = Buffer.from([0x21, 0xf9, 4, 0, 0, 0, 0, 0]);
  if (transparentIndex !== null) {
    control.writeUInt8(1, 3);
    control.writeUInt8(transparentIndex, 6);
  }
  const place = Buffer.alloc(9);
  place.writeUInt8(0x2c, 0);
  place.writeUInt16LE(width, 5);
  place.writeUInt16LE(height, 7);
  return Buffer.concat([head, shared, control, place, data, Buffer.from([0x3b])]);
}

// ---- WebP ----------------------------------------------------------------------------------------------------------

function readWebp(bytes: Buffer): PictureAnimation | null {
  const frames: AnimationFrame[] = [];
  let canvas: { width: number; height: number } | null = null;
  let plays: number | null = null;
  for (let offset = 12; offset + 8 <= bytes.length && frames.length <= maxAnimationFrames;) {
    const type = bytes.toString('latin1', offset, offset + 4);
    const length = bytes.readUInt32LE(offset + 4);
    const data = offset + 8;
    if (type === 'VP8X') {
      canvas = {
        width: bytes.readUIntLE(data + 4, 3) + 1,
        height: bytes.readUIntLE(data + 7, 3) + 1,
      };
    } else if (type === 'ANIM') {
      plays = bytes.readUInt16LE(data + 4) || null;
    } else if (type === 'ANMF' && data + 16 <= bytes.length) {
      const flags = bytes.readUInt8(data + 15);
      frames.push({
        x: bytes.readUIntLE(data, 3) * 2,
        y: bytes.readUIntLE(data + 3, 3) * 2,
        width: bytes.readUIntLE(data + 6, 3) + 1,
        height: bytes.readUIntLE(data + 9, 3) + 1,
        delay: shownDelay(bytes.readUIntLE(data + 12, 3)),
        blend: flags & 2 ? 'replace' : 'over',
        disposal: flags & 1 ? 'clear' : 'keep',
        data: [{ start: data + 16, end: Math.min(data + length, bytes.length) }],
        transparentIndex: null,
      });
    }
    offset = data + length + (length & 1);
  }
  return canvas && { format: 'webp', ...canvas, plays, frames, shared: Buffer.alloc(0) };
}

/** `data`: the chunks of the frame. Decoders only look for a separate opacity chunk (`ALPH`) after a `VP8X` chunk. */
function buildWebp(_: Buffer, { width, height }: AnimationFrame, data: Buffer): Buffer {
  const extended = Buffer.alloc(18);
  extended.write('VP8X', 'latin1');
  extended.writeUInt32LE(10, 4);
  extended.writeUInt8(0x10, 8);
  extended.writeUIntLE(width - 1, 12, 3);
  extended.writeUIntLE(height - 1, 15, 3);
  const body = data.toString('latin1', 0, 4) === 'ALPH' ? Buffer.concat([extended, data]) : data;
  const head = Buffer.alloc(12);
  head.write('RIFF', 'latin1');
  head.writeUInt32LE(body.length + 4, 4);
  head.write('WEBP', 8, 'latin1');
  return Buffer.concat([head, body]);
}

// ---- PNG -----------------------------------------------------------------------------------------------------------

const pngSignature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

function* pngChunks(bytes: Buffer): Generator<{ type: string; start: number; end: number }> {
  for (let offset = 8; offset + 12 <= bytes.length;) {
    const length = bytes.readUInt32BE(offset);
    const start = offset + 8;
    yield { type: bytes.toString('latin1', offset + 4, start), start, end: start + length };
    offset = start + length + 4;
  }
}

function readPng(bytes: Buffer): PictureAnimation | null {
  const frames: AnimationFrame[] = [];
  const shared: Buffer[] = [];
  let plays: number | null | undefined;
  let [hasPixels, data] = [false, [] as ByteRange[]];
  for (const { type, start, end } of pngChunks(bytes)) {
    if (frames.length > maxAnimationFrames) break;
    if (type === 'acTL') {
      plays = bytes.readUInt32BE(start + 4) || null;
    } else if (type === 'fcTL') {
      data = [];
      frames.push(pngFrame(bytes, start, data));
    } else if (type === 'IDAT') {
      // A picture for programs without animation support, unless a frame was announced before it: then it is the first
      // frame.
      hasPixels = true;
      data.push({ start, end: Math.min(end, bytes.length) });
    } else if (type === 'fdAT') {
      data.push({ start: start + 4, end: Math.min(end, bytes.length) });
    } else if (!hasPixels) {
      shared.push(bytes.subarray(start - 8, end + 4));
    }
  }
  if (plays === undefined) return null;
  return {
    format: 'png',
    width: bytes.readUInt32BE(16),
    height: bytes.readUInt32BE(20),
    plays,
    // A frame without pixels is only announced at the end of a cut file.
    frames: frames.filter((frame) => frame.data.length > 0),
    shared: Buffer.concat(shared),
  };
}

function pngFrame(bytes: Buffer, start: number, data: ByteRange[]): AnimationFrame {
  const parts = bytes.readUInt16BE(start + 22) || 100;
  const disposal = bytes.readUInt8(start + 24);
  return {
    width: bytes.readUInt32BE(start + 4),
    height: bytes.readUInt32BE(start + 8),
    x: bytes.readUInt32BE(start + 12),
    y: bytes.readUInt32BE(start + 16),
    delay: shownDelay((bytes.readUInt16BE(start + 20) / parts) * 1000),
    disposal: disposal === 1 ? 'clear' : disposal === 2 ? 'restore' : 'keep',
    blend: bytes.readUInt8(start + 25) === 1 ? 'over' : 'replace',
    data,
    transparentIndex: null,
  };
}

/** `shared`: the chunks before the first pixels, the header (IHDR) first among them. */
function buildPng(shared: Buffer, { width, height }: AnimationFrame, data: Buffer): Buffer {
  const header = Buffer.from(shared.subarray(8, 21));
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  return Buffer.concat([
    pngSignature,
    pngChunk('IHDR', header),
    shared.subarray(25),
    pngChunk('IDAT', data),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Pictures of one size, each a whole png, as one that moves. @param delay Seconds of each */
export function movingPng(stills: readonly Buffer[], delay: number): Buffer {
  let number = 0;
  const numbered = (size: number, write: (data: Buffer) => void): Buffer => {
    const data = Buffer.alloc(size);
    data.writeUInt32BE(number++, 0);
    write(data);
    return data;
  };
  const [first = Buffer.alloc(0)] = stills;
  const control = Buffer.alloc(8);
  control.writeUInt32BE(stills.length, 0);
  const frames = stills.flatMap((still, index) => {
    const frame = numbered(26, (data) => {
      still.copy(data, 4, 16, 24);
      data.writeUInt16BE(Math.max(1, Math.round(delay * 1000)), 20);
      data.writeUInt16BE(1000, 22);
    });
    const pixels = chunksIn(still, 'IDAT').map((part) =>
      index === 0
        ? pngChunk('IDAT', part)
        : pngChunk(
            'fdAT',
            numbered(part.length + 4, (data) => part.copy(data, 4)),
          ),
    );
    return [pngChunk('fcTL', frame), ...pixels];
  });
  const head = [pngChunk('IHDR', first.subarray(16, 29)), pngChunk('acTL', control)];
  return Buffer.concat([pngSignature, ...head, ...frames, pngChunk('IEND', Buffer.alloc(0))]);
}

function chunksIn(png: Buffer, type: string): Buffer[] {
  const found: Buffer[] = [];
  for (let at = 8; at + 12 <= png.length; at += 12 + png.readUInt32BE(at))
    if (png.toString('latin1', at + 4, at + 8) === type)
      found.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  return found;
}

/** A chunk of a png with its checksum. */
export function pngChunk(type: string, data: Buffer): Buffer {
  const chunk = Buffer.alloc(data.length + 12);
  chunk.writeUInt32BE(data.length, 0);
  chunk.write(type, 4, 'latin1');
  data.copy(chunk, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, data.length + 8)), data.length + 8);
  return chunk;
}
