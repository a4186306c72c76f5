/**
 * Phase 1, vector pictures: an SVG as its renderer takes it. Style sheets become each element's own style, variables
 * and colours plain values, texts paths, and what the renderer can't do is rewritten, or left out and named.
 */
import render from 'dom-serializer';
import { Element, isTag, type ChildNode, type Document } from 'domhandler';
import { DomUtils } from 'htmlparser2';
import {
  about,
  identity,
  inverted,
  multiply,
  type Matrix,
} from '../../../../shared/engine/geometry.ts';
import type { FontBook } from '../fonts/fonts.ts';
import type { PlainSvg } from './svg-renderer.ts';
import { boxOf, isShape, originIn, pathOf } from './svg-shapes.ts';
import { SvgTexts } from './svg-text.ts';
import { SvgTree } from './svg-tree.ts';
import { lengthIn, numbersIn, plainColor, transformIn } from './svg-values.ts';

/** An SVG ready to be drawn. */
export interface SvgPicture extends PlainSvg {
  /** What is not drawn, in words. */
  readonly omitted: readonly string[];
}

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
  return new Plainer(new SvgTree(document, size), fonts).picture();
}

class Plainer {
  readonly #tree: SvgTree;
  readonly #texts: SvgTexts;
  readonly #markers = new Map<string, string>();
  readonly #taking = new Map<Element, boolean>();

