/**
 * The source as text: places in it by path and back, and the smallest edits that change a value. Pure. What a person
 * typed elsewhere (order of keys, spaces) stays as it is.
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
import type { TextChange } from '../../engine/text-change.ts';

export { stepsOf as parsePath } from '../../../shared/renderscript/fixes.ts';
export type { Node };

const style = { tabSize: 2, insertSpaces: true, eol: '\n' };

/** The tree of a text, as far as it can be read; null for an empty one. */
export function treeOf(text: string): Node | null {
  return parseTree(text, [], { allowTrailingComma: true }) ?? null;
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
  const found = value === undefined ? null : putValue(treeOf(text), path, value);
  return found ?? modify(text, [...path], value, styleAt(text)).map(changeOf);
}

/** The edits that replace an existing plain value; null where that is not enough. */
export function putValue(tree: Node | null, path: JsonPath, value: Json): TextChange[] | null {
  const node = tree && findNodeAtLocation(tree, [...path]);
  if (!node || typeof value === 'object' || node.type === 'object' || node.type === 'array')
    return null;
  return [{ from: node.offset, to: node.offset + node.length, insert: JSON.stringify(value) }];
}

/**
 * The edit that adds a property behind the last one of an object, with the spaces that its author writes. Null where
 * there is no such object, or nothing in it.
 */
export function insertProperty(
  text: string,
  tree: Node,
  path: JsonPath,
  value: Json,
): TextChange | null {
  const name = path.at(-1);
  const object = path.length > 1 ? findNodeAtLocation(tree, path.slice(0, -1)) : tree;
  const last = object?.type === 'object' ? object.children?.at(-1) : undefined;
  const [key, held] = last?.children ?? [];
  if (typeof name !== 'string' || !object || !last || !key || !held) return null;
  const before = object.children?.at(-2);
  const from = before ? before.offset + before.length : object.offset + 1;
  const between = text.slice(from, last.offset);
  const gap = before ? between.slice(between.indexOf(',') + 1) : between;
  const colon = text.slice(key.offset + key.length, held.offset);
  const at = last.offset + last.length;
  const insert = `,${gap}${JSON.stringify(name)}${colon}${JSON.stringify(value)}`;
  return { from: at, to: at, insert };
}

/** The text without some properties, of different objects; those that are missing are passed over. */
export function withoutProperties(text: string, paths: readonly JsonPath[]): string {
  const tree = treeOf(text);
  const changes = paths.flatMap((path): TextChange[] => {
    const node = tree && findNodeAtLocation(tree, [...path])?.parent;
    const siblings = node?.parent?.children ?? [];
    if (node?.type !== 'property') return [];
    const index = siblings.indexOf(node);
    const [before, next] = [siblings[index - 1], siblings[index + 1]];
    const end = node.offset + node.length;
    if (before) return [{ from: before.offset + before.length, to: end, insert: '' }];
    return [{ from: node.offset, to: next?.offset ?? end, insert: '' }];
  });
  return appliedInOrder(text, changes);
}

/** Moves a tree along with one edit inside a plain value: what lies behind it, and the ends of what is around it. */
export function followEdit(tree: Node, { from, to, insert }: TextChange): void {
  const by = insert.length - (to - from);
  const visit = (node: { -readonly [Key in keyof Node]: Node[Key] }): void => {
    if (node.offset + node.length < from) return;
    if (node.offset > from) node.offset += by;
    else if (node.offset + node.length >= to) node.length += by;
    if (node.colonOffset !== undefined && node.colonOffset > from) node.colonOffset += by;
    node.children?.forEach(visit);
  };
  if (by !== 0) visit(tree);
}

/** Longer lines are not reformatted around a change: the time for it grows with the square of their length. */
const longestLine = 20_000;

/** How changes are formatted. Documents on one line stay on it. */
function styleAt(text: string): { formattingOptions?: typeof style } {
  for (let from = 0; from < text.length;) {
    const found = text.indexOf('\n', from);
    const end = found < 0 ? text.length : found;
    if (end - from > longestLine) return {};
    from = end + 1;
  }
  return { formattingOptions: style };
}

/** The edits that put a value into a list, at its end by default. */
export function insertItem(text: string, list: JsonPath, value: Json, index = -1): TextChange[] {
  const tree = treeOf(text);
  if (!tree || !findNodeAtLocation(tree, [...list])) return setValue(text, list, [value]);
  return modify(text, [...list, index], value, {
    isArrayInsertion: true,
    ...styleAt(text),
  }).map(changeOf);
}

