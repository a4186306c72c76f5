/**
 * Phase 1, vector pictures: texts of an SVG as paths, in the fonts that text elements have, so that a picture looks the
 * same on every computer and in every document.
 */
import { createCanvas, Path2D } from '@napi-rs/canvas';
import { isTag, isText, type Element } from 'domhandler';
import { canvasSurface } from '../../canvas-surface.ts';
import type { FontBook } from '../fonts/fonts.ts';
import { standInFor } from '../fonts/font-kinds.ts';
import { lengthIn } from './svg-values.ts';

/** A property of an element: its own, else inherited. */
export type Inherited = (element: Element, property: string) => string | undefined;

/** A stretch of text in one look, from where it is placed anew. */
interface Run {
  readonly element: Element;
  text: string;
  /** Where it begins; null: after the one before. */
  readonly x: number | null;
  readonly y: number | null;
  readonly dx: number;
  readonly dy: number;
}

/** Pixels at which letters are outlined: the outlines have a thousandth of a pixel. */
const outlined = 200;
const widest = 30_000;
/** Characters of a picture's texts that are drawn. */
const longest = 20_000;

const rulerCanvas = createCanvas(1, 1);

/** CSS names that stand for a kind of family. */
const generic =
  /^(?:serif|sans-serif|monospace|cursive|fantasy|system-ui|ui-[\w-]+|inherit|initial)$/i;

/** Puts paths in the place of a `text` element's letters. What it can't do is added to `omitted`. */
export class SvgTexts {
  readonly #fonts: FontBook;
  readonly #inherited: Inherited;
  readonly #omitted: Set<string>;
  #left = longest;

  constructor(fonts: FontBook, inherited: Inherited, omitted: Set<string>) {
    this.#fonts = fonts;
    this.#inherited = inherited;
    this.#omitted = omitted;
  }

