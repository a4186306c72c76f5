/**
 * Which signs of a written text are which letters of its lines: on the way case changes, line ends disappear, hyphens
 * come in. Everything on that way is known sign by sign, so both are read side by side. Pure; for the editor.
 */
import { titlecase } from './prepare.ts';

/** A sign of the written text, and the letters that show it; equal ends = nothing of it is seen. */
export interface ShownSign {
  /** Places in the written text. */
  readonly from: number;
  readonly to: number;
  /** Places in the line. */
  readonly start: number;
  readonly end: number;
}

/** Reads a written text along with its lines, from the first one on. */
export class WrittenSigns {
  readonly #text: string;
  /** Where the next line begins. */
  at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The signs that some letters show. */
  take(letters: string): ShownSign[] {
    const signs: ShownSign[] = [];
    let start = 0;
    const put = (length: number, letterCount: number): void => {
      signs.push({ from: this.at, to: this.at + length, start, end: start + letterCount });
      this.at += length;
      start += letterCount;
    };
    while (start < letters.length) {
      const sign = String.fromCodePoint(this.#text.codePointAt(this.at) ?? 0);
      const shown =
        this.at < this.#text.length &&
        !isLineEnd(sign) &&
        spellingsOf(sign).find((spelling) => letters.startsWith(spelling, start));
      if (typeof shown === 'string') put(sign.length, shown.length);
      else if (this.at < this.#text.length && unseen.test(sign)) put(sign.length, 0);
      else if (
        this.at >= this.#text.length ||
        isLineEnd(sign) ||
        added.test(letters.charAt(start))
      ) {
        const last = signs.at(-1);
        const isMark = marks.test(letters.charAt(start));
        start++;
        if (last && isMark) signs[signs.length - 1] = { ...last, end: start };
      } else put(sign.length, 1);
    }
    return signs;
  }

  /** Signs at this place of which nothing is ever seen. */
  takeUnseen(): ShownSign[] {
    const signs: ShownSign[] = [];
    for (; this.at < this.#text.length && unseen.test(this.#text.charAt(this.at)); this.at++)
      signs.push({ from: this.at, to: this.at + 1, start: 0, end: 0 });
    return signs;
  }

  /** Goes behind the end of this paragraph. @returns where it ends */
  endParagraph(): number {
    while (this.at < this.#text.length && !isLineEnd(this.#text.charAt(this.at))) this.at++;
    return this.at++;
  }
}

const isLineEnd = (sign: string): boolean => /[\n\u0085\u2028\u2029]/.test(sign);

/** Letters that nobody wrote: a hyphen, an ellipsis, and marks that belong to the sign before them. */
const marks = /\ufe0f|\u200c|\u200d/;
const added = /[-…\u00a0]|\ufe0f|\u200c|\u200d/;

/** What prepare.ts takes out of the text. */
// eslint-disable-next-line no-control-regex -- they are what this line is about
const unseen = /[\u00ad\u200b\u2060\u0000-\u0008\u000b-\u001f\u007f]/;

const known = new Map<string, readonly string[]>();

/** How a sign may be shown, the longest first. */
function spellingsOf(sign: string): readonly string[] {
  let spellings = known.get(sign);
  if (!spellings) {
    const upper = sign.toUpperCase();
    const [first = '', ...more] = upper;
    const cases = [sign, upper, sign.toLowerCase(), first + more.join('').toLowerCase()];
    if (sign === 'Σ' || sign === 'σ') cases.push('ς');
    if (sign === '\t') cases.push(' ');
    // A text of spaces alone is drawn with those that are never left out.
    if (sign === ' ') cases.push('\u00a0');
    if (titlecase[upper] !== undefined) cases.push(titlecase[upper]);
    const all = cases.flatMap((one) => [one, one.normalize('NFKD')]);
    spellings = [...new Set(all)].sort((a, b) => b.length - a.length);
    known.set(sign, spellings);
  }
  return spellings;
}
