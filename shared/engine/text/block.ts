/**
 * Text layout on one page: a text element's values and the sides of its box in, lines with placed runs out.
 *
 * markup ▸ prepare (segment once, measure once per size) ▸ fit (when the size is automatic) ▸ lines ▸ runs,
 * backgrounds. The limits are in README.md. Pure, given a measurer; layout handles times and animations.
 */
import type { Path, TextValues } from '../compile/property-values.ts';
import { valueNames } from '../compile/values.ts';
import { enclosing, type Rect } from '../geometry.ts';
import { lengthIn } from '../layout/length.ts';
import { remember } from '../layout/remember.ts';
import { backgroundPaths, backgroundRows, type BackgroundShape } from './backgrounds.ts';
import { fitFontSize } from './fit.ts';
import { overhangOf, sidesOf } from './ink.ts';
import { breakBalanced, breakLines, lineExtent, type Line } from './lines.ts';
import type { Measurer } from './measurer.ts';
import {
  measureText,
  segmentText,
  type FontSetting,
  type MeasuredText,
  type SegmentedText,
  type SettingPurpose,
} from './prepare.ts';
import type { WordFonts } from './whole-words.ts';
import { clipLines, drawnWidth, placeRuns, type PlacedRun } from './runs.ts';

/** The room for a text: the element's box without its padding. */
export interface TextRoom {
  /** Its top left corner in box space. */
  readonly x: number;
  readonly y: number;
  /** Document pixels; null = as large as the text. */
  readonly width: number | null;
  readonly height: number | null;
  /** What a text without size and font size may take, so that it can be fitted at all. */
  readonly availableWidth: number;
  readonly availableHeight: number;
}

/** A line in its place, box space. */
export interface PlacedLine {
  /** As it was broken. */
  readonly line: Line;
  readonly runs: readonly PlacedRun[];
  /** Advance × line box. */
  readonly bounds: Rect;
}

/** A laid-out text. */
export interface TextBlock {
  /** The room's size, or the text's if that is null. */
  readonly width: number;
  readonly height: number;
  /** Document pixels, after fitting. */
  readonly fontSize: number;
  readonly lines: readonly PlacedLine[];
  /** Around all lines with text. */
  readonly bounds: Rect;
  readonly backgrounds: readonly Path[];
  /** The same by line, for animations; null for lines without text; empty without a background. */
  readonly backgroundRows: readonly (Rect | null)[];
  readonly backgroundShape: BackgroundShape;
  /** For cutting runs into words and letters. */
  readonly measured: MeasuredText;
}

/** The values that text layout depends on; when none changes, neither does the block. */
// The table and the types in property-values.ts name the same properties; test/engine/compile.test.ts keeps them in
// step.
const dependsOn = Array.from(
  valueNames(({ lines }) => lines !== undefined),
) as (keyof TextValues)[];

/** Font size that fitting measures at, pixels; widths at other sizes are in proportion. */
const referenceSize = 100;

/** Lays out one element's text repeatedly; caches its last steps, so that unchanged parts cost nothing. */
export type TextSetter = (values: TextValues, room: TextRoom) => TextBlock;

/** A setter for one element. Successive calls with equal values and room return the identical block. */
export function createTextSetter(
  measurer: Measurer,
  purpose: SettingPurpose & Balance = {},
): TextSetter {
  const segment = remember(segmentText);
  const fontsFor = remember((family: string): WordFonts => ({
    family,
    lacks: (character, own) => measurer.lacks?.(character, own) ?? false,
    fallbacks: (own) => measurer.fallbacks?.(own) ?? [],
  }));
  const measure = remember(
    (segmented: SegmentedText, setting: Omit<FontSetting, 'size'>, size: number): MeasuredText =>
      measureText(segmented, { ...setting, size }, measurer),
  );
  // Separate: while a box changes its size, the text is measured again for every result, but never for the search.
  const measureReference = remember(
    (segmented: SegmentedText, setting: Omit<FontSetting, 'size'>): MeasuredText =>
      measureText(segmented, { ...setting, size: referenceSize }, measurer),
  );
  const keepSetting = remember(
    (
      family: string,
      weight: number,
      style: 'normal' | 'italic',
      letterSpacing: number,
      lineHeight: number,
    ): Omit<FontSetting, 'size'> => ({ family, weight, style, letterSpacing, lineHeight }),
  );
  let key: readonly unknown[] = [];
  let block: TextBlock | null = null;
  return (values, room) => {
    const { x, y, width, height, availableWidth, availableHeight } = room;
    const properties = dependsOn.map((name) => values[name]);
    const now = [...properties, values.backgroundColor === null, x, y, width, height];
    if (width === null && height === null) now.push(availableWidth, availableHeight);
    if (!block || now.length !== key.length || now.some((value, index) => value !== key[index])) {
      const { fontFamily, fontWeight, fontStyle, letterSpacing, lineHeight } = values;
      const fonts = fontsFor(fontFamily);
      const segmented = segment(values.text, values.textTransform, purpose, fonts);
      const setting = keepSetting(fontFamily, fontWeight, fontStyle, letterSpacing, lineHeight);
      const measurements: Measurements = {
        reference: () => measureReference(segmented, setting),
        at: (size) => measure(segmented, setting, size),
      };
      block = setText(values, room, measurements, purpose);
      key = now;
    }
    return block;
  };
}

/** How lines are broken. */
interface Balance {
  /** No more lines than needed, of similar widths. Default: as much on each line as fits. */
  readonly balanced?: boolean;
}

