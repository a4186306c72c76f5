/**
 * Phase 1, vector pictures: an SVG as its renderer takes it. Style sheets become each element's own style, variables and colours plain
 * values, texts paths, and what the renderer can't do is rewritten, or left out and named.
 */
import { Path2D } from '@napi-rs/canvas';
import render from 'dom-serializer';
import { Element, isTag, type ChildNode, type Document } from 'domhandler';
import { DomUtils, parseDocument } from 'htmlparser2';
import {
  about,
  identity,
  inverted,
  multiply,
  type Matrix,
} from '../../../../shared/engine/geometry.ts';
import type { FontBook } from '../fonts/fonts.ts';
import { filled, StyleSheet, type Style, type Trail } from './svg-styles.ts';
import { SvgTexts } from './svg-text.ts';
import type { PlainSvg } from './svg-renderer.ts';
import { lengthIn, plainColor, transformIn } from './svg-values.ts';

/** An SVG ready to be drawn. */
export interface SvgPicture extends PlainSvg {
  /** What is not drawn, in words. */
  readonly omitted: readonly string[];
}

/** How deep elements may lie in one another; drawing programs stay below 50. */
const deepest = 400;

/** Copies of markers, each as large as its marker. */
const mostMarkers = 100;

const colors = new Set(['fill', 'stroke', 'stop-color', 'flood-color', 'lighting-color', 'color']);
/** CSS properties that the renderer only reads as attributes. */
const geometry = new Set([
  'x',
  'y',
  'cx',
  'cy',
  'r',
  'rx',
  'ry',
  'width',
  'height',
  'd',
  'mask-type',
]);
/** Elements without a picture of their own. */
const silent = new Set(['style', 'script', 'title', 'desc', 'metadata']);
const left: Readonly<Record<string, string>> = {
  foreignObject: 'HTML inside the picture (foreignObject)',
  ...Object.fromEntries(
    ['animate', 'animateTransform', 'animateMotion', 'set', 'animateColor'].map((name) => [
      name,
      `movement (${name})`,
    ]),
  ),
  ...Object.fromEntries(
    ['video', 'audio', 'iframe', 'canvas'].map((name) => [name, `embedded media (${name})`]),
  ),
  mesh: 'mesh gradients',
  meshgradient: 'mesh gradients',
  hatch: 'hatches',
};
const shapes = new Set(['path', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon']);
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

/**
 * Makes an SVG plain, in place.
 *
 * @param fonts For its texts.
 * @param size Its own size in pixels.
 */
export function plainSvg(
  document: Document,
  fonts: FontBook,
  size: { width: number; height: number },
): SvgPicture {
  return new Plainer(document, fonts, size).picture();
}

class Plainer {
  readonly #document: Document;
  readonly #root: Element;
  readonly #size: { width: number; height: number };
  readonly #sheet = new StyleSheet();
  readonly #styles = new Map<Element, Style>();
  readonly #texts: SvgTexts;
  readonly #omitted: Set<string>;
  readonly #byId = new Map<string, Element>();
  readonly #markers = new Map<string, string>();
  readonly #taking = new Map<Element, boolean>();

  constructor(document: Document, fonts: FontBook, size: { width: number; height: number }) {
    this.#document = document;
    const root = document.children.find(isTag);
    if (!root) throw new Error('an SVG has a root');
    this.#root = root;
    this.#size = size;
    this.#omitted = this.#sheet.omitted;
    this.#texts = new SvgTexts(
      fonts,
      (element, name) => this.#inherited(element, name),
      this.#omitted,
    );
  }

  picture(): SvgPicture {
    const [, prefix = ''] = /^(.+):svg$/.exec(this.#root.name) ?? [];
    const all = DomUtils.getElementsByTagName('*', this.#document, true);
    for (const element of all) {
      if (prefix !== '' && element.name.startsWith(`${prefix}:`))
        element.name = element.name.slice(prefix.length + 1);
      const { id } = element.attribs;
      if (id !== undefined && !this.#byId.has(id)) this.#byId.set(id, element);
      if (element.name === 'style') this.#sheet.add(DomUtils.textContent(element));
    }
    this.#cascade(this.#root, this.#sheet.start(), new Map(), 0);
    const { attribs } = this.#root;
    const box = numbersIn(attribs['viewBox'] ?? '');
    const { width, height } = this.#size;
    const hasBox = box.length === 4;
    const background =
      this.#styles.get(this.#root)?.get('background-color') ??
      this.#styles.get(this.#root)?.get('background') ??
      null;
    this.#rewrite(this.#root, this.#rootMatrix(hasBox ? box : [0, 0, width, height]));
    this.#root.attribs = {
      ...{ width: 'fw', height: 'fw' },
      ...without(attribs, new Set(['width', 'height', 'x', 'y'])),
      viewBox: hasBox ? box.join(' ') : `0 0 ${width} ${height}`,
      xmlns: 'http://www.w3.org/2000/svg',
      'xmlns:xlink': 'http://www.w3.org/1999/xlink',
    };
    return {
      text: render(this.#root, { xmlMode: true, encodeEntities: 'utf8' }),
      background:
        background === null || /url\(|gradient/.test(background) ? null : plainColor(background),
      omitted: [...this.#omitted],
    };
  }

  /** Pixels of the picture by units of its drawing. */
  #rootMatrix([x = 0, y = 0, wide = 0, high = 0]: readonly number[]): Matrix {
    const { width, height } = this.#size;
    let [across, down] = [width / wide, height / high];
    const fit = this.#root.attribs['preserveAspectRatio'] ?? '';
    if (!fit.includes('none'))
      across = down = fit.includes('slice') ? Math.max(across, down) : Math.min(across, down);
    return Number.isFinite(across * down) ? [across, 0, 0, down, -x * across, -y * down] : identity;
  }

  /** Notes the style of each element. */
  #cascade(element: Element, trail: Trail, outer: Style, depth: number): Int32Array {
    const { style, ends } = this.#sheet.styleOf(element, trail);
    let variables = outer;
    const own = [...style].filter(([name]) => name.startsWith('--'));
    if (own.length > 0) variables = new Map([...outer, ...own]);
    const plain = new Map<string, string>();
    for (const [name, value] of style) {
      if (name.startsWith('--')) continue;
      const found = value.includes('var(') ? filled(value, variables) : value;
      if (found !== null) for (const [key, one] of longhands(name, found)) plain.set(key, one);
    }
    this.#styles.set(element, plain);
    if (depth >= deepest) {
      if (element.children.length > 0) this.#omitted.add(`elements more than ${deepest} deep`);
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

  #own(element: Element, name: string): string | undefined {
    return this.#styles.get(element)?.get(name) ?? element.attribs[name];
  }

  #inherited(element: Element, name: string): string | undefined {
    for (
      let one: Element | null = element;
      one;
      one = one.parent && isTag(one.parent) ? one.parent : null
    ) {
      const own = this.#own(one, name);
      if (own !== undefined && own !== 'inherit') return own;
      if (!passedOn.test(name)) return undefined;
    }
    return undefined;
  }

  #rewrite(element: Element, outer: Matrix): void {
    this.#note(element);
    const own = this.#transform(element);
    const matrix = multiply(outer, own);
    this.#markersOf(element);
    this.#shadow(element);
    this.#settle(element);
    if (element.name === 'text') {
      this.#outline(element);
      return;
    }
    if (element.attribs['vector-effect'] !== undefined) this.#keepStroke(element, matrix);
    for (const child of [...element.children]) {
      if (!isTag(child)) {
        DomUtils.removeElement(child);
      } else if (silent.has(child.name)) {
        if (child.name === 'script') this.#omitted.add('scripts');
        DomUtils.removeElement(child);
      } else if (left[child.name] !== undefined) {
        // Beside a plain alternative it is not missed.
        if (element.name !== 'switch') this.#omitted.add(left[child.name] ?? '');
        DomUtils.removeElement(child);
      } else this.#rewrite(child, matrix);
    }
  }

  /** Names what an element asks for and does not get. */
  #note(element: Element): void {
    const style = this.#styles.get(element);
    const { attribs, name } = element;
    const address = attribs['href'] ?? attribs['xlink:href'] ?? '';
    if (
      (name === 'image' || name === 'feImage') &&
      !/^\s*(?:data:|#)/i.test(address) &&
      address !== ''
    )
      this.#omitted.add('pictures from other files');
    else if (name === 'use' && !address.trim().startsWith('#') && address !== '')
      this.#omitted.add('parts of other files (use)');
    if (name === 'image' && /^\s*data:image\/(?:webp|avif|bmp)/i.test(address))
      this.#omitted.add('embedded pictures other than PNG, JPEG, GIF and SVG');
    const clip = style?.get('clip-path') ?? attribs['clip-path'] ?? 'none';
    if (!/^(?:none|inherit|url\()/.test(clip))
      this.#omitted.add(`'clip-path: ${clip.split('(')[0]}()'`);
    if (
      attribs['pathLength'] !== undefined &&
      /\d/.test(this.#inherited(element, 'stroke-dasharray') ?? '')
    )
      this.#omitted.add(`'pathLength'`);
    for (const property of style?.keys() ?? [])
      if (/^(?:animation|offset-path|backdrop-filter|mask-image|perspective)/.test(property))
        this.#omitted.add(`'${property}'`);
    for (const value of style?.values() ?? [])
      if (/\b(?:calc|min|max|clamp)\(/.test(value))
        this.#omitted.add('values that are calculated (calc)');
    if (/^url\(\s*["']?[^#"'\s]/.test(this.#own(element, 'fill') ?? ''))
      this.#omitted.add('parts of other files (url)');
  }

  /** The element's own transform, which becomes an attribute if CSS has it. */
  #transform(element: Element): Matrix {
    const style = this.#styles.get(element);
    const said = style?.get('transform');
    const origin = this.#own(element, 'transform-origin');
    const own = said ?? element.attribs['transform'] ?? '';
    if (own === '') return identity;
    const box = this.#boxOf(element);
    const matrix = transformIn(own, box);
    if (!matrix) {
      this.#omitted.add(`the transform '${own.slice(0, 40)}'`);
      return identity;
    }
    const [x, y] = originIn(origin ?? '0 0', box);
    const whole = about(matrix, x, y);
    if (said !== undefined || origin !== undefined)
      element.attribs['transform'] = `matrix(${whole.join(' ')})`;
    return whole;
  }

  /** What percentages of a transform refer to: the view box, or the shape itself. */
  #boxOf(element: Element): { x: number; y: number; width: number; height: number } {
    if (/^(?:fill|stroke|content|border)-box$/.test(this.#own(element, 'transform-box') ?? '')) {
      const path = this.#pathOf(element);
      if (path) {
        const [left, top, right, bottom] = path.computeTightBounds();
        return { x: left, y: top, width: right - left, height: bottom - top };
      }
      this.#omitted.add(`'transform-box' of <${element.name}>`);
    }
    const [x = 0, y = 0, width = this.#size.width, height = this.#size.height] = numbersIn(
      this.#root.attribs['viewBox'] ?? '',
    );
    return { x: 0 * x, y: 0 * y, width, height };
  }

  /** A shape as a path; null for anything else. */
  #pathOf(element: Element): Path2D | null {
    if (!shapes.has(element.name)) return null;
    const [, , wide = this.#size.width, high = this.#size.height] = numbersIn(
      this.#root.attribs['viewBox'] ?? '',
    );
    const number = (name: string, side = wide): number =>
      lengthIn(
        this.#own(element, name) ?? '0',
        /%$/.test(this.#own(element, name) ?? '') ? side : 16,
      ) ?? 0;
    const path = new Path2D();
    switch (element.name) {
      case 'path':
        return new Path2D(
          /^path\(\s*["'](.*)["']\s*\)$/s.exec(this.#own(element, 'd') ?? '')?.[1] ??
            this.#own(element, 'd') ??
            '',
        );
      case 'rect': {
        const [rx, ry] = [number('rx') || number('ry', high), number('ry', high) || number('rx')];
        const radius = { x: rx, y: ry };
        path.roundRect(
          number('x'),
          number('y', high),
          number('width'),
          number('height', high),
          radius,
        );
        return path;
      }
      case 'circle':
      case 'ellipse': {
        const [rx, ry] =
          element.name === 'circle'
            ? [number('r'), number('r')]
            : [number('rx'), number('ry', high)];
        path.ellipse(number('cx'), number('cy', high), rx, ry, 0, 0, 2 * Math.PI);
        return path;
      }
      case 'line':
        path.moveTo(number('x1'), number('y1', high));
        path.lineTo(number('x2'), number('y2', high));
        return path;
      default: {
        const points = numbersIn(element.attribs['points'] ?? '');
        for (let at = 0; at + 1 < points.length; at += 2)
          path.lineTo(points[at] ?? 0, points[at + 1] ?? 0);
        if (element.name === 'polygon') path.closePath();
        return path;
      }
    }
  }

  /** Turns the style of an element into what the renderer reads. */
  #settle(element: Element): void {
    const { attribs } = element;
    const style = this.#styles.get(element) ?? new Map<string, string>();
    const rest: string[] = [];
    for (const [name, value] of style) {
      if (name === 'transform' || name === 'transform-origin' || name === 'transform-box') continue;
      if (name === 'vector-effect') attribs[name] = value;
      else if (geometry.has(name)) {
        if (element === this.#root) continue;
        const path = /^path\(\s*["'](.*)["']\s*\)$/s.exec(value)?.[1];
        if (value !== 'auto') attribs[name] = path ?? value;
      } else rest.push(`${name}:${colors.has(name) ? plainColor(value) : value}`);
    }
    for (const name of colors) {
      const value = attribs[name];
      if (value !== undefined) attribs[name] = plainColor(value);
    }
    delete attribs['class'];
    delete attribs['transform-origin'];
    delete attribs['style'];
    if (rest.length > 0) attribs['style'] = rest.join(';');
  }

  /** Puts markers in the place of those that turn at the start, or take the colours of their line. */
  #markersOf(element: Element): void {
    if (!shapes.has(element.name)) return;
    for (const side of ['marker-start', 'marker-mid', 'marker-end']) {
      const [, id = ''] =
        /^url\(\s*["']?#([^"')]+)/.exec(this.#inherited(element, side) ?? '') ?? [];
      const marker = this.#byId.get(id);
      if (!marker || marker.name !== 'marker') continue;
      const turns = marker.attribs['orient'] === 'auto-start-reverse';
      const reversed = turns && side === 'marker-start';
      const takes = this.#takesColors(marker);
      if (!reversed && !turns && !takes) continue;
      const [fill, stroke] = [
        this.#inherited(element, 'fill') ?? '#000',
        this.#inherited(element, 'stroke') ?? 'none',
      ];
      const key = `${id} ${String(reversed)} ${takes ? `${fill} ${stroke}` : ''}`;
      if (!this.#markers.has(key) && this.#markers.size >= mostMarkers) {
        this.#omitted.add('arrows in more than 100 looks');
        continue;
      }
      const known = this.#markers.get(key) ?? this.#copyMarker(marker, reversed, { fill, stroke });
      this.#markers.set(key, known);
      const style = new Map(this.#styles.get(element));
      style.set(side, `url(#${known})`);
      this.#styles.set(element, style);
    }
  }

  /** Whether a marker has the colours of its line; looked up once, since any number of lines may have it. */
  #takesColors(marker: Element): boolean {
    let takes = this.#taking.get(marker);
    if (takes === undefined) {
      takes = DomUtils.getElementsByTagName('*', marker, true).some((one) =>
        ['fill', 'stroke'].some((name) => (this.#own(one, name) ?? '').startsWith('context-')),
      );
      this.#taking.set(marker, takes);
    }
    return takes;
  }

  #copyMarker(
    marker: Element,
    reversed: boolean,
    context: { fill: string; stroke: string },
  ): string {
    const id = `fw-marker-${this.#markers.size}`;
    const copy = marker.cloneNode(true);
    copy.attribs['id'] = id;
    copy.attribs['orient'] = 'auto';
    this.#adopt(marker, copy, context);
    if (reversed) {
      // What it shows is turned about the middle of its frame, and held at the point across.
      const { refX = '0', refY = '0', markerWidth = '3', markerHeight = '3' } = marker.attribs;
      const [left = 0, top = 0, width = Number(markerWidth), height = Number(markerHeight)] =
        numbersIn(marker.attribs['viewBox'] ?? '');
      const [x, y] = [left + width / 2, top + height / 2];
      copy.attribs['refX'] = String(2 * x - Number(refX));
      copy.attribs['refY'] = String(2 * y - Number(refY));
      const turned = new Element('g', { transform: `rotate(180 ${x} ${y})` }, copy.children);
      for (const child of turned.children) child.parent = turned;
      copy.children = [];
      DomUtils.appendChild(copy, turned);
    }
    DomUtils.prependChild(this.#root, copy);
    this.#rewrite(copy, identity);
    return id;
  }

  /** Gives a copy the styles of what it was copied from. */
  #adopt(from: Element, to: Element, context: { fill: string; stroke: string }): void {
    const style = new Map(this.#styles.get(from));
    for (const name of ['fill', 'stroke']) {
      const value = style.get(name) ?? from.attribs[name];
      if (value === 'context-fill') style.set(name, context.fill);
      if (value === 'context-stroke') style.set(name, context.stroke);
    }
    this.#styles.set(to, style);
    const [sources, copies] = [from.children.filter(isTag), to.children.filter(isTag)];
    for (const [at, child] of sources.entries()) {
      const copy = copies[at];
      if (copy) this.#adopt(child, copy, context);
    }
  }

  /** Puts a filter in the place of CSS's shadow, whose colours the renderer mixes differently. */
  #shadow(element: Element): void {
    const style = this.#styles.get(element);
    const [, inside = ''] = /^drop-shadow\((.*)\)$/s.exec(style?.get('filter') ?? '') ?? [];
    const words = inside.match(/[^\s()]+(?:\([^()]*\))?/g) ?? [];
    const lengths = words.flatMap((word) => lengthIn(word, 16) ?? []);
    const [dx, dy, deviation = 0] = lengths;
    // Several functions, or something else: the renderer's own way.
    if (dx === undefined || dy === undefined || words.length > lengths.length + 1) return;
    const color = words.find((word) => lengthIn(word, 16) === null) ?? 'currentColor';
    const id = `fw-shadow-${this.#byId.size}`;
    const place = { x: '-100%', y: '-100%', width: '300%', height: '300%' };
    const filter = new Element('filter', { id, ...place });
    const shadow = new Element('feDropShadow', {
      ...{ dx: String(dx), dy: String(dy), stdDeviation: String(deviation) },
      'flood-color': plainColor(color),
    });
    DomUtils.appendChild(filter, shadow);
    DomUtils.prependChild(this.#root, filter);
    this.#byId.set(id, filter);
    this.#styles.set(element, new Map([...(style ?? []), ['filter', `url(#${id})`]]));
  }

  /** Draws a line whose width does not grow: where it is shown, and back again. */
  #keepStroke(element: Element, matrix: Matrix): void {
    const { 'vector-effect': effect, ...attribs } = element.attribs;
    element.attribs = attribs;
    if (
      effect !== 'non-scaling-stroke' ||
      (this.#inherited(element, 'stroke') ?? 'none') === 'none'
    )
      return;
    const path = this.#pathOf(element);
    const back = inverted(matrix);
    const { parent } = element;
    if (!path || !back || !parent) {
      this.#omitted.add(`'vector-effect' of <${element.name}>`);
      return;
    }
    const [a, b, c, d, e, f] = matrix;
    const own = transformIn(attribs['transform'] ?? '', this.#boxOf(element)) ?? identity;
    const line = new Element('path', {
      ...attribs,
      d: path.transform({ a, b, c, d, e, f }).toSVGString(),
      transform: `matrix(${multiply(own, back).join(' ')})`,
      style: withStyle(attribs['style'], 'fill:none'),
    });
    element.attribs = { ...attribs, style: withStyle(attribs['style'], 'stroke:none') };
    delete element.attribs['id'];
    DomUtils.append(element, line);
  }

  #outline(text: Element): void {
    const paths = this.#texts.outline(text);
    const isShape = text.parent !== null && isTag(text.parent) && text.parent.name === 'clipPath';
    const unused = new Set(['x', 'y', 'dx', 'dy', 'rotate', 'textLength', 'lengthAdjust']);
    const settle = (element: Element): ChildNode[] => {
      const data = paths.get(element);
      const children = element.children.filter(isTag).flatMap((child) => {
        if (child.name !== 'tspan' && child.name !== 'a') return [];
        this.#settle(child);
        const inner = settle(child);
        child.name = 'g';
        child.children = inner;
        for (const one of inner) one.parent = child;
        return [child];
      });
      element.attribs = without(element.attribs, unused);
      if (data === undefined) return children;
      return [new Element('path', { d: data }), ...children];
    };
    const children = settle(text);
    text.name = isShape ? 'path' : 'g';
    text.children = isShape ? [] : children;
    if (isShape) text.attribs['d'] = [...paths.values()].join('');
    for (const one of text.children) one.parent = text;
  }
}

function withStyle(style: string | undefined, last: string): string {
  return style === undefined ? last : `${style};${last}`;
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

function numbersIn(text: string): number[] {
  return (text.match(/[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/gi) ?? []).map(Number);
}

function originIn(
  text: string,
  box: { x: number; y: number; width: number; height: number },
): [number, number] {
  const words = text.trim().split(/\s+/);
  const names: Readonly<Record<string, string>> = {
    ...{ left: '0%', right: '100%', top: '0%', bottom: '100%', center: '50%' },
  };
  if (/^(?:top|bottom)$/.test(words[0] ?? '') || /^(?:left|right)$/.test(words[1] ?? ''))
    words.reverse();
  const place = (word: string | undefined, start: number, side: number): number => {
    const said = names[word ?? 'center'] ?? word ?? '50%';
    return start + (lengthIn(said, said.endsWith('%') ? side : 16) ?? 0);
  };
  return [place(words[0], box.x, box.width), place(words[1], box.y, box.height)];
}

function without(
  attribs: Readonly<Record<string, string>>,
  names: ReadonlySet<string>,
): Record<string, string> {
  return Object.fromEntries(Object.entries(attribs).filter(([name]) => !names.has(name)));
}
