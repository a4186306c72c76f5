/**
 * Which colours of a brand those of a document become that fill something: the largest first, each standing out from
 * what it lies on about as it did. Pure.
 */
import type { Rgba } from '../../../shared/renderscript/color.ts';
import type { ColorSpot } from './color-spots.ts';
import { groundsOf, leastContrast, type Painting, type Seen } from './grounds.ts';
import { hueDistance } from './oklch.ts';
import { isGrey, keyOf, shownAs, type Palette, type PaletteColor } from './palette.ts';

/** The contrast that is asked for, where it was there before. */
const asked = 1.5;
/** Degrees within which colours are taken for one in several brightnesses. */
const oneHue = 25;
/** Lightness up to which a colour is a dark ground, and from which a pale one if it is hardly colourful. */
const grounds = { dark: 0.36, pale: 0.86, paleChroma: 0.085 };
/** By how much a brand colour may be brighter or darker to be such a ground in its place. */
const alikeGround = { dark: 0.16, pale: 0.08 };

/** A colour of the document with all that has it. */
interface Used extends PaletteColor {
  readonly key: string;
  readonly weight: number;
  readonly spots: readonly ColorSpot[];
}

/**
 * What a colour has to keep, so that letters on it can be read: how bright it is, or how much brighter than another
 * one, whose hue it then gets.
 */
export type Hold = 'bright' | { readonly near: string };

/** A hue of a document, in several brightnesses. */
interface Hue {
  /** Degrees. */
  readonly hue: number;
  /** The brand colour that it becomes. */
  main: PaletteColor;
  /** One of them is that colour itself. */
  isSet: boolean;
}

/** What the colours of a document become. */
export class Fills {
  readonly #becomes = new Map<string, Rgba>();
  readonly #seen: readonly Seen[];
  readonly #palette: Palette;
  readonly #held: ReadonlyMap<string, Hold>;
  readonly #used: readonly Used[];
  readonly #beneath: (of: Seen) => readonly (Rgba | null)[];
  /** What has a gradient with the colour of a ground. */
  readonly #grounded: ReadonlySet<Seen>;
  readonly #taken = new Set<string>();
  /** The hues of the document, the largest first, and the brand colour that each becomes. */
  readonly #hues: Hue[] = [];

  constructor(
    seen: readonly Seen[],
    spots: readonly ColorSpot[],
    palette: Palette,
    held: ReadonlyMap<string, Hold>,
    beneath: (of: Seen) => readonly (Rgba | null)[],
  ) {
    this.#seen = seen;
    this.#palette = palette;
    this.#held = held;
    this.#beneath = beneath;
    const used = usedColors(spots);
    this.#used = used;
    const grounding = used.filter((one) => isGround(one) && !isGrey(one));
    this.#grounded = new Set(
      grounding.flatMap((one) => one.spots.filter(isStop).map(({ of }) => of)),
    );
    const fresh = used.filter((one) => !palette.has(one.color) && !isGrey(one));
    for (const one of used) if (palette.has(one.color)) this.#set(one, one.color);
    for (const one of used)
      if (!palette.has(one.color) && isGrey(one)) this.#set(one, this.#grey(one));
    for (const one of fresh) {
      if (isGround(one) || this.#hueOf(one)) continue;
      const { main } = palette;
      const next = main[this.#hues.length % main.length];
      if (next) this.#hues.push({ hue: one.hue, main: next, isSet: false });
    }
    for (const one of fresh) this.#set(one, this.#chosen(one));
  }

  /** What a colour becomes; itself where nothing is known of it. */
  readonly of: Painting = (color) => this.#becomes.get(keyOf(color)) ?? color;

  /** Some colours by their keys, the one that covers most first; only those that a brand colour is chosen for. */
  largestFirst(keys: ReadonlySet<string>): readonly string[] {
    return this.#used
      .filter((one) => keys.has(one.key) && !isGrey(one) && !this.#palette.has(one.color))
      .map(({ key }) => key);
  }

  #set({ key }: Used, color: Rgba): void {
    this.#becomes.set(key, color);
    this.#taken.add(keyOf(color));
  }

  #grey({ light, color }: Used): Rgba {
    const { dark, bright } = this.#palette;
    if (light > 0.92 && bright) return bright.color;
    return light < 0.3 && dark ? dark.color : color;
  }

