/**
 * The letters of a Lottie animation as outlines in the file itself, from the fonts that text elements have. The drawing
 * library would take any font of this computer, and none that was registered with it. Phase 1, in the worker.
 */
import { createCanvas } from '@napi-rs/canvas';
import { lottieLimits } from '../../../../shared/limits.ts';
import { parsePath } from '../../../../shared/renderscript/path.ts';
import { canvasSurface } from '../../canvas-surface.ts';
import { standInFor } from '../fonts/font-kinds.ts';
import type { FontBook } from '../fonts/fonts.ts';
import { parseNode } from './lottie-archive.ts';
import type { DrawableLottie } from './lottie-picture.ts';
import {
  isNode,
  nodesIn,
  refuseMore,
  textsIn,
  type LottieNode,
  type LottieText,
} from './lottie-tree.ts';

/** The size of the outlines, in pixels, and the canvas on which they are set. */
const outlined = 100;
const widest = 30_000;
/** Signs for private use stand for what is set as one. */
const firstSign = 0xe000;

const ruler = createCanvas(1, 1).getContext('2d');

/** Words of a style that say how thick letters are. */
const weights: readonly (readonly [RegExp, number])[] = [
  [/thin|hairline/i, 100],
  [/(?:extra|ultra)[ -]?light/i, 200],
  [/light/i, 300],
  [/medium/i, 500],
  [/(?:semi|demi)[ -]?bold/i, 600],
  [/(?:extra|ultra)[ -]?bold/i, 800],
  [/black|heavy/i, 900],
  [/bold/i, 700],
];

/** Makes the fonts for what an animation writes. */
type OpenFonts = (texts: string) => Promise<FontBook>;

/**
 * An animation with its letters in it. @param text From `plainLottie`.
 *
 * @returns Also sentences about its fonts.
 * @throws RenderError `limit_exceeded` with the reason alone
 */
export async function drawableLottie(
  text: string,
  openFonts: OpenFonts,
): Promise<DrawableLottie & { readonly warnings: readonly string[] }> {
  const root = parseNode(text) ?? {};
  // Counted beforehand: fonts and outlines are what takes long.
  const pieces = textsIn(root).flatMap((text) => {
    const { f, tr } = text.document;
    return ['', ...partsOf(text)].map((part) => `${String(f)} ${String(tr)} ${part}`);
  });
  refuseMore('different pieces of text', new Set(pieces).size, lottieLimits.pieces);
  const fonts = await openFonts(lettersIn(root));
  const replaced = outlineLetters(root, fonts);
  const lacking = fonts.warnings.filter(({ code }) => code === 'missing_characters');
  const warnings = [...replaced, ...lacking.map(({ message }) => message)];
  return { lottie: JSON.stringify(root), warnings };
}

/** Everything that an animation writes. */
const lettersIn = (root: LottieNode): string =>
  textsIn(root)
    .map(({ document }) => shownText(document))
    .join('\n');

const shownText = ({ t, ca }: LottieText['document']): string => (ca === 1 ? t.toUpperCase() : t);

/**
 * Puts outlines in, and signs that stand for them into the texts.
 *
 * @returns A sentence for each family that another one stands in for.
 */
function outlineLetters(root: LottieNode, fonts: FontBook): string[] {
  const list = isNode(root['fonts']) ? nodesIn(root['fonts']['list']) : [];
  const byName = new Map(list.map((font) => [font['fName'], font]));
  const warnings = new Set<string>();
  const signs = new Map<string, string>();
  const chars: LottieNode[] = [];
  const used: LottieNode[] = [];
  for (const text of textsIn(root)) {
    const { document } = text;
    const font = byName.get(document['f']) ?? {};
    const name = wordOf(font['fFamily']) || wordOf(document['f']);
    const family = fonts.has(name) ? name : standInFor(name);
    if (family !== name)
      warnings.add(`The animation's font family '${name}' is not there; ${family} is used instead`);
    const style = `${wordOf(font['fStyle'])} ${wordOf(font['fName'])}`;
    const css = fonts.css({
      family,
      weight: weights.find(([words]) => words.test(style))?.[1] ?? 400,
      style: /italic|oblique/i.test(style) ? 'italic' : 'normal',
      size: outlined,
    });
    const tracking = typeof document['tr'] === 'number' ? document['tr'] / 1000 : 0;
    // Each look is a font of its own: what it has to write is all that is in it.
    const key = `${css} ${tracking}`;
    const setting = { font: css, letterSpacing: tracking * outlined };
    const put = (part: string, sign: string): string => {
      chars.push({
        ch: sign,
        fFamily: key,
        style: 'Regular',
        size: outlined,
        ...glyph(part, setting),
      });
      return sign;
    };
    if (!used.some(({ fName }) => fName === key)) {
      used.push({ ...font, fName: key, fFamily: key, fStyle: 'Regular', fPath: '', origin: 0 });
      put(' ', ' ');
    }
    const signFor = (part: string): string => {
      const known = signs.get(`${key} ${part}`);
      if (known !== undefined) return known;
      const sign = put(part, String.fromCharCode(firstSign + signs.size));
      signs.set(`${key} ${part}`, sign);
      return sign;
    };
    Object.assign(document, {
      t: partsOf(text)
        .map((part) => (/^[ \r]+$/.test(part) ? part : signFor(part)))
        .join(''),
    });
    Object.assign(document, { f: key, tr: 0, ca: 0 });
  }
  root['fonts'] = { list: used };
  root['chars'] = chars;
  return [...warnings];
}

const wordOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Writings whose letters join, lean on each other or run from the right: never drawn letter by letter. */
const joined =
  /[\u0590-\u08ff\u0900-\u0dff\u0e00-\u0fff\u1000-\u109f\u1780-\u18af\ufb1d-\ufdff\ufe70-\ufeff]/;

/** What is set as one: lines, so that letters join and lean on each other; words where lines are broken in a box. */
function partsOf({ layer, document }: LottieText): string[] {
  const text = shownText(document).replaceAll('\u0003', '\n').replace(/\r?\n/g, '\r');
  const { a: animators } = isNode(layer['t']) ? layer['t'] : {};
  if (nodesIn(animators).length > 0 && !joined.test(text))
    return Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
  return text
    .split(Array.isArray(document['sz']) ? /([ \r]+)/ : /(\r+)/)
    .filter((part) => part !== '');
}

function glyph(
  part: string,
  setting: { readonly font: string; readonly letterSpacing: number },
): LottieNode {
  const [baseline, height] = [2 * outlined, 4 * outlined];
  const direction = /\p{Script=Arabic}|\p{Script=Hebrew}/u.test(part) ? 'rtl' : 'ltr';
  ruler.font = setting.font;
  ruler.letterSpacing = `${setting.letterSpacing}px`;
  const w = ruler.measureText(part).width;
  const size = { ...{ width: widest, height, baseline }, direction } as const;
  const data = canvasSurface.lettersAsPaths(part, { ...setting, ...size }).join('');
  return { w, data: { shapes: [{ ty: 'gr', it: outlinesIn(data, baseline) }] } };
}

/** The closed lines of a path; curves have their handles beside each point, relative to it. */
function outlinesIn(data: string, baseline: number): LottieNode[] {
  const outlines: { v: number[][]; i: number[][]; o: number[][] }[] = [];
  let [x, y] = [0, 0];
  for (const command of parsePath(data) ?? []) {
    if (command[0] === 'Z') continue;
    const [toX = 0, toY = 0] = command.slice(-2) as number[];
    if (command[0] === 'M') outlines.push({ v: [[toX, toY - baseline]], i: [[0, 0]], o: [[0, 0]] });
    const outline = outlines.at(-1);
    if (command[0] !== 'M' && outline) {
      const [out, into] = handles(command, [x, y], [toX, toY]);
      outline.o[outline.o.length - 1] = out;
      outline.v.push([toX, toY - baseline]);
      outline.i.push(into);
      outline.o.push([0, 0]);
    }
    [x, y] = [toX, toY];
  }
  return outlines.map((k) => ({ ty: 'sh', ks: { a: 0, k: { ...k, c: true } } }));
}

type Point = readonly [x: number, y: number];

function handles(
  command: Exclude<NonNullable<ReturnType<typeof parsePath>>[number], readonly ['Z']>,
  [x, y]: Point,
  [toX, toY]: Point,
): [out: number[], into: number[]] {
  if (command[0] === 'C') {
    const [, ax, ay, bx, by] = command;
    return [
      [ax - x, ay - y],
      [bx - toX, by - toY],
    ];
  }
  if (command[0] !== 'Q')
    return [
      [0, 0],
      [0, 0],
    ];
  // A curve with one handle has those of two at two thirds of the way.
  const [, ax, ay] = command;
  const part = (from: number, to: number): number => ((to - from) * 2) / 3;
  return [
    [part(x, ax), part(y, ay)],
    [part(toX, ax), part(toY, ay)],
  ];
}
