/**
 * Colours as RenderScript writes them: hex, `rgb()`, `rgba()`, `hsl()`, `hsla()` and the CSS names. Pure.
 */

/** Red, green, blue 0–255 (not rounded) and opacity 0–1. */
export type Rgba = readonly [red: number, green: number, blue: number, alpha: number];

/** The CSS names with their hex values; `transparent` is handled separately. */
const nameList = `
aliceblue f0f8ff antiquewhite faebd7 aqua 00ffff aquamarine 7fffd4 azure f0ffff beige f5f5dc bisque ffe4c4
black 000000 blanchedalmond ffebcd blue 0000ff blueviolet 8a2be2 brown a52a2a burlywood deb887 cadetblue 5f9ea0
chartreuse 7fff00 chocolate d2691e coral ff7f50 cornflowerblue 6495ed cornsilk fff8dc crimson dc143c cyan 00ffff
darkblue 00008b darkcyan 008b8b darkgoldenrod b8860b darkgray a9a9a9 darkgreen 006400 darkgrey a9a9a9
darkkhaki bdb76b darkmagenta 8b008b darkolivegreen 556b2f darkorange ff8c00 darkorchid 9932cc darkred 8b0000
darksalmon e9967a darkseagreen 8fbc8f darkslateblue 483d8b darkslategray 2f4f4f darkslategrey 2f4f4f
darkturquoise 00ced1 darkviolet 9400d3 deeppink ff1493 deepskyblue 00bfff dimgray 696969 dimgrey 696969
dodgerblue 1e90ff firebrick b22222 floralwhite fffaf0 forestgreen 228b22 fuchsia ff00ff gainsboro dcdcdc
ghostwhite f8f8ff gold ffd700 goldenrod daa520 gray 808080 green 008000 greenyellow adff2f grey 808080
honeydew f0fff0 hotpink ff69b4 indianred cd5c5c indigo 4b0082 ivory fffff0 khaki f0e68c lavender e6e6fa
lavenderblush fff0f5 lawngreen 7cfc00 lemonchiffon fffacd lightblue add8e6 lightcoral f08080 lightcyan e0ffff
lightgoldenrodyellow fafad2 lightgray d3d3d3 lightgreen 90ee90 lightgrey d3d3d3 lightpink ffb6c1
lightsalmon ffa07a lightseagreen 20b2aa lightskyblue 87cefa lightslategray 778899 lightslategrey 778899
lightsteelblue b0c4de lightyellow ffffe0 lime 00ff00 limegreen 32cd32 linen faf0e6 magenta ff00ff maroon 800000
mediumaquamarine 66cdaa mediumblue 0000cd mediumorchid ba55d3 mediumpurple 9370db mediumseagreen 3cb371
mediumslateblue 7b68ee mediumspringgreen 00fa9a mediumturquoise 48d1cc mediumvioletred c71585 midnightblue 191970
mintcream f5fffa mistyrose ffe4e1 moccasin ffe4b5 navajowhite ffdead navy 000080 oldlace fdf5e6 olive 808000
olivedrab 6b8e23 orange ffa500 orangered ff4500 orchid da70d6 palegoldenrod eee8aa palegreen 98fb98
paleturquoise afeeee palevioletred db7093 papayawhip ffefd5 peachpuff ffdab9 peru cd853f pink ffc0cb plum dda0dd
powderblue b0e0e6 purple 800080 rebeccapurple 663399 red ff0000 rosybrown bc8f8f royalblue 4169e1
saddlebrown 8b4513 salmon fa8072 sandybrown f4a460 seagreen 2e8b57 seashell fff5ee sienna a0522d silver c0c0c0
skyblue 87ceeb slateblue 6a5acd slategray 708090 slategrey 708090 snow fffafa springgreen 00ff7f steelblue 4682b4
tan d2b48c teal 008080 thistle d8bfd8 tomato ff6347 turquoise 40e0d0 violet ee82ee wheat f5deb3 white ffffff
whitesmoke f5f5f5 yellow ffff00 yellowgreen 9acd32`;

/** The CSS colour names in alphabetical order, for an editor's completion. */
export const colorNames: readonly string[] = nameList.match(/\b[a-z]+(?= [0-9a-f]{6}\b)/g) ?? [];

const hexByName = new Map(
  Array.from(
    nameList.matchAll(/\b([a-z]+) ([0-9a-f]{6})\b/g),
    ([, name = '', hex = '']) => [name, hex] as const,
  ),
);

