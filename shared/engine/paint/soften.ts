/** Softening a layer's pixels, for blurs and shadows: by the canvas's own filter or by box-blur.ts. Phase 4. */
import type { BlurPlan } from '../layout/blur.ts';
import { grown } from './bounds.ts';
import { boxBlur } from './box-blur.ts';
import { copyOnto, filterOnto, placeOf, type Layer, type Layers } from './layers.ts';

/**
 * A blurred copy; gives the original back to the pool. Pixels outside of the layer count as transparent, so the layer
 * must have three sigma of margin.
 */
export function blurred(layers: Layers, layer: Layer, sigma: number): Layer {
  if (sigma <= 0) return layer;
  const result = layers.take(placeOf(layer));
  filterOnto(result, layer, `blur(${sigma}px)`);
  layers.give(layer);
  return result;
}

/** Applies a blur to a layer; may return another layer and give the original to the pool. */
export function softened(layers: Layers, layer: Layer, plan: BlurPlan): Layer {
  if (plan.kind === 'gauss') return blurred(layers, layer, plan.sigma);
  boxBlur(layer, plan.half, plan.passes);
  return layers.afterReading(layer);
}

/**
 * The same for a layer that is filled to its edges, continuing the edges' colours outside for `reach` pixels. The
 * result is larger by `border` pixels on every side.
 */
export function softenedInside(
  layers: Layers,
  layer: Layer,
  plan: BlurPlan,
  reach: number,
  border: number,
): Layer {
  const { width, height } = layer;
  const margin = Math.ceil(reach) + border;
  const result = layers.take(grown(placeOf(layer), border));
  layers.with(grown(placeOf(layer), margin), (wide) => {
    // Smoothing would use colours from beyond the layer, which depend on the size of its canvas.
    wide.ctx.imageSmoothingEnabled = false;
    for (const [fromY, fromHeight, y, toHeight] of bands(height, margin)) {
      for (const [fromX, fromWidth, x, toWidth] of bands(width, margin)) {
        wide.ctx.drawImage(
          layer.canvas,
          fromX,
          fromY,
          fromWidth,
          fromHeight,
          x,
          y,
          toWidth,
          toHeight,
        );
      }
    }
    if (plan.kind === 'gauss') {
      filterOnto(result, wide, `blur(${plan.sigma}px)`);
    } else {
      boxBlur(wide, plan.half, plan.passes);
      layers.noteReading(wide);
      copyOnto(result, wide);
    }
  });
  layers.give(layer);
  return result;
}

/** First pixel, middle, last pixel of a side, and where they go when the side gets a margin. */
function bands(
  length: number,
  margin: number,
): readonly (readonly [number, number, number, number])[] {
  return [
    [0, 1, 0, margin],
    [0, length, margin, length],
    [length - 1, 1, margin + length, margin],
  ];
}
