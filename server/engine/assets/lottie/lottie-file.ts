/**
 * A Lottie file made plain: within bounds that keep drawing it finite, without what would lead out of it, with the
 * texts and colours of its element. Phase 1, in the worker and its examining thread.
 */
import { RenderError } from '../../../../shared/engine/errors.ts';
import type { LottieParts } from '../../../../shared/engine/media-info.ts';
import { lottieLimits } from '../../../../shared/limits.ts';
import type { LottieEdits } from '../../../../shared/renderscript/lottie-address.ts';
import { sniffFormat } from '../examine/sniff.ts';
import { readPictureHeader } from '../pictures/picture-header.ts';
import { parseNode, unpackLottie, type UnpackedLottie } from './lottie-archive.ts';
import { partsIn, putColors, putTexts } from './lottie-edits.ts';
import {
  allNodes,
  isNode,
  layersIn,
  mapValue,
  nodesIn,
  refuseMore,
  textsIn,
  type LottieNode,
} from './lottie-tree.ts';

/** An animation that can be drawn. */
export interface PlainLottie {
  /** Its JSON. */
  readonly text: string;
  readonly width: number;
  readonly height: number;
  readonly frameRate: number;
  /** Seconds. */
  readonly duration: number;
  /** What elements can change in it, as it was before. */
  readonly parts: LottieParts;
  /** What is drawn otherwise than its author meant; sentences without a full stop. */
  readonly warnings: readonly string[];
}

const none: LottieEdits = { texts: {}, colors: {} };

/**
 * Reads a Lottie file, JSON or .lottie.
 *
 * @throws RenderError `media_unreadable`, `limit_exceeded` with the reason alone
 */
export function plainLottie(bytes: Buffer, { texts, colors }: LottieEdits = none): PlainLottie {
  const unpacked = unpackLottie(bytes);
  const root = parseNode(unpacked.text);
  if (!root || !Array.isArray(root['layers']))
    throw new RenderError('media_unreadable', 'The file is no Lottie animation: it has no layers');
  const size = sizeOf(root);
  const dropped = new Set<string>();
  fillSlots(root);
  boundNumbers(root, dropped);
  boundLayers(root);
  keepInside(root, unpacked, dropped);
  const parts = partsIn(root);
  const warnings = [...putTexts(root, texts), ...putColors(root, colors)];
  const letters = textsIn(root).reduce((sum, { document }) => sum + document.t.length, 0);
  refuseMore('letters', letters, lottieLimits.letters);
  if (dropped.size > 0)
    warnings.unshift(`Parts of the animation are left out: ${[...dropped].join('; ')}`);
  if (unpacked.animations > 1)
    warnings.push(`The file holds ${unpacked.animations} animations; ${unpacked.name} is drawn`);
  return { text: JSON.stringify(root), ...size, parts, warnings };
}

function sizeOf(root: LottieNode): Omit<PlainLottie, 'text' | 'parts' | 'warnings'> {
  const [width, height, frameRate, from, to] = ['w', 'h', 'fr', 'ip', 'op'].map((name) => {
    const value = root[name];
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    const message = `The Lottie animation has no number for '${name}'`;
    throw new RenderError('media_unreadable', message);
  }) as [number, number, number, number, number];
  if (width < 1 || height < 1 || frameRate <= 0 || to <= from)
    throw new RenderError('media_unreadable', 'The Lottie animation has no size or no length');
  refuseMore('pixels on a side', Math.max(width, height), lottieLimits.side);
  refuseMore('frames a second', frameRate, lottieLimits.frameRate);
  const duration = (to - from) / frameRate;
  refuseMore('seconds', duration, lottieLimits.duration);
  return { width, height, frameRate, duration };
}

/** Puts values that properties only name into them, for all that looks at properties. */
function fillSlots(root: LottieNode): void {
  const slots = isNode(root['slots']) ? root['slots'] : {};
  let letters = 0;
  for (const node of allNodes(root)) {
    const slot = typeof node['sid'] === 'string' ? slots[node['sid']] : undefined;
    if (!isNode(slot) || !isNode(slot['p'])) continue;
    // Each has its own, since colours are changed in place; and slots may be large.
    const text = JSON.stringify(slot['p']);
    refuseMore('letters in its slots', (letters += text.length), lottieLimits.slots);
    Object.assign(node, parseNode(text));
    delete node['sid'];
  }
  delete root['slots'];
}

/**
 * No number is larger than anything that is drawn, since dashes and trims of a huge outline take for ever; points and
 * copies have a limit, eases stay near their ends, and formulas, which the drawing library doesn't know, are named.
 */
