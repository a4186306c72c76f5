/**
 * The source as text: places in it by path and back, and the smallest edits that change a value. Pure. What a person typed
 * elsewhere (order of keys, spaces) stays as it is.
 */
import {
  findNodeAtLocation,
  format,
  getNodePath,
  findNodeAtOffset,
  modify,
  parseTree,
  type Edit,
  type Node,
} from 'jsonc-parser';
import type { JsonPath } from '../../../shared/renderscript/completion.ts';
import type { Json } from '../../../shared/renderscript/source.ts';

export type { Node };

/** Letters from `from` to `to` become `insert`. */
export interface TextChange {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

const style = { tabSize: 2, insertSpaces: true, eol: '\n' };

/** The tree of a text, as far as it can be read; null for an empty one. */
export function treeOf(text: string): Node | null {
  return parseTree(text, [], { allowTrailingComma: true }) ?? null;
}

/** `elements[2].x[0].value` as keys and indexes. */
export function parsePath(path: string): (string | number)[] {
  return Array.from(path.matchAll(/\[(\d+)\]|[^.[\]]+/g), ([part, index]) =>
    index === undefined ? part : Number(index),
  );
}

/** Keys and indexes as `elements[2].x[0].value`. */
export function printPath(path: JsonPath): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? part : `${text}.${part}`;
  }, '');
}

/** Where a path lies in the text: the property with its key where there is one, else the nearest thing around it. */
export function rangeOf(tree: Node | null, path: JsonPath): { from: number; to: number } {
  if (!tree) return { from: 0, to: 0 };
  for (let length = path.length; length > 0; length -= 1) {
    const node = findNodeAtLocation(tree, path.slice(0, length));
    if (!node) continue;
    // A property that is missing is marked at the first line of the object that should have it.
    const isWhole = length === path.length;
    const shown = node.parent?.type === 'property' && isWhole ? node.parent : node;
    const to = isWhole && shown.type !== 'object' && shown.type !== 'array' ? shown.length : 1;
    return { from: shown.offset, to: shown.offset + to };
  }
  return { from: tree.offset, to: tree.offset + 1 };
}

/** The path of the value around a place in the text. */
export function pathAt(tree: Node | null, offset: number): JsonPath {
  const node = tree && findNodeAtOffset(tree, offset, true);
  return node ? getNodePath(node) : [];
}

/** The edits that set a value; undefined removes it. */
export function setValue(text: string, path: JsonPath, value: Json | undefined): TextChange[] {
  return modify(text, [...path], value, { formattingOptions: style }).map(changeOf);
}

/** The edits that put a value into a list, at its end by default. */
export function insertItem(text: string, list: JsonPath, value: Json, index = -1): TextChange[] {
  const tree = treeOf(text);
  if (!tree || !findNodeAtLocation(tree, [...list])) return setValue(text, list, [value]);
  return modify(text, [...list, index], value, {
    isArrayInsertion: true,
    formattingOptions: style,
  }).map(changeOf);
}

/** The edits that let two items of a list change places. */
export function swapItems(text: string, list: JsonPath, a: number, b: number): TextChange[] {
  const tree = treeOf(text);
  const [first, second] = [a, b].map((index) => tree && findNodeAtLocation(tree, [...list, index]));
  if (!first || !second) return [];
  const slice = ({ offset, length }: Node): string => text.slice(offset, offset + length);
  return [
    { from: first.offset, to: first.offset + first.length, insert: slice(second) },
    { from: second.offset, to: second.offset + second.length, insert: slice(first) },
  ].sort((one, other) => one.from - other.from);
}

/** The edits that change the name of a property. */
export function renameKey(tree: Node | null, path: JsonPath, name: string): TextChange[] {
  const key = tree && findNodeAtLocation(tree, [...path])?.parent?.children?.[0];
  if (!key) return [];
  return [{ from: key.offset, to: key.offset + key.length, insert: JSON.stringify(name) }];
}

/** The edits that lay a text out anew. */
export function formatEdits(text: string): TextChange[] {
  return format(text, undefined, style).map(changeOf);
}

function changeOf({ offset, length, content }: Edit): TextChange {
  return { from: offset, to: offset + length, insert: content };
}