  /** @returns Path data by the element whose look it has. */
  outline(text: Element): Map<Element, string> {
    const runs = this.#runsOf(text);
    const paths = new Map<Element, string>();
    let [x, y] = [0, 0];
    for (let from = 0; from < runs.length;) {
      let to = from + 1;
      while (to < runs.length && runs[to]?.x === null) to++;
      const chunk = runs.slice(from, to);
      x = chunk[0]?.x ?? x;
      const widths = chunk.map((run) => run.dx + this.#widthOf(run));
      const whole = widths.reduce((sum, width) => sum + width, 0);
      const anchor = this.#inherited(text, 'text-anchor') ?? 'start';
      const isRtl = this.#inherited(text, 'direction') === 'rtl';
      const shift = { start: 0, middle: 0.5, end: 1 }[anchor] ?? 0;
      x -= whole * (isRtl ? 1 - shift : shift);
      for (const [at, run] of chunk.entries()) {
        y = (run.y ?? y) + run.dy;
        const data = this.#dataOf(run, x + run.dx, y);
        paths.set(run.element, (paths.get(run.element) ?? '') + data);
        x += widths[at] ?? 0;
      }
      from = to;
    }
    return paths;
  }

  #runsOf(root: Element): Run[] {
    const runs: Run[] = [];
    let isAfterSpace = true;
    const visit = (element: Element, outer: Partial<Record<string, number[]>>): void => {
      const size = this.#sizeOf(element);
      const own: Partial<Record<string, number[]>> = {};
      for (const name of ['x', 'y', 'dx', 'dy']) {
        const list = element.attribs[name]?.trim().split(/[\s,]+/) ?? [];
        own[name] =
          list.length > 0 ? list.map((one) => lengthIn(one, size) ?? 0) : (outer[name] ?? []);
      }
      for (const word of ['rotate', 'writing-mode', 'word-spacing'])
        if (
          (this.#inherited(element, word) ?? 'normal') !== 'normal' &&
          this.#inherited(element, word) !== 'lr-tb'
        )
          this.#omitted.add(`'${word}' of texts`);
      const isKept =
        /^pre/.test(this.#inherited(element, 'white-space') ?? '') ||
        this.#inherited(element, 'xml:space') === 'preserve';
      for (const child of element.children) {
        if (isTag(child)) {
          if (child.name === 'textPath') this.#omitted.add('texts along a path (textPath)');
          else if (['tspan', 'a', 'tref'].includes(child.name)) visit(child, own);
          continue;
        }
        if (!isText(child)) continue;
        let text = child.data.replace(/[\t\r\n]/g, ' ');
        if (!isKept) {
          text = text.replace(/ +/g, ' ');
          if (isAfterSpace && text.startsWith(' ')) text = text.slice(1);
        }
        if (text === '') continue;
        isAfterSpace = text.endsWith(' ');
        text = cased(text, this.#inherited(element, 'text-transform')).slice(0, this.#left);
        this.#left -= text.length;
        const places = Math.max(...Object.values(own).map((list) => list?.length ?? 0));
        const letters = Array.from(text);
        while (letters.length > 0) {
          const [x = null, y = null, dx = 0, dy = 0] = ['x', 'y', 'dx', 'dy'].map((name) =>
            own[name]?.shift(),
          );
          const one = places > 1 && Object.values(own).some((list) => (list?.length ?? 0) > 0);
          const part = one ? letters.splice(0, 1) : letters.splice(0);
          runs.push({ element, text: part.join(''), x, y, dx, dy });
        }
      }
    };
    visit(root, {});
    const last = runs.at(-1);
    if (last) last.text = last.text.replace(/ $/, '');
    if (this.#left <= 0) this.#omitted.add(`texts beyond ${longest} characters`);
    return runs;
  }

  #sizeOf(element: Element): number {
    const said = this.#inherited(element, 'font-size');
    const parent = element.parent && isTag(element.parent) ? element.parent : null;
    if (said === undefined || !parent) return lengthIn(said ?? '16', 16) ?? 16;
    // An inherited one was resolved where it was said; relative ones refer to the parent.
    const isRelative = /(?:em|%)$/.test(said);
    if (!isRelative) return lengthIn(said, 16) ?? 16;
    const own = this.#inherited(parent, 'font-size');
    if (own === said && element.attribs['font-size'] === undefined) return this.#sizeOf(parent);
    return lengthIn(said, own === said ? 16 : this.#sizeOf(parent)) ?? 16;
  }

  /** The canvas's font at the size of outlines. */
  #cssOf(element: Element): string {
    const weights: Readonly<Record<string, number>> = {
      normal: 400,
      bold: 700,
      lighter: 300,
      bolder: 700,
    };
    const weight = this.#inherited(element, 'font-weight') ?? '400';
    const slant = this.#inherited(element, 'font-style') ?? 'normal';
    const names = (this.#inherited(element, 'font-family') ?? '')
      .split(',')
      .map((name) => name.trim().replace(/^(['"])(.*)\1$/, '$2'))
      .filter((name) => name !== '');
    const named = names.filter((name) => !generic.test(name));
    const known = named.find((name) => this.#fonts.has(name));
    const family = known ?? standInFor(names[0] ?? '');
    if (known === undefined && named[0] !== undefined && this.#omitted.size < 100)
      this.#omitted.add(
        `the font family '${named[0].slice(0, 60)}', for which '${family}' stands in`,
      );
    return this.#fonts.css({
      family,
      weight: Math.min(900, Math.max(100, weights[weight] ?? (Number(weight) || 400))),
      style: /italic|oblique/.test(slant) ? 'italic' : 'normal',
      size: outlined,
    });
  }

  #spacingOf({ element }: Run, size: number): number {
    return lengthIn(this.#inherited(element, 'letter-spacing') ?? '0', size) ?? 0;
  }

  #naturalWidth(run: Run): number {
    const size = this.#sizeOf(run.element);
    const context = rulerCanvas.getContext('2d');
    context.font = this.#cssOf(run.element);
    const letters = Array.from(run.text).length;
    return (
      (context.measureText(run.text).width * size) / outlined + this.#spacingOf(run, size) * letters
    );
  }

  /** With `textLength`, what that says. */
  #widthOf(run: Run): number {
    const natural = this.#naturalWidth(run);
    const { textLength } = run.element.attribs;
    const isWhole = run.element.children.length === 1;
    if (textLength !== undefined && !isWhole) this.#omitted.add(`'textLength' of texts in pieces`);
    const asked = isWhole ? lengthIn(textLength ?? '', this.#sizeOf(run.element)) : null;
    return asked !== null && asked > 0 ? asked : natural;
  }

  #dataOf(run: Run, x: number, y: number): string {
    const { element, text } = run;
    const size = this.#sizeOf(element);
    if (!(size > 0)) return '';
    const scale = size / outlined;
    const [natural, width] = [this.#naturalWidth(run), this.#widthOf(run)];
    const isStretched = element.attribs['lengthAdjust'] === 'spacingAndGlyphs';
    const letters = Array.from(text).length;
    const extra = isStretched ? 0 : (width - natural) / Math.max(1, letters - 1);
    const stretch = isStretched && natural > 0 ? width / natural : 1;
    const font = this.#cssOf(element);
    const context = rulerCanvas.getContext('2d');
    context.font = font;
    const { fontBoundingBoxAscent: ascent, fontBoundingBoxDescent: descent } =
      context.measureText('x');
    const xHeight = context.measureText('x').actualBoundingBoxAscent;
    const line =
      this.#inherited(element, 'alignment-baseline') ??
      this.#inherited(element, 'dominant-baseline') ??
      '';
    const raise =
      {
        middle: xHeight / 2,
        central: (ascent - descent) / 2,
        hanging: ascent * 0.8,
        mathematical: ascent / 2,
        'text-before-edge': ascent,
        'before-edge': ascent,
        'text-top': ascent,
        'text-after-edge': -descent,
        'after-edge': -descent,
        'text-bottom': -descent,
        ideographic: -descent,
      }[line] ?? 0;
    const shift = element.attribs['baseline-shift'] ?? '';
    const lift = { sub: -0.2, super: 0.33 }[shift];
    const up = lift === undefined ? (lengthIn(shift, size) ?? 0) : lift * size;
    const data = canvasSurface
      .lettersAsPaths(text, {
        font,
        letterSpacing: (this.#spacingOf(run, size) + extra) / scale,
        direction: this.#inherited(element, 'direction') === 'rtl' ? 'rtl' : 'ltr',
        width: widest,
        height: 4 * outlined,
        baseline: 2 * outlined,
      })
      .join('');
    const path = new Path2D(data);
    const decoration = this.#inherited(element, 'text-decoration') ?? '';
    const bar = (top: number): void => {
      path.rect(0, 2 * outlined + top * outlined, width / scale / stretch, outlined / 18);
    };
    if (/underline/.test(decoration)) bar(0.1);
    if (/line-through/.test(decoration)) bar(-0.28);
    if (/overline/.test(decoration)) bar(-0.8);
    const placed = path.transform({
      ...{ a: scale * stretch, b: 0, c: 0, d: scale },
      ...{ e: x, f: y - 2 * size + raise * scale - up },
    });
    return placed.toSVGString();
  }
}

function cased(text: string, transform = 'none'): string {
  if (transform === 'uppercase') return text.toUpperCase();
  if (transform === 'lowercase') return text.toLowerCase();
  if (transform !== 'capitalize') return text;
  return text.replace(
    /(^|\s)(\S)/g,
    (_, space: string, letter: string) => space + letter.toUpperCase(),
  );
}
