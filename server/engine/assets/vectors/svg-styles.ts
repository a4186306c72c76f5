/**
 * Phase 1, vector pictures: the style sheets of an SVG, and what they say about each element. Every selector is
 * followed from left to right while the tree is walked, so that the cost is elements × selectors whatever they look
 * like. Pure.
 */
import { AttributeAction, parse, SelectorType, type Selector } from 'css-what';
import { isTag, type Element } from 'domhandler';

/** Properties by lower-case name; custom ones as written. */
export type Style = ReadonlyMap<string, string>;

interface Declaration {
  readonly name: string;
  readonly value: string;
  readonly isImportant: boolean;
}

/** The simple selectors of one element, and what joins them to those before. */
interface Compound {
  readonly joint: SelectorType;
  readonly tests: readonly Selector[];
}

interface Rule {
  readonly compounds: readonly Compound[];
  /** Identifiers, then classes and attributes, then tags; as one number. */
  readonly weight: number;
  readonly declarations: readonly Declaration[];
}

/** Which beginnings of each selector end at an element, above it, or before it; a bit for each compound. */
export interface Trail {
  readonly parent: Int32Array;
  readonly above: Int32Array;
  readonly previous: Int32Array;
  readonly before: Int32Array;
}

/** Questions of a selector to an element, over a whole picture; half a second. */
const mostQuestions = 10_000_000;
/** Bits of a number. */
const mostCompounds = 30;
const joints = new Set([
  ...[SelectorType.Child, SelectorType.Descendant, SelectorType.Adjacent, SelectorType.Sibling],
]);

/** The rules of a picture. */
export class StyleSheet {
  readonly #rules: Rule[] = [];
  #questions = 0;
  /** Things that it has and that are left out, in words. */
  readonly omitted = new Set<string>();

  /** Adds the text of a `style` element. */
  add(text: string): void {
    this.#read(text.replace(/\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/|<!--|-->/g, ' '), 0);
  }

  /** Nothing was seen yet. */
  start(): Trail {
    const none = (): Int32Array => new Int32Array(this.#rules.length);
    return { parent: none(), above: none(), previous: none(), before: none() };
  }

  /** What the rules and the `style` attribute say about an element, and where each selector has come to with it. */
  styleOf(element: Element, trail: Trail): { style: Map<string, string>; ends: Int32Array } {
    const ends = new Int32Array(this.#rules.length);
    const matched: Rule[] = [];
    this.#questions += this.#rules.length;
    const tooMany = this.#questions > mostQuestions;
    if (tooMany) this.omitted.add('style rules beyond the first ten million comparisons');
    for (const [at, rule] of this.#rules.entries()) {
      if (tooMany) break;
      const bits = endsOf(rule, element, trail, at);
      ends[at] = bits;
      if ((bits & (1 << (rule.compounds.length - 1))) !== 0) matched.push(rule);
    }
    // The sort is stable: of equal weights the later rule comes later.
    matched.sort((one, other) => one.weight - other.weight);
    const all = [
      ...matched.flatMap(({ declarations }) => declarations),
      ...declarationsIn(element.attribs['style'] ?? ''),
    ];
    const style = new Map<string, string>();
    for (const important of [false, true])
      for (const { name, value, isImportant } of all)
        if (isImportant === important) style.set(name, value);
    return { style, ends };
  }

  #read(text: string, depth: number): void {
    for (const { prelude, body } of blocksOf(text)) {
      const [, word = '', query = ''] = /^@([\w-]+)\s*(.*)$/s.exec(prelude) ?? [];
      if (word === '') this.#addRule(prelude, body);
      else if (word === 'media' || word === 'supports') {
        if ((word === 'supports' || isShown(query)) && depth < 5) this.#read(body, depth + 1);
      } else if (word === 'font-face') this.omitted.add('fonts inside the picture (@font-face)');
      else if (word === 'import') this.omitted.add('style sheets of other files (@import)');
      else if (word.endsWith('keyframes')) this.omitted.add('movement (@keyframes)');
    }
  }

  #addRule(prelude: string, body: string): void {
    const declarations = declarationsIn(body);
    if (declarations.length === 0) return;
    let selectors: Selector[][];
    try {
      selectors = parse(prelude);
    } catch {
      return;
    }
    for (const selector of selectors) {
      const compounds = compoundsOf(selector);
      if (compounds) this.#rules.push({ compounds, weight: weightOf(selector), declarations });
    }
  }
}

