/** Elements that are soft around a shape or inside of it: a blurred copy above them, which the shape masks. Pure. */
import { findNodeAtLocation, getNodeValue } from 'jsonc-parser';
import { takeName } from '../../../shared/free-name.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../shared/renderscript/source.ts';
import { say } from '../../ui/say.ts';
import { appendItems, applied, parsePath, treeOf } from '../source/json-text.ts';
import { copyOf } from './copies.ts';
import { grouped, isMask, type Regrouped, type Seen } from './grouping.ts';

/** The masks of the blurred copy: around the shape for a background, inside of it for a face. */
const masks = { around: 'alpha-inverted', inside: 'alpha' } as const;
/** A circle of a box's size: four curves. */
const ellipse =
  'M 50 0 C 77.6 0 100 22.4 100 50 C 100 77.6 77.6 100 50 100 C 22.4 100 0 77.6 0 50 C 0 22.4 22.4 0 50 0 Z';
/** Where the blur is seen. */
export type BlurPart = keyof typeof masks;

/**
 * Puts an element into a composition with its blurred copy and an ellipse that can be moved. It stays in its place, and
 * so does the sound.
 *
 * @returns the document and the ellipse's path, or why it can't be done.
 */
export function blurredPart(seen: Seen, part: BlurPart, original: string): Regrouped {
  const made = grouped(seen, [original]);
  if ('why' in made) return made;
  const list = `${made.paths[0] ?? ''}.elements`;
  const tree = treeOf(made.text);
  const node = tree && findNodeAtLocation(tree, parsePath(`${list}[0]`));
  const element: unknown = node && getNodeValue(node);
  if (!isJsonObject(element)) return { why: 'levels', name: '' };
  // It keeps its name, so that a modification reaches both.
  const copy: JsonObject = { ...silent(copyOf(element, new Set())), blur_radius: '3 vmin' };
  const mask: JsonObject = {
    name: takeName(say('canvas.blur.shape'), new Set(seen.names)),
    type: 'shape',
    width: '50%',
    height: '50%',
    path: ellipse,
    fill_color: '#000000',
    ...(element.z_index !== undefined && { z_index: element.z_index }),
    // So that it ends gently.
    blur_radius: '2 vmin',
    mask_mode: masks[part],
  };
  const text = applied(made.text, appendItems(made.text, parsePath(list), [copy, mask]));
  return { text, paths: [`${list}[2]`] };
}

/** Without the sound of what is in it: the original has that. */
function silent(element: JsonObject): JsonObject {
  const { type, elements } = element;
  return {
    ...element,
    ...((type === 'video' || type === 'audio') && { volume: '0%' }),
    ...(Array.isArray(elements) && {
      elements: elements.map((one: Json) => (isJsonObject(one) ? silent(one) : one)),
    }),
  };
}

/** Sounds have no picture, and masks show none. */
export function canBlurPart(element: JsonObject | null): boolean {
  return element !== null && element.type !== 'audio' && !isMask(element);
}
