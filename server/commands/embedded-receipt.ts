/**
 * A receipt inside of its file, where other programs skip it: a box of our own at the end of an mp4, mov or m4a
 * (ISO/IEC 14496-12, `uuid`), a text chunk before the end of a png. Without it the file is what it was, to the byte.
 */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { pngText } from '../engine/encode/tags.ts';
import { renameOver } from '../system/files.ts';

/** How a kind of files takes it, as one of the parts that such a file is made of. */
interface Container {
  readonly isIn: (head: Buffer) => boolean;
  /** Where the first part begins. */
  readonly first: number;
  /** Bytes of a part. */
  readonly sizeOf: (head: Buffer) => number;
  /** The part that it comes before; null: it is the last. */
  readonly before: string | null;
  /** What parts with a receipt have after their size. */
  readonly own: Buffer;
  readonly wrap: (text: string) => Buffer;
  /** Bytes around the text. */
  readonly around: readonly [head: number, tail: number];
}

/** Enough of a part to tell what it is. */
const headBytes = 32;
/** Of a box of ours: any number that nobody else has. */
const boxes = Buffer.concat([
  Buffer.from('uuid'),
  Buffer.from('6f1b8c1e0d9a4c53a8b2c7f4e15d0a39', 'hex'),
]);
const keyword = 'framewright:receipt';

const containers: readonly Container[] = [
  {
    isIn: (head) => head.toString('latin1', 4, 8) === 'ftyp',
    first: 0,
    sizeOf(head) {
      const size = head.readUInt32BE(0);
      return size === 1 ? Number(head.readBigUInt64BE(8)) : size;
    },
    before: null,
    own: boxes,
    wrap(text) {
      const box = Buffer.concat([Buffer.alloc(4), boxes, Buffer.from(text)]);
      box.writeUInt32BE(box.length);
      return box;
    },
    around: [24, 0],
  },
  {
    isIn: (head) => head.toString('latin1', 1, 4) === 'PNG',
    first: 8,
    sizeOf: (head) => head.readUInt32BE(0) + 12,
    before: 'IEND',
    own: Buffer.from(`iTXt${keyword}\0`),
    wrap: (text) => pngText(keyword, text),
    around: [8 + keyword.length + 5, 4],
  },
];

/** Kinds of files that take a receipt, for messages. */
export const receiptTakers = 'mp4, mov, m4a or png';

/** A receipt that was found. */
export interface EmbeddedReceipt {
  /** As JSON. */
  readonly text: string;
  /** SHA-256 of the file without it. */
  readonly digest: string;
}

/** The receipt inside of a file; null: there is none. @throws what the disk says */
export async function readEmbedded(file: string): Promise<EmbeddedReceipt | null> {
  const place = await findPlace(file);
  if (!place || place.start === place.end) return null;
  const { start, end, container } = place;
  const [head, tail] = container.around;
  const text: Buffer[] = [];
  for await (const chunk of bytesOf(file, start + head, end - tail)) text.push(chunk);
  const hash = createHash('sha256');
  for await (const chunk of bytesOf(file, 0, start)) hash.update(chunk);
  for await (const chunk of bytesOf(file, end)) hash.update(chunk);
  return { text: Buffer.concat(text).toString('utf8'), digest: hash.digest('hex') };
}

/** Puts a receipt into a file, in place of one that is there. @returns false: such a file takes none. */
export async function embedReceipt(file: string, text: string): Promise<boolean> {
  const place = await findPlace(file);
  if (!place) return false;
  const { start, end, container } = place;
  const part = `${file}.part`;
  const whole = async function* (): AsyncGenerator<Buffer> {
    yield* bytesOf(file, 0, start);
    yield container.wrap(text);
    yield* bytesOf(file, end);
  };
  try {
    await pipeline(whole, createWriteStream(part));
    await renameOver(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  return true;
}

/** Where a file's receipt is, or goes: then nothing lies between. Null: the file takes none, or is damaged. */
async function findPlace(
  file: string,
): Promise<{ start: number; end: number; container: Container } | null> {
  await using handle = await open(file, 'r');
  const { size } = await handle.stat();
  const headAt = async (at: number): Promise<Buffer> => {
    const head = Buffer.alloc(headBytes);
    await handle.read(head, 0, head.length, at);
    return head;
  };
  const first = await headAt(0);
  const container = containers.find(({ isIn }) => isIn(first));
  if (!container) return null;
  const { sizeOf, before, own } = container;
  for (let start = container.first; start < size;) {
    const head = await headAt(start);
    const end = start + sizeOf(head);
    const kind = head.toString('latin1', 4, 8);
    if (end < start + 8 || end > size) return null;
    if (kind === before) return { start, end: start, container };
    if (head.indexOf(own) === 4) return { start, end, container };
    start = end;
  }
  return before === null ? { start: size, end: size, container } : null;
}

async function* bytesOf(file: string, start: number, end = Infinity): AsyncGenerator<Buffer> {
  if (end <= start) return;
  // A stream's end is its last byte; without an encoding it has buffers.
  yield* createReadStream(file, { start, end: end - 1 }) as AsyncIterable<Buffer>;
}