/** The edits that put several values at the end of a list: one reading of the text, however many there are. */
export function appendItems(text: string, list: JsonPath, values: readonly Json[]): TextChange[] {
  const tree = treeOf(text);
  const node = tree ? findNodeAtLocation(tree, [...list]) : undefined;
  const last = node?.type === 'array' ? node.children?.at(-1) : undefined;
  if (!last || values.length === 0)
    return values.length === 0 ? [] : setValue(text, list, [...values]);
  const from = text.lastIndexOf('\n', last.offset - 1) + 1;
  const before = text.slice(from, last.offset);
  const indent = /^\s*/.exec(before)?.[0] ?? '';
  const isLined = from > 0 && indent === before;
  const insert = values
    .map((value) =>
      isLined
        ? `,\n${indent}${JSON.stringify(value, null, style.tabSize).replaceAll('\n', `\n${indent}`)}`
        : `, ${JSON.stringify(value)}`,
    )
    .join('');
  const at = last.offset + last.length;
  return [{ from: at, to: at, insert }];
}

/** The edits that take items out of lists; those inside another one go with it. One reading of the text. */
export function removeItems(text: string, paths: readonly JsonPath[]): TextChange[] {
  const tree = treeOf(text);
  const byList = new Map<Node, Set<number>>();
  for (const path of paths) {
    const node = tree ? findNodeAtLocation(tree, [...path]) : undefined;
    const index = path.at(-1);
    if (node?.parent?.type !== 'array' || typeof index !== 'number') continue;
    const known = byList.get(node.parent);
    if (known) known.add(index);
    else byList.set(node.parent, new Set([index]));
  }
  const changes = [...byList].flatMap(([list, gone]) => withoutItems(list.children ?? [], gone));
  const outer: TextChange[] = [];
  for (const change of changes.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    if (change.to > (outer.at(-1)?.to ?? -1)) outer.push(change);
  }
  return outer;
}

/** The changes that take items out of one list; the rest stays as it is. */
export function withoutItems(items: readonly Node[], gone: ReadonlySet<number>): TextChange[] {
  const changes: TextChange[] = [];
  for (let from = 0; from < items.length; from++) {
    if (!gone.has(from)) continue;
    let to = from;
    while (gone.has(to + 1)) to++;
    const [before, first, last, next] = [items[from - 1], items[from], items[to], items[to + 1]];
    if (first && last) {
      const start = before ? before.offset + before.length : first.offset;
      const end = before || !next ? last.offset + last.length : next.offset;
      changes.push({ from: start, to: end, insert: '' });
    }
    from = to;
  }
  return changes;
}

/** The edits that swap two items of a list. */
export function swapItems(text: string, list: JsonPath, a: number, b: number): TextChange[] {
  return arrangeItems(text, list, [a, b], [b, a]);
}

/** The edits that move an item of a list to another index; those between move up or down by one. */
export function moveItem(text: string, list: JsonPath, from: number, to: number): TextChange[] {
  const first = Math.min(from, to);
  const places = Array.from({ length: Math.abs(to - from) + 1 }, (_, index) => first + index);
  const items = places.filter((index) => index !== from);
  items.splice(to - first, 0, from);
  return arrangeItems(text, list, places, items);
}

/**
 * The edits that put items of a list at places among themselves: at each of `places` the one that stood at that of
 * `items`.
 */
export function arrangeItems(
  text: string,
  list: JsonPath,
  places: readonly number[],
  items: readonly number[],
): TextChange[] {
  const tree = treeOf(text);
  const nodes = (tree && findNodeAtLocation(tree, [...list]))?.children ?? [];
  const changes = places.flatMap((place, at): TextChange[] => {
    const [old, item] = [nodes[place], nodes[items[at] ?? -1]];
    if (!old || !item || old === item) return [];
    const insert = text.slice(item.offset, item.offset + item.length);
    return [{ from: old.offset, to: old.offset + old.length, insert }];
  });
  return changes.sort((one, other) => one.from - other.from);
}

/** The edits that change the name of a property. */
export function renameKey(tree: Node | null, path: JsonPath, name: string): TextChange[] {
  const key = tree && findNodeAtLocation(tree, [...path])?.parent?.children?.[0];
  if (!key) return [];
  return [{ from: key.offset, to: key.offset + key.length, insert: JSON.stringify(name) }];
}

export function formatEdits(text: string): TextChange[] {
  return format(text, undefined, style).map(changeOf);
}

/** The text after changes, whose places are those of the text before. */
export function applied(text: string, changes: readonly TextChange[]): string {
  return [...changes]
    .sort((a, b) => b.from - a.from)
    .reduce((made, { from, to, insert }) => made.slice(0, from) + insert + made.slice(to), text);
}

/** The text after changes that do not overlap; of insertions at one place the first one comes first. */
export function appliedInOrder(text: string, changes: readonly TextChange[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { from, to, insert } of changes.toSorted((a, b) => a.from - b.from)) {
    parts.push(text.slice(at, from), insert);
    at = to;
  }
  return parts.join('') + text.slice(at);
}

function changeOf({ offset, length, content }: Edit): TextChange {
  return { from: offset, to: offset + length, insert: content };
}
