/**
 * Puts `modifications` into a document: `Title.fill_color`, `Title`, `width`, `elements.add`, `elements.delete`,
 * copies of scenes, placeholders and variables. Used by the API before a render is stored and by the window's forms. Pure: the document that comes in
 * is never changed; the one that goes out shares the parts that stayed the same.
 *
 * How it works: all element objects are copied shallowly, so they can be written to; lists and objects inside their
 * properties are copied only along the path of a change. What a copied scene gets of its own is put in last, so that it
 * wins over changes to every element of that name.
 *
 * What a key addresses, first that fits: an element whose name or id is the whole key (its main property); an operator
 * (`elements.add`, `elements.delete`); a property of the document; the element with the longest name that begins the key; a place inside a
 * property of the document. A placeholder of the key's name is filled as well.
 */
import { documentLimits } from './limits.ts';
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
  usedPlaceholders,
  writeDocument,
  type Node,
  type Writable,
} from './element-tree.ts';
import { isScalar, placeholderNames } from './placeholders.ts';
import { property } from './properties.ts';
import { expectation, type Expectation } from './rules.ts';
import {
  elementTypes,
  isJsonObject,
  type Json,
  type JsonObject,
  type Problem,
  type Source,
} from './source.ts';

/** A document with its modifications, and what didn't work out. */
export interface ModifiedSource {
  readonly source: Source;
  /** Keys that changed nothing, in their order. */
  readonly unmatched: readonly string[];
  /** A warning for each unmatched key; errors for operators that can't be carried out. */
  readonly problems: readonly Problem[];
}

/** Elements by name and by id. */
interface Index {
  readonly nodes: ReadonlyMap<string, readonly Node[]>;
  /** Length of the longest name, so that endless keys aren't cut at every dot. */
  readonly longest: number;
}

/** The work on one document. */
interface Work {
  readonly root: Node;
  readonly problems: Problem[];
  /** Elements so far; copies stop at the limit, because copies of copies would grow without end. */
  elements: number;
  /** Elements by name and id; null after the tree has changed. */
  index: Index | null;
  /** Changes that belong to one copied scene, put in after all others. */
  readonly afterwards: { readonly scene: Node; readonly changes: JsonObject }[];
}

/**
 * Applies modifications to a document, in the order of their keys, and fills its placeholders. Placeholders without a
 * value take their default, or nothing. Keys that match nothing are named in the answer and have no effect. Never throws
 * and never changes its arguments.
 */
export function applyModifications(source: Source, modifications: JsonObject): ModifiedSource {
  const work: Work = {
    root: readNode(source, 0),
    problems: [],
    elements: 0,
    index: null,
    afterwards: [],
  };
  work.elements = countNodes(work.root) - 1;

  const waiting: (readonly [key: string, value: Json])[] = [];
  for (const [key, value] of Object.entries(modifications)) {
    if (value !== undefined && !applyKey(work, work.root, key, value)) waiting.push([key, value]);
    else if (value !== undefined) setPlaceholder(work.root, key, value);
  }
  for (const { scene, changes } of work.afterwards) {
    for (const [key, value] of Object.entries(changes)) {
      if (key === 'copy' || value === undefined) continue;
      const changed = applyKey(work, scene, key, value) || setOwnProperty(scene, key, value);
      if (!changed && !usedPlaceholders(scene).has(key)) {
        work.problems.push(unmatchedWarning(work, key, scene));
      }
      setPlaceholder(scene, key, value);
    }
  }

  // Only now is every text there; a key without an element may still be a placeholder's name.
  const names = usedPlaceholders(work.root);
  const unmatched: string[] = [];
  for (const [key, value] of waiting) {
    if (names.has(key) && isScalar(value)) setPlaceholder(work.root, key, value);
    else unmatched.push(key);
  }
  const warnings = unmatched.map((key) => unmatchedWarning(work, key, work.root));
  return { source: writeDocument(work.root), unmatched, problems: [...work.problems, ...warnings] };
}

/** The document with every placeholder replaced by its default, or by nothing. */
export function resolvePlaceholders(source: Source): Source {
  return applyModifications(source, {}).source;
}

// ---- finding what a key means -----------------------------------------------------------------------------------

