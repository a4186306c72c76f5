/** Phase 1: the format of a file on the disk, and how ffmpeg is told to read it. Reads only its first bytes. */
import { open } from 'node:fs/promises';
import { isVectorStart } from '../pictures/plain-vector.ts';
import {
  endOfTag,
  fileFormatNamed,
  isLateMp3,
  sniffFormat,
  sniffLength,
  tagged,
  type FileFormat,
} from './sniff.ts';

/** Tags that may follow each other. */
const mostTags = 8;
/**
 * Bytes that are searched for the first frame of an MP3, or the first element of a vector picture behind long comments.
 */
const lateLength = 65_536;

/** The format of a file by its first bytes; null if we don't read it. */
export async function sniffFile(filePath: string): Promise<FileFormat | null> {
  return (await lookAtStart(filePath)).format;
}

/** The format of a file, and the bytes that show it: behind tags where it begins with some. */
export async function lookAtStart(
  filePath: string,
): Promise<{ readonly format: FileFormat | null; readonly head: Buffer }> {
  await using file = await open(filePath, 'r');
  const read = async (from: number, length: number): Promise<Buffer> => {
    const bytes = Buffer.alloc(length);
    const { bytesRead } = await file.read(bytes, 0, length, from);
    return bytes.subarray(0, bytesRead);
  };
  const head = await read(0, sniffLength);
  let [start, behind] = [0, head];
  for (let tags = 0; tags < mostTags; tags++) {
    const end = endOfTag(behind);
    if (end === null) break;
    start += end;
    behind = await read(start, sniffLength);
  }
  if (start > 0) {
    const found = sniffFormat(behind);
    return { format: found && tagged.has(found.name) ? found : fileFormatNamed('mp3'), head };
  }
  const format = sniffFormat(head);
  if (format !== null) return { format, head };
  const more = await read(0, lateLength);
  const late = isLateMp3(more) ? 'mp3' : isVectorStart(more) ? 'svg' : '';
  return { format: fileFormatNamed(late), head };
}

/**
 * ffmpeg's input arguments for a file of a probed format: local files only, the demuxer named, nothing guessed.
 *
 * @param format `MediaInfo.format`.
 */
export function inputArguments(format: string): string[] {
  const demuxer = fileFormatNamed(format)?.demuxer;
  if (demuxer === undefined || demuxer === null)
    throw new Error(`ffmpeg is never asked to read ${format}`);
  return ['-protocol_whitelist', 'file,pipe', '-f', demuxer];
}
