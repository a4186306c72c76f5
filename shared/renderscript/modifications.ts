/**
 * Applies `modifications` to a document: `Title.fill_color`, `Title`, `width`, `elements.add`, `elements.delete`,
 * copies of scenes, placeholders and variables. Used by the API before it stores a render, and by the window's forms.
 * Pure: never changes its input; the result shares unchanged parts with it.
 *
 * How it works: all element objects are copied shallowly and become writable (element-tree.ts); lists and objects
 * inside their properties are copied only along the path of a change. The changes of a copied scene come last, so that
 * they win over changes to all elements of that name.
 *
 * Cost is bounded (budget.ts): an index finds names, and every element and property read or written is counted.
 *
 * A key addresses the first that fits: an element whose name or id is the whole key (its main property); an operator
 * (`elements.add`, `elements.delete`, element-lists.ts); a property of the document; the element with the longest name
 * that begins the key; a place inside a property of the document. It also fills a placeholder of its name.
 */
import { BudgetSpent, fullBounds, spendSteps, type Bounds } from './budget.ts';
import {
  addElements,
  deleteElements,
  find,
  isNameLength,
  namesIn,
  rename,
  replaceElements,
  shortened,
  startWork,
  unmatchedProblem,
  usedPlaceholders,
  type Work,
} from './element-lists.ts';
import { isNode, replaceInside, setOwn, writeDocument, type Node } from './element-tree.ts';
import { isScalar } from './placeholders.ts';
import { property } from './properties.ts';
import { sameName } from './same-name.ts';
import { elementTypes, type Json, type JsonObject, type Problem, type Source } from './source.ts';

/** A document with its modifications applied, and what failed. */
export interface ModifiedSource {
  readonly source: Source;
  /** Keys that changed nothing, in order. */
  readonly unmatched: readonly string[];
  /** A warning for each unmatched key; errors for operators that failed. */
  readonly problems: readonly Problem[];
  /** The bound that was exceeded, and the key being applied, if any; `source` is then the unchanged document. */
  readonly excess?: { readonly of: keyof Bounds; readonly key: string | null };
}

/**
 * Applies modifications to a document and fills its placeholders: first deletions, then new content of lists, then
 * additions, then all other keys in order, so that keys find what other keys add, in any order. Placeholders without a
 * value take their default, or nothing. Keys that match nothing are reported and have no effect. Never throws, never
 * changes its arguments.
 *
 * @param bounds what it may cost; beyond them nothing is applied, and the result says so
 */
export function applyModifications(
  source: Source,
  modifications: JsonObject,
  bounds: Bounds = fullBounds,
): ModifiedSource {
  let key: string | null = null;
  try {
    const work = startWork(source, bounds);
    const tell = (next: string | null): void => {
      key = next;
    };
    const waiting = applyKeys(work, modifications, tell);
    applyToCopies(work, tell);
    tell(null);
    return finish(work, waiting);
  } catch (error) {
    if (!(error instanceof BudgetSpent)) throw error;
    const excess = { of: error.what, key };
    return { source, unmatched: [], problems: [excessProblem(excess, bounds)], excess };
  }
}

/** The document with every placeholder replaced by its default, or by nothing. */
export function resolvePlaceholders(source: Source): Source {
  return applyModifications(source, {}).source;
}

/** The exceeded bound as the end of a sentence: `more than 20,000,000 characters with its modifications`. */
export function excessReason(
  { of, key }: NonNullable<ModifiedSource['excess']>,
  bounds: Bounds,
): string {
  const limit = bounds[of].toLocaleString('en-US');
  const place = key === null ? '' : `, counted up to '${shortened(key)}'`;
  return of === 'characters'
    ? `the document would have more than ${limit} characters${place}`
    : `applying it takes more than ${limit} steps${place}`;
}

function excessProblem(excess: NonNullable<ModifiedSource['excess']>, bounds: Bounds): Problem {
  const message = `The modifications ask for too much: ${excessReason(excess, bounds)}`;
  return {
    path: '',
    element: '',
    property: '',
    severity: 'error',
    code: 'limit_exceeded',
    message,
  };
}

type Entry = readonly [key: string, value: Json];

function entriesOf(changes: JsonObject): Entry[] {
  return Object.entries(changes).flatMap(([key, value]): Entry[] =>
    value === undefined ? [] : [[sameName(key), value]],
  );
}

