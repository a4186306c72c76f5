/**
 * Outlines of letters with overlapping contours, as in most variable fonts: stroked directly they show lines inside the
 * letter. Here they are united first. Phase 4. Caches only depend on font and text.
 */
import { canvasText } from '../text/emoji.ts';
import type { TextRun } from '../layout/box.ts';
import { surface, type CanvasPath } from '../surface.ts';
import type { Fonts } from './sources.ts';

/** Font size for computing outlines, so that letters of any size share them. */
const referenceSize = 100;

/** How many texts to cache before clearing; a counter that runs for an hour must not fill the memory. */
const keptTexts = 2000;

/**
 * Size of the canvas for outlining texts. Wider runs, of 500 letters and more, keep their inner lines: the cost of
 * uniting must be bounded.
 */
const [widest, highest] = [32_000, 8 * referenceSize];
const baseline = 4 * referenceSize;

/** How much shorter an outline must get to count as united; more than rounding. Pixels at `referenceSize`. */
const leastGain = 1.6;

/** Null = nothing overlaps. */
const known = new Map<string, CanvasPath | null>();

/**
 * The outline of a run with overlapping contours united, as a path from `x` and the baseline `y` on. Null if nothing
 * overlaps, so that the text can be stroked directly.
 */
export function unitedOutline(run: TextRun, fonts: Fonts, x: number, y: number): CanvasPath | null {
  const { text, font, letterSpacing, direction = 'ltr' } = run;
  const scale = font.size / referenceSize;
  if (scale <= 0 || run.width / scale > widest) return null;
  const css = fonts.css({ ...font, size: referenceSize });
  const spacing = letterSpacing / scale;
  const key = [css, spacing, direction, text].join('\n');
  let outline = known.get(key);
  if (outline === undefined) {
    if (known.size >= keptTexts) known.clear();
    outline = united(contoursOf(text, css, spacing, direction));
    known.set(key, outline);
  }
  if (!outline) return null;
  const placed = surface().createPath();
  placed.addPath(outline, { a: scale, b: 0, c: 0, d: scale, e: x, f: y - baseline * scale });
  return placed;
}

/** A closed line of a glyph. */
interface Contour {
  /** SVG's path data. */
  readonly data: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly length: number;
}

/** What the canvas would draw for a text at the origin. */
function contoursOf(
  text: string,
  css: string,
  spacing: number,
  direction: 'ltr' | 'rtl',
): Contour[] {
  const setting = { font: css, letterSpacing: spacing, direction };
  const size = { width: widest, height: highest, baseline };
  return surface()
    .lettersAsPaths(canvasText(text), { ...setting, ...size })
    .flatMap(contoursIn);
}

function contoursIn(data: string): Contour[] {
  return data
    .split(/(?=M)/)
    .filter((part) => part !== '')
    .map(contourOf);
}

/** Pieces in which the length of a curve is measured. */
const pieces = 16;

function contourOf(data: string): Contour {
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  let length = 0;
  let [x, y] = [0, 0];
  let [startX, startY] = [0, 0];
  for (const [, command = '', words = ''] of data.matchAll(/([MLHVQCZ])([^MLHVQCZ]*)/g)) {
    const numbers = [...words.matchAll(/-?[\d.]+(?:e[-+]?\d+)?/gi)].map(([word]) => Number(word));
    if (command === 'Z') numbers.push(startX, startY);
    if (command === 'H') numbers.push(y);
    if (command === 'V') numbers.unshift(x);
    const points = [[x, y]];
    for (let at = 0; at + 1 < numbers.length; at += 2) {
      const [px = 0, py = 0] = numbers.slice(at, at + 2);
      points.push([px, py]);
      [left, right] = [Math.min(left, px), Math.max(right, px)];
      [top, bottom] = [Math.min(top, py), Math.max(bottom, py)];
    }
    [x = 0, y = 0] = points.at(-1) ?? [];
    if (command === 'M') [startX, startY] = [x, y];
    else length += lengthOf(points);
  }
  return { data, left, right, top, bottom, length };
}

/** Length of a Bézier curve of any degree. */
function lengthOf(points: readonly (readonly number[])[]): number {
  const steps = points.length === 2 ? 1 : pieces;
  let length = 0;
  let last = points[0] ?? [];
  for (let step = 1; step <= steps; step++) {
    let level = points;
    while (level.length > 1) {
      level = level.slice(1).map(([toX = 0, toY = 0], index) => {
        const [fromX = 0, fromY = 0] = level[index] ?? [];
        const share = step / steps;
        return [fromX + (toX - fromX) * share, fromY + (toY - fromY) * share];
      });
    }
    const [next = []] = level;
    length += Math.hypot((next[0] ?? 0) - (last[0] ?? 0), (next[1] ?? 0) - (last[1] ?? 0));
    last = next;
  }
  return length;
}

/** All contours, with overlapping ones united; null if none overlap. */
function united(contours: readonly Contour[]): CanvasPath | null {
  const result = surface().createPath();
  let changed = false;
  for (const group of touchingGroups(contours)) {
    const plain = surface().createPath(group.map(({ data }) => data).join(''));
    const whole = surface().united(plain);
    const before = totalLength(group);
    const after = totalLength(contoursIn(surface().pathData(whole)));
    // Uniting may fail on odd contours, and then leaves almost nothing.
    const better = after < before - leastGain && after > before / 4;
    if (better) changed = true;
    result.addPath(better ? whole : plain);
  }
  return changed ? result : null;
}

function totalLength(contours: readonly Contour[]): number {
  return contours.reduce((sum, { length }) => sum + length, 0);
}

/** Most contours to unite at a time: the cost grows faster than their number. Joined scripts may have hundreds. */
const largestGroup = 200;

/** Groups of contours that may touch, by horizontal extent: separate letters are separate groups. */
function touchingGroups(contours: readonly Contour[]): Contour[][] {
  const groups: Contour[][] = [];
  let reach = -Infinity;
  for (const contour of [...contours].sort((one, other) => one.left - other.left)) {
    const group = groups.at(-1);
    if (group && contour.left < reach && group.length < largestGroup) group.push(contour);
    else groups.push([contour]);
    reach = Math.max(reach, contour.right);
  }
  return groups;
}
