/** Writes what a server sends to a file of this computer. */
import { createWriteStream, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as WebStream } from 'node:stream/web';
import { makeFolders } from '../system/files.ts';
import { CommandError } from './option-rows.ts';

/** Writes a file; half of one never has its name. @returns its bytes. @throws CommandError. */
export async function writeStream(
  file: string,
  content: ReadableStream<Uint8Array>,
): Promise<number> {
  const part = `${file}.part`;
  try {
    makeFolders(path.dirname(file));
    // Node's streams of the web and those of the DOM's types are the same objects.
    await pipeline(Readable.fromWeb(content as WebStream), createWriteStream(part));
    renameSync(part, file);
    return statSync(file).size;
  } catch (error) {
    rmSync(part, { force: true });
    const isCut = error instanceof TypeError;
    const reason = isCut
      ? 'was not sent to its end; the log of the server says why'
      : "can't be written";
    throw new CommandError(`${file} ${reason}.`, { cause: error });
  }
}
