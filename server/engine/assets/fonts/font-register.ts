/**
 * Phase 1, fonts: makes font files known to the canvas, as late and as little as possible, and knows what the canvas has.
 * Runs in the worker; the canvas keeps fonts per process, so what one render registered stays for the next one.
 */
import { GlobalFonts } from '@napi-rs/canvas';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { nearestWeight, type FontFace, type FontFamily } from './font-list.ts';
import type { CustomFont } from './font-needs.ts';

/** Up to so many files of a face, what they share decides over letters. */
const fewFiles = 16;

/** Alias → paths registered under it, in this process. Aliases hold the file's content mark where documents bring fonts. */
const registered = new Map<string, Set<string>>();

/** A family of this render: a shipped one, one that the document brings, or one of this computer (without faces). */
export interface Family {
  readonly name: string;
  readonly faces: readonly FontFace[];
  /** Null for all others: nobody knows their characters, so they are taken whole. */
  readonly shipped: FontFamily | null;
  /** Tells families of the same name apart that hold other files. */
  readonly mark: string;
}

/** A face of a family, as it is asked for. */
export interface FontStyle {
  /** 100–900. */
  readonly weight: number;
  readonly style: 'normal' | 'italic';
}

/** The nearest face that a family has, and the name under which the canvas knows it. */
export interface RegisteredFont extends FontStyle {
  readonly alias: string;
  /** The files that were asked for, in the order in which they are registered; none for families of this computer. */
  readonly faces: readonly FontFace[];
}

/**
 * Registers what a weight and style of a family needs for some characters, under a name that holds nothing else: then
 * the canvas has no choice to make, and the result can't depend on what earlier renders registered.
 *
 * @param characters Only files that hold any of them are registered; null = all files.
 * @param onUnreadable Called for a file that is damaged, once per process.
 */
export function registerFont(
  family: Family,
  { weight, style }: FontStyle,
  characters: ReadonlySet<number> | null,
  onUnreadable: () => void,
): RegisteredFont {
  if (family.faces.length === 0) return { alias: family.name, weight, style, faces: [] };
  const styled = family.faces.filter((face) => face.style === style);
  const faces = styled.length > 0 ? styled : family.faces;
  const found = nearestWeight(faces, weight);
  const fitting = faces.filter(
    ({ minWeight, maxWeight }) => minWeight <= found && found <= maxWeight,
  );
  const [first] = fitting;
  if (!first) throw new Error(`${family.name} has no face of weight ${found}`);
  const weights =
    first.minWeight === first.maxWeight
      ? String(first.minWeight)
      : `${first.minWeight}-${first.maxWeight}`;
  const needed = neededFaces(family, fitting, characters);
  // Files of few large sets share letters, and the one registered last gives them: each choice has a name of its own.
  // The hundred small sets of a Chinese family share none.
  const choice =
    fitting.length > fewFiles ? '' : ` ${needed.map(({ subset }) => subset).join(' ')}`;
  const alias = `fw ${family.name} ${weights} ${first.style}${family.mark}${choice}`;
  const files = registered.get(alias) ?? new Set<string>();
  registered.set(alias, files);
  for (const face of needed) {
    if (files.has(face.path)) continue;
    // Named once even when it fails: a damaged file stays damaged.
    files.add(face.path);
    if (GlobalFonts.registerFromPath(face.path, alias) === null) onUnreadable();
  }
  return { alias, weight: found, style: first.style, faces: needed };
}

/** The families that a document brings, by their name in lower case. */
export function customFamilies(fonts: readonly CustomFont[]): ReadonlyMap<string, Family> {
  const groups = new Map<string, FontFace[]>();
  const names = new Map<string, string>();
  for (const { family, weight, style, path } of fonts) {
    const weights = (weight ?? '')
      .split(/\s+/)
      .map(weightNumber)
      .filter((value) => value !== null);
    // Without a word from the document the file's own axis decides; its name is asked under a name of its own.
    const [minWeight, maxWeight] =
      weights.length > 0 ? [Math.min(...weights), Math.max(...weights)] : axisOf(path);
    const key = family.toLowerCase();
    names.set(key, names.get(key) ?? family);
    groups.set(key, [
      ...(groups.get(key) ?? []),
      { path, subset: '', style, minWeight, maxWeight },
    ]);
  }
  return new Map(
    [...groups].map(([key, faces]): [string, Family] => {
      const mark = ` ${contentMark(faces.map(({ path }) => path))}`;
      return [key, { name: names.get(key) ?? key, faces, shipped: null, mark }];
    }),
  );
}

let installed: ReadonlyMap<string, string> | undefined;

/** Families that this computer has, by their name in lower case. Asked first before anything is registered. */
export function installedFamilies(): ReadonlyMap<string, string> {
  installed ??= new Map(GlobalFonts.families.map(({ family }) => [family.toLowerCase(), family]));
  return installed;
}

/** The files of a face that hold any of the characters; all of them when nobody knows the characters. */
function neededFaces(
  { shipped }: Family,
  faces: readonly FontFace[],
  characters: ReadonlySet<number> | null,
): readonly FontFace[] {
  if (shipped === null) return faces;
  const subsets = new Set(characters === null ? faces.map(({ subset }) => subset) : []);
  for (const code of characters ?? [])
    for (const subset of shipped.coverage.subsetsOf(code)) subsets.add(subset);
  const needed = faces.filter(({ subset }) => subsets.has(subset));
  // Basic letters first: the canvas asks the file registered last before the others, and would otherwise put ź together
  // from z and an accent of the basic file although another file has it whole.
  const basic = new Set(shipped.coverage.subsetsOf(0x7a));
  needed.sort((a, b) => Number(basic.has(b.subset)) - Number(basic.has(a.subset)));
  // A name that nothing stands behind would make the canvas choose a font of the computer.
  return needed.length > 0 ? needed : faces.slice(0, 1);
}

/** Words of CSS are understood too. */
function weightNumber(text: string): number | null {
  const named = {
    thin: 100,
    light: 300,
    normal: 400,
    regular: 400,
    medium: 500,
    bold: 700,
    black: 900,
  }[text.toLowerCase()];
  const value = named ?? Number(text || NaN);
  return value >= 1 && value <= 1000 ? value : null;
}

/** The range of weights of a variable font; 400 for others. */
function axisOf(filePath: string): [number, number] {
  const alias = `fw axis ${contentMark([filePath])}`;
  if (!registered.has(alias)) {
    registered.set(alias, new Set());
    GlobalFonts.registerFromPath(filePath, alias);
  }
  const wght = 0x77676874;
  const axis = GlobalFonts.getVariationAxes(alias, 400, 5, 0).find(({ tag }) => tag === wght);
  return axis ? [axis.min, axis.max] : [400, 400];
}

function contentMark(paths: readonly string[]): string {
  const hash = createHash('sha1');
  for (const path of paths) hash.update(readFileSync(path));
  return hash.digest('hex').slice(0, 12);
}
