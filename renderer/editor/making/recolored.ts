/**
 * Which colours of a brand all colours of a document become: those of letters follow those of what they lie on, and can
 * be read as well as they could. Pure.
 */
import { parseColor, type Rgba } from '../../../shared/renderscript/color.ts';
import { lettersOf } from './area.ts';
import { colorSpotsOf, colorTag, type ColorSpot } from './color-spots.ts';
import { Fills, type Hold } from './fills.ts';
import { alike, groundsOf, leastContrast, type Painting, type Seen } from './grounds.ts';
import { isGrey, keyOf, shownAs, type Palette, type PaletteColor } from './palette.ts';

/** The contrasts that are asked for, where they were there before. */
const asked = { large: 3.4, text: 4.5 };
/** Hundredths of the smaller side from which letters are large. */
const largeLetters = 5;
/** By how much letters over a photo may come near, and go away from, a middle brightness. */
const overPhoto = { nearer: 0.04, away: 0.15 };
/** And by how much before white or black is better than another tint. */
const tinted = 0.22;
/** How often what fills is chosen again, because letters on it couldn't be read. */
const mostRounds = 6;

const black: Rgba = [20, 22, 28, 1];
const white: Rgba = [255, 255, 255, 1];

/** What is written at a place instead. */
export interface Recolored {
  readonly spot: ColorSpot;
  readonly color: Rgba;
}

/** A text with tags that name other colours. */
export interface Retagged {
  readonly path: string;
  readonly text: string;
  /** Those that it named before. */
  readonly before: readonly Rgba[];
}

/** All that changes. */
export interface Recoloring {
  readonly spots: readonly Recolored[];
  readonly texts: readonly Retagged[];
}

type Grounds = readonly (Rgba | null)[];

/** What lies beneath letters. */
interface Beneath {
  readonly was: Grounds;
  readonly now: Grounds;
  /** They have an outline, which their edges mix with. */
  readonly isOutlined: boolean;
  /** The colours of the document that it is made of, by their keys. */
  readonly name: () => readonly string[];
}

/** The colours of a brand for what is seen of a document. */
export function recolored(seen: readonly Seen[], palette: Palette): Recoloring {
  const spots = colorSpotsOf(seen);
  const known = new Map<Seen, Grounds>();
  const before = (of: Seen): Grounds => {
    const grounds = known.get(of) ?? groundsOf(seen, of, (color) => color);
    known.set(of, grounds);
    return grounds;
  };
  const held = new Map<string, Hold>();
  for (let round = 0; ; round++) {
    const fills = new Fills(seen, spots, palette, held, before);
    const letters = new Letters(seen, spots, palette, fills.of, before);
    const made = letters.recoloring();
    const failing = fills.largestFirst(letters.unreadableOn);
    const [ground] = failing;
    const free = failing.filter((key) => held.get(key) !== 'bright');
    if (free.length === 0 || ground === undefined || round === mostRounds) return made;
    // What lies on a ground comes near it first, as a glow does. Else all stay as bright as they are.
    const lying = failing.filter((key) => key !== ground && !held.has(key));
    if (lying.length > 0) for (const key of lying) held.set(key, { near: ground });
    else for (const key of free) held.set(key, 'bright');
  }
}

/** Letters on grounds that have their new colours. */
class Letters {
  /** The colours of the document on which letters can't be read as they could. */
  readonly unreadableOn = new Set<string>();
  readonly #seen: readonly Seen[];
  readonly #spots: readonly ColorSpot[];
  readonly #palette: Palette;
  readonly #painting: Painting;
  readonly #before: (of: Seen) => Grounds;
  /** What can be read on dark, and on bright grounds. */
  readonly #bright: Rgba;
  readonly #dark: Rgba;

  constructor(
    seen: readonly Seen[],
    spots: readonly ColorSpot[],
    palette: Palette,
    painting: Painting,
    before: (of: Seen) => Grounds,
  ) {
    this.#seen = seen;
    this.#spots = spots;
    this.#palette = palette;
    this.#painting = painting;
    this.#before = before;
    this.#bright = palette.bright?.color ?? white;
    this.#dark = palette.dark?.color ?? black;
  }

