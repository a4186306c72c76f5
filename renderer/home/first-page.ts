/** Which page the window opens with where its address names none. Pure. */
import type { WindowRender } from '../../shared/api.ts';
import { isFinal } from '../../shared/api.ts';

/** For so long after a script's last render the window opens with the queue, in ms: a week. */
const scriptedFor = 7 * 24 * 3_600_000;

/**
 * The one rule: the queue comes first while something waits or runs, and for those whose scripts have asked the API for
 * a render within a week; else Home does.
 *
 * @param renders In any order. @param now ms since 1970.
 */
export function firstPage(
  renders: readonly Pick<WindowRender, 'record' | 'fromApi' | 'createdAt'>[],
  now: number,
): 'home' | 'queue' {
  const isWatched = renders.some(
    ({ record, fromApi, createdAt }) =>
      !isFinal(record.status) || (fromApi === true && now - createdAt < scriptedFor),
  );
  return isWatched ? 'queue' : 'home';
}
