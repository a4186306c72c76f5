/**
 * The colours that belong to a brand: its own, and tints and shades of them on a ladder of fixed steps, so that what
 * was taken from it is recognised later; and colours that go with them. Pure.
 */
import { formatColor, parseColor, type Rgba } from '../../../shared/renderscript/color.ts';
import { contrastOf, hueDistance, oklchOf, rgbaOfOklch, type Oklch } from './oklch.ts';

export interface PaletteColor extends Oklch {
  readonly color: Rgba;
}

/** Steps of the ladder between black and white. */
const steps = 50;
/** Chroma below which a colour is a grey; of very dark and very bright ones more and less is seen. */
const greys = { usual: 0.03, dark: 0.045, bright: 0.024 };

export const shownAs = (color: Rgba): PaletteColor => ({ ...oklchOf(color), color });

/** Nearly black, white or grey. */
export const isGrey = ({ light, chroma }: Oklch): boolean =>
  chroma < (light < 0.26 ? greys.dark : light > 0.93 ? greys.bright : greys.usual);

/** A tint or shade: near black and white it is less colourful. */
function rung({ chroma, hue }: Oklch, step: number): Rgba {
  const light = step / steps;
  const share = Math.min(1, 0.25 + 3 * light * (1 - light));
  return rgbaOfOklch({ light, chroma: chroma * share, hue });
}

/** Hex digits without the opacity. */
export const keyOf = ([red, green, blue]: Rgba): string => formatColor([red, green, blue, 1]);

function readColors(texts: readonly string[]): readonly PaletteColor[] {
  return texts.flatMap((text) => {
    const color = parseColor(text);
    return color ? [shownAs(color)] : [];
  });
}

export class Palette {
  /** What colours of documents become, the first one first: those that aren't grey, or all where all are. */
  readonly main: readonly PaletteColor[];
  /** The brand's own black and white, where it has them. */
  readonly dark: PaletteColor | undefined;
  readonly bright: PaletteColor | undefined;
  readonly #known: ReadonlySet<string>;

  /** @param colors As `#rrggbb`, at least one. */
  constructor(colors: readonly string[]) {
    const all = readColors(colors);
    const colorful = all.filter((one) => !isGrey(one));
    const grey = all.filter((one) => isGrey(one));
    this.main = colorful.length > 0 ? colorful : grey;
    const byLight = grey.toSorted((a, b) => a.light - b.light);
    this.dark = byLight.find(({ light }) => light < 0.35);
    this.bright = byLight.findLast(({ light }) => light > 0.9);
    const ladders = this.main.flatMap((one) => ladderOf(one));
    this.#known = new Set([...all, ...ladders].map(({ color }) => keyOf(color)));
  }

  /** Whether a colour is one of them already, whatever its opacity. */
  has(color: Rgba): boolean {
    return this.#known.has(keyOf(color));
  }

  /** Tints and shades of the brand colour of about this hue, those that are as bright as something first. */
  near({ hue }: Oklch, light: number): readonly PaletteColor[] {
    const apart = (one: PaletteColor): number => hueDistance(one.hue, hue);
    const [base] = this.main.toSorted((a, b) => apart(a) - apart(b));
    return (base ? ladderOf(base) : []).toSorted(
      (a, b) => Math.abs(a.light - light) - Math.abs(b.light - light),
    );
  }
}

/** All tints and shades of a colour, from the darkest. */
const ladderOf = (base: Oklch): readonly PaletteColor[] =>
  Array.from({ length: steps - 4 }, (_, index) => shownAs(rung(base, index + 4)));

/** A colour that goes with others. */
export interface Harmony {
  readonly id: 'shade' | 'tint' | 'neighbour' | 'complement' | 'ink' | 'paper';
  /** As `#rrggbb`. */
  readonly color: string;
}

/**
 * Colours that go with the first ones of a brand: a dark and a bright one of the same hue, its neighbour and its
 * opposite on the colour circle, as bright as one that both letters on them and their background can bear, and what to
 * write with and on. Those that the brand has already, or nearly, are left out.
 *
 * @param colors As `#rrggbb`.
 */
export function harmoniesOf(colors: readonly string[]): readonly Harmony[] {
  const all = readColors(colors);
  const first = all.find((one) => !isGrey(one)) ?? all[0];
  if (!first) return [];
  const { hue, chroma } = first;
  const second = all.find((one) => one !== first && !isGrey(one));
  const paper = rgbaOfOklch({ light: 0.975, chroma: Math.min(chroma, 0.012), hue });
  // Something that letters stand out from, whichever they are; a dark yellow is a brown.
  const bearable = (color: Oklch): Rgba => {
    const isYellow = hueDistance(color.hue, 85) < 32;
    const light = Math.min(0.8, Math.max(isYellow ? 0.77 : 0.55, color.light));
    const made = rgbaOfOklch({ ...color, light });
    const isReadable = Math.max(contrastOf(made, paper), contrastOf(made, [20, 22, 28, 1])) >= 4.5;
    return isReadable ? made : rgbaOfOklch({ ...color, light: 0.78 });
  };
  const grey = isGrey(first);
  // Of two colours, the third one lies opposite to both.
  const opposite = second ? hue + meanTurn(hue, second.hue) + 180 : hue + 180;
  const turned = (degrees: number): Oklch => ({
    light: first.light,
    chroma: Math.max(chroma, 0.11),
    hue: (degrees + 360) % 360,
  });
  const made: readonly (readonly [Harmony['id'], Rgba])[] = [
    ['shade', rgbaOfOklch({ light: 0.3, chroma: Math.min(chroma, 0.12), hue })],
    ['tint', rgbaOfOklch({ light: 0.9, chroma: Math.min(chroma, 0.06), hue })],
    ...(grey
      ? []
      : ([
          ['neighbour', bearable(turned(hue + 35))],
          ['complement', bearable(turned(opposite))],
        ] as const)),
    ['ink', rgbaOfOklch({ light: 0.21, chroma: Math.min(chroma, 0.025), hue })],
    ['paper', paper],
  ];
  return made
    .filter(([, color]) => all.every((one) => apartOf(one, shownAs(color)) > 0.06))
    .map(([id, color]) => ({ id, color: keyOf(color) }));
}

/** Half the shorter way from one hue to another, in degrees. */
const meanTurn = (from: number, to: number): number => ((((to - from) % 360) + 540) % 360) / 2 - 90;

/** How different two colours look: distances in OKLab. */
function apartOf(one: Oklch, other: Oklch): number {
  const across = (color: Oklch, turn: (angle: number) => number): number =>
    color.chroma * turn(color.hue * (Math.PI / 180));
  return Math.hypot(
    one.light - other.light,
    across(one, Math.cos) - across(other, Math.cos),
    across(one, Math.sin) - across(other, Math.sin),
  );
}