  constructor(tree: SvgTree, fonts: FontBook) {
    this.#tree = tree;
    this.#texts = new SvgTexts(
      fonts,
      (element, name) => tree.inherited(element, name),
      tree.omitted,
    );
  }

  picture(): SvgPicture {
    const { root, styles, viewBox, omitted } = this.#tree;
    const { attribs } = root;
    const background =
      styles.get(root)?.get('background-color') ?? styles.get(root)?.get('background') ?? null;
    this.#rewrite(root, this.#rootMatrix());
    root.attribs = {
      ...{ width: 'fw', height: 'fw' },
      ...without(attribs, new Set(['width', 'height', 'x', 'y'])),
      viewBox: viewBox.join(' '),
      xmlns: 'http://www.w3.org/2000/svg',
      'xmlns:xlink': 'http://www.w3.org/1999/xlink',
    };
    return {
      text: render(root, { xmlMode: true, encodeEntities: 'utf8' }),
      background:
        background === null || /url\(|gradient/.test(background) ? null : plainColor(background),
      omitted: [...omitted],
    };
  }

  /** Pixels of the picture by units of its drawing. */
  #rootMatrix(): Matrix {
    const { size, viewBox } = this.#tree;
    const { width, height } = size;
    const [x, y, wide, high] = viewBox;
    let [across, down] = [width / wide, height / high];
    const fit = this.#tree.root.attribs['preserveAspectRatio'] ?? '';
    if (!fit.includes('none'))
      across = down = fit.includes('slice') ? Math.max(across, down) : Math.min(across, down);
    return Number.isFinite(across * down) ? [across, 0, 0, down, -x * across, -y * down] : identity;
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
        if (child.name === 'script') this.#tree.omitted.add('scripts');
        DomUtils.removeElement(child);
      } else if (left[child.name] !== undefined) {
        // Beside a plain alternative it is not missed.
        if (element.name !== 'switch') this.#tree.omitted.add(left[child.name] ?? '');
        DomUtils.removeElement(child);
      } else this.#rewrite(child, matrix);
    }
  }

  /** Names what an element asks for and does not get. */
  #note(element: Element): void {
    const style = this.#tree.styles.get(element);
    const { attribs, name } = element;
    const address = attribs['href'] ?? attribs['xlink:href'] ?? '';
    if (
      (name === 'image' || name === 'feImage') &&
      !/^\s*(?:data:|#)/i.test(address) &&
      address !== ''
    )
      this.#tree.omitted.add('pictures from other files');
    else if (name === 'use' && !address.trim().startsWith('#') && address !== '')
      this.#tree.omitted.add('parts of other files (use)');
    if (name === 'image' && /^\s*data:image\/(?:webp|avif|bmp)/i.test(address))
      this.#tree.omitted.add('embedded pictures other than PNG, JPEG, GIF and SVG');
    const clip = style?.get('clip-path') ?? attribs['clip-path'] ?? 'none';
    if (!/^(?:none|inherit|url\()/.test(clip))
      this.#tree.omitted.add(`'clip-path: ${clip.split('(')[0]}()'`);
    if (
      attribs['pathLength'] !== undefined &&
      /\d/.test(this.#tree.inherited(element, 'stroke-dasharray') ?? '')
    )
      this.#tree.omitted.add(`'pathLength'`);
    for (const property of style?.keys() ?? [])
      if (/^(?:animation|offset-path|backdrop-filter|mask-image|perspective)/.test(property))
        this.#tree.omitted.add(`'${property}'`);
    for (const value of style?.values() ?? [])
      if (/\b(?:calc|min|max|clamp)\(/.test(value))
        this.#tree.omitted.add('values that are calculated (calc)');
    if (/^url\(\s*["']?[^#"'\s]/.test(this.#tree.own(element, 'fill') ?? ''))
      this.#tree.omitted.add('parts of other files (url)');
  }

  /** The element's own transform, which becomes an attribute if CSS has it. */
  #transform(element: Element): Matrix {
    const style = this.#tree.styles.get(element);
    const said = style?.get('transform');
    const origin = this.#tree.own(element, 'transform-origin');
    const own = said ?? element.attribs['transform'] ?? '';
    if (own === '') return identity;
    const box = boxOf(this.#tree, element);
    const matrix = transformIn(own, box);
    if (!matrix) {
      this.#tree.omitted.add(`the transform '${own.slice(0, 40)}'`);
      return identity;
    }
    const [x, y] = originIn(origin ?? '0 0', box);
    const whole = about(matrix, x, y);
    if (said !== undefined || origin !== undefined)
      element.attribs['transform'] = `matrix(${whole.join(' ')})`;
    return whole;
  }

  /** Turns the style of an element into what the renderer reads. */
  #settle(element: Element): void {
    const { attribs } = element;
    const style = this.#tree.styles.get(element) ?? new Map<string, string>();
    const rest: string[] = [];
    for (const [name, value] of style) {
      if (name === 'transform' || name === 'transform-origin' || name === 'transform-box') continue;
      if (name === 'vector-effect') attribs[name] = value;
      else if (geometry.has(name)) {
        if (element === this.#tree.root) continue;
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
    if (!isShape(element)) return;
    for (const side of ['marker-start', 'marker-mid', 'marker-end']) {
      const [, id = ''] =
        /^url\(\s*["']?#([^"')]+)/.exec(this.#tree.inherited(element, side) ?? '') ?? [];
      const marker = this.#tree.byId.get(id);
      if (!marker || marker.name !== 'marker') continue;
      const turns = marker.attribs['orient'] === 'auto-start-reverse';
      const reversed = turns && side === 'marker-start';
      const takes = this.#takesColors(marker);
      if (!reversed && !turns && !takes) continue;
      const [fill, stroke] = [
        this.#tree.inherited(element, 'fill') ?? '#000',
        this.#tree.inherited(element, 'stroke') ?? 'none',
      ];
      const key = `${id} ${String(reversed)} ${takes ? `${fill} ${stroke}` : ''}`;
      if (!this.#markers.has(key) && this.#markers.size >= mostMarkers) {
        this.#tree.omitted.add('arrows in more than 100 looks');
        continue;
      }
      const known = this.#markers.get(key) ?? this.#copyMarker(marker, reversed, { fill, stroke });
      this.#markers.set(key, known);
      const style = new Map(this.#tree.styles.get(element));
      style.set(side, `url(#${known})`);
      this.#tree.styles.set(element, style);
    }
  }

  /** Whether a marker has the colours of its line; looked up once, since any number of lines may have it. */
  #takesColors(marker: Element): boolean {
    let takes = this.#taking.get(marker);
    if (takes === undefined) {
      takes = DomUtils.getElementsByTagName('*', marker, true).some((one) =>
        ['fill', 'stroke'].some((name) => (this.#tree.own(one, name) ?? '').startsWith('context-')),
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
    DomUtils.prependChild(this.#tree.root, copy);
    this.#rewrite(copy, identity);
    return id;
  }

  /** Gives a copy the styles of what it was copied from. */
  #adopt(from: Element, to: Element, context: { fill: string; stroke: string }): void {
    const style = new Map(this.#tree.styles.get(from));
    for (const name of ['fill', 'stroke']) {
      const value = style.get(name) ?? from.attribs[name];
      if (value === 'context-fill') style.set(name, context.fill);
      if (value === 'context-stroke') style.set(name, context.stroke);
    }
    this.#tree.styles.set(to, style);
    const [sources, copies] = [from.children.filter(isTag), to.children.filter(isTag)];
    for (const [at, child] of sources.entries()) {
      const copy = copies[at];
      if (copy) this.#adopt(child, copy, context);
    }
  }

  /** Puts a filter in the place of CSS's shadow, whose colours the renderer mixes differently. */
  #shadow(element: Element): void {
    const style = this.#tree.styles.get(element);
    const [, inside = ''] = /^drop-shadow\((.*)\)$/s.exec(style?.get('filter') ?? '') ?? [];
    const words = inside.match(/[^\s()]+(?:\([^()]*\))?/g) ?? [];
    const lengths = words.flatMap((word) => lengthIn(word, 16) ?? []);
    const [dx, dy, deviation = 0] = lengths;
    // Several functions, or something else: the renderer's own way.
    if (dx === undefined || dy === undefined || words.length > lengths.length + 1) return;
    const color = words.find((word) => lengthIn(word, 16) === null) ?? 'currentColor';
    const id = `fw-shadow-${this.#tree.byId.size}`;
    const place = { x: '-100%', y: '-100%', width: '300%', height: '300%' };
    const filter = new Element('filter', { id, ...place });
    const shadow = new Element('feDropShadow', {
      ...{ dx: String(dx), dy: String(dy), stdDeviation: String(deviation) },
      'flood-color': plainColor(color),
    });
    DomUtils.appendChild(filter, shadow);
    DomUtils.prependChild(this.#tree.root, filter);
    this.#tree.byId.set(id, filter);
    this.#tree.styles.set(element, new Map([...(style ?? []), ['filter', `url(#${id})`]]));
  }

  /** Draws a line whose width does not grow: where it is shown, and back again. */
  #keepStroke(element: Element, matrix: Matrix): void {
    const { 'vector-effect': effect, ...attribs } = element.attribs;
    element.attribs = attribs;
    if (
      effect !== 'non-scaling-stroke' ||
      (this.#tree.inherited(element, 'stroke') ?? 'none') === 'none'
    )
      return;
    const path = pathOf(this.#tree, element);
    const back = inverted(matrix);
    const { parent } = element;
    if (!path || !back || !parent) {
      this.#tree.omitted.add(`'vector-effect' of <${element.name}>`);
      return;
    }
    const [a, b, c, d, e, f] = matrix;
    const own = transformIn(attribs['transform'] ?? '', boxOf(this.#tree, element)) ?? identity;
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

function without(
  attribs: Readonly<Record<string, string>>,
  names: ReadonlySet<string>,
): Record<string, string> {
  return Object.fromEntries(Object.entries(attribs).filter(([name]) => !names.has(name)));
}
