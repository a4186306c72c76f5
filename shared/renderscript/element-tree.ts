/**
 * A document's elements as a writable tree, for modifications.ts. Every element object is a shallow copy; the values of
 * its properties are shared with the original document. Pure.
 */
import { sizeOf, spendCharacters, spendSteps, textSize, type Budget } from './budget.ts';
import { fillTextProperty, fillVariables, isScalar, type Scalar } from './placeholders.ts';
import { sameName } from './same-name.ts';
import { isJsonObject, type Json, type JsonObject } from './source.ts';

/** A writable shallow copy of an object of the document. */
export type Writable = Record<string, Json | undefined>;

/** A writable element with its children. */
export interface Node {
  readonly fields: Writable;
  /** Lists of elements around it; 0 for the document. */
  readonly depth: number;
  /** Null if `elements` is not a list. Items that aren't objects stay as they are. */
  children: (Node | Json)[] | null;
  /** Values for `{{name}}` in this element alone. */
  readonly placeholders: Map<string, Scalar>;
  /** Whether it was removed from the document. */
  gone: boolean;
}

/** Deeper compositions are kept but not changed; validation refuses them anyway. */
export const deepestNode = 64;

/** A tree of an object's elements; `depth` is the number of element lists around it. */
export function readNode(object: JsonObject, depth: number, budget: Budget): Node {
  const fields: Writable = { ...object };
  spendSteps(budget, 1 + Object.keys(fields).length);
  const { elements } = object;
  const children: (Node | Json)[] | null =
    Array.isArray(elements) && depth < deepestNode ? [] : null;
  if (children !== null) {
    for (const child of elements as readonly Json[]) {
      children.push(isJsonObject(child) ? readNode(child, depth + 1, budget) : child);
    }
  }
  return { fields, depth, children, placeholders: new Map(), gone: false };
}

/** The elements among the children, which may include any other JSON. */
export function nodesOf(node: Node): readonly Node[] {
  return node.children?.filter((child): child is Node => isNode(child)) ?? [];
}

/** Plain JSON contains no Map, so this tells the two apart. */
export function isNode(child: Node | Json): child is Node {
  return (
    typeof child === 'object' &&
    child !== null &&
    'placeholders' in child &&
    child.placeholders instanceof Map
  );
}

/** A copy that can be changed on its own, placed at `depth`. */
export function copyNode(node: Node, depth: number): Node {
  return {
    fields: { ...node.fields },
    depth,
    children:
      node.children?.map((child) => (isNode(child) ? copyNode(child, depth + 1) : child)) ?? null,
    placeholders: new Map(node.placeholders),
    gone: false,
  };
}

/** Facts about a node and all in it. */
export interface NodeFacts {
  readonly elements: number;
  /** Levels of elements. */
  readonly height: number;
  /** Elements and their properties: what a copy costs. */
  readonly steps: number;
}

/** Counts a node and all in it. */
export function factsOf(node: Node, budget: Budget): NodeFacts {
  const own = 1 + Object.keys(node.fields).length + node.placeholders.size;
  spendSteps(budget, own);
  let [elements, height, steps] = [1, 1, own];
  for (const child of node.children ?? []) {
    if (!isNode(child)) continue;
    const inside = factsOf(child, budget);
    elements += inside.elements;
    height = Math.max(height, 1 + inside.height);
    steps += inside.steps;
  }
  return { elements, height, steps };
}

/** Removes the elements below a node with one of these names or ids; adds the matches to `found`. */
export function removeNodes(
  node: Node,
  names: ReadonlySet<string>,
  found: Set<string>,
  budget: Budget,
): void {
  if (node.children === null) return;
  spendSteps(budget, node.children.length);
  node.children = node.children.filter((child) => {
    if (!isNode(child)) return true;
    const hits = [child.fields.name, child.fields.id].flatMap((name) =>
      typeof name === 'string' && names.has(sameName(name)) ? [sameName(name)] : [],
    );
    for (const name of hits) found.add(name);
    if (hits.length === 0) removeNodes(child, names, found, budget);
    else markGone(child, budget);
    return hits.length === 0;
  });
}

/** Marks a node and all in it as removed. */
export function markGone(node: Node, budget: Budget): void {
  spendSteps(budget, 1);
  node.gone = true;
  for (const child of node.children ?? []) if (isNode(child)) markGone(child, budget);
}

/** Elements in a node, itself included. */
export function countNodes(node: Node): number {
  return nodesOf(node).reduce((sum, child) => sum + countNodes(child), 1);
}

