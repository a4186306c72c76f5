/** Moments that edges of clips keep to. Pure. */
import { endOf, type Clip, type Clips } from './clips.ts';

/**
 * The moments, in seconds of the document's clock.
 *
 * @param beatsOf The beats of a sound. Default: none.
 * @param markers Moments that are marked. Default: none.
 */
export function momentsBeside(
  { top, byPath, duration }: Clips,
  heldPaths: readonly string[],
  head: number,
  beatsOf: (clip: Clip) => readonly number[] = () => [],
  markers: readonly number[] = [],
): readonly number[] {
  const held = new Set(heldPaths);
  const others: readonly Clip[] = byPath.size > most ? top : [...byPath.values()];
  const edges = others
    .filter(({ path }) => !isHeld(path, held))
    .flatMap((clip) => [clip.start, endOf(clip), ...beatsOf(clip)]);
  return [...new Set([0, duration, head, ...markers, ...edges])].sort((a, b) => a - b);
}

/** Of more clips than these, only those of the document itself are kept to. */
const most = 4000;

/** It, or a composition around it, is held. */
function isHeld(path: string, held: ReadonlySet<string>): boolean {
  for (let at = path; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('.')))) {
    if (held.has(at)) return true;
  }
  return false;
}

/**
 * How far to go on so that one of some edges comes to lie at a moment, and that moment; null if none is within reach.
 *
 * @param edges Where they would be.
 * @param moments In order.
 */
export function snapTo(
  edges: readonly number[],
  moments: readonly number[],
  reach: number,
): { readonly by: number; readonly at: number } | null {
  let best: { by: number; at: number } | null = null;
  for (const edge of edges) {
    const at = nearest(moments, edge);
    if (at === null) continue;
    const by = at - edge;
    if (Math.abs(by) <= reach && (best === null || Math.abs(by) < Math.abs(best.by)))
      best = { by, at };
  }
  return best;
}

function nearest(moments: readonly number[], at: number): number | null {
  let [low, high] = [0, moments.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((moments[middle] ?? Infinity) < at) low = middle + 1;
    else high = middle;
  }
  const [before, after] = [moments[low - 1], moments[low]];
  if (before === undefined || after === undefined) return before ?? after ?? null;
  return at - before <= after - at ? before : after;
}
