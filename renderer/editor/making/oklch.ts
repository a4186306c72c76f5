/**
 * Colours by how they look: lightness, colourfulness and hue as OKLCH measures them, where equal steps look equal; and
 * how well one can be read on another. Pure.
 */
import { brightnessOf, lightOfSignal, signalOfLight } from '../../../shared/engine/srgb.ts';
import type { Rgba } from '../../../shared/renderscript/color.ts';

/** Lightness 0–1, chroma from 0 (grey) to about 0.32, hue in degrees. */
export interface Oklch {
  readonly light: number;
  readonly chroma: number;
  readonly hue: number;
}

const linear = (channel: number): number => lightOfSignal(channel / 255);
const encoded = (light: number): number => 255 * signalOfLight(light);

/** Björn Ottosson's OKLab, in polar form. */
export function oklchOf([red, green, blue]: Rgba): Oklch {
  const [r, g, b] = [linear(red), linear(green), linear(blue)];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const c = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  return {
    light: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    chroma: Math.hypot(a, c),
    hue: (Math.atan2(c, a) * (180 / Math.PI) + 360) % 360,
  };
}

/** Channels that may lie outside what a screen shows. */
function channelsOf({ light, chroma, hue }: Oklch): readonly [number, number, number] {
  const angle = hue * (Math.PI / 180);
  const [a, b] = [chroma * Math.cos(angle), chroma * Math.sin(angle)];
  const l = (light + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (light - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (light - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

/** The opaque colour; one that no screen shows gets less colourful until one does. */
export function rgbaOfOklch(color: Oklch): Rgba {
  const isShown = (chroma: number): boolean =>
    channelsOf({ ...color, chroma }).every((one) => one >= -0.0005 && one <= 1.0005);
  let [low, high] = [0, color.chroma];
  if (!isShown(high)) {
    for (let round = 0; round < 16; round++) {
      const middle = (low + high) / 2;
      if (isShown(middle)) low = middle;
      else high = middle;
    }
    high = low;
  }
  const [red, green, blue] = channelsOf({ ...color, chroma: high }).map((one) =>
    Math.round(Math.min(255, Math.max(0, encoded(Math.max(0, one))))),
  );
  return [red ?? 0, green ?? 0, blue ?? 0, 1];
}

/** Degrees between two hues, 0–180. */
export function hueDistance(one: number, other: number): number {
  const apart = Math.abs(one - other) % 360;
  return Math.min(apart, 360 - apart);
}

/** The contrast of two opaque colours by WCAG's formula, 1–21. */
export function contrastOf(one: Rgba, other: Rgba): number {
  const [first, second] = [luminance(one), luminance(other)];
  return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05);
}

const luminance = ([red, green, blue]: Rgba): number =>
  brightnessOf(linear(red), linear(green), linear(blue));