/**
 * Turns a tree back into JSON, with placeholders and variables filled.
 *
 * @throws BudgetSpent if it would have more characters than are left
 */
export function writeDocument(root: Node, budget: Budget): JsonObject {
  const { variables } = root.fields;
  const declared = new Map<string, Scalar>();
  if (isJsonObject(variables)) {
    for (const [name, value] of Object.entries(variables)) {
      if (isScalar(value)) declared.set(sameName(name), value);
    }
  }
  // Elements share values: each is measured once, and counted wherever it appears.
  const sizes = new Map<Json, number>();
  const measured = (value: Json | undefined): number => {
    if (typeof value !== 'object' || value === null) return sizeOf(value, Infinity);
    const known = sizes.get(value);
    if (known !== undefined) return known;
    const size = sizeOf(value, budget.characters);
    sizes.set(value, size);
    return size;
  };
  return writeNode(root, { declared, budget, measured }, [declared]);
}

interface Writing {
  readonly declared: ReadonlyMap<string, Scalar>;
  readonly budget: Budget;
  /** Characters of a value. */
  readonly measured: (value: Json | undefined) => number;
}

/** `around` holds the placeholder values of the surrounding compositions, inner first. */
function writeNode(
  node: Node,
  writing: Writing,
  around: readonly ReadonlyMap<string, Scalar>[],
): JsonObject {
  const { declared, budget, measured } = writing;
  const scopes = node.placeholders.size === 0 ? around : [node.placeholders, ...around];
  // Called once per filled place, so it also counts the filled text.
  const valueOf = (name: string): Scalar | undefined => {
    spendSteps(budget, scopes.length);
    for (const scope of scopes) {
      const value = scope.get(name);
      if (value === undefined) continue;
      spendCharacters(budget, typeof value === 'string' ? textSize(value) : 8);
      return value;
    }
    return undefined;
  };
  const { fields, children } = node;
  const isText = fields.type === 'text';
  for (const [key, value] of Object.entries(fields)) {
    const isList = children !== null && key === 'elements';
    spendCharacters(budget, key.length + 4 + (isList ? children.length + 2 : measured(value)));
    if (value === undefined || isList) continue;
    if (isText && key === 'text') fields.text = fillTextProperty(value, valueOf);
    else if (declared.size > 0 && !(node.depth === 0 && key === 'variables')) {
      const variable = (name: string): Scalar | undefined =>
        declared.has(name) ? valueOf(name) : undefined;
      setOwn(fields, key, fillVariables(value, variable));
    }
  }
  if (children !== null) {
    fields.elements = children.map((child) => {
      if (isNode(child)) return writeNode(child, writing, scopes);
      spendCharacters(budget, measured(child));
      return child;
    });
  }
  return fields;
}

/** How many list items or object keys count as one step to copy. */
const copiedInStep = 50;

/** The value with one place inside replaced; undefined if there is no such place. Does not recurse. */
export function replaceInside(
  whole: Json | undefined,
  steps: readonly string[],
  value: Json,
  budget: Budget,
): Json | undefined {
  const parents: (Json | undefined)[] = [];
  let place = whole;
  for (const step of steps) {
    parents.push(place);
    if (Array.isArray(place)) {
      const list: readonly Json[] = place;
      if (!/^\d+$/.test(step) || Number(step) >= list.length) return undefined;
      place = list[Number(step)];
    } else if (isJsonObject(place)) {
      // The last step may be new, e.g. the easing of a keyframe that has none.
      if (!Object.hasOwn(place, step) && parents.length < steps.length) return undefined;
      place = Object.hasOwn(place, step) ? place[step] : undefined;
    } else {
      return undefined;
    }
  }
  let result: Json = value;
  for (let depth = steps.length - 1; depth >= 0; depth -= 1) {
    const parent = parents[depth];
    const step = steps[depth] ?? '';
    if (Array.isArray(parent)) {
      spendSteps(budget, 1 + parent.length / copiedInStep);
      result = (parent as readonly Json[]).with(Number(step), result);
    } else {
      const copy: Writable = { ...(parent as JsonObject) };
      spendSteps(budget, 1 + Object.keys(copy).length);
      setOwn(copy, step, result);
      result = copy;
    }
  }
  return result;
}

/** Plain assignment would take `__proto__` for the object's prototype. */
export function setOwn(object: Writable, key: string, value: Json): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  } else {
    object[key] = value;
  }
}
