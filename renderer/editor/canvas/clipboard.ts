/**
 * Elements as JSON on the clipboard, and what else a clipboard may hold for the picture: keyframes, an address of a
 * file, or words. Pure. The JSON is a document with nothing but elements, so a source pane can take it, too.
 */
import { keyframesOf } from '../../../shared/renderscript/keyframes.ts';
import {
  type ElementType,
  elementTypes,
  isJsonObject,
  type Json,
  type JsonObject,
  type MediaKind,
  mediaKinds,
  type Source,
} from '../../../shared/renderscript/source.ts';
import { parseAmount } from '../../../shared/renderscript/units.ts';
import { looseName, familiesIn } from '../../../shared/renderscript/same-name.ts';
import { appendItems, applied, parsePath, setValue } from '../source/json-text.ts';
import { elementAt } from '../outline/elements.ts';
import { keysIn, type CopiedKeys } from '../timeline/key-copies.ts';
import { tidySeconds } from '../timeline/seconds.ts';
import { copyOf, timedElement, type Copied, type StartOf } from './copies.ts';
import { pixelsIn, respelled, shifted, type Size } from './length.ts';
import type { Bounds, Point } from './plane.ts';

/** What a clipboard's text means on the picture. */
export type Pasted =
  | {
      readonly kind: 'elements';
      readonly elements: readonly JsonObject[];
      /** Those that their document brings along for them; absent: none. */
      readonly fonts?: readonly JsonObject[];
    }
  | { readonly kind: 'keyframes'; readonly keys: CopiedKeys }
  | { readonly kind: 'file'; readonly type: MediaKind; readonly source: string }
  | { readonly kind: 'words'; readonly text: string };

/**
 * Elements as the text of a clipboard, with the document's own fonts that they use. Those of a lane say when they
 * begin, because elsewhere others are before them.
 */
export function clipboardText(source: Source, paths: readonly string[], startOf: StartOf): string {
  const elements = paths.flatMap((path) => {
    const element = elementAt(source, path);
    return element ? [timedElement(element, path, startOf)] : [];
  });
  const used = familiesIn(JSON.stringify(elements));
  const fonts = fontsIn(source).filter(({ family }) => used.has(nameOf(family)));
  return JSON.stringify({ ...(fonts.length > 0 && { fonts }), elements }, null, 2);
}

const endings: Readonly<Record<MediaKind, RegExp>> = {
  image: /\.(?:jpe?g|png|gif|webp|avif|svg)$/i,
  video: /\.(?:mp4|m4v|mov|webm|mkv)$/i,
  audio: /\.(?:mp3|m4a|aac|wav|ogg|opus|flac)$/i,
  lottie: /\.lottie$/i,
};

/** What a text means; null for one that is empty. */
export function readClipboard(text: string): Pasted | null {
  const words = text.trim();
  if (words === '') return null;
  const value = jsonIn(words);
  const keys = keysIn(value);
  if (keys) return { kind: 'keyframes', keys };
  const { elements, fonts } = elementsIn(value);
  if (elements.length > 0)
    return { kind: 'elements', elements, ...(fonts.length > 0 && { fonts }) };
  const source = fileAddress(words);
  const type = source && mediaKinds.find((one) => endings[one].test(source.path));
  return source && type ? { kind: 'file', type, source: words } : { kind: 'words', text: words };
}

