/** Where the arrow keys lead among the clips. Pure. */
import { endOf, type Clip } from './clips.ts';

interface Row {
  readonly clips: readonly { readonly key: string; readonly clip: Clip }[];
}

/**
 * The clip beside one, on the same row or on the nearest row with clips; the first of all from none; null at an edge.
 */
export function neighbour(
  rows: readonly Row[],
  from: Clip | null,
  way: 'left' | 'right' | 'up' | 'down',
): Clip | null {
  const at = rows.findIndex(({ clips }) => clips.some(({ key }) => key === from?.path));
  if (!from || at < 0) return rows.find(({ clips }) => clips.length > 0)?.clips[0]?.clip ?? null;
  if (way === 'left' || way === 'right') {
    const clips = rows[at]?.clips ?? [];
    const index = clips.findIndex(({ key }) => key === from.path);
    return clips[index + (way === 'left' ? -1 : 1)]?.clip ?? null;
  }
  const beyond = way === 'up' ? rows.slice(0, at).reverse() : rows.slice(at + 1);
  const row = beyond.find(({ clips }) => clips.length > 0);
  return nearest(row?.clips.map(({ clip }) => clip) ?? [], from);
}

/** The one that is there at the same time the longest, else the nearest. */
function nearest(clips: readonly Clip[], from: Clip): Clip | null {
  const shared = (clip: Clip): number =>
    Math.min(endOf(clip), endOf(from)) - Math.max(clip.start, from.start);
  return clips.reduce<Clip | null>(
    (best, clip) => (best === null || shared(clip) > shared(best) + 1e-6 ? clip : best),
    null,
  );
}
