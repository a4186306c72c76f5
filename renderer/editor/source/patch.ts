/**
 * A document whose values change many times a second: the slow work is done once, and each change only joins texts.
 * Pure.
 */
import { findNodeAtLocation } from 'jsonc-parser';
import type { Json } from '../../../shared/renderscript/source.ts';
import type { TextChange } from '../../engine/text-change.ts';
import {
  applied,
  appliedInOrder,
  insertProperty,
  parsePath,
  setValue,
  treeOf,
  type Node,
} from './json-text.ts';

/** New values by path, e.g. `elements[0].x`. */
export type Patch = Readonly<Record<string, Json>>;

interface Slot {
  readonly path: string;
  readonly from: number;
  readonly to: number;
}

/** Texts with other values at some places. */
export class PatchedText {
  readonly #original: string;
  readonly #tree: Node | null | undefined;
  /** By the paths that get values, joined. */
  readonly #prepared = new Map<string, Prepared>();

  /** @param tree That of the text, if it is known already: reading a long one takes longer than a frame. */
  constructor(original: string, tree?: Node | null) {
    this.#original = original;
    this.#tree = tree;
  }

  /** The document with values. Missing ones are inserted as its layout has them. */
  with(patch: Patch): string {
    const paths = Object.keys(patch);
    const key = paths.join('\n');
    const prepared =
      this.#prepared.get(key) ??
      prepare(this.#original, paths, this.#tree ?? treeOf(this.#original));
    this.#prepared.set(key, prepared);
    const { base, slots } = prepared;
    let text = '';
    let at = 0;
    for (const { path, from, to } of slots) {
      text += base.slice(at, from) + JSON.stringify(patch[path]);
      at = to;
    }
    return text + base.slice(at);
  }
}

interface Prepared {
  /** With a value at each place. */
  readonly base: string;
  /** In the order of the text. */
  readonly slots: readonly Slot[];
}

function prepare(original: string, paths: readonly string[], known: Node | null): Prepared {
  const first = withInserted(original, paths, known);
  let { base, tree } = first;
  // Into what is empty or missing itself; there are few of these.
  for (const path of first.left) {
    if (tree && findNodeAtLocation(tree, parsePath(path))) continue;
    base = applied(base, setValue(base, parsePath(path), 0));
    tree = treeOf(base);
  }
  const slots = paths.flatMap((path): Slot[] => {
    const node: Node | null | undefined = tree && findNodeAtLocation(tree, parsePath(path));
    return node ? [{ path, from: node.offset, to: node.offset + node.length }] : [];
  });
  return { base, slots: slots.sort((a, b) => a.from - b.from) };
}

/**
 * The text with all the missing properties that objects with others can get; `left` are the paths that it still lacks.
 */
function withInserted(
  original: string,
  paths: readonly string[],
  tree: Node | null,
): { readonly base: string; readonly tree: Node | null; readonly left: readonly string[] } {
  const left: string[] = [];
  const inserted = paths.flatMap((path): TextChange[] => {
    const parts = parsePath(path);
    if (!tree || findNodeAtLocation(tree, parts)) return [];
    const change = insertProperty(original, tree, parts, 0);
    if (!change) left.push(path);
    return change ? [change] : [];
  });
  if (inserted.length === 0) return { base: original, tree, left };
  const base = appliedInOrder(original, inserted);
  return { base, tree: treeOf(base), left };
}
