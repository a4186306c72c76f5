/**
 * Phase 1, fonts: the families that ship with the product (resources/fonts/fonts.json, written by
 * resources/copy-fonts.mjs), and which of their files a text needs. Does not use the canvas.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { looseName } from '../../../../shared/renderscript/same-name.ts';

/** One font file: a weight or a range of weights, one style, some characters. */
export interface FontFace {
  /** Absolute path. */
  readonly path: string;
  /** Name of its set of characters in the family. */
  readonly subset: string;
  readonly style: 'normal' | 'italic';
  readonly minWeight: number;
  readonly maxWeight: number;
}

/** A family: its faces, and which characters its files have. */
export interface FontFamily {
  /** As usually written, e.g. `Noto Sans JP`. */
  readonly name: string;
  readonly faces: readonly FontFace[];
  readonly coverage: Coverage;
}

/** The version of fonts.json that this code reads. */
const listVersion = 1;
const lists = new Map<string, ReadonlyMap<string, FontFamily>>();

/**
 * The shipped families by their loose name. Read once per process.
 *
 * @throws Error if the folder has no list: the product is not built, or incomplete.
 */
export function shippedFamilies(fontFolder: string): ReadonlyMap<string, FontFamily> {
  const known = lists.get(fontFolder);
  if (known) return known;
  const file = path.join(fontFolder, 'fonts.json');
  const list: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (!isList(list))
    throw new Error(`${file}: expected a font list of version ${listVersion}; run the build again`);
  const families = new Map(
    list.families.map(({ family, subsets, faces }): [string, FontFamily] => [
      looseName(family),
      {
        name: family,
        coverage: new Coverage(subsets),
        faces: faces.map(({ file: name, subset, style, weight: [minWeight, maxWeight] }) => ({
          path: path.join(fontFolder, name),
          subset,
          style: style === 'italic' ? 'italic' : 'normal',
          minWeight,
          maxWeight,
        })),
      },
    ]),
  );
  lists.set(fontFolder, families);
  return families;
}

interface ListedFamily {
  readonly family: string;
  readonly subsets: Readonly<Record<string, string>>;
  readonly faces: readonly {
    file: string;
    subset: string;
    style: string;
    weight: [number, number];
  }[];
}

/** Our own build writes the list; its version says whether we can read it. */
function isList(value: unknown): value is { families: readonly ListedFamily[] } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'version' in value &&
    value.version === listVersion &&
    'families' in value &&
    Array.isArray(value.families)
  );
}

/** Which characters a family has, and in which of its subsets. Parsed at first use. */
export class Coverage {
  readonly #subsets: Readonly<Record<string, string>>;
  #ranges: readonly { from: number; to: number; subset: string }[] | undefined;

  /** @param subsets Ranges like `41-5a,e9` in hexadecimal, by the subset's name. */
  constructor(subsets: Readonly<Record<string, string>>) {
    this.#subsets = subsets;
  }

  has(code: number): boolean {
    return this.subsetsOf(code).length > 0;
  }

  /** The subsets that have a character; more than one where files overlap. */
  subsetsOf(code: number): string[] {
    const ranges = (this.#ranges ??= parseRanges(this.#subsets));
    let [low, high] = [0, ranges.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ranges[middle]?.from ?? Infinity) <= code) low = middle + 1;
      else high = middle;
    }
    const found: string[] = [];
    // Ranges are sorted by their start; overlapping ones of other subsets come shortly before.
    for (let index = low - 1; index >= 0 && index >= low - 24; index--) {
      const range = ranges[index];
      if (range && range.to >= code) found.push(range.subset);
    }
    return found;
  }
}

function parseRanges(
  subsets: Readonly<Record<string, string>>,
): { from: number; to: number; subset: string }[] {
  const ranges = Object.entries(subsets).flatMap(([subset, text]) =>
    text
      .split(',')
      .filter((range) => range !== '')
      .map((range) => {
        const [from = NaN, to = from] = range.split('-').map((code) => parseInt(code, 16));
        return { from, to, subset };
      }),
  );
  return ranges.sort((a, b) => a.from - b.from);
}

/**
 * The family's weight for the wanted one, by the rules of CSS: 400 and 500 replace each other, light weights prefer
 * lighter ones, bold weights bolder ones.
 *
 * @param faces At least one.
 */
export function nearestWeight(
  faces: readonly Pick<FontFace, 'minWeight' | 'maxWeight'>[],
  wanted: number,
): number {
  // The nearest weight of each face; CSS's order decides among them.
  const weights = faces.map(({ minWeight, maxWeight }) =>
    Math.min(maxWeight, Math.max(minWeight, wanted)),
  );
  const rank = (weight: number): number => {
    if (weight === wanted) return 0;
    if (wanted >= 400 && wanted <= 500) {
      if (weight > wanted && weight <= 500) return weight - wanted;
      return weight < wanted ? 1000 + wanted - weight : 2000 + weight - wanted;
    }
    const preferred = wanted < 400 ? weight < wanted : weight > wanted;
    return (preferred ? 0 : 1000) + Math.abs(weight - wanted);
  };
  return weights.reduce((best, weight) => (rank(weight) < rank(best) ? weight : best));
}
