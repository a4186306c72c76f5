/**
 * Finds films whose gradients would show bands. Phase 2; pure.
 *
 * [Note: Bands] Over a gradient from `#000000` to `#101418` a picture of 1920 pixels has 24 levels, each 80 pixels
 * wide, and their borders are seen. The drawing library spreads them by dither, which rounding to the encoder's colours
 * and coding would level again. A film with such a gradient is dithered once more (encode/pixels.ts) and gets more bits
 * where it is nearly flat (encode/film-formats.ts). Every other film stays as it is, to the byte. The whole film
 * decides, so all its threads and pieces do the same.
 */
import type {
  Animated,
  Color,
  FillValues,
  GradientStop,
  Length,
  VisualValues,
} from './property-values.ts';
import type { CompositionElement, TimelineElement } from './timeline.ts';

/** Pixels of the file; a level narrower than this is no band. */
const narrowest = 8;
/** Gradients shorter than this share of the picture's longer side are no grounds. */
const shortest = 0.25;

interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * True if a gradient of the document has wide levels. Boxes count as far as their own sizes tell; turns and scales of
 * animations don't.
 *
 * @param frame In document pixels.
 * @param file The same in pixels of the file.
 */
export function hasSlowGradients(
  fill: Animated<FillValues>,
  { children }: CompositionElement,
  frame: Size,
  file: Size,
): boolean {
  const longest = Math.max(frame.width, frame.height);
  const scale = Math.max(file.width, file.height) / longest;
  const isSlow = (stops: readonly GradientStop[], length: number): boolean => {
    if (length < shortest * longest) return false;
    const sorted = stops.toSorted((one, two) => one.offset - two.offset);
    return sorted.slice(1).some(({ offset, color }, index) => {
      const last = sorted[index];
      const levels = last ? levelsBetween(last.color, color) : 0;
      const extent = (offset - (last?.offset ?? 0)) * length;
      return levels >= 1 && extent >= shortest * longest && extent * scale >= narrowest * levels;
    });
  };
  const shows = (values: Animated<FillValues>, length: number): boolean =>
    valuesOf(values, 'fillMode').some((mode) => mode !== 'solid') &&
    valuesOf(values, 'fillColor').some((color) => isStops(color) && isSlow(color, length));
  const shownBy = (element: TimelineElement): boolean => {
    // Letters are too small for bands.
    if (element.type === 'text') return false;
    const values: Animated<VisualValues> = element.values;
    const sides = [...valuesOf(values, 'width'), ...valuesOf(values, 'height')];
    // Not by a call with all of them: a document may have more keyframes than a call takes arguments.
    const side = sides.reduce((most, one) => Math.max(most, lengthOf(one, longest)), 0);
    if (shows(values, side)) return true;
    return element.type === 'composition' && element.children.some(shownBy);
  };
  return shows(fill, longest) || children.some(shownBy);
}

/** All values that a property has in its keys. */
function valuesOf<P, K extends keyof P>({ base, curves }: Animated<P>, key: K): readonly P[K][] {
  return curves[key]?.keys.map(({ value }) => value) ?? [base[key]];
}

/** At most; an absent side may be as long as the picture. */
function lengthOf(side: Length | null, whole: number): number {
  return side ? side.px + side.percent * whole : whole;
}

/** Whether a fill is a gradient. */
export function isStops(color: FillValues['fillColor']): color is readonly GradientStop[] {
  return color !== null && typeof color[0] !== 'number';
}

function levelsBetween(one: Color, two: Color): number {
  return Math.max(
    ...one.map(
      (value, channel) => Math.abs(value - (two[channel] ?? 0)) * (channel === 3 ? 255 : 1),
    ),
  );
}
