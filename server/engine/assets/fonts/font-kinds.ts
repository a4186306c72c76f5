/**
 * Phase 1, fonts: which shipped family replaces a missing one: one of its kind, judging by its name. Pure.
 */
import { looseName } from '../../../../shared/renderscript/same-name.ts';

/** The family for text elements without one, and for unknown families with an unhelpful name. */
export const defaultFamily = 'Aileron';

/** Words that reveal the kind, strongest first. A word counts if one of the name's words begins with it. */
const telling: readonly (readonly [string, readonly string[]])[] = [
  ['Roboto Mono', ['mono', 'code', 'courier', 'typewriter', 'console', 'terminal']],
  ['Roboto Slab', ['slab', 'rockwell', 'arvo', 'zilla', 'bitter']],
  [
    'Caveat',
    ['handwrit', 'hand', 'marker', 'chalk', 'crayon', 'comic', 'kalam', 'patrick', 'indie'],
  ],
  ['Dancing Script', ['script', 'brush', 'callig', 'cursive', 'vibes', 'signature']],
  ['Roboto Condensed', ['condensed', 'narrow', 'compressed']],
  ['Merriweather', ['serif', 'antiqua', 'roman', 'times']],
  ['Anton', ['black', 'poster', 'impact', 'display', 'headline']],
];

/** Well-known families with unhelpful names, by their replacement. */
const wellKnown: readonly (readonly [string, string])[] = [
  [
    'Merriweather',
    'Georgia|Times New Roman|Garamond|EB Garamond|Cormorant|Cormorant Garamond|Baskerville|Libre Baskerville|Lora|Cambria|Palatino|Bodoni|Didot|Crimson Pro|Crimson Text|Spectral|Cardo|Vollkorn|Alegreya|Gelasio|Newsreader|Fraunces|Cinzel|Prata|Marcellus|Charter|Caslon|Libre Caslon Text|Frank Ruhl Libre|Domine|Rosarivo|Literata|Playfair Display|Playfair Display SC',
  ],
  [
    'Playfair Display',
    'Abril Fatface|DM Serif Display|Bodoni Moda|Yeseva One|Playfair|Gloock|Chonburi|Rozha One',
  ],
  [
    'Anton',
    'Bangers|Righteous|Alfa Slab One|Luckiest Guy|Russo One|Black Ops One|Fjalla One|Passion One|Bungee|Titan One|Fredoka One|Paytone One|Lilita One|Bowlby One|Archivo Black|Haettenschweiler|Squada One|Staatliches',
  ],
  ['Oswald', 'Bebas Neue'],
  ['Bebas Neue', 'Bebas|Bebas Kai|League Gothic|Six Caps|Big Shoulders|Pathway Gothic One|Teko'],
  [
    'Dancing Script',
    'Great Vibes|Sacramento|Satisfy|Allura|Parisienne|Cookie|Yellowtail|Kaushan|Tangerine|Alex Brush|Courgette|Pinyon|Zapfino|Lucida Calligraphy|Snell Roundhand|Leckerli One|Playball|Mr Dafoe|Italianno|Lobster|Pacifico|Caveat',
  ],
  [
    'Caveat',
    'Amatic SC|Shadows Into Light|Gloria Hallelujah|Rock Salt|Architects Daughter|Covered By Your Grace|Reenie Beanie|Homemade Apple|Bradley Hand|Segoe Print|Nothing You Could Do|Just Another Hand|Gochi|Sriracha',
  ],
  ['Roboto Mono', 'Consolas|Menlo|Monaco|Inconsolata|Anonymous Pro|Cousine|Lucida Console'],
  [defaultFamily, 'MS Sans Serif|Microsoft Sans Serif|Open Sans Hebrew|Gill Sans|Lucida Sans'],
];

const byName: ReadonlyMap<string, string> = new Map(
  wellKnown.flatMap(([standIn, names]) =>
    names.split('|').map((name): [string, string] => [looseName(name), standIn]),
  ),
);

/** Looks like the default family, and has the letters of more languages. */
const wideFamily = 'Inter';

/**
 * The shipped family that may draw a word among those of another: of its kind, and with more letters where its kind
 * allows.
 */
export function likenessOf(family: string): string {
  const standIn = standInFor(family);
  return standIn === defaultFamily ? wideFamily : standIn;
}

/** The shipped family that replaces one of this name. */
export function standInFor(family: string): string {
  const name = looseName(family);
  const known = byName.get(name);
  if (known !== undefined) return known;
  // "Sans serif" contains the word for its opposite.
  if (/\bsans\b/.test(name) && !/\bmono|\bcode/.test(name)) return defaultFamily;
  const words = name.slice(0, 200).split(/[\s_-]+/);
  const found = telling.find(([, marks]) =>
    words.some((word) => marks.some((mark) => word.startsWith(mark))),
  );
  return found?.[0] ?? defaultFamily;
}