/** The elements below `scope`. The whole document's index is kept until the tree changes. */
function indexOf(work: Work, scope: Node): Index {
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

/** Carries out one key on the elements below `scope`; false when it matches nothing. */
function applyKey(work: Work, scope: Node, key: string, value: Json): boolean {
  const index = indexOf(work, scope);
  const whole = index.nodes.get(key);
  if (whole !== undefined) return any(whole, (node) => setMain(work, node, value));
  if (key === 'elements.add') return addElements(work, scope, value);
  if (key === 'elements.delete') return deleteElements(work, scope, value);
  const isDocument = scope === work.root;
  if (isDocument && isDocumentProperty(work.root, key)) return setPath(work, work.root, key, value);
  let dot = key.lastIndexOf('.', index.longest);
  for (; dot > 0; dot = key.lastIndexOf('.', dot - 1)) {
    const nodes = index.nodes.get(key.slice(0, dot));
    const rest = key.slice(dot + 1);
    if (
      nodes !== undefined &&
      rest !== '' &&
      any(nodes, (node) => applyToElement(work, node, rest, value))
    ) {
      return true;
    }
  }
  const first = key.split('.', 1)[0] ?? '';
  return (
    isDocument &&
    first !== key &&
    isDocumentProperty(work.root, first) &&
    setPath(work, work.root, key, value)
  );
}

/** True when at least one of the calls is; all are made. */
function any(nodes: readonly Node[], apply: (node: Node) => boolean): boolean {
  return nodes.map(apply).some((done) => done);
}

function isDocumentProperty({ fields }: Node, key: string): boolean {
  return property('root', key) !== undefined || Object.hasOwn(fields, key);
}

/** The part of a key behind an element's name: a property, a path into one, an operator, or a child's key. */
function applyToElement(work: Work, node: Node, rest: string, value: Json): boolean {
  if (rest === 'elements.add') return addElements(work, node, value);
  if (rest === 'elements.delete') return deleteElements(work, node, value);
  const first = rest.split('.', 1)[0] ?? '';
  const { type } = node.fields;
  if (type === 'text' && rest.startsWith('text.')) {
    const name = rest.slice('text.'.length);
    if (isScalar(value) && placeholderNames(node.fields.text).includes(name)) {
      node.placeholders.set(name, value);
      return true;
    }
  }
  // `Scene.Title.text`: a path through the composition, unless the composition has a property of that name.
  const isOwn =
    first === 'elements' ||
    Object.hasOwn(node.fields, first) ||
    property('composition', first) !== undefined;
  if (node.children !== null && !isOwn && applyKey(work, node, rest, value)) return true;
  return setPath(work, node, rest, value);
}

/** The property that a bare name stands for. */
function setMain(work: Work, node: Node, value: Json): boolean {
  switch (node.fields.type) {
    case 'text':
      return setPath(work, node, 'text', value);
    case 'image':
    case 'video':
    case 'audio':
      return setPath(work, node, 'source', value);
    case 'composition':
      return setPath(work, node, 'elements', value);
    default:
      return false;
  }
}

// ---- carrying it out --------------------------------------------------------------------------------------------

/** Sets a property, or a place inside its lists and objects. Places that don't exist are not made: false. */
function setPath(work: Work, node: Node, path: string, value: Json): boolean {
  const [first = '', ...steps] = path.split('.');
  if (first === 'elements') {
    if (steps.length === 0) return replaceElements(work, node, value);
    const [position = '', ...rest] = steps;
    const child = /^\d+$/.test(position) ? node.children?.[Number(position)] : undefined;
    return (
      child !== undefined &&
      isNode(child) &&
      rest.length > 0 &&
      applyToElement(work, child, rest.join('.'), value)
    );
  }
  if (steps.length === 0) {
    setOwn(node.fields, first, value);
    // A new name or id is found by the keys that follow.
    if (first === 'name' || first === 'id') work.index = null;
    return true;
  }
  const inside = Object.hasOwn(node.fields, first)
    ? changed(node.fields[first], steps, value)
    : undefined;
  if (inside === undefined) return false;
  setOwn(node.fields, first, inside);
  return true;
}

/** The value with one place inside replaced; undefined when there is no such place. Walks without recursion. */
function changed(whole: Json | undefined, steps: readonly string[], value: Json): Json | undefined {
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

/** A key of a copied scene that names nothing inside it is a property of the scene itself. */
function setOwnProperty({ fields }: Node, key: string, value: Json): boolean {
  const type = elementTypes.find((known) => known === fields.type);
  if (type === undefined || key === 'elements' || property(type, key) === undefined) return false;
  setOwn(fields, key, value);
  return true;
}

/** New content for a composition or the document. */
function replaceElements(work: Work, node: Node, value: Json): boolean {
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
function addElements(work: Work, node: Node, value: Json): boolean {
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
function deleteElements(work: Work, node: Node, value: Json): boolean {
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
    const message = `Modification 'elements.delete' matched no element '${name}'`;
    const code = 'unmatched_modification';
    work.problems.push({ path: '', element: '', property: '', severity: 'warning', code, message });
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

// ---- placeholders and problems ----------------------------------------------------------------------------------

function setPlaceholder(node: Node, key: string, value: Json): void {
  if (isScalar(value)) node.placeholders.set(key, value);
}

function fail(work: Work, { fields }: Node, { code, message }: Expectation): void {
  const element = typeof fields.name === 'string' ? fields.name : '';
  work.problems.push({ path: '', element, property: 'elements', severity: 'error', code, message });
}

/** Why a key changed nothing: no such element, no such place in it, or an element that needs a property's name. */
function unmatchedWarning(work: Work, key: string, scope: Node): Problem {
  const code = 'unmatched_modification';
  const isElement = indexOf(work, scope).nodes.has(key);
  const message = isElement
    ? `Modification '${key}' needs a property, as in '${key}.visible', because the element has no main one`
    : `Modification '${key}' matched no element`;
  return { path: '', element: '', property: '', severity: 'warning', code, message };
}
