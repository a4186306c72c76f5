/**
 * Colours and gradients for the canvas. Phase 4. Independent of boxes; coordinates are in the context's current
 * transform.
 */
import type { Color, GradientStop } from '../compile/property-values.ts';
import type { Paint } from '../layout/paint-values.ts';
import type { Context, Gradient } from '../surface.ts';

/** A value for `fillStyle` or `strokeStyle`. */
export type Style = string | Gradient;

/** The CSS spelling of a colour; channels are rounded and clamped. */
export function cssColor([red, green, blue, alpha]: Color): string {
  const opacity = Math.min(1, Math.max(0, alpha));
  return `rgba(${channel(red)},${channel(green)},${channel(blue)},${Math.round(opacity * 1e4) / 1e4})`;
}

/**
 * The style for a paint. Gradients without extent (both points equal, radius 0) show their last colour; the canvas
 * itself would paint nothing.
 */
export function paintStyle(ctx: Context, paint: Paint): Style {
  switch (paint.kind) {
    case 'solid':
      return cssColor(paint.color);
    case 'linear': {
      const { x0, y0, x1, y1 } = paint;
      if (x0 === x1 && y0 === y1) return lastColor(paint.stops);
      return withStops(ctx.createLinearGradient(x0, y0, x1, y1), paint.stops);
    }
    case 'radial': {
      const { x, y, radius } = paint;
      if (radius <= 0) return lastColor(paint.stops);
      return withStops(ctx.createRadialGradient(x, y, 0, x, y, radius), paint.stops);
    }
  }
}

function channel(value: number): number {
  return Math.min(255, Math.max(0, Math.round(value)));
}

function lastColor(stops: readonly GradientStop[]): string {
  const last = sorted(stops).at(-1);
  return last ? cssColor(last.color) : 'transparent';
}

function withStops(gradient: Gradient, stops: readonly GradientStop[]): Gradient {
  for (const { offset, color } of sorted(stops)) {
    gradient.addColorStop(Math.min(1, Math.max(0, offset)), cssColor(color));
  }
  return gradient;
}

/** The canvas needs stops in order; a document's order must not matter. */
function sorted(stops: readonly GradientStop[]): readonly GradientStop[] {
  return [...stops].sort((a, b) => a.offset - b.offset);
}
