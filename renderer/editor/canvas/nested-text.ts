/** The text of elements that move into a composition or out of one: each stays as its author wrote it. Pure. */
import { findNodeAtLocation } from 'jsonc-parser';
import type { Json, JsonObject } from '../../../shared/renderscript/source.ts';
import type { TextChange } from '../../engine/text-change.ts';
import {
  applied,
  appliedInOrder,
  insertItem,
  parsePath,
  printPath,
  treeOf,
  withoutItems,
  type Node,
} from '../source/json-text.ts';

/** The spaces at the beginning of the line that a place is in, and whether nothing else is before it. */
function lineAt(text: string, at: number): { readonly indent: string; readonly isFirst: boolean } {
  const from = text.lastIndexOf('\n', at - 1) + 1;
  const before = text.slice(from, at);
  const indent = /^\s*/.exec(before)?.[0] ?? '';
  return { indent, isFirst: from > 0 && indent === before };
}

/** A node's text with its further lines indented like those of another line. */
function reindented(text: string, node: Node, indent: string): string {
  const own = lineAt(text, node.offset).indent;
  return text
    .slice(node.offset, node.offset + node.length)
    .split('\n')
    .map((line, index) =>
      index > 0 && line.startsWith(own) ? indent + line.slice(own.length) : line,
    )
    .join('\n');
}

const itemsOf = (text: string, list: string): readonly Node[] => {
  const tree = treeOf(text);
  return (tree && findNodeAtLocation(tree, [...parsePath(list)]))?.children ?? [];
};

/**
 * Puts items of a list into a new composition, which takes the place of one of them.
 *
 * @param indexes of the items, in order.
 * @param at the one of them whose place the composition takes.
 * @param own its properties beside its elements.
 */
export function wrappedText(
  text: string,
  list: string,
  indexes: readonly number[],
  at: number,
  own: JsonObject,
): string {
  const items = itemsOf(text, list);
  const anchor = items[at];
  if (!anchor) return text;
  const { indent, isFirst } = lineAt(text, anchor.offset);
  const inner = isFirst ? `${indent}    ` : indent;
  const inside = indexes.flatMap((index) => {
    const item = items[index];
    return item ? [reindented(text, item, inner)] : [];
  });
  const lines = Object.entries(own).map(
    ([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`,
  );
  const elements = isFirst
    ? `"elements": [\n${inside.map((one) => inner + one).join(',\n')}\n${indent}  ]`
    : `"elements": [${inside.join(', ')}]`;
  const insert = isFirst
    ? `{\n${[...lines, elements].map((line) => `${indent}  ${line}`).join(',\n')}\n${indent}}`
    : `{ ${[...lines, elements].join(', ')} }`;
  const gone = new Set(indexes.filter((index) => index !== at));
  return appliedInOrder(text, [
    ...withoutItems(items, gone),
    { from: anchor.offset, to: anchor.offset + anchor.length, insert },
  ]);
}

/** Puts the elements of a composition in its place. */
export function unwrappedText(text: string, list: string, index: number): string {
  const item = itemsOf(text, list)[index];
  if (!item) return text;
  const { indent, isFirst } = lineAt(text, item.offset);
  const children = itemsOf(text, `${list}[${index}].elements`);
  const between = isFirst ? `,\n${indent}` : ', ';
  const insert = children.map((child) => reindented(text, child, indent)).join(between);
  return appliedInOrder(text, [{ from: item.offset, to: item.offset + item.length, insert }]);
}

/**
 * Moves an element to the end of another list, which does not lie in it.
 *
 * @returns the new text, and the element's path there
 */
export function movedText(
  text: string,
  { path, element, list }: { readonly path: string; readonly element: Json; readonly list: string },
): { readonly text: string; readonly path: string } {
  const own = parsePath(path);
  const index = Number(own.at(-1));
  const from = own.slice(0, -1);
  const items = itemsOf(text, list);
  const last = items.at(-1);
  const moved = itemsOf(text, printPath(from))[index];
  const made = applied(
    text,
    last && moved ? behind(text, last, moved) : insertItem(text, parsePath(list), element),
  );
  const without = appliedInOrder(
    made,
    withoutItems(itemsOf(made, printPath(from)), new Set([index])),
  );
  // Those behind it in its old list move up, with all that is in them.
  const to = [...parsePath(list), items.length];
  const passing = to[from.length];
  const isBehind =
    from.every((key, place) => key === to[place]) && typeof passing === 'number' && passing > index;
  return { text: without, path: printPath(isBehind ? to.with(from.length, passing - 1) : to) };
}

/** The edits that put a copy of an item behind the last one of a list, on its line or on one of its own. */
function behind(text: string, last: Node, moved: Node): readonly TextChange[] {
  const { indent, isFirst } = lineAt(text, last.offset);
  const end = last.offset + last.length;
  const between = isFirst ? `,\n${indent}` : ', ';
  return [{ from: end, to: end, insert: between + reindented(text, moved, indent) }];
}