/** Blocks with what stands before them, and at-rules without one. */
function* blocksOf(text: string): Generator<{ prelude: string; body: string }> {
  let from = 0;
  let open = 0;
  let depth = 0;
  for (const { 0: sign, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[{};]/gs)) {
    if (sign === '{' && depth++ === 0) open = index;
    else if (sign === '}' && depth > 0 && --depth === 0) {
      yield { prelude: text.slice(from, open).trim(), body: text.slice(open + 1, index) };
      from = index + 1;
    } else if (sign === ';' && depth === 0) {
      yield { prelude: text.slice(from, index).trim(), body: '' };
      from = index + 1;
    }
  }
}

/** @param text The inside of a block, or a `style` attribute. */
export function declarationsIn(text: string): Declaration[] {
  const parts = text.match(
    /(?:[^;"'()]|"[^"]*"|'[^']*'|\((?:[^()"']|"[^"]*"|'[^']*'|\([^()]*\))*\)|[()"'])+/g,
  );
  return (parts ?? []).flatMap((part) => {
    const colon = part.indexOf(':');
    const said = part.slice(0, colon).trim();
    const value = part.slice(colon + 1).trim();
    if (colon < 0 || said === '' || value === '') return [];
    const name = said.startsWith('--') ? said : said.toLowerCase();
    const mark = value.lastIndexOf('!');
    const isImportant =
      mark >= 0 &&
      value
        .slice(mark + 1)
        .trim()
        .toLowerCase() === 'important';
    return [{ name, value: isImportant ? value.slice(0, mark).trim() : value, isImportant }];
  });
}

/** Pictures are shown on a light screen of unknown size, without hurry. */
function isShown(query: string): boolean {
  return query.split(',').some((one) => {
    const text = one.toLowerCase();
    return !/^\s*not\b|\bprint\b|dark|reduce\b|hover|pointer|max-(?:width|height)/.test(text);
  });
}

/** Null for those that no element meets, such as `::before`. */
function compoundsOf(selector: readonly Selector[]): Compound[] | null {
  const compounds: { joint: SelectorType; tests: Selector[] }[] = [
    { joint: SelectorType.Descendant, tests: [] },
  ];
  for (const token of selector) {
    if (joints.has(token.type)) compounds.push({ joint: token.type, tests: [] });
    else if (token.type === SelectorType.PseudoElement) return null;
    else compounds.at(-1)?.tests.push(token);
  }
  return compounds.length > mostCompounds ? null : compounds;
}

function weightOf(selector: readonly Selector[]): number {
  let weight = 0;
  for (const token of selector) {
    if (token.type === SelectorType.Tag) weight += 1;
    else if (token.type === SelectorType.Attribute)
      weight += token.name === 'id' && token.action === AttributeAction.Equals ? 1e6 : 1e3;
    else if (token.type === SelectorType.Pseudo) {
      const inside = Array.isArray(token.data) ? token.data.map(weightOf) : [1e3];
      if (token.name !== 'where') weight += Math.max(0, ...inside);
    }
  }
  return weight;
}

function endsOf({ compounds }: Rule, element: Element, trail: Trail, at: number): number {
  let bits = 0;
  for (const [place, { joint, tests }] of compounds.entries()) {
    if (place > 0) {
      const seen = {
        [SelectorType.Child]: trail.parent,
        [SelectorType.Adjacent]: trail.previous,
        [SelectorType.Sibling]: trail.before,
      }[joint as string];
      if ((((seen ?? trail.above)[at] ?? 0) & (1 << (place - 1))) === 0) continue;
    }
    if (tests.every((test) => meets(element, test))) bits |= 1 << place;
  }
  return bits;
}

