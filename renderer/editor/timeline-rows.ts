/** The rows of the timeline strip. Pure. */
import type { CompiledElement } from '../../shared/preview.ts';

/** Ends are sums of fractions: what begins this many seconds before an end still comes after it. */
const tolerance = 0.001;

/** Elements of one track that do not overlap share a row; rows are in the order of their first elements. */
export function timelineRows(
  elements: readonly CompiledElement[],
): readonly (readonly CompiledElement[])[] {
  const rows: CompiledElement[][] = [];
  const tracks = new Map<number, { end: number; list: CompiledElement[] }[]>();
  for (const element of elements) {
    const ofTrack = tracks.get(element.track) ?? [];
    const row = ofTrack.find(({ end }) => end <= element.start + tolerance);
    const end = element.start + element.duration;
    if (row) {
      row.list.push(element);
      row.end = end;
    } else {
      const list = [element];
      rows.push(list);
      tracks.set(element.track, [...ofTrack, { end, list }]);
    }
  }
  return rows;
}
