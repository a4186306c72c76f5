/**
 * Where the elements of a document stand over time, without their animations: what a change of format must keep apart.
 * Pure.
 */
import type { PathCommand } from '../../renderscript/path.ts';
import type { CompositionElement, Timeline, TimelineElement } from '../compile/timeline.ts';
import { enclosing, mappedBounds, type Rect } from '../geometry.ts';
import type { Box, TextContent } from './box.ts';
import type { LayoutContext } from './bodies.ts';
import { createLayout } from './layout.ts';

/** An element at a moment. */
export interface StandingElement {
  /** In the source, e.g. `elements[1].elements[0]`. */
  readonly path: string;
  /** Of its composition; '' for the document. */
  readonly parent: string;
  /** Around what is seen of it: of a text its lines, otherwise its box; pixels of the parent's room. */
  readonly area: Rect;
  /** The parent's room, pixels. */
  readonly room: { readonly width: number; readonly height: number };
}

/** All elements that show at one moment. */
export type StandingMoment = readonly StandingElement[];

/** Moments that are looked at, at most. */
const mostMoments = 48;

/** The elements between all moments at which one comes or goes; the longest of too many. */
export function standingElements(
  timeline: Timeline,
  context: LayoutContext,
): readonly StandingMoment[] {
  const { width, height, root } = timeline;
  const layout = createLayout({ ...timeline, root: atRest(root) }, context);
  return momentsOf(timeline).map((time) => {
    const found: StandingElement[] = [];
    visit(layout.frameAt(time).boxes, '', { width, height }, found);
    return found;
  });
}

/** Seconds, in order: the middle between neighbouring beginnings and ends. */
function momentsOf({ root, duration }: Timeline): readonly number[] {
  const edges = new Set([0, duration]);
  const add = ({ children }: CompositionElement, from: number): void => {
    for (const child of children) {
      const start = from + child.start;
      for (const edge of [start, start + child.duration])
        if (edge > 0 && edge < duration) edges.add(edge);
      if (isComposition(child)) add(child, start);
    }
  };
  add(root, 0);
  const sorted = [...edges].sort((a, b) => a - b);
  const spans = sorted.slice(1).map((end, index) => {
    const start = sorted[index] ?? 0;
    return { middle: (start + end) / 2, length: end - start };
  });
  const longest = spans.sort((a, b) => b.length - a.length).slice(0, mostMoments);
  const middles = longest.map(({ middle }) => middle).sort((a, b) => a - b);
  return middles.length > 0 ? middles : [0];
}

/** A composition without animations, its own and those of all in it. */
function atRest(composition: CompositionElement): CompositionElement {
  const children = composition.children.map((child) =>
    isComposition(child) ? atRest(child) : { ...child, animations: [] },
  );
  return { ...composition, animations: [], children };
}

const isComposition = (element: TimelineElement): element is CompositionElement =>
  element.type === 'composition';

function visit(
  boxes: readonly Box[],
  parent: string,
  room: StandingElement['room'],
  found: StandingElement[],
): void {
  const areas = new Map<string, Rect>();
  for (const box of boxes) {
    const { path } = box.element;
    const area = areaOf(box);
    const known = areas.get(path);
    areas.set(path, known ? enclosing([known, area]) : area);
    if (box.content.kind !== 'composition') continue;
    const { originX, originY, children } = box.content;
    const inside = { width: box.width - 2 * originX, height: box.height - 2 * originY };
    visit(children, path, inside, found);
  }
  for (const [path, area] of areas) found.push({ path, parent, area, room });
}

function areaOf(box: Box): Rect {
  const { content, width, height } = box;
  const seen = content.kind === 'text' ? textAreas(content) : [];
  const own = seen.length > 0 ? enclosing(seen) : { x: 0, y: 0, width, height };
  return mappedBounds(box.transform, own);
}

/** Of its lines and what lies behind them. */
function textAreas({ pieces, backgrounds }: TextContent): readonly Rect[] {
  const corners = backgrounds.flatMap(({ path }) => path.flatMap(cornersOf));
  return [...pieces.map(({ bounds }) => bounds), ...corners];
}

/** The points that a command of a path names. */
const cornersOf = ([, ...numbers]: PathCommand): readonly Rect[] =>
  numbers.flatMap((x, index) => {
    const y = numbers[index + 1];
    return index % 2 === 0 && y !== undefined ? [{ x, y, width: 0, height: 0 }] : [];
  });
