/**
 * Markers: named moments of a template's timeline, for whoever makes it. They belong to the template, not to its
 * document, and no render knows them.
 */

/** Their colours; what each looks like is the window's. */
export const markerColors = ['red', 'orange', 'yellow', 'green', 'blue', 'purple', 'grey'] as const;
/** A colour of a marker. */
export type MarkerColor = (typeof markerColors)[number];

/** A moment with a name. */
export interface Marker {
  /** Seconds from the beginning of the document. */
  readonly time: number;
  /** May be empty. */
  readonly name: string;
  readonly color: MarkerColor;
}

/** The same markers in the same order. */
export function sameMarkers(one: readonly Marker[], other: readonly Marker[]): boolean {
  return (
    one.length === other.length &&
    one.every(({ time, name, color }, index) => {
      const beside = other[index];
      return beside?.time === time && beside.name === name && beside.color === color;
    })
  );
}
