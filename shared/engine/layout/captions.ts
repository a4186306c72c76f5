/**
 * Captions at a moment: the spoken page, laid out, with the effect applied to each part. Pure. Unchanged parts keep
 * their objects from frame to frame, so that paint only repaints words that changed.
 */
import type { Color, TextValues } from '../compile/property-values.ts';
import type { CaptionPage, Captions, TextElement } from '../compile/timeline.ts';
import { valueNames } from '../compile/values.ts';
import { enclosing, multiply, translation, type Matrix, type Rect } from '../geometry.ts';
import { createTextSetter, type TextBlock, type TextRoom } from '../text/block.ts';
import { backgroundPaths } from '../text/backgrounds.ts';
import { isParticle, staysWithWordBefore, unbreakable } from '../transcript.ts';
import type { Measurer } from '../text/measurer.ts';
import type { TextBackground, TextContent, TextPiece } from './box.ts';
import { easeOut, glideTime, lookOf, type PartLook } from './caption-effects.ts';
import { partsOf, type Part, type PartRow } from './caption-parts.ts';
import { lengthIn } from './length.ts';
import { keepList, remember } from './remember.ts';

/** Frame times are quotients and word times sums; closer than this counts as equal. Seconds. */
const tolerance = 1e-6;

/** A laid-out page, or an empty one. */
export interface CaptionState {
  readonly block: TextBlock;
  /** Null while nothing is said. */
  readonly content: TextContent | null;
}

/** Returns the captions of one element at a moment of its clock. */
export type CaptionSetter = (values: TextValues, room: TextRoom, time: number) => CaptionState;

/** A setter for a text that follows a transcript; null for all others. */
export function createCaptionSetter(
  { captions }: TextElement,
  measurer: Measurer,
): CaptionSetter | null {
  if (!captions) return null;
  const setText = createTextSetter(measurer, purposeOf(captions));
  const sizeOf = createSizeFinder(captions, measurer);
  const written = remember(textOfPage);
  const paged = remember(withText);
  const cut = remember(partsOf);
  const draw = createDrawer(captions);
  return (values, room, time) => {
    const page = pageAt(captions.pages, time + tolerance);
    const fontSize = values.fontSize ?? sizeOf(values, room);
    const block = setText(paged(values, written(page), fontSize), room);
    if (!page) return { block, content: null };
    const parts = cut(block, page, captions.split, values.textTransform, captions.color);
    return { block, content: draw(block, parts, values, time + tolerance) };
  };
}

/** Lines of similar widths are easier to read in passing. */
function purposeOf({ split, rightToLeft }: Captions): Parameters<typeof createTextSetter>[1] {
  return { apart: split === 'letter', rightToLeft, balanced: true };
}

/**
 * The text of a page: lines end where its subtitle has them, else between words alone, even in scripts without spaces.
 * U+2060 forbids a line end and U+200B allows one; neither is drawn.
 */
function textOfPage(page: CaptionPage | null): string {
  if (!page) return '';
  return page.words
    .map((word, index) => {
      const { text, glued, startsLine } = word;
      const last = page.words[index - 1]?.text ?? '';
      const joint = staysWithWordBefore(word) || isParticle(text, last) ? '\u2060' : '\u200b';
      const before = index === 0 ? '' : startsLine ? '\n' : glued ? joint : ' ';
      return before + unbreakable(text);
    })
    .join('');
}

function withText(values: TextValues, text: string, fontSize: number): TextValues {
  return { ...values, text, fontSize };
}

/** The page that shows at a moment. */
function pageAt(pages: readonly CaptionPage[], time: number): CaptionPage | null {
  let low = 0;
  let high = pages.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((pages[middle]?.start ?? Infinity) <= time) low = middle + 1;
    else high = middle;
  }
  const page = pages[low - 1];
  return page && time < page.end ? page : null;
}

/** What the fitting size depends on, besides the words of the pages. */
// The table and the types in property-values.ts name the same properties; test/engine/compile.test.ts keeps them in
// step.
const fittedBy = Array.from(
  valueNames(({ name, lines }) => lines === 'fit' && name !== 'text'),
) as (keyof TextValues)[];

/**
 * Automatic size: one for all pages, the largest at which each fits. Sizes that change from page to page look broken.
 */
function createSizeFinder(
  captions: Captions,
  measurer: Measurer,
): (values: TextValues, room: TextRoom) => number {
  let known: { key: readonly unknown[]; size: number } | null = null;
  return (values, room) => {
    const { width, height, availableWidth, availableHeight } = room;
    const sides = [width, height, availableWidth, availableHeight];
    const key = [...fittedBy.map((name) => values[name]), ...sides];
    if (!known || key.some((value, index) => value !== known?.key[index])) {
      const setText = createTextSetter(measurer, purposeOf(captions));
      const sizes = captions.pages.map(
        (page) => setText({ ...values, text: textOfPage(page) }, room).fontSize,
      );
      known = { key, size: sizes.reduce((a, b) => Math.min(a, b), values.fontSizeMaximum) };
    }
    return known.size;
  };
}