/** The list or object that a text is as JSON; undefined for any other text. */
function jsonIn(text: string): unknown {
  if (!/^[{[]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The elements of JSON: of a document, of a list, or a single one; none of anything else. */
function elementsIn(value: unknown): {
  readonly elements: readonly JsonObject[];
  readonly fonts: readonly JsonObject[];
} {
  const inside = isJsonObject(value) && !isElement(value) ? value.elements : undefined;
  const list: readonly unknown[] = Array.isArray(value)
    ? value
    : Array.isArray(inside)
      ? inside
      : [value];
  return {
    elements: list.flatMap((one) => (isElement(one) ? [one] : [])),
    fonts: inside !== undefined && isJsonObject(value) ? fontsIn(value) : [],
  };
}

/** The fonts that a document brings along, as far as they are whole. */
function fontsIn({ fonts }: JsonObject): readonly JsonObject[] {
  const list: readonly unknown[] = Array.isArray(fonts) ? fonts : [];
  return list.flatMap((font) =>
    isJsonObject(font) && typeof font.family === 'string' && typeof font.source === 'string'
      ? [font]
      : [],
  );
}

const nameOf = (family: Json | undefined): string =>
  typeof family === 'string' ? looseName(family) : '';

/** The document with fonts that it lacks; those of a family, weight and style that it has stay its own. */
export function withFonts(text: string, source: Source, fonts: readonly JsonObject[]): string {
  const keyOf = ({ family, weight, style }: JsonObject): string =>
    // A weight is a number, or a text.
    JSON.stringify([
      nameOf(family),
      JSON.stringify(weight ?? 400).replaceAll('"', ''),
      style ?? 'normal',
    ]);
  const known = new Set(fontsIn(source).map(keyOf));
  const missing = fonts.filter((font) => !known.has(keyOf(font)));
  if (missing.length === 0) return text;
  const list = Array.isArray(source.fonts) && source.fonts.length > 0;
  return applied(
    text,
    list ? appendItems(text, ['fonts'], missing) : setValue(text, ['fonts'], [...missing]),
  );
}

/** Whatever is no element is passed over. */
function isElement(value: unknown): value is JsonObject & { readonly type: ElementType } {
  return isJsonObject(value) && elementTypes.some((type) => type === value.type);
}

function fileAddress(text: string): { readonly path: string } | null {
  if (/\s/.test(text) || !URL.canParse(text)) return null;
  const { protocol, pathname } = new URL(text);
  return protocol === 'https:' || protocol === 'http:' ? { path: pathname } : null;
}

export interface PasteSpot {
  /** The list they go into, e.g. `elements`. */
  readonly list: string;
  /** Names that are taken. */
  readonly names: readonly string[];
  /** Pixels of the room that the list's elements are placed in, and of the document. */
  readonly room: Size;
  readonly document: Size;
  /** Where their middle comes to lie, in pixels of the room; null: where they were, beside what lies exactly there. */
  readonly at: Point | null;
  /** The moment shown, in seconds of the list's clock: what is not visible then begins then. */
  readonly now: number;
}

/** The document with pasted elements, on lanes of their own above all others, and their paths. */
export function withPasted(
  text: string,
  source: Source,
  elements: readonly JsonObject[],
  spot: PasteSpot,
): Copied {
  const { list } = spot;
  const parent =
    list === 'elements' ? source : elementAt(source, list.slice(0, -'.elements'.length));
  const siblings = Array.isArray(parent?.elements) ? (parent.elements as readonly Json[]) : [];
  const way = spot.at ? wayTo(spot.at, elements, spot) : stepBeside(elements, siblings, spot);
  const names = new Set(spot.names);
  const timed = elementsAt(elements, spot.now);
  const made = timed.map((element) => copyOf(placedBy(element, way, spot), names));
  return {
    text: applied(text, appendItems(text, parsePath(list), made)),
    paths: made.map((_, index) => `${list}[${siblings.length + index}]`),
  };
}

/** Beside what lies exactly there already: so many percent of the document's smaller side. */
const step = 2;

function stepBeside(
  elements: readonly JsonObject[],
  siblings: readonly Json[],
  spot: PasteSpot,
): Point {
  const { width, height } = spot.document;
  const by = Math.max(1, Math.round((Math.min(width, height) * step) / 100));
  const placeOf = ({ type, x, y }: JsonObject): string => JSON.stringify([type, x, y]);
  const taken = new Set(siblings.filter(isElement).map(placeOf));
  let way = { x: 0, y: 0 };
  const isTaken = (): boolean =>
    elements.some(
      (element) => element.type !== 'audio' && taken.has(placeOf(placedBy(element, way, spot))),
    );
  // What can't be moved stays where it is.
  const most = taken.size + 1;
  for (let count = 1; count <= most && isTaken(); count++) way = { x: by * count, y: by * count };
  return way;
}

/** Moves an element by pixels of its room; what its composition places stays in its flow. */
function placedBy(element: JsonObject, way: Point, { room, document }: PasteSpot): JsonObject {
  if (element.type === 'audio' || (way.x === 0 && way.y === 0)) return element;
  const moved: Record<string, Json> = {};
  for (const [name, side] of [
    ['x', 'width'],
    ['y', 'height'],
  ] as const) {
    const before = element[name];
    if (before === null || before === 'auto' || way[name] === 0) continue;
    const value = shifted(before, way[name], { whole: room[side], document }, '50%');
    if (value !== undefined) moved[name] = value;
  }
  return { ...element, ...moved };
}

/** The way that brings the middle of elements to a place. */
function wayTo(at: Point, elements: readonly JsonObject[], spot: PasteSpot): Point {
  const all = elements.flatMap((element) => boundsAt(element, spot) ?? []);
  if (all.length === 0) return { x: 0, y: 0 };
  const middle = (start: 'left' | 'top', end: 'right' | 'bottom'): number =>
    (Math.min(...all.map((one) => one[start])) + Math.max(...all.map((one) => one[end]))) / 2;
  return {
    x: Math.round(at.x - middle('left', 'right')),
    y: Math.round(at.y - middle('top', 'bottom')),
  };
}

/**
 * Where an element lies by its own numbers, the first of keyframes; sides that the language decides on count nothing.
 */
function boundsAt(element: JsonObject, { room, document }: PasteSpot): Bounds | null {
  if (element.type === 'audio') return null;
  const first = (value: Json | undefined): Json | undefined =>
    keyframesOf(value)?.[0]?.value ?? value;
  const along = (position: 'x' | 'y', side: 'width' | 'height'): readonly [number, number] => {
    const context = { whole: room[side], document };
    const isFitted = element.type === 'text' || element.type === 'shape';
    const written = first(element[side]);
    const length = pixelsIn(written === undefined && !isFitted ? '100%' : written, context) ?? 0;
    const share = pixelsIn(first(element[`${position}_anchor`]) ?? '50%', {
      whole: length,
      document,
    });
    const start =
      (pixelsIn(first(element[position]) ?? '50%', context) ?? 0) - (share ?? length / 2);
    return [start, start + length];
  };
  const [left, right] = along('x', 'width');
  const [top, bottom] = along('y', 'height');
  return { left, right, top, bottom };
}

/**
 * Elements that are visible at a moment; where none of them is, the first begins then, and the others follow as they
 * did.
 */
function elementsAt(elements: readonly JsonObject[], now: number): readonly JsonObject[] {
  const spans = elements.map(spanOf);
  const known = spans.flatMap((span) => span ?? []);
  if (known.length !== elements.length || known.length === 0) return elements;
  const first = Math.min(...known.map(({ start }) => start));
  const last = Math.max(...known.map(({ end }) => end));
  if (now >= first && now < last) return elements;
  const by = now - first;
  return elements.map((element, index) => {
    const start = tidySeconds((spans[index]?.start ?? 0) + by);
    const { time } = element;
    if (start === 0 && (time === undefined || time === null)) return element;
    return { ...element, time: respelled(time, start, parseAmount(time)?.unit ?? '', 3) };
  });
}

/** Start and end in seconds, as far as the element says them itself; null for what depends on something else. */
function spanOf({ time, duration }: JsonObject): { start: number; end: number } | null {
  const start = time === undefined || time === null ? 0 : secondsIn(time);
  if (start === null) return null;
  return { start, end: start + (secondsIn(duration) ?? Infinity) };
}

function secondsIn(value: Json | undefined): number | null {
  const amount = parseAmount(value);
  return amount && (amount.unit === '' || amount.unit === 's') ? amount.value : null;
}
