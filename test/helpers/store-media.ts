/** Puts files of the fixtures into a server's media library, as its window does. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { WindowMedia } from '../../shared/api.ts';
import { windowTokenHeader } from '../../shared/window-proof.ts';

const fixtures = path.resolve(import.meta.dirname, '../fixtures');

/** @returns its address for elements */
export async function storeMedia(windowUrl: string, name: string): Promise<string> {
  const { origin, hash } = new URL(windowUrl);
  const token = new URLSearchParams(hash.slice(1)).get('token') ?? '';
  const response = await fetch(`${origin}/api/media?name=${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream', [windowTokenHeader]: token },
    body: readFileSync(path.join(fixtures, name)),
  });
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  return ((await response.json()) as WindowMedia).source;
}
