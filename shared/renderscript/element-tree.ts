/**
 * A document's elements as a tree that may be written to, for modifications.ts: every element object is copied shallowly,
 * everything inside its properties is shared with the document it came from. Pure.
 */
import {
  fillTextProperty,
  fillVariables,
  isScalar,
  placeholderNames,
  type Scalar,
} from './placeholders.ts';
import { isJsonObject, type Json, type JsonObject } from './source.ts';

/** A shallow copy of an object of the document, ours to write to. */
export type Writable = Record<string, Json | undefined>;

/** An element that may be written to, with its children. */
export interface Node {
  readonly fields: Writable;
  /** Lists of elements around it; 0 for the document. */
  readonly depth: number;
  /** Present when `elements` is a list; items that aren't objects stay as they are. */
  children: (Node | Json)[] | null;
  /** Values for `{{name}}` in this element alone. */
  readonly placeholders: Map<string, Scalar>;
}

/** Deeper compositions than this are kept, but not written to; validation refuses them anyway. */
export const deepestNode = 64;

/** A tree of an object's elements; `depth` is the number of element lists around it. */
export function readNode(object: JsonObject, depth: number): Node {
  const fields: Writable = { ...object };
  const { elements } = object;
  const children: (Node | Json)[] | null =
    Array.isArray(elements) && depth < deepestNode ? [] : null;
  if (children !== null) {
    for (const child of elements as readonly Json[]) {
      children.push(isJsonObject(child) ? readNode(child, depth + 1) : child);
    }
  }
  return { fields, depth, children, placeholders: new Map() };
}

/** The elements among the children, which may hold whatever else stood in the list. */
export function nodesOf(node: Node): readonly Node[] {
  return node.children?.filter((child): child is Node => isNode(child)) ?? [];
}

/** Plain JSON has no Map in it, so this tells the two apart. */
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
  };
}

/** Takes out the elements below a node whose name or id is one of these; what was found is added to `found`. */
export function removeNodes(node: Node, names: ReadonlySet<string>, found: Set<string>): void {
  if (node.children === null) return;
  node.children = node.children.filter((child) => {
    if (!isNode(child)) return true;
    const hits = [child.fields.name, child.fields.id].filter(
      (name): name is string => typeof name === 'string' && names.has(name),
    );
    for (const name of hits) found.add(name);
    if (hits.length === 0) removeNodes(child, names, found);
    return hits.length === 0;
  });
}

/** Elements in a node, itself included. */
export function countNodes(node: Node): number {
  return nodesOf(node).reduce((sum, child) => sum + countNodes(child), 1);
}

/** Levels of elements in a node, itself included. */
export function heightOf(node: Node): number {
  return nodesOf(node).reduce((height, child) => Math.max(height, 1 + heightOf(child)), 1);
}

/** A document back to JSON, placeholders filled and variables put in. */
export function writeDocument(root: Node): JsonObject {
  const { variables } = root.fields;
  const declared = new Map<string, Scalar>();
  if (isJsonObject(variables)) {
    for (const [name, value] of Object.entries(variables)) {
      if (isScalar(value)) declared.set(name, value);
    }
  }
  return writeNode(root, declared, [declared]);
}

/** `around` holds the placeholder values of the compositions around, inner first. */
function writeNode(
  node: Node,
  declared: ReadonlyMap<string, Scalar>,
  around: readonly ReadonlyMap<string, Scalar>[],
): JsonObject {
  const scopes = node.placeholders.size === 0 ? around : [node.placeholders, ...around];
  const valueOf = (name: string): Scalar | undefined => {
    for (const scope of scopes) {
      const value = scope.get(name);
      if (value !== undefined) return value;
    }
    return undefined;
  };
  const { fields, children } = node;
  const isText = fields.type === 'text';
  if (isText && fields.text !== undefined) {
    fields.text = fillTextProperty(fields.text, valueOf);
  }
  if (declared.size > 0) {
    const variable = (name: string): Scalar | undefined =>
      declared.has(name) ? valueOf(name) : undefined;
    for (const [key, value] of Object.entries(fields)) {
      const isOwn =
        (isText && key === 'text') ||
        (children !== null && key === 'elements') ||
        (node.depth === 0 && key === 'variables');
      if (value !== undefined && !isOwn) setOwn(fields, key, fillVariables(value, variable));
    }
  }
  if (children !== null) {
    fields.elements = children.map((child) =>
      isNode(child) ? writeNode(child, declared, scopes) : child,
    );
  }
  return fields;
}

/** The names of all placeholders in the texts of a node, and of the variables that a document declares. */
export function usedPlaceholders(node: Node, names = new Set<string>()): Set<string> {
  const { variables } = node.fields;
  if (node.depth === 0 && isJsonObject(variables)) {
    for (const name of Object.keys(variables)) names.add(name);
  }
  const text = node.fields.type === 'text' ? node.fields.text : undefined;
  for (const name of placeholderNames(text)) names.add(name);
  for (const child of nodesOf(node)) usedPlaceholders(child, names);
  return names;
}

/** The value with one place inside replaced; undefined when there is no such place. Walks without recursion. */
export function replaceInside(
  whole: Json | undefined,
  steps: readonly string[],
  value: Json,
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
      result = (parent as readonly Json[]).with(Number(step), result);
    } else {
      const copy: Writable = { ...(parent as JsonObject) };
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
