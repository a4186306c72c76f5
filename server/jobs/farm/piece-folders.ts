/** The folders with the pieces of films: what workers that were all lost have left there. Runs in the server that leads. */
import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { isFinal } from '../../../shared/api.ts';
import type { RenderStore } from '../../store/renders.ts';

/** Milliseconds without a new piece: until then a film may just have begun, or its last workers be about to stop. */
const stillFor = 3_600_000;
/** What a film's folder is named after: its render's ID. */
const idForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Removes the folders of films that have ended or that nobody knows.
 *
 * @param folder May be missing. @param now ms since 1970. @returns how many.
 */
export async function sweepPieces(
  folder: string,
  renders: Pick<RenderStore, 'find'>,
  now: number,
): Promise<number> {
  let removed = 0;
  for (const id of await readdir(folder).catch(() => [])) {
    if (!idForm.test(id)) continue;
    const place = path.join(folder, id);
    const facts = await stat(place).catch(() => null);
    if (!facts || facts.mtimeMs > now - stillFor) continue;
    const render = renders.find(id);
    if (render && !isFinal(render.status)) continue;
    await rm(place, { recursive: true, force: true, maxRetries: 3 });
    removed++;
  }
  return removed;
}
