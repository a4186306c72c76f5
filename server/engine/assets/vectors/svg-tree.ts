/**
 * Phase 1, vector pictures: the elements of an SVG, each with its own style as style sheets, shorthands and variables
 * give it.
 */
import { isTag, type Document, type Element } from 'domhandler';
import { DomUtils, parseDocument } from 'htmlparser2';
import { StyleSheet, type Style, type Trail } from './svg-styles.ts';
import { numbersIn } from './svg-values.ts';

/** How deep elements may lie in one another; drawing programs stay below 50. */
const deepest = 400;
/** Characters that a value may have once its variables are filled in, variables in one value, and in one another. */
const longestValue = 20_000;
const mostVariables = 50;
const deepestVariable = 100;
/** Properties whose values the element's children have, too. */
const passedOn =
  /^(?:color|fill.*|stroke.*|font.*|text-anchor|text-transform|letter-spacing|word-spacing|direction|writing-mode|dominant-baseline|white-space|xml:space|visibility|marker.*|paint-order|text-decoration|clip-rule)$/;

/** What an SVG's texts need fonts for. */
export function svgTexts(document: Document): string {
  return DomUtils.getElementsByTagName('text', document, true).map(DomUtils.textContent).join('\n');
}

/** Null if there is no whole `svg` element. */
export function readSvg(bytes: Buffer): Document | null {
  const text = bytes.toString('utf8');
  const document = parseDocument(text, { xmlMode: true });
  const root = document.children.find(isTag);
  if (!root || !/(?:^|:)svg$/i.test(root.name)) return null;
  // The reader closes what is open at the end of a file that was cut off.
  const isClosed = /^<\/(?:[\w.-]+:)?svg\s*>/i.test(text.slice(text.lastIndexOf('</')));
  return isClosed || (root.children.length === 0 && text.includes('/>')) ? document : null;
}

/** An SVG whose styles are settled; what is rewritten in it is noted here as well. */
export class SvgTree {
  readonly root: Element;
  /** Its own size in pixels. */
  readonly size: { readonly width: number; readonly height: number };
  /** Of each element, without what it inherits. */
  readonly styles = new Map<Element, Style>();
  readonly byId = new Map<string, Element>();
  /** What is not drawn, in words. */
  readonly omitted: Set<string>;
  readonly #sheet = new StyleSheet();

  constructor(document: Document, size: { readonly width: number; readonly height: number }) {
    const root = document.children.find(isTag);
    if (!root) throw new Error('an SVG has a root');
    this.root = root;
    this.size = size;
    this.omitted = this.#sheet.omitted;
    const [, prefix = ''] = /^(.+):svg$/.exec(root.name) ?? [];
    for (const element of DomUtils.getElementsByTagName('*', document, true)) {
      if (prefix !== '' && element.name.startsWith(`${prefix}:`))
        element.name = element.name.slice(prefix.length + 1);
      const { id } = element.attribs;
      if (id !== undefined && !this.byId.has(id)) this.byId.set(id, element);
      if (element.name === 'style') this.#sheet.add(DomUtils.textContent(element));
    }
    this.#cascade(root, this.#sheet.start(), new Variables(new Map(), null), 0);
  }

  /** The part of the drawing that is shown; the whole size where none is said. */
  get viewBox(): readonly [x: number, y: number, width: number, height: number] {
    const box = numbersIn(this.root.attribs['viewBox'] ?? '');
    const [x = 0, y = 0, width = this.size.width, height = this.size.height] =
      box.length === 4 ? box : [];
    return [x, y, width, height];
  }

  /** A property that an element has itself. */
  own(element: Element, name: string): string | undefined {
    return this.styles.get(element)?.get(name) ?? element.attribs[name];
  }

  /** The same, or the one of the nearest element around it. */
  inherited(element: Element, name: string): string | undefined {
    for (
      let one: Element | null = element;
      one;
      one = one.parent && isTag(one.parent) ? one.parent : null
    ) {
      const own = this.own(one, name);
      if (own !== undefined && own !== 'inherit') return own;
      if (!passedOn.test(name)) return undefined;
    }
    return undefined;
  }

