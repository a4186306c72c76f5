/** The header `Prefer: wait=N` (RFC 7240): the answer is held back until a render has ended, for N seconds at most. */
import type { Request, Response } from 'express';
import { requestLimits } from '../../shared/limits.ts';
import type { RenderWaits } from '../jobs/render-waits.ts';

/** The name of the header. */
export const preferHeader = 'Prefer';

/** Seconds that a request prefers to wait, up to the limit; 0 without the header, or if it can't be read. */
function wishOf({ headersDistinct }: Request): number {
  const wishes = (headersDistinct.prefer ?? []).join(',').split(',');
  for (const wish of wishes) {
    const [, seconds] = /^\s*wait\s*=\s*"?(\d{1,9})"?\s*(;|$)/i.exec(wish) ?? [];
    if (seconds !== undefined) return Math.min(Number(seconds), requestLimits.wait);
  }
  return 0;
}

/**
 * Waits for the end of all renders, as long as the request prefers, and says so in the answer. Never refuses: if too
 * many already wait, or no wait is wanted, it returns at once.
 *
 * @returns whether it waited.
 */
export async function waitAsPreferred(
  request: Request,
  response: Response,
  ids: readonly string[],
  waits: RenderWaits,
): Promise<boolean> {
  const seconds = wishOf(request);
  if (seconds === 0) return false;
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  response.once('close', leave);
  const waited = await waits.untilEnded(ids, seconds * 1000, gone.signal);
  response.off('close', leave);
  if (waited) response.set('Preference-Applied', `wait=${seconds}`);
  return waited;
}