/** Applies all keys. @returns those that matched nothing, in order */
function applyKeys(
  work: Work,
  modifications: JsonObject,
  tell: (key: string) => void,
): readonly Entry[] {
  const entries = entriesOf(modifications);
  const carryOut = ([key, value]: Entry): boolean => {
    tell(key);
    spendSteps(work.budget, 1);
    if (!applyKey(work, work.root, key, value)) return false;
    setPlaceholder(work.root, key, value);
    return true;
  };
  const kinds = new Map(entries.map((entry) => [entry, kindOf(work, entry)]));
  let early: Entry[] = [];
  for (const kind of ['delete', 'content', 'add'] as const) {
    early.push(...entries.filter((entry) => kinds.get(entry) === kind && !carryOut(entry)));
  }
  // An addition may be the target of another.
  for (let before = -1; early.length > 0 && early.length !== before;) {
    before = early.length;
    early = early.filter((entry) => !carryOut(entry));
  }
  const failed = new Set(early);
  for (const entry of entries) {
    if (kinds.get(entry) === 'other' && !carryOut(entry)) failed.add(entry);
  }
  return failed.size === 0 ? [] : entries.filter((entry) => failed.has(entry));
}

/** The kind of a key: lists of elements come before keys that may name their elements. */
function kindOf(work: Work, [key, value]: Entry): 'content' | 'delete' | 'add' | 'other' {
  if (/(?:^|\.)elements\.add$/.test(key)) return 'add';
  if (/(?:^|\.)elements\.delete$/.test(key)) return 'delete';
  if (/(?:^|\.)elements$/.test(key)) return 'content';
  const isContent =
    Array.isArray(value) &&
    find(work, work.root, key).some(({ fields }) => fields.type === 'composition');
  return isContent ? 'content' : 'other';
}

/** Applies the changes of copied scenes. */
function applyToCopies(work: Work, tell: (key: string) => void): void {
  for (const { scene, changes } of work.afterwards) {
    let names: ReadonlySet<string> | null = null;
    for (const [key, value] of entriesOf(changes)) {
      if (key === 'copy') continue;
      tell(key);
      spendSteps(work.budget, 1);
      const changed = applyKey(work, scene, key, value) || setOwnProperty(work, scene, key, value);
      if (!changed) {
        names ??= usedPlaceholders(work, scene);
        if (!names.has(key)) work.problems.push(unmatchedWarning(work, key, scene));
      }
      setPlaceholder(scene, key, value);
    }
  }
}

/** All texts exist only now; a key without an element may still be a placeholder's name. */
function finish(work: Work, waiting: readonly Entry[]): ModifiedSource {
  const names = waiting.length === 0 ? null : usedPlaceholders(work, work.root);
  const unmatched: string[] = [];
  for (const [key, value] of waiting) {
    if (names?.has(key) === true && isScalar(value)) setPlaceholder(work.root, key, value);
    else unmatched.push(key);
  }
  const warnings = unmatched.map((key) => unmatchedWarning(work, key, work.root));
  const source = writeDocument(work.root, work.budget);
  return { source, unmatched, problems: [...work.problems, ...warnings] };
}

/** Applies one key to the elements below `scope`; false if it matches nothing. */
function applyKey(work: Work, scope: Node, key: string, value: Json): boolean {
  const whole = find(work, scope, key);
  if (whole.length > 0) return any(whole, (node) => setMain(work, node, value));
  if (key === 'elements.add') return addElements(work, scope, value);
  if (key === 'elements.delete') return deleteElements(work, scope, value);
  const isDocument = scope === work.root;
  if (isDocument && isDocumentProperty(work.root, key)) return setPath(work, work.root, key, value);
  for (let dot = key.lastIndexOf('.'); dot > 0; dot = key.lastIndexOf('.', dot - 1)) {
    // Very long keys aren't cut at every dot.
    if (!isNameLength(work, scope, dot)) continue;
    spendSteps(work.budget, 1 + dot / 1_000);
    const nodes = find(work, scope, key.slice(0, dot));
    const rest = key.slice(dot + 1);
    if (rest !== '' && any(nodes, (node) => applyToElement(work, node, rest, value))) return true;
  }
  const first = key.split('.', 1)[0] ?? '';
  return (
    isDocument &&
    first !== key &&
    isDocumentProperty(work.root, first) &&
    setPath(work, work.root, key, value)
  );
}

