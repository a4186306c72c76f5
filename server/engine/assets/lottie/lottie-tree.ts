/** The JSON of a Lottie animation as a tree that is changed in place: its layers and values. Pure. */
import { RenderError } from '../../../../shared/engine/errors.ts';
import { lottieLimits } from '../../../../shared/limits.ts';

/** An object of the file, unchecked. */
export type LottieNode = Record<string, unknown>;

/** True for objects that are no lists. */
export function isNode(value: unknown): value is LottieNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The objects in a list; none if it is something else. */
export function nodesIn(list: unknown): LottieNode[] {
  return Array.isArray(list) ? list.filter(isNode) : [];
}

/** All layers of the file, those of compositions inside of it included. */
export function layersIn(root: LottieNode): LottieNode[] {
  return [root, ...nodesIn(root['assets'])].flatMap(({ layers }) => nodesIn(layers));
}

/** A text of a layer at one of its keyframes. */
export interface LottieText {
  readonly layer: LottieNode;
  /** `t`: the words, `f`: the font's name, `s`: its size … */
  readonly document: LottieNode & { t: string };
}

/** The texts of all text layers. */
export function textsIn(root: LottieNode): LottieText[] {
  return layersIn(root).flatMap((layer) => {
    const { t: text } = layer;
    const keyframes = isNode(text) && isNode(text['d']) ? nodesIn(text['d']['k']) : [];
    return keyframes.flatMap(({ s: document }) =>
      isNode(document) && typeof document['t'] === 'string'
        ? [{ layer, document: document as LottieText['document'] }]
        : [],
    );
  });
}

/** @throws RenderError `limit_exceeded` with the reason alone */
export function refuseMore(what: string, found: number, most: number): void {
  if (found <= most) return;
  const [has, limit] = [found, most].map((count) => count.toLocaleString('en-US'));
  const message = `The Lottie animation has ${has} ${what}; the limit is ${limit}`;
  throw new RenderError('limit_exceeded', message);
}

/**
 * Every object of the file. Without recursion: it may be nested deeper than the stack.
 *
 * @throws RenderError `limit_exceeded` with the reason alone
 */
export function* allNodes(root: LottieNode): Generator<LottieNode> {
  const waiting: (readonly [object, number])[] = [[root, 0]];
  let count = 1;
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [value, depth] = next;
    refuseMore('levels of nesting', depth, lottieLimits.nesting);
    const inner: unknown[] = Array.isArray(value) ? value : Object.values(value);
    if (isNode(value)) {
      refuseMore('properties in one object', inner.length, lottieLimits.properties);
      yield value;
    }
    for (const one of inner)
      if (typeof one === 'object' && one !== null) {
        refuseMore('objects and lists', ++count, lottieLimits.objects);
        waiting.push([one, depth + 1]);
      }
  }
}

/** Changes the value of a property, or of each of its keyframes. */
export function mapValue(
  property: unknown,
  change: (numbers: readonly number[]) => number[],
): void {
  if (!isNode(property)) return;
  const mapped = (value: unknown): unknown => {
    if (typeof value === 'number') return change([value])[0];
    const isNumbers = Array.isArray(value) && value.every((one) => typeof one === 'number');
    return isNumbers ? change(value) : value;
  };
  property['k'] = mapped(property['k']);
  for (const keyframe of nodesIn(property['k']))
    for (const end of ['s', 'e']) if (end in keyframe) keyframe[end] = mapped(keyframe[end]);
}
