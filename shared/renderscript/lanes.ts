/** Which elements of a list lie above which: the lanes that tracks make. The engine draws by it, the editor's outline is in its order. Pure. */

/**
 * The lane of every element of a list, lower ones below: its track, or half a track above the highest one that was defined
 * before it. So an element without a track lies above everything defined before it and below the tracks that only appear later;
 * where tracks and definition order disagree, tracks win. Elements without a track that get the same number lie in definition
 * order, each in a lane of its own.
 *
 * @param tracks In definition order; null = none.
 */
export function lanesOf(tracks: readonly (number | null)[]): readonly number[] {
  let highest = 0;
  return tracks.map((track) => {
    highest = Math.max(highest, track ?? 0);
    return track ?? highest + 0.5;
  });
}
