/** The folder of what was spoken once. The worker fills it (server/engine/assets/voices/); the server asks how new. */
import { stat } from 'node:fs/promises';
import path from 'node:path';

/** Where it is. @param cacheFolder That of downloads. */
export function voiceFolder(cacheFolder: string): string {
  return path.join(cacheFolder, 'voices');
}

/** When a text was last spoken anew: milliseconds since 1970, 0 = never. Cheap; for previews that were silent. */
export async function lastSpoken(cacheFolder: string): Promise<number> {
  const facts = await stat(voiceFolder(cacheFolder)).catch(() => null);
  return facts?.mtimeMs ?? 0;
}