  #hueOf({ hue }: { readonly hue: number }): Hue | undefined {
    return this.#hues.find((one) => hueDistance(one.hue, hue) <= oneHue);
  }

  #chosen(one: Used): Rgba {
    const { main, dark, bright } = this.#palette;
    const own = this.#hueOf(one);
    const base = own?.main ?? main[0];
    if (!base) return one.color;
    const tints = this.#palette.near(base, one.light);
    const hold = this.#held.get(one.key);
    if (hold === 'bright') return tints[0]?.color ?? one.color;
    if (hold) return this.#besides(one, hold.near) ?? one.color;
    if (isGround(one) || this.#endsInGround(one)) {
      const most = one.light < 0.5 ? alikeGround.dark : alikeGround.pale;
      const likely = [...main, ...[dark, bright].flatMap((grey) => grey ?? [])].filter(
        ({ light }) => Math.abs(light - one.light) <= most,
      );
      return this.#first(one, [...likely, ...tints]);
    }
    // The first of its hue becomes the brand's own colour, the others its tints.
    if (!own || own.isSet) return this.#first(one, tints);
    own.isSet = true;
    const others = main.filter((other) => other !== base);
    const chosen = this.#first(one, [base, ...others, ...tints]);
    own.main = main.find(({ color }) => keyOf(color) === keyOf(chosen)) ?? base;
    return chosen;
  }

  /** Most of it is in gradients that also have the colour of a ground: they stay as soft as they are. */
  #endsInGround({ spots, weight }: Used): boolean {
    const within = spots
      .filter((spot) => isStop(spot) && spot.color[3] > 0.6 && this.#grounded.has(spot.of))
      .reduce((sum, one) => sum + one.weight * one.color[3], 0);
    return within > weight / 2;
  }

  /** As much brighter or darker than the colour of a ground as before. */
  #besides(one: Used, near: string): Rgba | undefined {
    const ground = this.#used.find(({ key }) => key === near);
    if (!ground) return undefined;
    const now = shownAs(this.of(ground.color));
    const light = now.light + (one.light - ground.light);
    // Beyond white and black, the other way round.
    const within = light > 0.98 || light < 0.08 ? now.light - (one.light - ground.light) : light;
    return this.#palette.near(now, within)[0]?.color;
  }

  /** The first one that no other colour has become, and that stands out wherever this one is. */
  #first(one: Used, colors: readonly PaletteColor[]): Rgba {
    const free = colors.filter(({ color }) => !this.#taken.has(keyOf(color)));
    const tests = one.spots
      .filter(({ use, color }) => use === 'surface' && color[3] > 0.3)
      .flatMap((spot) => {
        if (spot.of.path === '') return [];
        const [was, now] = [this.#beneath(spot.of), groundsOf(this.#seen, spot.of, this.of)];
        const { opacity } = spot.of;
        return [
          { was: leastContrast(spot.color, opacity, was), alpha: spot.color[3], opacity, now },
        ];
      });
    const missing = ({ color }: PaletteColor): number =>
      Math.max(
        0,
        ...tests.map(({ was, alpha, opacity, now }) => {
          const is = leastContrast([color[0], color[1], color[2], alpha], opacity, now);
          return Math.min(asked, was) - is;
        }),
      );
    const good = free.find((color) => missing(color) < 0.01);
    if (good) return good.color;
    const [least = one] = free.toSorted((a, b) => missing(a) - missing(b));
    return least.color;
  }
}

/** The colours of a document, the one that covers most first. */
function usedColors(spots: readonly ColorSpot[]): readonly Used[] {
  const groups = new Map<string, ColorSpot[]>();
  for (const spot of spots) {
    const key = keyOf(spot.color);
    const group = groups.get(key);
    if (group) group.push(spot);
    else groups.set(key, [spot]);
  }
  return [...groups]
    .flatMap(([key, alike]): Used[] => {
      const [first] = alike;
      if (!first) return [];
      const [red, green, blue] = first.color;
      const weight = alike.reduce((sum, spot) => sum + spot.weight * spot.color[3], 0);
      return [{ ...shownAs([red, green, blue, 1]), key, weight, spots: alike }];
    })
    .toSorted((a, b) => b.weight - a.weight);
}

const isStop = ({ path }: ColorSpot): boolean => path.endsWith('.color');

/** A dark or pale one that other things stand on. */
const isGround = ({ light, chroma }: PaletteColor): boolean =>
  light < grounds.dark || (light > grounds.pale && chroma < grounds.paleChroma);