// ---- drawing -------------------------------------------------------------------------------------------------------

type Drawer = (
  block: TextBlock,
  parts: readonly Part[],
  values: TextValues,
  time: number,
) => TextContent | null;

function createDrawer(captions: Captions): Drawer {
  const { effect, placement, color } = captions;
  const drawnParts = remember((parts: readonly Part[]) =>
    parts.map((part) => ({ part, pieces: remember(piecesOf), box: remember(boxBehind) })),
  );
  const standing = remember(standingBackgrounds);
  const moving = remember(movingBackgrounds);
  const keepRows = keepList<number>();
  const keepPieces = keepList<TextPiece>();
  const keepBackgrounds = keepList<TextBackground>();
  const content = remember(
    (backgrounds: readonly TextBackground[], pieces: readonly TextPiece[]): TextContent => ({
      kind: 'text',
      backgrounds,
      pieces,
    }),
  );

  return (block, parts, values, time) => {
    const lines = placement === 'static' ? null : lineShifts(parts, time, placement, values);
    const under: TextPiece[] = [];
    const over: TextPiece[] = [];
    const boxes: TextBackground[] = [];
    const looks = parts.map((part) => lookOf(effect, stateOf(part, time - part.start)));
    const roomFor = effect === 'enlarge' ? growthAt(parts, looks) : null;
    for (const [index, { part, pieces, box }] of drawnParts(parts).entries()) {
      const look = looks[index];
      if (!look || (lines && time < part.start) || look.opacity <= 0) continue;
      const aligned = lines?.[part.rows[0]?.line ?? 0]?.shift ?? 0;
      const shift = aligned + (roomFor?.get(part) ?? 0);
      const drawn = pieces(part, look.opacity, shift, look.accent, ...matrixOf(look));
      // A growing word is drawn over its neighbours, not under the next one.
      (look.transform ? over : under).push(...drawn);
      if (look.box > 0) boxes.push(box(part, look.box, shift, color, values));
    }
    const shown =
      values.backgroundColor && values.backgroundColor[3] > 0 ? values.backgroundColor : null;
    const rows = lines && keepRows(lines.flatMap(({ x, width }) => [x, width]));
    const backgrounds = !shown
      ? []
      : rows
        ? moving(block, rows, shown, values)
        : standing(block, shown);
    const all = keepPieces([...under, ...over]);
    const behind = keepBackgrounds([...backgrounds, ...boxes]);
    return all.length + behind.length > 0 ? content(behind, all) : null;
  };
}

/**
 * How far each part gives way to those of its line that have grown: their neighbours keep their distance. One pass from
 * left to right, because all may grow at once.
 */
function growthAt(
  parts: readonly Part[],
  looks: readonly PartLook[],
): ReadonlyMap<Part, number> | null {
  const growth = parts.map((part, index) => {
    const [scale = 1] = looks[index]?.transform ?? [];
    return Math.max(0, ((scale - 1) * part.bounds.width) / 2);
  });
  if (growth.every((grown) => grown === 0)) return null;
  const lines = new Map<number, { part: Part; grown: number }[]>();
  for (const [index, part] of parts.entries()) {
    const number = part.rows[0]?.line ?? 0;
    const line = lines.get(number) ?? [];
    lines.set(number, line);
    line.push({ part, grown: growth[index] ?? 0 });
  }
  const shifts = new Map<Part, number>();
  for (const line of lines.values()) {
    let before = 0;
    let after = line.reduce((sum, { grown }) => sum + grown, 0);
    for (const { part, grown } of line.sort((a, b) => a.part.bounds.x - b.part.bounds.x)) {
      after -= grown;
      shifts.set(part, before - after);
      before += grown;
    }
  }
  return shifts;
}

function stateOf(part: Part, since: number): Parameters<typeof lookOf>[1] {
  const { bounds, fontSize, start, end } = part;
  return {
    since,
    length: end - start,
    x: bounds.x + bounds.width / 2,
    y: bounds.y + bounds.height / 2,
    width: bounds.width,
    fontSize,
  };
}

/** Matrices are recreated unchanged, so compare their numbers. */
function matrixOf({ transform }: PartLook): Matrix | [] {
  return transform ?? [];
}

/** The pieces of a part: one per line, or two if the colour changes inside. */
function piecesOf(
  { rows, fontSize }: Part,
  opacity: number,
  shift: number,
  accent: number,
  ...map: Matrix | []
): TextPiece[] {
  const moved = shift === 0 ? null : translation(shift, 0);
  const effect = map.length === 0 ? null : map;
  const transform = moved && effect ? multiply(moved, effect) : (moved ?? effect);
  const total = rows.reduce((sum, { bounds }) => sum + bounds.width, 0);
  let before = 0;
  return rows.flatMap((row): TextPiece[] => {
    const { runs, accentRuns, bounds } = row;
    const filled = bounds.width > 0 ? (accent * total - before) / bounds.width : accent;
    before += bounds.width;
    const piece = { bounds, opacity, transform };
    if (accent >= 1 || filled >= 1) return [{ ...piece, runs: accentRuns, clip: null }];
    if (filled <= 0) return [{ ...piece, runs, clip: null }];
    const [spoken, rest] = cutAt(row, filled, shift, fontSize);
    return [
      { ...piece, runs, clip: rest },
      { ...piece, runs: accentRuns, clip: spoken },
    ];
  });
}

