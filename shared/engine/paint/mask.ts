/**
 * Masks: another element's pixels decide how much of a finished element shows. Phase 4. boxes.ts draws the pixels.
 */
import type { Box } from '../layout/box.ts';
import { changePixels, copyOnto, placeOf, stripPixels, type Layer, type Layers } from './layers.ts';
import { fitEdges, mayShareEdges, outlineKey, type Outline } from './mask-edges.ts';
import { fitPixels, mayTouch } from './mask-pixels.ts';
import { describe } from './pictures.ts';

/** How a mask is read. */
type MaskMode = NonNullable<Box['mask']>;

/** The masking box, its place, a key for its parent's place, and the masked element. */
export interface MaskSource extends Outline {
  readonly key: string;
  readonly element: Outline;
}

/** Keeps the parts of `layer` that the mask lets through; `draw` draws the mask as a normal element. */
export function applyMask(
  layers: Layers,
  layer: Layer,
  mode: MaskMode,
  { box, matrix, key, element }: MaskSource,
  draw: (mask: Layer) => void,
): void {
  const area = placeOf(layer);
  const own = { box, matrix };
  // See: [Note: Shared edges]
  const mayFit = !hidesOutside(mode) && area.width * area.height <= stripPixels;
  const fits = mayFit && mayShareEdges(element, own);
  const fitsPixels = mayFit && !fits && mayTouch(element, own);
  if (mode === 'alpha' || mode === 'alpha-inverted') {
    layers.with(area, (mask) => {
      draw(mask);
      if (fits) fitEdges(layers, mask, element, own);
      if (fitsPixels) fitPixels(layers, mask, layer);
      copyOnto(layer, mask, 1, mode === 'alpha' ? 'destination-in' : 'destination-out');
    });
    return;
  }
  // Reading pixels back is slow, and masks seldom change, so this one is cached while unchanged.
  const { opacity, transform, rest, shadow, clipPaths, bend, repeat } = box;
  const place = [key, ...transform, area.x, area.y, area.width, area.height].join(' ');
  const edges = fits ? `${outlineKey(element)} ` : '';
  const mask = layers.keep(
    box.content,
    `luma ${edges}${place} ${describe(box)} ${JSON.stringify([opacity, rest, shadow, clipPaths, bend, repeat])}`,
    () => {
      const made = layers.take(area);
      draw(made);
      brightnessToOpacity(made);
      if (fits) fitEdges(layers, made, element, own);
      return layers.afterReading(made);
    },
  );
  if (!fitsPixels) {
    copyOnto(layer, mask, 1, mode === 'luma' ? 'destination-in' : 'destination-out');
    return;
  }
  // The cached one fits any element. It may be lent to the next request for a layer, so copy it at once.
  const fitted = layers.copyOf(mask);
  try {
    fitPixels(layers, fitted, layer);
    copyOnto(layer, fitted, 1, 'destination-out');
  } finally {
    layers.give(fitted);
  }
}

/** True if the element is hidden wherever the mask has no pixels, so that its layer may be cut to the mask. */
export function hidesOutside(mode: MaskMode): boolean {
  return mode === 'alpha' || mode === 'luma';
}

/**
 * Turns brightness into opacity. Brightness is Rec. 709 luma of the stored values. Half transparent pixels count half,
 * as if on black; outside of the mask element it is black.
 */
function brightnessToOpacity(mask: Layer): void {
  const { ctx, width, height } = mask;
  ctx.save();
  ctx.resetTransform();
  ctx.globalCompositeOperation = 'destination-over';
  ctx.fillStyle = '#000';
  ctx.fillRect(0, 0, width, height);
  ctx.restore();
  changePixels(mask, (pixels) => {
    for (let at = 0; at < pixels.length; at++) {
      const pixel = pixels[at] ?? 0;
      // Weights are in 1/65536.
      const luma =
        (pixel & 255) * 13933 + ((pixel >>> 8) & 255) * 46871 + ((pixel >>> 16) & 255) * 4732;
      pixels[at] = ((luma + 32768) >>> 16) << 24;
    }
  });
}