function boundNumbers(root: LottieNode, dropped: Set<string>): void {
  const atMost = (most: number) => (numbers: readonly number[]) =>
    numbers.map((value) => Math.min(value, most));
  for (const node of allNodes(root)) {
    boundNode(node, lottieLimits.value, Object.keys(node));
    // Handles of an ease; an opacity is called `o`, too.
    for (const handle of [node['i'], node['o']])
      if (isNode(handle)) boundNode(handle, lottieLimits.ease, ['x', 'y']);
    if (typeof node['x'] === 'string') {
      dropped.add('formulas (expressions)');
      delete node['x'];
    }
    if (node['ty'] === 'sr') mapValue(node['pt'], atMost(lottieLimits.points));
    if (node['ty'] === 'zz') mapValue(node['r'], atMost(lottieLimits.points));
    if (node['ty'] === 'rp') mapValue(node['c'], atMost(lottieLimits.copies));
  }
}

function boundNode(node: LottieNode, most: number, names: readonly string[]): void {
  const bounded = (value: unknown): unknown => {
    if (typeof value !== 'number') return value;
    return Number.isFinite(value) ? Math.min(most, Math.max(-most, value)) : 0;
  };
  for (const name of names) {
    const value = node[name];
    if (value !== undefined)
      node[name] = Array.isArray(value) ? value.map(bounded) : bounded(value);
  }
}

/** What is drawn for an owner of layers. */
interface Drawn {
  /** Layers, masks and effects. */
  readonly count: number;
  readonly shapes: number;
  /** Compositions within each other. */
  readonly depth: number;
}

/** Shapes of a list with their points and copies, which multiply. */
function countShapes(list: unknown): number {
  let count = 0;
  for (const shape of nodesIn(list)) {
    if (shape['ty'] === 'gr') count += countShapes(shape['it']);
    else if (shape['ty'] === 'rp') count *= largest(shape['c']);
    else count += shape['ty'] === 'sr' ? largest(shape['pt']) : 1;
  }
  return count;
}

function largest(property: unknown): number {
  let most = 1;
  mapValue(property, (numbers) => {
    for (const one of numbers) most = Math.max(most, one);
    return [...numbers];
  });
  return most;
}

/** Counts layers as they are drawn: a composition counts wherever it is shown, and must not show itself. */
function boundLayers(root: LottieNode): void {
  const compositions = new Map(nodesIn(root['assets']).map((asset) => [asset['id'], asset]));
  const known = new Map<LottieNode, Drawn>();
  const open = new Set<LottieNode>();
  const measure = (owner: LottieNode): Drawn => {
    const before = known.get(owner);
    if (before) return before;
    if (open.has(owner))
      throw new RenderError(
        'media_unreadable',
        'A composition of the Lottie animation shows itself',
      );
    open.add(owner);
    refuseMore('levels of compositions', open.size, lottieLimits.depth);
    let [count, shapes, depth] = [0, 0, 0];
    for (const layer of nodesIn(owner['layers'])) {
      const shown = layer['ty'] === 0 ? compositions.get(layer['refId']) : undefined;
      const inner = shown ? measure(shown) : { count: 0, shapes: 0, depth: 0 };
      const parts = ['ef', 'masksProperties'].map((name) => nodesIn(layer[name]).length);
      count += 1 + inner.count + parts.reduce((sum, part) => sum + part, 0);
      shapes += inner.shapes + countShapes(layer['shapes']);
      depth = Math.max(depth, inner.depth);
    }
    open.delete(owner);
    const found = { count, shapes, depth: depth + 1 };
    known.set(owner, found);
    return found;
  };
  const { count, shapes, depth } = measure(root);
  refuseMore('shapes, points and copies', shapes, lottieLimits.shapes);
  refuseMore('levels of compositions', depth, lottieLimits.depth);
  refuseMore(
    'layers, masks and effects',
    Math.max(count, layersIn(root).length),
    lottieLimits.layers,
  );
}

/** Pictures come out of the file itself; nothing is ever fetched or opened for it. */
function keepInside(root: LottieNode, { pictures }: UnpackedLottie, dropped: Set<string>): void {
  let megapixels = 0;
  root['assets'] = nodesIn(root['assets']).flatMap((asset) => {
    if (!('p' in asset)) return [asset];
    const bytes = pictureIn(asset['p'], pictures);
    const format = bytes && sniffFormat(bytes);
    const header =
      bytes && format?.kind === 'picture' ? readPictureHeader(format.name, bytes) : null;
    if (!bytes || !format || !header || format.name === 'svg') {
      dropped.add('pictures and sounds that are not in the file itself');
      return [];
    }
    megapixels += (header.width * header.height) / 1e6;
    refuseMore('megapixels in its pictures', Math.ceil(megapixels), lottieLimits.megapixels);
    const p = `data:image/${format.name};base64,${bytes.toString('base64')}`;
    return [{ ...asset, u: '', p, e: 1 }];
  });
  // Letters come from the fonts of the program: lottie-letters.ts.
  delete root['chars'];
}

function pictureIn(address: unknown, pictures: UnpackedLottie['pictures']): Buffer | null {
  if (typeof address !== 'string') return null;
  const [, data] = /^data:image\/[\w.+-]+;base64,(.*)$/s.exec(address) ?? [];
  return data === undefined ? (pictures.get(address) ?? null) : Buffer.from(data, 'base64');
}