/** The two sides of a row, box space, split at the `share` that has been read; both are generous outwards. */
function cutAt(
  { bounds, rightToLeft }: PartRow,
  share: number,
  shift: number,
  fontSize: number,
): readonly [spoken: Rect, rest: Rect] {
  const x = bounds.x + shift + bounds.width * (rightToLeft ? 1 - share : share);
  const y = bounds.y - fontSize;
  const height = bounds.height + 2 * fontSize;
  const left = {
    x: bounds.x + shift - fontSize,
    y,
    width: x - bounds.x - shift + fontSize,
    height,
  };
  const right = { x, y, width: bounds.x + shift + bounds.width + fontSize - x, height };
  return rightToLeft ? [right, left] : [left, right];
}

// ---- boxes and backgrounds -----------------------------------------------------------------------------------------

/**
 * The box of the highlight effect: as high as the letters, not the line, so that the padding is exact, and the box does
 * not cover close lines.
 */
function boxBehind(
  { rows, fontSize, bounds }: Part,
  padding: number,
  shift: number,
  color: Color,
  values: TextValues,
): TextBackground {
  const lettersHigh = rows.map((row): Rect => {
    const height = Math.min(row.bounds.height, 0.9 * fontSize);
    const { x, y, width } = row.bounds;
    return { x: x + shift, y: y + (row.bounds.height - height) / 2, width, height };
  });
  const shape = {
    paddingX: lengthIn(values.backgroundXPadding, fontSize) * padding,
    paddingY: lengthIn(values.backgroundYPadding, fontSize) * padding,
    radius: lengthIn(values.backgroundBorderRadius, fontSize),
    alignWithin: values.backgroundAlignThreshold * bounds.width,
  };
  const path = backgroundPaths(lettersHigh, shape).flat();
  return { path, color, opacity: 1 };
}

function standingBackgrounds({ backgrounds }: TextBlock, color: Color): TextBackground[] {
  return backgrounds.map((path) => ({ path, color, opacity: 1 }));
}

/**
 * Backgrounds behind the visible part of each line; `rows` has a left edge and a width for each line, −1 = nothing
 * visible.
 */
function movingBackgrounds(
  block: TextBlock,
  rows: readonly number[],
  color: Color,
  values: TextValues,
): TextBackground[] {
  const written = block.lines.filter(({ runs }) => runs.length > 0);
  const rects = written.map(({ bounds }, index) => {
    const width = rows[2 * index + 1] ?? -1;
    return width < 0 ? null : { ...bounds, x: rows[2 * index] ?? 0, width };
  });
  const { fontSize } = block;
  return backgroundPaths(rects, {
    paddingX: lengthIn(values.backgroundXPadding, fontSize),
    paddingY: lengthIn(values.backgroundYPadding, fontSize),
    radius: lengthIn(values.backgroundBorderRadius, fontSize),
    alignWithin: values.backgroundAlignThreshold * block.width,
  }).map((path) => ({ path, color, opacity: 1 }));
}

// ---- placement -----------------------------------------------------------------------------------------------------

/** The position of the visible part of a line. */
interface LineShift {
  /** Pixels from the words' position on the full page. */
  readonly shift: number;
  /** Left edge after the shift, and visible width; −1 = nothing. */
  readonly x: number;
  readonly width: number;
}

/** Aligns every line by the parts that have begun. */
function lineShifts(
  parts: readonly Part[],
  time: number,
  placement: Captions['placement'],
  { xAlignment }: TextValues,
): LineShift[] {
  const lines: { begun: { bounds: Rect; start: number }[]; all: Rect[] }[] = [];
  for (const { rows, start } of parts) {
    for (const { line, bounds } of rows) {
      const found = (lines[line] ??= { begun: [], all: [] });
      found.all.push(bounds);
      if (start <= time) found.begun.push({ bounds, start });
    }
  }
  return lines.map(({ begun, all }): LineShift => {
    const newest = begun.at(-1);
    if (!newest) return { shift: 0, x: 0, width: -1 };
    const whole = enclosing(all);
    const placed = (shown: readonly { bounds: Rect }[]): LineShift => {
      const { x, width } = enclosing(shown.map(({ bounds }) => bounds));
      const aligned = whole.x + (whole.width - width) * xAlignment;
      return { shift: aligned - x, x: aligned, width };
    };
    const now = placed(begun);
    if (placement !== 'animate' || begun.length === 1) return now;
    const before = placed(begun.slice(0, -1));
    const left = 1 - easeOut((time - newest.start) / glideTime);
    const mix = (to: number, from: number): number => to + (from - to) * left;
    return {
      shift: mix(now.shift, before.shift),
      x: mix(now.x, before.x),
      width: mix(now.width, before.width),
    };
  });
}
