/** What names a file by its content. Plain Node. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';

/**
 * The SHA-256 of a file's content, in hexadecimal digits.
 * @param signal Gives up, with its reason.
 * @throws the system's error
 */
export async function contentDigest(filePath: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(filePath), hash, { ...(signal && { signal }) });
  return hash.digest('hex');
}
