/**
 * Changes to lists of elements, for modifications.ts: new content, `elements.add`, `elements.delete`, copies of scenes.
 * Also the state that all changes to one document share: its tree, its index, the count of its elements. Pure.
 */
import { spendSteps, type Bounds, type Budget } from './budget.ts';
import {
  copyNode,
  countNodes,
  deepestNode,
  factsOf,
  isNode,
  markGone,
  nodesOf,
  readNode,
  removeNodes,
  setOwn,
  type Node,
  type NodeFacts,
} from './element-tree.ts';
import { documentLimits } from './limits.ts';
import { foundInList } from './found-value.ts';
import { placeholderNames } from './placeholders.ts';
import { expectation, withFound, type Expectation } from './rules.ts';
import { sameName } from './same-name.ts';
import { isJsonObject, type Json, type JsonObject, type Problem, type Source } from './source.ts';

/** Elements by name and by id. */
interface Index {
  readonly nodes: Map<string, Node[]>;
  /** Lengths of the names: a key is only cut at these. */
  readonly lengths: Set<number>;
}

/** The work on one document. */
export interface Work {
  readonly root: Node;
  readonly problems: Problem[];
  readonly budget: Budget;
  /** Elements so far. Copying stops at the limit, because copies of copies would grow without end. */
  elements: number;
  /** Whether the limit has been reported. */
  isFull: boolean;
  /** Elements by name and id below a node. New elements are added to the document's index; others are rebuilt. */
  readonly indexes: Map<Node, Index>;
  /** Names of the placeholders in each text, so that each is searched once. */
  readonly names: Map<Json, ReadonlySet<string>>;
  /** Changes to one copied scene, applied after all others. */
  readonly afterwards: { readonly scene: Node; readonly changes: JsonObject }[];
}

/** Opens a document for changes. @throws BudgetSpent, like all functions below */
export function startWork(source: Source, bounds: Bounds): Work {
  const budget = { ...bounds };
  const root = readNode(source, 0, budget);
  return {
    root,
    budget,
    problems: [],
    isFull: false,
    afterwards: [],
    elements: countNodes(root) - 1,
    indexes: new Map(),
    names: new Map(),
  };
}

/** The elements below `scope` with this name or id. */
export function find(work: Work, scope: Node, name: string): readonly Node[] {
  const found = indexOf(work, scope).nodes.get(sameName(name));
  if (found === undefined) return [];
  spendSteps(work.budget, found.length);
  return found.filter(({ gone }) => !gone);
}

/** Whether an element below `scope` has a name of this length. */
export function isNameLength(work: Work, scope: Node, length: number): boolean {
  return indexOf(work, scope).lengths.has(length);
}

function indexOf(work: Work, scope: Node): Index {
  const known = work.indexes.get(scope);
  if (known !== undefined) return known;
  const index: Index = { nodes: new Map(), lengths: new Set() };
  work.indexes.set(scope, index);
  for (const child of scope.children ?? []) if (isNode(child)) enter(work, index, child);
  return index;
}

function enter(work: Work, index: Index, node: Node): void {
  spendSteps(work.budget, 2);
  const { name, id } = node.fields;
  enterName(index, name, node);
  if (id !== name) enterName(index, id, node);
  for (const child of node.children ?? []) if (isNode(child)) enter(work, index, child);
}

function enterName({ nodes, lengths }: Index, key: Json | undefined, node: Node): void {
  if (typeof key !== 'string' || key === '') return;
  const name = sameName(key);
  const found = nodes.get(name);
  if (found === undefined) nodes.set(name, [node]);
  else found.push(node);
  lengths.add(name.length);
}

/** Adds new elements to the index. Removed ones stay in it and are ignored. */
function reindex(work: Work, added: readonly (Node | Json)[]): void {
  const ofRoot = work.indexes.get(work.root);
  work.indexes.clear();
  if (ofRoot === undefined) return;
  work.indexes.set(work.root, ofRoot);
  for (const node of added) if (isNode(node)) enter(work, ofRoot, node);
}

/** Records an element's new name or id; `before` is the old one. */
export function rename(work: Work, node: Node, before: Json | undefined): void {
  const ofRoot = work.indexes.get(work.root);
  work.indexes.clear();
  if (ofRoot === undefined) return;
  work.indexes.set(work.root, ofRoot);
  const { name, id } = node.fields;
  if (typeof before === 'string' && before !== name && before !== id) {
    const same = ofRoot.nodes.get(sameName(before)) ?? [];
    spendSteps(work.budget, same.length);
    ofRoot.nodes.set(
      sameName(before),
      same.filter((one) => one !== node),
    );
  }
  for (const key of new Set([name, id])) {
    const found = typeof key === 'string' ? ofRoot.nodes.get(sameName(key)) : undefined;
    spendSteps(work.budget, 1 + (found?.length ?? 0));
    if (found?.includes(node) !== true) enterName(ofRoot, key, node);
  }
}

/** Names of the placeholders in a `text`. */
export function namesIn(work: Work, text: Json | undefined): ReadonlySet<string> {
  if (text === undefined || text === null) return noNames;
  const known = work.names.get(text);
  if (known !== undefined) return known;
  const names = new Set(placeholderNames(text));
  spendSteps(work.budget, 1 + names.size);
  work.names.set(text, names);
  return names;
}

const noNames: ReadonlySet<string> = new Set();

/** The names of all placeholders in a node's texts, and of the document's variables. */
export function usedPlaceholders(
  work: Work,
  node: Node,
  names = new Set<string>(),
): ReadonlySet<string> {
  spendSteps(work.budget, 1);
  const { variables } = node.fields;
  if (node.depth === 0 && isJsonObject(variables)) {
    for (const name of Object.keys(variables)) names.add(sameName(name));
  }
  if (node.fields.type === 'text') {
    for (const name of namesIn(work, node.fields.text)) names.add(name);
  }
  for (const child of nodesOf(node)) usedPlaceholders(work, child, names);
  return names;
}

