/** Colours as a picker holds them, and their spelling in documents. Pure. */
import { formatColor, parseColor, type Rgba } from '../../../shared/renderscript/color.ts';
import { isJsonObject, type Json } from '../../../shared/renderscript/source.ts';

/** Hue in degrees 0–360; saturation, brightness and opacity 0–1. */
export interface Hsva {
  readonly hue: number;
  readonly saturation: number;
  readonly brightness: number;
  readonly alpha: number;
}

/**
 * A colour as a picker shows it.
 *
 * @param before Greys have no hue and black no saturation: they keep those of the colour before.
 */
export function hsvaOf([red, green, blue, alpha]: Rgba, before?: Hsva): Hsva {
  const most = Math.max(red, green, blue);
  const range = most - Math.min(red, green, blue);
  const turn =
    range === 0
      ? 0
      : most === red
        ? ((green - blue) / range + 6) % 6
        : most === green
          ? (blue - red) / range + 2
          : (red - green) / range + 4;
  return {
    hue: range === 0 ? (before?.hue ?? 0) : turn * 60,
    saturation: most === 0 ? (before?.saturation ?? 0) : range / most,
    brightness: most / 255,
    alpha,
  };
}

/** The other way round; channels are whole numbers. */
export function rgbaOf({ hue, saturation, brightness, alpha }: Hsva): Rgba {
  const channel = (offset: number): number => {
    const turn = (offset + hue / 60) % 6;
    const part = Math.max(0, Math.min(turn, 4 - turn, 1));
    return Math.round(255 * brightness * (1 - saturation * part));
  };
  return [channel(5), channel(3), channel(1), alpha];
}

/** A colour spelled as the one before: hex digits large or small, with their opacity, or `rgba()`. */
export function colorLike(before: string, color: Rgba): string {
  const [, , , alpha] = color;
  const digits = /^#([0-9a-f]+)$/i.exec(before.trim())?.[1] ?? '';
  const isLarge = /[A-F]/.test(digits);
  const withAlpha = digits.length === 8 || digits.length === 4;
  if (withAlpha && alpha < 1) {
    const opaque = formatColor([color[0], color[1], color[2], 1]);
    const end = Math.round(alpha * 255)
      .toString(16)
      .padStart(2, '0');
    return isLarge ? `${opaque}${end}`.toUpperCase() : `${opaque}${end}`;
  }
  const text = formatColor([color[0], color[1], color[2], Number(alpha.toFixed(3))]);
  return isLarge && text.startsWith('#') ? text.toUpperCase() : text;
}

/** Colours to choose from: those of the project's brand, and the others that the document has. */
export interface KnownColors {
  readonly brand: readonly string[];
  readonly own: readonly string[];
}

/** Colours that are looked at, and shown. */
const most = { values: 20_000, shown: 14 };

/** The colours that a document has, the most used first; each once, however it is spelled. */
export function colorsIn(document: Json): readonly string[] {
  const counts = new Map<string, number>();
  const waiting: Json[] = [document];
  for (let seen = 0; waiting.length > 0 && seen < most.values; seen += 1) {
    const value = waiting.pop();
    if (Array.isArray(value)) {
      for (const one of value as readonly Json[]) waiting.push(one);
    } else if (isJsonObject(value)) {
      for (const [name, one] of Object.entries(value)) {
        if (one === undefined) continue;
        const color = typeof one === 'string' && /color|value/.test(name) ? parseColor(one) : null;
        if (!color) {
          if (typeof one === 'object') waiting.push(one);
          continue;
        }
        const text = formatColor(color);
        counts.set(text, (counts.get(text) ?? 0) + 1);
      }
    }
  }
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, most.shown)
    .map(([text]) => text);
}
