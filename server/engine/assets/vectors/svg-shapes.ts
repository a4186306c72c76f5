/**
 * Phase 1, vector pictures: the shapes of an SVG as paths, and the boxes that percentages and origins of transforms
 * refer to.
 */
import { Path2D } from '@napi-rs/canvas';
import type { Element } from 'domhandler';
import type { SvgTree } from './svg-tree.ts';
import { lengthIn, numbersIn } from './svg-values.ts';

const shapes = new Set(['path', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon']);

/** Whether an element is a shape. */
export function isShape(element: Element): boolean {
  return shapes.has(element.name);
}

/** A shape as a path; null for anything else. */
export function pathOf(tree: SvgTree, element: Element): Path2D | null {
  if (!isShape(element)) return null;
  const [, , wide, high] = tree.viewBox;
  const number = (name: string, side = wide): number =>
    lengthIn(
      tree.own(element, name) ?? '0',
      /%$/.test(tree.own(element, name) ?? '') ? side : 16,
    ) ?? 0;
  const path = new Path2D();
  switch (element.name) {
    case 'path':
      return new Path2D(
        /^path\(\s*["'](.*)["']\s*\)$/s.exec(tree.own(element, 'd') ?? '')?.[1] ??
          tree.own(element, 'd') ??
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
        element.name === 'circle' ? [number('r'), number('r')] : [number('rx'), number('ry', high)];
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

/** What percentages of a transform refer to: the view box, or the shape itself. */
export function boxOf(
  tree: SvgTree,
  element: Element,
): { x: number; y: number; width: number; height: number } {
  if (/^(?:fill|stroke|content|border)-box$/.test(tree.own(element, 'transform-box') ?? '')) {
    const path = pathOf(tree, element);
    if (path) {
      const [left, top, right, bottom] = path.computeTightBounds();
      return { x: left, y: top, width: right - left, height: bottom - top };
    }
    tree.omitted.add(`'transform-box' of <${element.name}>`);
  }
  const [, , width, height] = tree.viewBox;
  return { x: 0, y: 0, width, height };
}

/** The point that a transform turns and scales about. */
export function originIn(
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
