/** Fonts that are not there, and letters that they lack, each at the text that wants them. */
import { nearest } from '../../../shared/renderscript/nearest.ts';
import { pathOf, stepsOf } from '../../../shared/renderscript/fixes.ts';
import { pointerOf } from '../../../shared/renderscript/json-patch.ts';
import { looseName } from '../../../shared/renderscript/same-name.ts';
import { isJsonObject, type JsonObject } from '../../../shared/renderscript/source.ts';
import { elementLabels } from '../../../shared/renderscript/validate.ts';
import { defaultFamily, standInFor } from '../assets/fonts/font-kinds.ts';
import { shippedFamilies } from '../assets/fonts/font-list.ts';
import { fontFamiliesOf, textsOf } from '../assets/fonts/font-needs.ts';
import type { CheckFacts, CheckRow, Fault, FilmFacts } from './facts.ts';

/** A text of the document with what it names. */
interface WrittenText {
  readonly path: string;
  readonly name: string;
  readonly json: JsonObject;
  readonly families: readonly string[];
}

function textsIn(parent: JsonObject, steps: readonly (string | number)[] = []): WrittenText[] {
  const list: unknown = parent.elements;
  if (!Array.isArray(list)) return [];
  const labels = elementLabels(list);
  return list.flatMap((json: unknown, index): WrittenText[] => {
    if (!isJsonObject(json)) return [];
    const own = [...steps, 'elements', index];
    if (json.type !== 'text') return textsIn(json, own);
    const families = fontFamiliesOf({ elements: [json] });
    return [{ path: pathOf(own), name: labels[index] ?? '', json, families }];
  });
}

const unknownFonts = ({ source, film }: CheckFacts): Fault[] =>
  film === null
    ? []
    : textsIn(source).flatMap(({ path, name, json, families }): Fault[] => {
        // Of a file that is damaged its own finding tells.
        const own = new Set(ownFamilies(source));
        const strange = families.find(
          (family) => !film.fonts.has(family) && !own.has(looseName(family)),
        );
        if (strange === undefined) return [];
        const known = [...shippedFamilies(film.fontFolder).values()].map((family) => family.name);
        const meant = nearest(strange, known);
        const isPlain = json.font_family === strange;
        const at = `${path}.font_family`;
        return [
          {
            path: isPlain ? at : path,
            element: name,
            message: `Expected an installed font, found '${strange}': ${standInFor(strange)} is used instead`,
            cure:
              meant === null
                ? 'Choose a shipped font, or bring the file along in ‘fonts’.'
                : `Write '${meant}', or bring the file along in ‘fonts’.`,
            ...(meant !== null &&
              isPlain && {
                patch: [{ op: 'replace', path: pointerOf(stepsOf(at)), value: meant } as const],
              }),
          },
        ];
      });

const installedFonts = ({ source, film }: CheckFacts): Fault[] => {
  if (!film?.warnings.some(({ code }) => code === 'installed_font')) return [];
  const shipped = shippedFamilies(film.fontFolder);
  const own = new Set(ownFamilies(source));
  return textsIn(source).flatMap(({ path, name, families }): Fault[] => {
    const local = families.find((family) => {
      const key = looseName(family);
      return film.fonts.has(family) && !shipped.has(key) && !own.has(key);
    });
    if (local === undefined) return [];
    const message = `Expected a font that is shipped or brought along, found '${local}' of this computer: elsewhere the film looks different`;
    const cure = 'Bring the file along in ‘fonts’, or choose a shipped font.';
    return [{ path: `${path}.font_family`, element: name, message, cure }];
  });
};

function ownFamilies({ fonts }: JsonObject): string[] {
  const list: unknown = fonts;
  if (!Array.isArray(list)) return [];
  return list.flatMap((font: unknown) =>
    isJsonObject(font) && typeof font.family === 'string' ? [looseName(font.family)] : [],
  );
}

const mostLetters = 10;

/** Letters that a text's own font lacks, where the drawing said that they are lacking at all. */
const missingLetters = ({ source, film }: CheckFacts): Fault[] => {
  if (!film?.warnings.some(({ code }) => code === 'missing_characters')) return [];
  const own = new Set(ownFamilies(source));
  return textsIn(source).flatMap(({ path, name, json, families }): Fault[] => {
    const used = families.length > 0 ? families : [defaultFamily];
    const text = textsOf({ elements: [json] })
      .join('')
      .replace(/\[[^[\]]*\]/g, '');
    const letters = [...new Set(text)].filter((letter) =>
      used.some((family) => isLacking(film, letter, family, own)),
    );
    if (letters.length === 0) return [];
    const more = letters.length > mostLetters ? ` and ${letters.length - mostLetters} more` : '';
    const message = `Expected letters of '${used.join("', '")}', found ${letters.slice(0, mostLetters).join(' ')}${more}, which it lacks: they are drawn in another font, or not at all`;
    const cure = 'Choose a font that has these letters, or write others.';
    return [{ path: `${path}.text`, element: name, message, cure }];
  });
};

function isLacking(
  { fonts }: FilmFacts,
  letter: string,
  family: string,
  own: ReadonlySet<string>,
): boolean {
  // Emoji, signs between letters and spaces need no letter of a font.
  if (/[\p{Extended_Pictographic}\p{C}\p{Z}\p{M}]/u.test(letter)) return false;
  if (!fonts.lacks(letter, family)) return false;
  return (
    own.has(looseName(family)) || fonts.fallbacks(family).every((one) => fonts.lacks(letter, one))
  );
}

/** The rows. */
export const fontChecks: readonly CheckRow[] = [
  { code: 'unknown_font', level: 'warning', find: unknownFonts },
  { code: 'installed_font', level: 'hint', find: installedFonts },
  { code: 'missing_characters', level: 'warning', find: missingLetters },
];