const hexPattern = /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i;
const callPattern = /^(rgba?|hsla?)\(([^()]*)\)$/;
const longestColor = 128;

/**
 * Reads a colour: `#rgb`, `#rgba`, `#rrggbb`, `#rrggbbaa`, `rgb()` and `hsl()` with commas or spaces, with or without
 * opacity (number or percent), CSS names, `transparent`. Null for anything else.
 */
export function parseColor(text: unknown): Rgba | null {
  if (typeof text !== 'string' || text.length > longestColor) return null;
  const color = text.trim().toLowerCase();
  if (hexPattern.test(color)) return fromHex(color.slice(1));
  if (color === 'transparent') return [0, 0, 0, 0];
  const named = hexByName.get(color);
  if (named !== undefined) return fromHex(named);
  const call = callPattern.exec(color);
  return call === null ? null : fromCall(call[1] ?? '', call[2] ?? '');
}

/** A colour as CSS text: `#rrggbb` if opaque, otherwise `rgba(r, g, b, a)`; channels are rounded to whole numbers. */
export function formatColor([red, green, blue, alpha]: Rgba): string {
  const channels = [red, green, blue].map((channel) => Math.round(bounded(channel, 0, 255)));
  if (alpha >= 1)
    return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
  return `rgba(${channels.join(', ')}, ${Number(bounded(alpha, 0, 1).toFixed(4))})`;
}

function fromHex(digits: string): Rgba {
  const size = digits.length < 6 ? 1 : 2;
  const channel = (index: number): number => {
    const part = digits.slice(index * size, (index + 1) * size);
    return part === '' ? 255 : Number.parseInt(size === 1 ? part + part : part, 16);
  };
  return [channel(0), channel(1), channel(2), channel(3) / 255];
}

/**
 * `rgb` and `hsl` take three parts and an optional opacity; `/` and commas only separate, as in all their CSS forms.
 */
function fromCall(name: string, list: string): Rgba | null {
  const parts = list.trim().split(/\s*[,/]\s*|\s+/);
  const [first = '', second = '', third = '', opacity = '1'] = parts;
  if (parts.length !== 3 && parts.length !== 4) return null;
  const alpha = number(opacity, 1);
  const channels = name.startsWith('rgb')
    ? [number(first, 255), number(second, 255), number(third, 255)]
    : fromHsl(degrees(first), number(second, 1), number(third, 1));
  const [red = null, green = null, blue = null] = channels;
  if (red === null || green === null || blue === null || alpha === null) return null;
  return [
    bounded(red, 0, 255),
    bounded(green, 0, 255),
    bounded(blue, 0, 255),
    bounded(alpha, 0, 1),
  ];
}

const numberPattern = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/;

/** A plain number, or a percentage of `whole`. */
function number(text: string, whole: number): number | null {
  const percent = text.endsWith('%');
  const digits = percent ? text.slice(0, -1) : text;
  if (!numberPattern.test(digits)) return null;
  const value = Number(digits);
  if (!Number.isFinite(value)) return null;
  return percent ? (value / 100) * whole : value;
}

const degreesPerUnit: readonly (readonly [unit: string, degrees: number])[] = [
  ['deg', 1],
  ['grad', 0.9],
  ['turn', 360],
  ['rad', 180 / Math.PI],
];

function degrees(text: string): number | null {
  const row = degreesPerUnit.find(([unit]) => text.endsWith(unit));
  const value = number(row === undefined ? text : text.slice(0, -row[0].length), 360);
  const angle = value === null ? NaN : value * (row?.[1] ?? 1);
  // Converting turns may overflow.
  return Number.isFinite(angle) ? angle : null;
}

/** CSS Color 4, section 7.1 (HSL to sRGB). Saturation and lightness are fractions here. */
function fromHsl(
  hue: number | null,
  saturation: number | null,
  lightness: number | null,
): readonly number[] {
  if (hue === null || saturation === null || lightness === null) return [];
  const strength = bounded(saturation, 0, 1);
  const light = bounded(lightness, 0, 1);
  const reach = strength * Math.min(light, 1 - light);
  return [0, 8, 4].map((offset) => {
    const turn = (((offset + hue / 30) % 12) + 12) % 12;
    return 255 * (light - reach * Math.max(-1, Math.min(turn - 3, 9 - turn, 1)));
  });
}

function bounded(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
