/**
 * Measures text for layout with the same canvas library that draws it. Phase 3 uses it through `Measurer`; only here do
 * layout's numbers come from the canvas.
 */
import { contextOf, surface } from '../surface.ts';
import { canvasText } from '../text/emoji.ts';
import type { FontMetrics, FontSpec, Ink, Measurer } from '../text/measurer.ts';
import type { Fonts } from './sources.ts';
import { setTextDefaults } from './text-defaults.ts';

/**
 * Everything is measured at this size and scaled: advances are drawn unhinted and optical sizing is off, so widths are
 * proportional to the size, and fitting a text needs many sizes of the same words.
 */
const referenceSize = 1000;

/** How many widths to cache per font before clearing; a counter that runs for an hour must not fill the memory. */
const keptWidths = 50_000;
/** Characters of all texts with cached widths, per font; long texts fill the memory sooner than many. */
const keptCharacters = 4_000_000;
/** How many inks to cache before clearing: those of first, last and outer words. */
const keptInks = 5_000;

/** A measurer over fonts that are already registered with the canvas. */
export function createMeasurer(fonts: Fonts): Measurer {
  const ctx = contextOf(surface().createCanvas(1, 1));
  setTextDefaults(ctx);
  const widths = new Map<string, Map<string, number>>();
  const kept = new Map<string, number>();
  const metrics = new Map<string, FontMetrics>();
  const inks = new Map<string, Ink>();
  let current = '';

  const use = (font: FontSpec, key: string): void => {
    if (key === current) return;
    ctx.font = fonts.css({ ...font, size: referenceSize });
    current = key;
  };

  return {
    width(text, font) {
      if (text === '') return 0;
      const key = keyOf(font);
      let known = widths.get(key);
      if (!known) widths.set(key, (known = new Map<string, number>()));
      let width = known.get(text);
      if (width === undefined) {
        use(font, key);
        width = ctx.measureText(canvasText(text)).width;
        const characters = (kept.get(key) ?? 0) + text.length;
        const isFull = known.size >= keptWidths || characters > keptCharacters;
        if (isFull) known.clear();
        kept.set(key, isFull ? text.length : characters);
        known.set(text, width);
      }
      return (width * font.size) / referenceSize;
    },
    metrics(font) {
      const key = keyOf(font);
      let known = metrics.get(key);
      if (!known) {
        use(font, key);
        surface().placeLettersExactly?.(ctx, false);
        const { fontBoundingBoxAscent, fontBoundingBoxDescent } = ctx.measureText('x');
        surface().placeLettersExactly?.(ctx, true);
        known = { ascent: fontBoundingBoxAscent, descent: fontBoundingBoxDescent };
        metrics.set(key, known);
      }
      const scale = font.size / referenceSize;
      return { ascent: known.ascent * scale, descent: known.descent * scale };
    },
    ink(text, font) {
      const key = keyOf(font);
      const place = `${key} ${text}`;
      let known = inks.get(place);
      if (!known) {
        use(font, key);
        const extent = ctx.measureText(canvasText(text));
        if (inks.size >= keptInks) inks.clear();
        known = {
          above: extent.actualBoundingBoxAscent,
          below: extent.actualBoundingBoxDescent,
          left: extent.actualBoundingBoxLeft,
          right: extent.actualBoundingBoxRight - extent.width,
        };
        inks.set(place, known);
      }
      const scale = font.size / referenceSize;
      const { above, below, left, right } = known;
      return {
        above: above * scale,
        below: below * scale,
        left: left * scale,
        right: right * scale,
      };
    },
    lacks: (character, family) => fonts.lacks?.(character, family) ?? false,
    fallbacks: (family) => fonts.fallbacks?.(family) ?? [],
  };
}

function keyOf({ family, weight, style }: FontSpec): string {
  return `${style} ${weight} ${family}`;
}
