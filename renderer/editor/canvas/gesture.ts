/** What the pointer makes of a gesture on the picture: new areas, guides, and the values to write. Pure. */
import { keyframesOf } from '../../../shared/renderscript/keyframes.ts';
import { say } from '../../ui/say.ts';
import {
  automaticSides,
  moved,
  pivotOf,
  resized,
  turnedValues,
  type Handle,
  type Held,
  type Values,
} from './changes.ts';
import {
  boundsOf,
  directionOf,
  minus,
  plus,
  turned,
  type Area,
  type Bounds,
  type Point,
} from './plane.ts';
import { gapsOf, toEqualGaps, type Gap } from './spacing.ts';
import { allEdges, snap, type Guide, type SnapLines, type SnappedEdges } from './snap.ts';

/** Keys held down during a gesture. */
export interface Modifiers {
  readonly shift: boolean;
  readonly alt: boolean;
  /** Ctrl, or Cmd: nothing snaps. */
  readonly ctrl: boolean;
}

/** What a gesture does to the elements that it began with. */
export type GestureKind =
  | { readonly kind: 'move' }
  | { readonly kind: 'resize'; readonly handle: Handle }
  | { readonly kind: 'turn' };

/** The start of a gesture: what it does, where it began, and the elements that it holds. */
export interface Grip {
  readonly what: GestureKind;
  readonly from: Point;
  readonly held: readonly Held[];
  /** Lines that edges snap to. */
  readonly lines: SnapLines;
  readonly others: readonly Bounds[];
}

/** A gesture's result for one place of the pointer. */
interface GestureStep {
  readonly areas: readonly Area[];
  readonly guides: readonly Guide[];
  readonly gaps: readonly Gap[];
  /** The result in numbers. */
  readonly readout: string;
  readonly valuesOf: (held: Held) => Values;
}

/**
 * The result when the pointer is at `to`; null if the gesture holds nothing.
 *
 * @param reach Document pixels within which edges snap; 0: nothing snaps.
 */
export function gestureStep(
  grip: Grip,
  to: Point,
  modifiers: Modifiers,
  reach: number,
): GestureStep | null {
  const { what, from } = grip;
  if (what.kind === 'move') return moveStep(grip, minus(to, from), modifiers, reach);
  const [held] = grip.held;
  if (!held) return null;
  return what.kind === 'resize'
    ? resizeStep(grip, held, what.handle, minus(to, from), modifiers, reach)
    : turnStep(held, from, to, modifiers);
}

const shiftedBy = ({ left, right, top, bottom }: Bounds, { x, y }: Point): Bounds => ({
  left: left + x,
  right: right + x,
  top: top + y,
  bottom: bottom + y,
});

function moveStep(
  { held, lines, others }: Grip,
  way: Point,
  { shift }: Modifiers,
  reach: number,
): GestureStep {
  const along = shift
    ? Math.abs(way.x) >= Math.abs(way.y)
      ? { x: way.x, y: 0 }
      : { x: 0, y: way.y }
    : way;
  const before = boundsOf(held.map(({ area }) => area));
  const after = shiftedBy(before, along);
  const edges: SnappedEdges = {
    x: shift && along.x === 0 ? [] : allEdges.x,
    y: shift && along.y === 0 ? [] : allEdges.y,
  };
  const { by: toLines, guides } =
    reach > 0 ? snap(after, lines, reach, edges) : { by: { x: 0, y: 0 }, guides: [] };
  // Lines come first: what keeps to one does not leave it for equal gaps.
  const evened = (axis: 'x' | 'y'): number =>
    reach > 0 && edges[axis].length > 0 && !guides.some((guide) => guide.axis === axis)
      ? toEqualGaps(shiftedBy(after, toLines), others, axis, reach)
      : 0;
  const by = plus(toLines, { x: evened('x'), y: evened('y') });
  const total = plus(along, by);
  return {
    areas: held.map(({ area }) => ({ ...area, origin: plus(area.origin, total) })),
    guides,
    gaps: reach > 0 ? gapsOf(shiftedBy(after, by), others, guides) : [],
    readout: toldOf(
      `${Math.round(before.left + total.x)}, ${Math.round(before.top + total.y)}`,
      held.map((one) => moved(one, total)),
    ),
    valuesOf: (one) => moved(one, total),
  };
}

function resizeStep(
  { lines }: Grip,
  held: Held,
  handle: Handle,
  way: Point,
  { shift, alt }: Modifiers,
  reach: number,
): GestureStep {
  const options = { keepsRatio: shift, fromCentre: alt };
  let { area, values } = resized(held, handle, way, options);
  let guides: readonly Guide[] = [];
  // Rotated elements have no upright edges to snap.
  const isUpright = Math.abs(held.area.across.y) < 0.01 && Math.abs(held.area.down.x) < 0.01;
  if (reach > 0 && isUpright) {
    const edges: SnappedEdges = {
      x: handle.x < 0 ? ['left'] : handle.x > 0 ? ['right'] : [],
      y: handle.y < 0 ? ['top'] : handle.y > 0 ? ['bottom'] : [],
    };
    const snapped = snap(boundsOf([area]), lines, reach, edges);
    if (snapped.guides.length > 0) {
      ({ area, values } = resized(held, handle, plus(way, snapped.by), options));
      guides = snapped.guides;
    }
  }
  return {
    areas: [area],
    guides,
    gaps: [],
    readout: toldOf(sizeOf(held, area, values), [values]),
    valuesOf: () => values,
  };
}

/**
 * The size to show while resizing: the letters' size if the resize scales them, and the name of what the content
 * decides.
 */
function sizeOf(held: Held, { width, height }: Area, values: Values): string {
  const { font_size: letters } = values;
  if (typeof letters === 'string' || typeof letters === 'number')
    return say('canvas.letters', { size: letters });
  const automatic = automaticSides(held, values);
  const told = (side: number, follows: boolean): string =>
    follows ? say('canvas.automatic') : String(Math.round(side));
  return `${told(width, automatic.x)} × ${told(height, automatic.y)}`;
}

/** A readout, and whether it counts for more than the moment that is seen. */
function toldOf(readout: string, changes: readonly Values[]): string {
  const isKeyed = changes.some((values) =>
    Object.values(values).some((value) => keyframesOf(value)),
  );
  return isKeyed ? say('canvas.allKeys', { readout }) : readout;
}

function turnStep(held: Held, from: Point, to: Point, { shift }: Modifiers): GestureStep {
  const pivot = pivotOf(held);
  const degrees = directionOf(minus(to, pivot)) - directionOf(minus(from, pivot));
  const { by, values } = turnedValues(held, degrees, shift);
  const area = turned(held.area, pivot, by);
  return {
    areas: [area],
    guides: [],
    gaps: [],
    readout: toldOf(`${Math.round(directionOf(area.across))}°`, [values]),
    valuesOf: () => values,
  };
}
