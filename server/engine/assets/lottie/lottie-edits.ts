/** Puts the texts and colours of an element into its animation. Phase 1; pure. */
import { parseColor } from '../../../../shared/renderscript/color.ts';
import type { LottieParts } from '../../../../shared/engine/media-info.ts';
import type { JsonObject } from '../../../../shared/renderscript/source.ts';
import { allNodes, isNode, mapValue, textsIn, type LottieNode } from './lottie-tree.ts';

/** Names that one warning lists. */
const mostNamed = 12;
/** Texts, and colours, that are listed, and letters of each text. */
const mostParts = 50;
const mostLetters = 500;

const lacking = (what: string, name: string, there: readonly string[]): string =>
  `The animation has no ${what} '${name}'; ` +
  (there.length === 0 ? 'it has none at all' : `it has ${there.slice(0, mostNamed).join(', ')}`);

/** @returns A sentence for each name that no text layer has. */
export function putTexts(root: LottieNode, texts: JsonObject): string[] {
  const found = textsIn(root);
  const names = new Set(found.map(({ layer }) => String(layer['nm'])));
  for (const { layer, document } of found) {
    const text = texts[String(layer['nm'])];
    // Lines end as in the file.
    if (typeof text === 'string' || typeof text === 'number')
      document.t = String(text).replace(/\r?\n/g, '\r');
  }
  return Object.keys(texts)
    .filter((name) => !names.has(name))
    .map((name) => lacking('text layer', name, [...names]));
}

/** What an animation lets its elements change. */
export function partsIn(root: LottieNode): LottieParts {
  const texts = new Map<string, string>();
  for (const { layer, document } of textsIn(root)) {
    const name = String(layer['nm']);
    if (texts.size < mostParts && !texts.has(name))
      texts.set(name, document.t.replace(/\r/g, '\n').slice(0, mostLetters));
  }
  const counts = new Map<string, number>();
  changeColors(root, (color) => {
    const hex = hexOf(color);
    counts.set(hex, (counts.get(hex) ?? 0) + 1);
    return color;
  });
  const colors = [...counts].sort(([, a], [, b]) => b - a).map(([hex]) => hex);
  return { texts: Object.fromEntries(texts), colors: colors.slice(0, mostParts) };
}

/** @returns A sentence for each colour that the animation does not have. */
export function putColors(root: LottieNode, colors: JsonObject): string[] {
  const wanted = new Map(
    Object.entries(colors).map(([from, to]) => [
      hexOf(sharesOf(from)),
      sharesOf(typeof to === 'string' ? to : ''),
    ]),
  );
  if (wanted.size === 0) return [];
  const names = new Set<string>();
  changeColors(root, (numbers) => {
    const hex = hexOf(numbers);
    names.add(hex);
    return [...(wanted.get(hex) ?? numbers.slice(0, 3)), ...numbers.slice(3)];
  });
  return [...wanted.keys()]
    .filter((hex) => !names.has(hex))
    .map((hex) => lacking('color', hex, [...names]));
}

type ChangeColor = (color: readonly number[]) => readonly number[];

/** Each colour of fills, strokes, gradients, texts, solids and effects, at each of its keyframes. */
function changeColors(root: LottieNode, change: ChangeColor): void {
  const changed = (color: readonly number[]): number[] => [...change(color)];
  for (const node of allNodes(root)) {
    const { ty, sc } = node;
    if (ty === 'fl' || ty === 'st') mapValue(node['c'], changed);
    // A control of an effect, such as of a fill.
    if (ty === 2 && isNode(node['v'])) mapValue(node['v'], changed);
    if (typeof sc === 'string' && parseColor(sc)) node['sc'] = hexOf(change(sharesOf(sc)));
    for (const name of ['fc', 'sc']) {
      const color = node[name];
      if (isNode(color)) mapValue(color, changed);
      else if (isColor(color)) node[name] = change(color);
    }
    if ((ty === 'gf' || ty === 'gs') && isNode(node['g'])) {
      const count = typeof node['g']['p'] === 'number' ? node['g']['p'] : 0;
      mapValue(node['g']['k'], (stops) => changeStops(stops, count, change));
    }
  }
}

/** Stops are place, red, green, blue, each after the other; those of opacity follow. */
function changeStops(stops: readonly number[], count: number, change: ChangeColor): number[] {
  const changed = [...stops];
  for (let at = 1; at + 2 < Math.min(count * 4, stops.length); at += 4)
    changed.splice(at, 3, ...change(stops.slice(at, at + 3)));
  return changed;
}

const isColor = (value: unknown): value is number[] =>
  Array.isArray(value) && value.length >= 3 && value.every((one) => typeof one === 'number');

/** Red, green and blue from 0 to 1; black for what is no colour. */
const sharesOf = (text: string): number[] =>
  (parseColor(text) ?? [0, 0, 0]).slice(0, 3).map((value) => value / 255);

const hexOf = (shares: readonly number[]): string =>
  `#${shares
    .slice(0, 3)
    .map((share) => Math.round(Math.min(1, Math.max(0, share)) * 255))
    .map((value) => value.toString(16).padStart(2, '0'))
    .join('')}`;
