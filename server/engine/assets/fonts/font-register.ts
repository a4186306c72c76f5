/**
 * Phase 1, fonts: registers font files with the canvas, as late and as few as possible, and tracks what the canvas has
 * and the computer offers.
 * Runs in the worker; the canvas keeps fonts per process, so one render's fonts stay for the next.
 */
import { GlobalFonts } from '@napi-rs/canvas';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { looseName } from '../../../../shared/renderscript/same-name.ts';
import { nearestWeight, shippedFamilies, type FontFace, type FontFamily } from './font-list.ts';
import type { CustomFont } from './font-needs.ts';
import { registeredFiles } from './registered-files.ts';

/** Up to this many files of a face, the characters they share matter. */
const fewFiles = 16;

/**
 * A family of this render: a shipped one, an added one, one from the document, or one installed on this computer
 * (without faces).
 */
export interface Family {
  readonly name: string;
  readonly faces: readonly FontFace[];
  /** Null for all others: their characters are unknown, so they are registered whole. */
  readonly shipped: FontFamily | null;
  /** Distinguishes families of the same name with different files. */
  readonly mark: string;
}

/** A requested face of a family. */
export interface FontStyle {
  /** 100–900. */
  readonly weight: number;
  readonly style: 'normal' | 'italic';
}

/** The nearest face of a family, and its name in the canvas. */
export interface RegisteredFont extends FontStyle {
  readonly alias: string;
  /** The needed files, in order of registration; none for installed families. */
  readonly faces: readonly FontFace[];
}

/**
 * Registers the files that a weight and style of a family needs for some characters, under a name that contains nothing
 * else: then the canvas has no choice, and the result can't depend on earlier renders.
 *
 * @param characters Only files with any of them are registered; null = all files.
 * @param onUnreadable Called for a damaged file, once per process.
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
  // A few large files share letters, and the last registered one supplies them: each selection gets its own name. The
  // hundred small files of a Chinese family share none.
  const choice =
    fitting.length > fewFiles ? '' : ` ${needed.map(({ subset }) => subset).join(' ')}`;
  const alias = `fw ${family.name} ${weights} ${first.style}${family.mark}${choice}`;
  for (const { path } of needed) if (!register(path, alias)) onUnreadable();
  return { alias, weight: found, style: first.style, faces: needed };
}

/**
 * @param alias For added fonts and a document's, it contains the file's content mark.
 * @returns false for a damaged file.
 */
function register(filePath: string, alias: string): boolean {
  return registeredFiles.add(
    alias,
    filePath,
    () => GlobalFonts.registerFromPath(filePath, alias) !== null,
  );
}

/** A document's own families by loose name. */
export function customFamilies(fonts: readonly CustomFont[]): ReadonlyMap<string, Family> {
  const groups = new Map<string, FontFace[]>();
  const names = new Map<string, string>();
  for (const { family, weight, style, path } of fonts) {
    const weights = (weight ?? '')
      .split(/\s+/)
      .map(weightNumber)
      .filter((value) => value !== null);
    // If the document does not say, the file's own axis decides, read under a separate name.
    const [minWeight, maxWeight] =
      weights.length > 0 ? [Math.min(...weights), Math.max(...weights)] : axisOf(path);
    const key = looseName(family);
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

/** A font file that people added to the program. */
export interface AddedFont {
  readonly family: string;
  readonly style: 'normal' | 'italic';
  readonly minWeight: number;
  readonly maxWeight: number;
  /** Absolute; other content has another path. */
  readonly path: string;
}

/** Added families by loose name. */
export function addedFamilies(fonts: readonly AddedFont[]): ReadonlyMap<string, Family> {
  const groups = new Map<string, AddedFont[]>();
  for (const font of fonts) {
    const key = looseName(font.family);
    groups.set(key, [...(groups.get(key) ?? []), font]);
  }
  return new Map(
    [...groups].map(([key, group]): [string, Family] => {
      const faces = group.map(({ path, style, minWeight, maxWeight }) => ({
        ...{ path, subset: '', style, minWeight, maxWeight },
      }));
      // Their names stand for their content, so nothing has to be read.
      const mark = createHash('sha1').update(faces.map(({ path }) => path).join('\n'));
      const name = group[0]?.family ?? key;
      return [key, { name, faces, shipped: null, mark: ` ${mark.digest('hex').slice(0, 12)}` }];
    }),
  );
}

let installed: ReadonlyMap<string, string> | undefined;

/** This computer's families by loose name. */
export function installedFamilies(): ReadonlyMap<string, string> {
  installed ??= new Map(
    GlobalFonts.families
      .filter(({ family }) => !registeredFiles.has(family))
      .map(({ family }) => [looseName(family), family]),
  );
  return installed;
}

/** The files of a face with any of the characters; all of them if the characters are unknown. */
export function neededFaces(
  { shipped }: Family,
  faces: readonly FontFace[],
  characters: ReadonlySet<number> | null,
): readonly FontFace[] {
  if (shipped === null) return faces;
  const subsets = new Set(characters === null ? faces.map(({ subset }) => subset) : []);
  for (const code of characters ?? [])
    for (const subset of shipped.coverage.subsetsOf(code)) subsets.add(subset);
  const needed = faces.filter(({ subset }) => subsets.has(subset));
  // Basic letters first: the canvas tries the last registered file first, and would otherwise compose ź from the basic
  // file's z and accent although another file has it whole.
  const basic = new Set(shipped.coverage.subsetsOf(0x7a));
  needed.sort((a, b) => Number(basic.has(b.subset)) - Number(basic.has(a.subset)));
  // For a name without files the canvas would choose one of the computer's fonts.
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
  register(filePath, alias);
  const wght = 0x77676874;
  const axis = GlobalFonts.getVariationAxes(alias, 400, 5, 0).find(({ tag }) => tag === wght);
  return axis ? [axis.min, axis.max] : [400, 400];
}

function contentMark(paths: readonly string[]): string {
  const hash = createHash('sha1');
  for (const path of paths) hash.update(readFileSync(path));
  return hash.digest('hex').slice(0, 12);
}

/** Families in alphabetical order; a shipped one is not repeated among the computer's. */
interface KnownFamilies {
  readonly bundled: string[];
  readonly installed: string[];
}

/**
 * The shipped families of a folder, and this computer's.
 *
 * @throws Error when the folder has no list.
 */
export function knownFamilies(fontFolder: string): KnownFamilies {
  const shipped = shippedFamilies(fontFolder);
  // Names that begin with a dot are the system's own.
  const installed = Array.from(installedFamilies())
    .filter(([key, name]) => !shipped.has(key) && !name.startsWith('.'))
    .map(([, name]) => name);
  const { compare } = new Intl.Collator('en');
  return {
    bundled: Array.from(shipped.values(), ({ name }) => name).sort(compare),
    installed: installed.sort(compare),
  };
}