/** New content for a composition or the document. */
export function replaceElements(work: Work, node: Node, value: Json): boolean {
  const old = nodesOf(node);
  work.elements -= countNodes(node) - 1;
  if (Array.isArray(value)) {
    // The old content stays until the copies are made, because it usually contains the scenes.
    node.children = makeChildren(work, node, value);
  } else {
    node.children = null;
    setOwn(node.fields, 'elements', value);
  }
  for (const child of old) markGone(child, work.budget);
  reindex(work, node.children ?? []);
  return true;
}

/** `elements.add`: appends a list of elements or a single one. */
export function addElements(work: Work, node: Node, value: Json): boolean {
  if (Array.isArray(value) || isJsonObject(value)) {
    const items: readonly Json[] = Array.isArray(value) ? value : [value];
    const added = makeChildren(work, node, items);
    node.children ??= [];
    for (const child of added) node.children.push(child);
    reindex(work, added);
  } else {
    const found = expectation({ kind: 'elements' }, value);
    if (found !== null) fail(work, node, found);
  }
  return true;
}

/**
 * `elements.delete`, an extension: removes all elements with these names or ids, at any depth below the document or the
 * composition. Each name that matches nothing gets its own warning.
 */
export function deleteElements(work: Work, node: Node, value: Json): boolean {
  const names: readonly Json[] = Array.isArray(value) ? value : [value];
  if (!names.every((name) => typeof name === 'string')) {
    const wrong = foundInList(names, (name) => typeof name === 'string');
    fail(work, node, { code: 'wrong_type', message: withFound('Expected a list of names', wrong) });
    return true;
  }
  const found = new Set<string>();
  const before = countNodes(node);
  spendSteps(work.budget, before + names.length);
  removeNodes(node, new Set(names.map(sameName)), found, work.budget);
  work.elements -= before - countNodes(node);
  reindex(work, []);
  for (const name of new Set(names)) {
    if (found.has(sameName(name))) continue;
    work.problems.push(
      unmatchedProblem(`Modification 'elements.delete' matched no element '${shortened(name)}'`),
    );
  }
  return true;
}

/** Elements from the modifications; items with `copy` are existing scenes. */
function makeChildren(work: Work, target: Node, items: readonly Json[]): (Node | Json)[] {
  spendSteps(work.budget, items.length);
  const counted = new Map<Node, NodeFacts | null>();
  return items.flatMap((item): readonly (Node | Json)[] => {
    if (!isJsonObject(item)) return [item];
    if (isCopy(item)) return copyScene(work, target, counted, item);
    // Checked before reading, so that a full document costs nothing more.
    if (!hasRoom(work, target, 1)) return [];
    const node = readNode(item, target.depth + 1, work.budget);
    work.elements += countNodes(node) - 1;
    return [node];
  });
}

function isCopy(item: Json): item is JsonObject & { readonly copy: string } {
  return isJsonObject(item) && typeof item.copy === 'string';
}

/**
 * The copy of a scene, or nothing and an error. `counted`: scenes seen before; null for one that contains the target.
 */
function copyScene(
  work: Work,
  target: Node,
  counted: Map<Node, NodeFacts | null>,
  item: JsonObject & { readonly copy: string },
): readonly Node[] {
  const name = shortened(item.copy);
  const [scene] = find(work, work.root, item.copy);
  if (scene === undefined) {
    const message = `There is no element '${name}' to copy`;
    fail(work, target, { code: 'unknown_scene', message });
    return [];
  }
  let facts = counted.get(scene);
  if (facts === undefined) {
    const all = factsOf(scene, work.budget);
    facts = contains(scene, target) ? null : all;
    counted.set(scene, facts);
  }
  if (facts === null) {
    const message = `'${name}' can't be copied into itself`;
    fail(work, target, { code: 'copy_into_itself', message });
    return [];
  }
  if (target.depth + facts.height > deepestNode) {
    const message = `Copying '${name}' here nests more than ${deepestNode} levels`;
    fail(work, target, { code: 'limit_exceeded', message });
    return [];
  }
  if (!hasRoom(work, target, facts.elements)) return [];
  spendSteps(work.budget, facts.steps);
  const copy = copyNode(scene, target.depth + 1);
  work.afterwards.push({ scene: copy, changes: item });
  return [copy];
}

function contains(outer: Node, inner: Node): boolean {
  return outer === inner || nodesOf(outer).some((child) => contains(child, inner));
}

/** Counts new elements; false, with one error, if there would be too many. */
function hasRoom(work: Work, target: Node, count: number): boolean {
  if (work.elements + count <= documentLimits.elements) {
    work.elements += count;
    return true;
  }
  if (!work.isFull) {
    work.isFull = true;
    const message = `Expected at most ${documentLimits.elements.toLocaleString('en-US')} elements`;
    fail(work, target, { code: 'limit_exceeded', message });
  }
  return false;
}

function fail(work: Work, { fields }: Node, { code, message }: Expectation): void {
  const element = typeof fields.name === 'string' ? fields.name : '';
  work.problems.push({ path: '', element, property: 'elements', severity: 'error', code, message });
}

/** The warning for a key or an operator's name that changed nothing. */
export function unmatchedProblem(message: string): Problem {
  const code = 'unmatched_modification';
  return { path: '', element: '', property: '', severity: 'warning', code, message };
}

/** A name from the request, shortened for messages. */
export function shortened(name: string): string {
  return name.length <= 100 ? name : `${name.slice(0, 100)}…`;
}