/** An element's text, measured: at the size that fitting scales from, and at any. */
interface Measurements {
  reference(): MeasuredText;
  at(size: number): MeasuredText;
}

function setText(
  values: TextValues,
  room: TextRoom,
  measurements: Measurements,
  { balanced = false }: Balance,
): TextBlock {
  const wraps = values.textWrap && room.width !== null;
  const fontSize = values.fontSize ?? fittedSize(values, room, measurements);
  const measured = measurements.at(fontSize);
  const maxWidth = room.width ?? Infinity;
  const breaking = balanced ? breakBalanced : breakLines;
  const broken = breaking(measured, wraps ? maxWidth : Infinity);
  const lines = values.textClip
    ? clipLines(broken, measured, maxWidth, room.height ?? Infinity)
    : broken;
  return placeLines(lines, measured, values, room, fontSize);
}

function fittedSize(values: TextValues, room: TextRoom, measurements: Measurements): number {
  const reference = { size: referenceSize, measured: measurements.reference() };
  return fitFontSize(fitQuestion(values, room), reference, (size) => measurements.at(size));
}

/**
 * The box a text without font size is fitted to, by the sides given: both = with wrapping; one = only that side, with
 * forced breaks only; none = all of the parent, because some size is needed.
 */
function fitQuestion(values: TextValues, room: TextRoom): Parameters<typeof fitFontSize>[0] {
  const free = room.width === null && room.height === null;
  return {
    width: free ? room.availableWidth : (room.width ?? Infinity),
    height: free ? room.availableHeight : (room.height ?? Infinity),
    wrap: values.textWrap && room.width !== null && room.height !== null,
    minimum: values.fontSizeMinimum,
    maximum: values.fontSizeMaximum,
  };
}

/** Puts lines one below the other and aligns them in the room; larger lines overflow. */
function placeLines(
  lines: readonly Line[],
  measured: MeasuredText,
  values: TextValues,
  room: TextRoom,
  fontSize: number,
): TextBlock {
  const sized = lines.map((line) => ({
    line,
    extent: lineExtent(line, measured),
    advance: line.slices.length > 0 ? drawnWidth(line, measured) : 0,
  }));
  const textHeight = sized.reduce((sum, { extent }) => sum + extent.above + extent.below, 0);
  const width = room.width ?? sized.reduce((widest, { advance }) => Math.max(widest, advance), 0);
  const height = room.height ?? textHeight;

  // Text that was fitted to its box stays in it with all its ink.
  const isFitted = values.fontSize === null;
  const free = height - textHeight;
  let y = room.y + free * values.yAlignment;
  if (isFitted) {
    const { above, below } = overhangOf(lines, measured);
    y = within(y, room.y + above, room.y + free - below);
  }
  const placed = sized.map(({ line, extent: { above, below }, advance }): PlacedLine => {
    let x = room.x + (width - advance) * values.xAlignment;
    if (isFitted) {
      const { left, right } = sidesOf(line, measured);
      x = within(x, room.x + left, room.x + width - advance - right);
    }
    const runs = placeRuns(line, measured, x, y + above);
    const bounds = { x, y, width: advance, height: above + below };
    y += above + below;
    return { line, runs, bounds };
  });
  const hasBackground = values.backgroundColor !== null;
  const backgroundShape: BackgroundShape = {
    paddingX: lengthIn(values.backgroundXPadding, fontSize),
    paddingY: lengthIn(values.backgroundYPadding, fontSize),
    radius: lengthIn(values.backgroundBorderRadius, fontSize),
    alignWithin: values.backgroundAlignThreshold * width,
  };
  const written = hasBackground ? withInk(lines, placed, measured, backgroundShape) : [];
  return {
    width,
    height,
    fontSize,
    lines: placed,
    bounds: around(placed),
    backgrounds: backgroundPaths(written, backgroundShape),
    backgroundRows: backgroundRows(written, backgroundShape),
    backgroundShape,
    measured,
  };
}

/**
 * The boxes of lines that backgrounds stand behind, wider where letters reach beyond the padding; null for lines
 * without text.
 */
function withInk(
  lines: readonly Line[],
  placed: readonly PlacedLine[],
  measured: MeasuredText,
  { paddingX, paddingY }: BackgroundShape,
): (Rect | null)[] {
  const beyond = (reach: number, padding: number): number =>
    Math.max(0, reach - Math.max(0, padding));
  const outer = overhangOf(lines, measured);
  return placed.map(({ runs, bounds: { x, y, width, height } }, index) => {
    const line = lines[index];
    if (!line || runs.length === 0) return null;
    const sides = sidesOf(line, measured);
    const [left, right] = [beyond(sides.left, paddingX), beyond(sides.right, paddingX)];
    const above = index === 0 ? beyond(outer.above, paddingY) : 0;
    const below = index === placed.length - 1 ? beyond(outer.below, paddingY) : 0;
    return {
      x: x - left,
      y: y - above,
      width: width + left + right,
      height: height + above + below,
    };
  });
}

/** The nearest place between two; as it is where there is no room between them. */
function within(place: number, from: number, to: number): number {
  return from <= to + 0.01 ? Math.max(from, Math.min(to, place)) : place;
}

function around(lines: readonly PlacedLine[]): Rect {
  const written = lines.filter(({ runs }) => runs.length > 0).map(({ bounds }) => bounds);
  if (written.length === 0) return { x: 0, y: 0, width: 0, height: 0 };
  return enclosing(written);
}