  recoloring(): Recoloring {
    const found: Recolored[] = [];
    const texts: Retagged[] = [];
    const spotsOf = new Map<Seen, ColorSpot[]>(this.#seen.map((of) => [of, []]));
    for (const spot of this.#spots) spotsOf.get(spot.of)?.push(spot);
    for (const [of, spots] of spotsOf) {
      const letters = spots.filter(({ use }) => use === 'letters');
      const plates = spots.filter(({ path }) => /(?:background|stroke)_color$/.test(path));
      const inks = letters.map((spot) => ({ spot, color: this.#ink(spot, plates) }));
      found.push(...inks);
      for (const spot of spots) {
        const { use, color } = spot;
        if (use === 'surface') found.push({ spot, color: alike(this.#painting, color) });
        else if (use === 'companion') found.push({ spot, color: this.#companion(spot, inks) });
        else if (use === 'spoken') found.push({ spot, color: this.#spoken(spot, inks, plates) });
      }
      const text = of.element.text;
      if (of.element.type === 'text' && typeof text === 'string' && text.includes('[color ')) {
        const retagged = this.#retagged(of, text, plates);
        if (retagged.text !== text) texts.push(retagged);
      }
    }
    return { spots: found.filter(({ spot, color }) => isOther(spot, color)), texts };
  }

  /** @param plates Of the text itself: what lies behind its lines, and the outline of its letters. */
  #grounds(of: Seen, plates: readonly ColorSpot[]): Beneath {
    const opaque = (color: Rgba): Rgba => [color[0], color[1], color[2], 1];
    const plate = plates.find(({ path }) => path.endsWith('background_color'));
    const outlines = plates.filter((one) => one !== plate && one.color[3] > 0.5);
    const outlined = (painting: Painting): readonly Rgba[] =>
      outlines.map(({ color }) => opaque(painting(color)));
    if (plate && plate.color[3] * of.opacity > 0.5)
      return {
        was: [opaque(plate.color), ...outlined((color) => color)],
        now: [opaque(this.#painting(plate.color)), ...outlined(this.#painting)],
        isOutlined: outlines.length > 0,
        name: () => [keyOf(plate.color)],
      };
    return {
      was: [...this.#before(of), ...outlined((color) => color)],
      now: [...groundsOf(this.#seen, of, this.#painting), ...outlined(this.#painting)],
      isOutlined: outlines.length > 0,
      name: () => {
        const keys: string[] = [];
        groundsOf(this.#seen, of, (ground) => {
          keys.push(keyOf(ground));
          return ground;
        });
        return keys;
      },
    };
  }

  #ink(spot: ColorSpot, plates: readonly ColorSpot[]): Rgba {
    const { of, color } = spot;
    const chosen = this.#readable(color, of, this.#grounds(of, plates));
    return [chosen[0], chosen[1], chosen[2], color[3]];
  }

  #readable(color: Rgba, of: Seen, { was, now, isOutlined, name }: Beneath): Rgba {
    const frame = this.#seen[0]?.box ?? of.box;
    const isLarge = !isOutlined && lettersOf(of.element, of.box, of.room, frame) >= largeLetters;
    const needed = Math.min(
      isLarge ? asked.large : asked.text,
      leastContrast(color, of.opacity, was),
    );
    const contrast = (one: Rgba): number =>
      leastContrast([one[0], one[1], one[2], color[3]], of.opacity, now);
    const before = shownAs(color);
    const isOverPhoto = now.includes(null);
    const suits = (one: Rgba): boolean =>
      contrast(one) >= needed - 0.001 &&
      (!isOverPhoto || standsOut(before.light, shownAs(one).light));
    const candidates = this.#inks(color, before);
    // Letters that become bright instead of dark, or dark instead of bright, do so wholly.
    const isWhole = (one: Rgba): boolean =>
      one === candidates[0] ||
      one === this.#bright ||
      one === this.#dark ||
      isBrighter(one, now) === isBrighter(color, was);
    const first =
      candidates.find((one) => suits(one) && isWhole(one)) ?? candidates.find((one) => suits(one));
    if (first) return first;
    const best = candidates.reduce((one, other) => (contrast(other) > contrast(one) ? other : one));
    if (contrast(best) < needed - 0.001) for (const key of name()) this.unreadableOn.add(key);
    return best;
  }

  /** What letters of a colour may become, the best first. */
  #inks(color: Rgba, before: PaletteColor): readonly Rgba[] {
    const usual = this.#painting(color);
    const plain = [this.#bright, this.#dark].toSorted(
      (a, b) =>
        Math.abs(shownAs(a).light - before.light) - Math.abs(shownAs(b).light - before.light),
    );
    if (isGrey(before)) return [usual, ...plain, color];
    const tints = this.#palette.near(shownAs(usual), before.light);
    const isNear = ({ light }: PaletteColor): boolean => Math.abs(light - before.light) <= tinted;
    const colorsOf = (some: readonly PaletteColor[]): Rgba[] => some.map(({ color }) => color);
    return [
      usual,
      ...colorsOf(tints.filter(isNear)),
      ...plain,
      ...colorsOf(tints.filter((one) => !isNear(one))),
    ];
  }

  /** A shadow or an outline of letters that became dark instead of bright does the opposite. */
  #companion(spot: ColorSpot, inks: readonly Recolored[]): Rgba {
    const { color } = spot;
    const [ink] = inks;
    const is = shownAs(color);
    if (ink) {
      const [was, now] = [shownAs(ink.spot.color).light, shownAs(ink.color).light];
      const stoodOut = Math.abs(was - is.light) > 0.4;
      if (stoodOut && Math.abs(now - is.light) < 0.25) {
        const [red, green, blue] = is.light < 0.5 ? this.#bright : this.#dark;
        return [red, green, blue, color[3]];
      }
    }
    return alike(this.#painting, color);
  }

  /** The word that is spoken: by its letters, or by what lies behind them. */
  #spoken(spot: ColorSpot, inks: readonly Recolored[], plates: readonly ColorSpot[]): Rgba {
    const { of, color } = spot;
    const [ink] = inks;
    const { main } = this.#palette;
    const isBehind = of.element.transcript_effect === 'highlight';
    const { was, now } =
      isBehind && ink ? { was: [ink.spot.color], now: [ink.color] } : this.#grounds(of, plates);
    const known = now.filter((ground) => ground !== null);
    const first = this.#palette.has(color) ? color : (main[0]?.color ?? color);
    // Over a photo, a word of another colour is recognised by its colour.
    if (known.length === 0 && !isGrey(shownAs(color))) return this.#aloft(color, first);
    const needed = Math.min(asked.large, leastContrast(color, 1, was));
    const candidates = [
      first,
      ...main.map((one) => one.color),
      ...this.#inks(first, shownAs(color)),
    ];
    const chosen = candidates.find((one) => leastContrast(one, 1, known) >= needed - 0.001);
    const [red, green, blue] = chosen ?? color;
    return [red, green, blue, color[3]];
  }

  /** Over something unknown: about as bright as it was. */
  #aloft(color: Rgba, first: Rgba): Rgba {
    const { light } = shownAs(color);
    const { main } = this.#palette;
    const [nearest] = this.#palette.near(shownAs(first), light);
    const chosen = [first, ...main.map((one) => one.color)].find((one) =>
      standsOut(light, shownAs(one).light),
    );
    const [red, green, blue] = chosen ?? nearest?.color ?? color;
    return [red, green, blue, color[3]];
  }

  #retagged(of: Seen, text: string, plates: readonly ColorSpot[]): Retagged {
    const beneath = this.#grounds(of, plates);
    const before: Rgba[] = [];
    const changed = text.replace(colorTag, (whole, written: string) => {
      const color = parseColor(written);
      if (!color) return whole;
      const chosen = this.#readable(color, of, beneath);
      if (keyOf(chosen) === keyOf(color)) return whole;
      before.push(color);
      return `[color ${keyOf(chosen)}]`;
    });
    return { path: `${of.path}.text`, text: changed, before };
  }
}

/** Whether letters are brighter than most of what they lie on. */
function isBrighter(color: Rgba, beneath: Grounds): boolean {
  const { light } = shownAs(color);
  const known = beneath.filter((ground) => ground !== null);
  return known.filter((ground) => shownAs(ground).light < light).length > known.length / 2;
}

/** Whether a colour stands out from a photo about as one of another lightness did. */
function standsOut(before: number, after: number): boolean {
  const away = before >= 0.55 ? after - before : before - after;
  return away >= -overPhoto.nearer && away <= overPhoto.away;
}

/** Whether a spot changes. */
function isOther({ color: before }: ColorSpot, after: Rgba): boolean {
  return keyOf(before) !== keyOf(after);
}