  /** Notes the style of each element. */
  #cascade(element: Element, trail: Trail, outer: Variables, depth: number): Int32Array {
    const { style, ends } = this.#sheet.styleOf(element, trail);
    let variables = outer;
    const own = [...style].filter(([name]) => name.startsWith('--'));
    if (own.length > 0) variables = new Variables(new Map(own), outer);
    const plain = new Map<string, string>();
    for (const [name, value] of style) {
      if (name.startsWith('--')) continue;
      const found = variables.fill(value);
      if (found !== null) for (const [key, one] of longhands(name, found)) plain.set(key, one);
    }
    this.styles.set(element, plain);
    if (depth >= deepest) {
      if (element.children.length > 0) this.omitted.add(`elements more than ${deepest} deep`);
      element.children = [];
    }
    const above = ends.map((bits, at) => bits | (trail.above[at] ?? 0));
    let previous = new Int32Array(ends.length);
    let before = new Int32Array(ends.length);
    for (const child of element.children) {
      if (!isTag(child)) continue;
      const next = this.#cascade(
        child,
        { parent: ends, above, previous, before },
        variables,
        depth + 1,
      );
      before = before.map((bits, at) => bits | (next[at] ?? 0));
      previous = new Int32Array(next);
    }
    return ends;
  }
}

/** CSS variables of an element and of those around it: each is resolved once, where it is declared. */
class Variables {
  readonly #own: Style;
  readonly #outer: Variables | null;
  /** Resolved ones; null stands for one that is invalid, or that is being resolved and so refers to itself. */
  readonly #known = new Map<string, string | null>();

  constructor(own: Style, outer: Variables | null) {
    this.#own = own;
    this.#outer = outer;
  }

  /** A value with its variables filled in; null if one is unknown and has no spare value. */
  fill(value: string, depth = 0): string | null {
    let text = value;
    for (let round = 0; text.includes('var('); round++) {
      // The innermost one, so that spare values are whole.
      const found = /var\(\s*(--[^\s,()]+)\s*(?:,([^()]*(?:\([^()]*\)[^()]*)*))?\)/.exec(text);
      if (!found || round === mostVariables) return null;
      const put = this.#get(found[1] ?? '', depth) ?? found[2]?.trim();
      if (put === undefined) return null;
      text = text.slice(0, found.index) + put + text.slice(found.index + found[0].length);
      if (text.length > longestValue) return null;
    }
    return text;
  }

  #get(name: string, depth: number): string | null {
    if (this.#own.has(name)) return this.#resolve(name, depth);
    return this.#outer ? this.#outer.#get(name, depth) : null;
  }

  #resolve(name: string, depth: number): string | null {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    this.#known.set(name, null);
    const value = depth < deepestVariable ? this.fill(this.#own.get(name) ?? '', depth + 1) : null;
    this.#known.set(name, value);
    return value;
  }
}

/** Shorthands that the renderer does not know, taken apart. */
function longhands(name: string, value: string): [string, string][] {
  if (name === 'marker')
    return ['marker-start', 'marker-mid', 'marker-end'].map((one) => [one, value]);
  if (name === 'font') {
    const [, before = '', size = '', family = ''] =
      /^(.*?)\s*(?<![\w.-])([\d.]+(?:px|pt|em|rem|%|mm)?|medium|small|large)(?:\s*\/\s*[\w.%]+)?\s+([^\d].*)$/s.exec(
        value.slice(0, 1000),
      ) ?? [];
    if (family === '') return [];
    const weight = /\b(?:[1-9]00|bold)\b/.exec(before)?.[0] ?? '400';
    const style = /italic|oblique/.test(before) ? 'italic' : 'normal';
    return [
      ['font-size', size],
      ['font-family', family],
      ['font-weight', weight],
      ['font-style', style],
    ];
  }
  return [[name, value]];
}
