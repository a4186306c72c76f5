/**
 * Changes to lists of elements, for modifications.ts: new content, `elements.add`, `elements.delete`, copies of scenes. And
 * what all changes to one document share: its tree, its index, the count of its elements. Pure.
 */
import {
  copyNode,
  countNodes,
  deepestNode,
  heightOf,
  isNode,
  nodesOf,
  readNode,
  removeNodes,
  setOwn,
  type Node,
} from './element-tree.ts';
import { documentLimits } from './limits.ts';
import { expectation, type Expectation } from './rules.ts';
import { isJsonObject, type Json, type JsonObject, type Problem, type Source } from './source.ts';

/** Elements by name and by id. */
export interface Index {
  readonly nodes: ReadonlyMap<string, readonly Node[]>;
  /** Length of the longest name, so that endless keys aren't cut at every dot. */
  readonly longest: number;
}

/** The work on one document. */
export interface Work {
  readonly root: Node;
  readonly problems: Problem[];
  /** Elements so far; copies stop at the limit, because copies of copies would grow without end. */
  elements: number;
  /** Elements by name and id; null after the tree has changed. */
  index: Index | null;
  /** Changes that belong to one copied scene, put in after all others. */
  readonly afterwards: { readonly scene: Node; readonly changes: JsonObject }[];
}

/** Opens a document for changes. */
export function startWork(source: Source): Work {
  const root = readNode(source, 0);
  return { root, problems: [], elements: countNodes(root) - 1, index: null, afterwards: [] };
}

/** The elements below `scope`. The whole document's index is kept until the tree changes. */
export function indexOf(work: Work, scope: Node): Index {
  if (scope === work.root && work.index !== null) return work.index;
  const nodes = new Map<string, Node[]>();
  let longest = 0;
  const enter = (key: Json | undefined, node: Node): void => {
    if (typeof key !== 'string' || key === '') return;
    const found = nodes.get(key);
    if (found === undefined) nodes.set(key, [node]);
    else found.push(node);
    longest = Math.max(longest, key.length);
  };
  const visit = (node: Node): void => {
    // The hot loop of large documents: no list of its own for each node.
    for (const child of node.children ?? []) {
      if (!isNode(child)) continue;
      enter(child.fields.name, child);
      if (child.fields.id !== child.fields.name) enter(child.fields.id, child);
      visit(child);
    }
  };
  visit(scope);
  const index = { nodes, longest };
  if (scope === work.root) work.index = index;
  return index;
}

/** New content for a composition or the document. */
export function replaceElements(work: Work, node: Node, value: Json): boolean {
  work.elements -= countNodes(node) - 1;
  if (Array.isArray(value)) {
    // The old content stays in place until the copies are made, because it usually holds the scenes.
    node.children = makeChildren(work, node, value);
  } else {
    node.children = null;
    setOwn(node.fields, 'elements', value);
  }
  work.index = null;
  return true;
}

/** `elements.add`: puts a list of elements, or a single one, behind those that are there. */
export function addElements(work: Work, node: Node, value: Json): boolean {
  if (Array.isArray(value) || isJsonObject(value)) {
    const items: readonly Json[] = Array.isArray(value) ? value : [value];
    node.children = [...(node.children ?? []), ...makeChildren(work, node, items)];
    work.index = null;
  } else {
    const found = expectation({ kind: 'elements' }, value);
    if (found !== null) fail(work, node, found);
  }
  return true;
}

/**
 * `elements.delete`, an extension: takes out the elements with these names or ids, at any depth below the document or
 * the composition. Several elements of one name all go. Each name that matches nothing gets a warning of its own.
 */
export function deleteElements(work: Work, node: Node, value: Json): boolean {
  const names: readonly Json[] = Array.isArray(value) ? value : [value];
  if (!names.every((name) => typeof name === 'string')) {
    fail(work, node, { code: 'wrong_type', message: 'Expected a list of names' });
    return true;
  }
  const found = new Set<string>();
  const before = countNodes(node);
  removeNodes(node, new Set(names), found);
  work.elements -= before - countNodes(node);
  work.index = null;
  for (const name of new Set(names)) {
    if (found.has(name)) continue;
    work.problems.push(
      unmatchedProblem(`Modification 'elements.delete' matched no element '${name}'`),
    );
  }
  return true;
}

/** Elements from the modifications; items with `copy` are scenes that exist already. */
function makeChildren(work: Work, target: Node, items: readonly Json[]): (Node | Json)[] {
  const known = items.some(isCopy) ? indexOf(work, work.root).nodes : new Map<string, Node[]>();
  return items.flatMap((item): readonly (Node | Json)[] => {
    if (!isJsonObject(item)) return [item];
    // Asked before reading, so that a full document costs nothing more.
    if (!isCopy(item) && !hasRoom(work, target, 1)) return [];
    if (isCopy(item)) return copyScene(work, target, known, item);
    const node = readNode(item, target.depth + 1);
    work.elements += countNodes(node) - 1;
    return [node];
  });
}

function isCopy(item: Json): item is JsonObject & { readonly copy: string } {
  return isJsonObject(item) && typeof item.copy === 'string';
}

/** The copy of a scene, or nothing with an error. */
function copyScene(
  work: Work,
  target: Node,
  known: ReadonlyMap<string, readonly Node[]>,
  item: JsonObject & { readonly copy: string },
): readonly Node[] {
  const scene = known.get(item.copy)?.[0];
  if (scene === undefined) {
    fail(work, target, {
      code: 'unknown_scene',
      message: `There is no element '${item.copy}' to copy`,
    });
    return [];
  }
  if (contains(scene, target)) {
    fail(work, target, {
      code: 'copy_into_itself',
      message: `'${item.copy}' can't be copied into itself`,
    });
    return [];
  }
  if (target.depth + heightOf(scene) > deepestNode) {
    const message = `Copying '${item.copy}' here nests more than ${deepestNode} levels`;
    fail(work, target, { code: 'limit_exceeded', message });
    return [];
  }
  if (!hasRoom(work, target, countNodes(scene))) return [];
  const copy = copyNode(scene, target.depth + 1);
  work.afterwards.push({ scene: copy, changes: item });
  return [copy];
}

function contains(outer: Node, inner: Node): boolean {
  return outer === inner || nodesOf(outer).some((child) => contains(child, inner));
}

/** Counts new elements; false, with one error, when there would be too many. */
function hasRoom(work: Work, target: Node, count: number): boolean {
  if (work.elements + count <= documentLimits.elements) {
    work.elements += count;
    return true;
  }
  const code = 'limit_exceeded';
  if (!work.problems.some((problem) => problem.code === code)) {
    const message = `Expected at most ${documentLimits.elements.toLocaleString('en-US')} elements`;
    fail(work, target, { code, message });
  }
  return false;
}

function fail(work: Work, { fields }: Node, { code, message }: Expectation): void {
  const element = typeof fields.name === 'string' ? fields.name : '';
  work.problems.push({ path: '', element, property: 'elements', severity: 'error', code, message });
}

/** The warning for a key, or a name in an operator, that changed nothing. */
export function unmatchedProblem(message: string): Problem {
  const code = 'unmatched_modification';
  return { path: '', element: '', property: '', severity: 'warning', code, message };
}
