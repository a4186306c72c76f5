/**
 * Reads the streams of a webm that we wrote, by walking the heads of its blocks. Runs in the worker. Names of elements:
 * RFC 9559 (Matroska).
 */
import { open, type FileHandle } from 'node:fs/promises';
import type { FilmStream } from './mp4-facts.ts';

/** IDs of elements, with their markers. */
const ids = {
  head: 0x1a45dfa3,
  segment: 0x18538067,
  info: 0x1549a966,
  timeScale: 0x2ad7b1,
  tracks: 0x1654ae6b,
  track: 0xae,
  number: 0xd7,
  kind: 0x83,
  frameTime: 0x23e383,
  delay: 0x56aa,
  video: 0xe0,
  width: 0xb0,
  height: 0xba,
  cluster: 0x1f43b675,
  time: 0xe7,
  simpleBlock: 0xa3,
  group: 0xa0,
  block: 0xa1,
} as const;

/** What is walked into; everything else is skipped. */
const masters: ReadonlySet<number> = new Set([
  ...[ids.segment, ids.info, ids.tracks, ids.track, ids.video, ids.cluster, ids.group],
]);
/** Of these, the value is read. */
const numbers: ReadonlySet<number> = new Set([
  ...[ids.timeScale, ids.number, ids.kind, ids.frameTime, ids.delay, ids.width, ids.height],
  ids.time,
]);

interface Track {
  number: number;
  kind: number;
  width: number;
  height: number;
  /** Nanoseconds: of a frame, and of what a decoder drops at the start. */
  frameTime: number;
  delay: number;
  blocks: number;
  /** In the file's own unit. */
  first: number;
  last: number;
}

/** Bytes read at once: heads lie close together in a small file, far apart in a large one. */
const windowBytes = 64 * 1024;

/** Bytes of a file at a place, few at a time. */
class Window {
  readonly #file: FileHandle;
  #bytes = Buffer.alloc(0);
  #start = 0;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  async at(place: number, length: number): Promise<Buffer> {
    const from = place - this.#start;
    if (from < 0 || from + length > this.#bytes.length) {
      const bytes = Buffer.alloc(windowBytes);
      const { bytesRead } = await this.#file.read(bytes, 0, windowBytes, place);
      this.#bytes = bytes.subarray(0, bytesRead);
      this.#start = place;
    }
    return this.#bytes.subarray(place - this.#start, place - this.#start + length);
  }
}

/**
 * The streams of a webm.
 *
 * @returns Null if the file isn't a complete one: elements must fill it to its last byte.
 */
export async function readWebm(filePath: string): Promise<FilmStream[] | null> {
  await using file = await open(filePath, 'r');
  const { size } = await file.stat();
  const window = new Window(file);
  const tracks: Track[] = [];
  let unit = 1e6;
  let clusterTime = 0;
  let at = 0;
  let isWebm = false;
  while (at < size) {
    const head = await readHead(window, at);
    if (!head || head.end > size) return null;
    const { id, start, end } = head;
    if (id === ids.head) isWebm = true;
    if (id === ids.track) tracks.push(newTrack());
    if (id === ids.block || id === ids.simpleBlock) {
      const bytes = await window.at(start, 4);
      if (bytes.length < 4) return null;
      const track = tracks.find(({ number }) => number === ((bytes[0] ?? 0) & 0x7f));
      if (track) noteBlock(track, clusterTime + bytes.readInt16BE(1));
    }
    if (numbers.has(id)) {
      const value = await readNumber(window, start, end - start);
      const track = tracks.at(-1);
      if (id === ids.timeScale) unit = value;
      else if (id === ids.time) clusterTime = value;
      else if (track) setFact(track, id, value);
    }
    at = masters.has(id) ? start : end;
  }
  return isWebm && tracks.length > 0 ? tracks.map((track) => streamOf(track, unit)) : null;
}

/** The element at a place; null where none can be. */
async function readHead(
  window: Window,
  at: number,
): Promise<{ readonly id: number; readonly start: number; readonly end: number } | null> {
  const bytes = await window.at(at, 12);
  const idLength = Math.clz32((bytes[0] ?? 0) << 24) + 1;
  if (idLength > 4 || bytes.length <= idLength) return null;
  const sizeLength = Math.clz32((bytes[idLength] ?? 0) << 24) + 1;
  const start = idLength + sizeLength;
  if (sizeLength > 8 || bytes.length < start) return null;
  let length = (bytes[idLength] ?? 0) & (0xff >> sizeLength);
  for (let index = idLength + 1; index < start; index++)
    length = length * 256 + (bytes[index] ?? 0);
  return { id: bytes.readUIntBE(0, idLength), start: at + start, end: at + start + length };
}

async function readNumber(window: Window, at: number, length: number): Promise<number> {
  const bytes = await window.at(at, Math.min(length, 8));
  return bytes.reduce((sum, byte) => sum * 256 + byte, 0);
}

function newTrack(): Track {
  const none = { number: 0, kind: 0, width: 0, height: 0, frameTime: 0, delay: 0 };
  return { ...none, blocks: 0, first: Infinity, last: -Infinity };
}

function setFact(track: Track, id: number, value: number): void {
  for (const name of ['number', 'kind', 'width', 'height', 'frameTime', 'delay'] as const)
    if (ids[name] === id) track[name] = value;
}

function noteBlock(track: Track, time: number): void {
  track.blocks++;
  track.first = Math.min(track.first, time);
  track.last = Math.max(track.last, time);
}

function streamOf(track: Track, unit: number): FilmStream {
  const { kind, width, height, blocks, first, last, frameTime, delay } = track;
  const isVideo = kind === 1;
  const span = blocks > 1 ? (last - first) * unit : 0;
  // Times are rounded to the unit; a frame's own length is exact, or else the mean.
  const step = frameTime > 0 ? frameTime : blocks > 1 ? span / (blocks - 1) : 0;
  return {
    kind: isVideo ? 'video' : kind === 2 ? 'sound' : 'other',
    ...{ width, height, samples: blocks },
    duration: isVideo && frameTime > 0 ? (blocks * step) / 1e9 : (span + step - delay) / 1e9,
    configuration: null,
  };
}
