/**
 * Which elements of a list are above which: the lanes that tracks make. The engine and the editor's outline use this
 * order. Pure.
 */

/**
 * The lane of every element of a list, lower ones below: its track, or half a track above the highest track defined
 * before it. So an element without a track is above everything defined before it and below tracks that first appear
 * later. If tracks and definition order disagree, tracks win. Elements without a track that get the same number are in
 * definition order, each in its own lane.
 *
 * @param tracks in definition order; null: no track
 */
export function lanesOf(tracks: readonly (number | null)[]): readonly number[] {
  let highest = 0;
  return tracks.map((track) => {
    highest = Math.max(highest, track ?? 0);
    return track ?? highest + 0.5;
  });
}
