/**
 * Puts `modifications` into a document: `Title.fill_color`, `Title`, `width`, `elements.add`, `elements.delete`, copies of
 * scenes, placeholders and variables. Used by the API before a render is stored and by the window's forms. Pure: the
 * document that comes in is never changed; the one that goes out shares the parts that stayed the same.
 *
 * How it works: all element objects are copied shallowly, so they can be written to (element-tree.ts); lists and objects
 * inside their properties are copied only along the path of a change. What a copied scene gets of its own is put in last,
 * so that it wins over changes to every element of that name.
 *
 * What a key addresses, first that fits: an element whose name or id is the whole key (its main property); an operator
 * (`elements.add`, `elements.delete`, element-lists.ts); a property of the document; the element with the longest name
 * that begins the key; a place inside a property of the document. A placeholder of the key's name is filled as well.
 */
import {
  addElements,
  deleteElements,
  indexOf,
  replaceElements,
  startWork,
  unmatchedProblem,
  type Work,
} from './element-lists.ts';
import {
  isNode,
  replaceInside,
  setOwn,
  usedPlaceholders,
  writeDocument,
  type Node,
} from './element-tree.ts';
import { isScalar, placeholderNames } from './placeholders.ts';
import { property } from './properties.ts';
import { elementTypes, type Json, type JsonObject, type Problem, type Source } from './source.ts';

/** A document with its modifications, and what didn't work out. */
export interface ModifiedSource {
  readonly source: Source;
  /** Keys that changed nothing, in their order. */
  readonly unmatched: readonly string[];
  /** A warning for each unmatched key; errors for operators that can't be carried out. */
  readonly problems: readonly Problem[];
}

/**
 * Applies modifications to a document, in the order of their keys, and fills its placeholders. Placeholders without a
 * value take their default, or nothing. Keys that match nothing are named in the answer and have no effect. Never throws
 * and never changes its arguments.
 */
export function applyModifications(source: Source, modifications: JsonObject): ModifiedSource {
  const work = startWork(source);
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
    ? replaceInside(node.fields[first], steps, value)
    : undefined;
  if (inside === undefined) return false;
  setOwn(node.fields, first, inside);
  return true;
}

/** A key of a copied scene that names nothing inside it is a property of the scene itself. */
function setOwnProperty({ fields }: Node, key: string, value: Json): boolean {
  const type = elementTypes.find((known) => known === fields.type);
  if (type === undefined || key === 'elements' || property(type, key) === undefined) return false;
  setOwn(fields, key, value);
  return true;
}

function setPlaceholder(node: Node, key: string, value: Json): void {
  if (isScalar(value)) node.placeholders.set(key, value);
}

/** Why a key changed nothing: no such element, no such place in it, or an element that needs a property's name. */
function unmatchedWarning(work: Work, key: string, scope: Node): Problem {
  const isElement = indexOf(work, scope).nodes.has(key);
  return unmatchedProblem(
    isElement
      ? `Modification '${key}' needs a property, as in '${key}.visible', because the element has no main one`
      : `Modification '${key}' matched no element`,
  );
}