/** Makes all calls. @returns whether at least one returned true */
function any(nodes: readonly Node[], apply: (node: Node) => boolean): boolean {
  return nodes.map(apply).some((done) => done);
}

function isDocumentProperty({ fields }: Node, key: string): boolean {
  return property('root', key) !== undefined || Object.hasOwn(fields, key);
}

/** Applies the part of a key after an element's name: a property, a path into one, an operator, or a child's key. */
function applyToElement(work: Work, node: Node, rest: string, value: Json): boolean {
  if (rest === 'elements.add') return addElements(work, node, value);
  if (rest === 'elements.delete') return deleteElements(work, node, value);
  const first = rest.split('.', 1)[0] ?? '';
  const { type } = node.fields;
  if (type === 'text' && rest.startsWith('text.')) {
    const name = rest.slice('text.'.length);
    if (isScalar(value) && namesIn(work, node.fields.text).has(name)) {
      node.placeholders.set(name, value);
      return true;
    }
  }
  // `Scene.Title.text` is a path through the composition, unless the composition has a property of that name.
  const isOwn =
    first === 'elements' ||
    Object.hasOwn(node.fields, first) ||
    property('composition', first) !== undefined;
  if (node.children !== null && !isOwn && applyKey(work, node, rest, value)) return true;
  return setPath(work, node, rest, value);
}

/** Sets the property that a bare name stands for. */
function setMain(work: Work, node: Node, value: Json): boolean {
  switch (node.fields.type) {
    case 'text':
      return setPath(work, node, 'text', value);
    case 'image':
    case 'video':
    case 'audio':
    case 'lottie':
      return setPath(work, node, 'source', value);
    case 'composition':
      return setPath(work, node, 'elements', value);
    default:
      return false;
  }
}

/** Sets a property, or a place inside its lists and objects; false, without a change, if the place does not exist. */
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
  spendSteps(work.budget, 2);
  if (steps.length === 0) {
    const before = Object.hasOwn(node.fields, first) ? node.fields[first] : undefined;
    setOwn(node.fields, first, asExpected(work, node, first, value));
    // Later keys find the new name or id.
    if (first === 'name' || first === 'id') rename(work, node, before);
    return true;
  }
  if (!Object.hasOwn(node.fields, first)) return false;
  const given = steps.at(-1) === 'value' ? asExpected(work, node, first, value) : value;
  const inside = replaceInside(node.fields[first], steps, given, work.budget);
  if (inside === undefined) return false;
  setOwn(node.fields, first, inside);
  return true;
}

/**
 * Tables and forms send numbers and booleans for texts, and texts for booleans: converts them to the expected type.
 * Addresses of files stay as they are.
 */
function asExpected(work: Work, node: Node, name: string, value: Json): Json {
  const isNamed = typeof value === 'string' && /^\s*(?:true|false)\s*$/i.test(value);
  if (typeof value !== 'number' && typeof value !== 'boolean' && !isNamed) return value;
  const owner =
    node === work.root ? 'root' : elementTypes.find((known) => known === node.fields.type);
  const kind = owner === undefined ? undefined : property(owner, name)?.rule.kind;
  if (isNamed) return kind === 'boolean' ? value.trim().toLowerCase() === 'true' : value;
  return kind === 'string' && name !== 'source' && name !== 'provider' ? String(value) : value;
}

/** If a key of a copied scene names nothing inside it, sets a property of the scene itself. */
function setOwnProperty(work: Work, node: Node, key: string, value: Json): boolean {
  const type = elementTypes.find((known) => known === node.fields.type);
  if (type === undefined || key === 'elements' || property(type, key) === undefined) return false;
  return setPath(work, node, key, value);
}

function setPlaceholder(node: Node, key: string, value: Json): void {
  if (isScalar(value)) node.placeholders.set(key, value);
}

/** Why a key changed nothing: no such element, no such place in it, or an element that needs a property's name. */
function unmatchedWarning(work: Work, key: string, scope: Node): Problem {
  const isElement = find(work, scope, key).length > 0;
  const name = shortened(key);
  return unmatchedProblem(
    isElement
      ? `Modification '${name}' needs a property, as in '${name}.visible', because the element has no main one`
      : `Modification '${name}' matched no element`,
  );
}
