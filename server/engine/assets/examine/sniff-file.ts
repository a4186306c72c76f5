/** Phase 1: the format of a file on the disk, and how ffmpeg is told to read it. Reads only its first bytes. */
import { open } from 'node:fs/promises';
import { fileFormatNamed, sniffFormat, sniffLength, type FileFormat } from './sniff.ts';

/** The format of a file by its first bytes; null if we don't read it. */
export async function sniffFile(filePath: string): Promise<FileFormat | null> {
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
  const demuxer = fileFormatNamed(format)?.demuxer;
  if (demuxer === undefined || demuxer === null)
    throw new Error(`ffmpeg is never asked to read ${format}`);
  return ['-protocol_whitelist', 'file,pipe', '-f', demuxer];
}
