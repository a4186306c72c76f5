/**
 * Spoken words that captions can leave out or cover: sounds of thinking ("um"), and swear words (shown as `f***`).
 * THE TABLE has them by language; no locale decides, so that a recording is shown alike on every computer. Pure.
 */
/** A spoken word. */
interface SpokenWord {
  readonly text: string;
  /** No space separates it from the one before. */
  readonly glued: boolean;
}

/** What can be hidden. */
export const hiddenKinds = ['fillers', 'profanity'] as const;
/** One of them. */
export type HiddenKind = (typeof hiddenKinds)[number];

/** The words of a language, in small letters. */
interface Row {
  /** Words that most sentences have some of: they tell the language. */
  readonly common: string;
  /** Sounds without a meaning, each run of a letter as one: `umm` is `um`. */
  readonly fillers: string;
  /** Swear words; `*` stands for any ending. */
  readonly profanity: string;
}

const table: Readonly<Record<string, Row>> = {
  en: {
    common: 'the and you that is to of it this was have for not with are we',
    fillers: 'um uh uhm er erm hm mhm mm ah',
    profanity:
      'fuck* motherfuck* shit shits shitty bullshit bitch* asshole* arsehole* cunt* dickhead* bastard* wanker* twat*',
  },
  de: {
    common: 'der die das und ist nicht ich wir sie er es ein auf mit auch zu um',
    fillers: 'äh ähm öh öhm hm mhm ehm em',
    profanity:
      'scheiß* scheiss* fick* verfick* arschloch* arschlöcher* arsch wichser* hurensohn* fotze* schlampe*',
  },
  fr: {
    common: 'le la les et est pas je vous que une dans pour nous avec ce il elle',
    fillers: 'euh heu hum hm ben',
    profanity: 'putain* merde* connard* connasse* salope* salaud* enculé* pute putes foutre',
  },
  es: {
    common: 'el los las y es que de una por no con para como pero lo se',
    fillers: 'eh em ehm mm hm',
    profanity:
      'mierda* joder jodid* puta putas puto putos coño* cabrón* cabron* gilipollas pendej* chingad* hostia',
  },
  pt: {
    common: 'o os as e é que não uma um para com você mas em do da',
    fillers: 'ahn hã hum eh hm',
    profanity: 'merda* caralho* porra puta putas foda* foder* fodid* buceta* cacete',
  },
  it: {
    common: 'il che di è non una per sono con ma gli della questo un si lo',
    fillers: 'ehm eh mm hm uhm',
    profanity: 'cazzo* cazzat* merda* stronz* vaffanculo* puttan* minchia coglion*',
  },
  ja: {
    // Known by its letters.
    common: '',
    fillers: 'えーと えっと えーっと えと うーん あのー えー んー',
    profanity: 'くそ* クソ* ちくしょう* 死ね*',
  },
};

const listOf = (words: string): readonly string[] => words.split(' ').filter((one) => one !== '');

/** A row, ready to be asked. */
interface Ready {
  readonly common: ReadonlySet<string>;
  readonly fillers: ReadonlySet<string>;
  readonly profanity: readonly string[];
}

const rows = new Map<string, Ready>(
  Object.entries(table).map(([language, { common, fillers, profanity }]) => [
    language,
    {
      common: new Set(listOf(common)),
      fillers: new Set(listOf(fillers)),
      profanity: listOf(profanity),
    },
  ]),
);

/** For words whose language nobody knows: what is a usual word in no language. */
const anyLanguage: Ready = (() => {
  const all = [...rows.values()];
  const common = new Set(all.flatMap((row) => [...row.common]));
  const fillers = all.flatMap((row) => [...row.fillers]).filter((word) => !common.has(word));
  const profanity = all.flatMap((row) => row.profanity);
  return { common, fillers: new Set(fillers), profanity };
})();

const marks = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu;
const kana = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** A word as the table has it. */
const bare = (text: string): string => text.replace(marks, '').toLowerCase();

/** The language that most words are of, as `de`; null if none is to be seen. */
export function languageOf(words: readonly Pick<SpokenWord, 'text'>[]): string | null {
  const counts = new Map<string, number>();
  for (const { text } of words) {
    const word = bare(text);
    for (const [language, { common }] of rows) {
      const isOne = language === 'ja' ? kana.test(word) : common.has(word);
      if (isOne) counts.set(language, (counts.get(language) ?? 0) + 1);
    }
  }
  let best: string | null = null;
  for (const [language, count] of counts)
    if (count > (best === null ? 0 : (counts.get(best) ?? 0))) best = language;
  return best;
}

/**
 * A word as it is shown: '' for a filler, `f***` for a swear word, with the marks around it; else as it is.
 *
 * @param language As `de`; null or one without a row: what is meant in any language.
 */
export function shownWord(
  text: string,
  kinds: readonly HiddenKind[],
  language: string | null,
): string {
  const word = bare(text);
  if (word === '') return text;
  const row = rows.get(language?.slice(0, 2) ?? '') ?? anyLanguage;
  if (kinds.includes('fillers') && row.fillers.has(word.replace(/(.)\1+/gu, '$1'))) return '';
  const isSworn = (swear: string): boolean =>
    swear.endsWith('*') ? word.startsWith(swear.slice(0, -1)) : word === swear;
  if (!kinds.includes('profanity') || !row.profanity.some(isSworn)) return text;
  const at = text.toLowerCase().indexOf(word);
  const [first = ''] = word;
  const letter = text.slice(at, at + first.length);
  return `${text.slice(0, at)}${letter}***${text.slice(at + word.length)}`;
}

/** Words as they are shown; marks that follow a filler go with it. @param language Null: as the words tell. */
export function shownWords<Word extends SpokenWord>(
  words: readonly Word[],
  kinds: readonly HiddenKind[],
  language: string | null = null,
): Word[] {
  if (kinds.length === 0) return [...words];
  const spoken = language ?? languageOf(words);
  const shown: Word[] = [];
  let isGone = false;
  for (const word of words) {
    const text = shownWord(word.text, kinds, spoken);
    isGone = text === '' || (isGone && word.glued && bare(word.text) === '');
    if (!isGone) shown.push({ ...word, text });
  }
  return shown;
}
