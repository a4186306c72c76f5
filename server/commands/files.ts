/** Files of this computer that a document names, on their way to the media library of a server. */
import { createReadStream, createWriteStream, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as WebStream } from 'node:stream/web';
import { type Framewright, FramewrightError } from '../../client/index.ts';
import type { Source } from '../../shared/renderscript/source.ts';
import { filesInFolders, readdress } from '../jobs/share/document-files.ts';
import { findLocal } from '../system/media-folders.ts';
import { CommandError } from './option-rows.ts';
import { makeFolders } from '../system/files.ts';

/** A document whose files are on the server. */
export interface SentDocument {
  readonly source: Source;
  /** A sentence for each file that stays behind. */
  readonly left: readonly string[];
}

/** Sends the files that a document names in these folders. @throws what the client throws but for refusals of files. */
export async function withSentFiles(
  client: Framewright,
  source: Source,
  folders: readonly string[],
): Promise<SentDocument> {
  const addresses = new Map<string, string>();
  const left: string[] = [];
  for (const { address } of filesInFolders(source)) {
    const found = await findLocal(address, folders);
    if (found?.kind !== 'file') {
      left.push(
        `${address} is not beside the document; the server must have it in a folder of its own.`,
      );
      continue;
    }
    try {
      const name = path.basename(found.path);
      addresses.set(address, (await client.media.upload(streamOf(found.path), { name })).source);
    } catch (error) {
      if (!(error instanceof FramewrightError)) throw error;
      left.push(`${address} was not sent: ${error.message}`);
    }
  }
  const sent = structuredClone(source);
  readdress(sent, addresses);
  return { source: sent, left };
}

/** A file on its way to the server. @throws CommandError if there is none. */
export function streamOf(file: string): ReadableStream<Uint8Array> {
  try {
    if (!statSync(file).isFile()) throw new Error('not a file');
  } catch (error) {
    throw new CommandError(`${file} can't be read.`, { cause: error });
  }
  // Node's streams of the web and those of the DOM's types are the same objects.
  return Readable.toWeb(createReadStream(file)) as ReadableStream<Uint8Array>;
}

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