function meets(element: Element, test: Selector): boolean {
  switch (test.type) {
    case SelectorType.Universal:
      return true;
    case SelectorType.Tag:
      return element.name.toLowerCase() === test.name.toLowerCase();
    case SelectorType.Attribute:
      return hasAttribute(element.attribs[test.name], test.action, test.value);
    case SelectorType.Pseudo:
      return isInState(element, test.name, test.data);
    default:
      return false;
  }
}

function hasAttribute(found: string | undefined, action: AttributeAction, value: string): boolean {
  if (action === AttributeAction.Not) return found !== value;
  if (found === undefined) return false;
  if (action === AttributeAction.Exists) return true;
  if (action === AttributeAction.Equals) return found === value;
  if (action === AttributeAction.Element) return found.split(/\s+/).includes(value);
  if (action === AttributeAction.Hyphen) return found === value || found.startsWith(`${value}-`);
  if (value === '') return false;
  if (action === AttributeAction.Start) return found.startsWith(value);
  if (action === AttributeAction.End) return found.endsWith(value);
  return found.includes(value);
}

/** Selectors inside of `:not`, `:is` and `:where` may not join several elements. */
function isInState(element: Element, name: string, data: string | Selector[][] | null): boolean {
  const any = (): boolean =>
    Array.isArray(data) &&
    data.some((one) => one.every((test) => !joints.has(test.type) && meets(element, test)));
  switch (name) {
    case 'root':
      return element.parent === null || !isTag(element.parent);
    case 'not':
      return !any();
    case 'is':
    case 'where':
    case 'matches':
      return any();
    case 'empty':
      return element.children.length === 0;
    case 'link':
      return element.name === 'a';
    default:
      return isAtPlace(element, name, typeof data === 'string' ? data : '');
  }
}

interface Place {
  readonly index: number;
  readonly count: number;
}
/** Places among all children and among those of a name, kept by parent. */
const places = new WeakMap<object, ReadonlyMap<Element, { all: Place; named: Place }>>();

function isAtPlace(element: Element, name: string, formula: string): boolean {
  const [, edge = '', kind = ''] =
    /^(first|last|only|nth|nth-last)-(child|of-type)$/.exec(name) ?? [];
  if (edge === '') return false;
  const { all, named } = placesOf(element);
  const { index, count } = kind === 'child' ? all : named;
  if (edge === 'only') return count === 1;
  if (edge === 'first') return index === 1;
  if (edge === 'last') return index === count;
  const words = { odd: '2n+1', even: '2n' }[formula.trim().toLowerCase()] ?? formula;
  const parts = /^([+-]?\d*)n([+-]\d+)?$|^([+-]?\d+)$/i.exec(words.replace(/\s+/g, ''));
  if (!parts) return false;
  const [, factor, offset, only] = parts;
  const place = edge === 'nth' ? index : count - index + 1;
  if (only !== undefined) return place === Number(only);
  const step = factor === '' || factor === '+' ? 1 : factor === '-' ? -1 : Number(factor);
  const rest = place - Number(offset ?? 0);
  return step === 0 ? rest === 0 : rest % step === 0 && rest / step >= 0;
}

function placesOf(element: Element): { all: Place; named: Place } {
  const { parent } = element;
  const alone = { index: 1, count: 1 };
  if (!parent) return { all: alone, named: alone };
  let known = places.get(parent);
  if (!known) {
    const children = parent.children.filter(isTag);
    const counts = new Map<string, number>();
    for (const { name } of children) counts.set(name, (counts.get(name) ?? 0) + 1);
    const seen = new Map<string, number>();
    known = new Map(
      children.map((child, at) => {
        const index = (seen.get(child.name) ?? 0) + 1;
        seen.set(child.name, index);
        const named = { index, count: counts.get(child.name) ?? 1 };
        return [child, { all: { index: at + 1, count: children.length }, named }];
      }),
    );
    places.set(parent, known);
  }
  return known.get(element) ?? { all: alone, named: alone };
}
