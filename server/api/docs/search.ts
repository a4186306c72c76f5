/**
 * The search of the help: every section of every page is an entry, made when somebody searches for the first time.
 * Nothing leaves the computer. Pure but for that memory.
 *
 * Not minisearch (7.2): for 35 lines less, the section about the question `idempotency key` comes fifth.
 */
import { headingsOf, withoutPictures } from './markdown.ts';
import { addressOf, type Topic } from './page-frame.ts';

/** A section that was found. */
export interface Finding {
  readonly address: string;
  /** Title of the page. */
  readonly page: string;
  /** The section's heading; empty for the beginning of a page. */
  readonly heading: string;
  /** Some of its text, around the first word that was found. */
  readonly excerpt: string;
}

interface Entry {
  readonly address: string;
  readonly page: string;
  readonly heading: string;
  readonly text: string;
  /** The same in lower case, as words. */
  readonly titleWords: readonly string[];
  readonly headingWords: readonly string[];
  readonly textWords: ReadonlySet<string>;
}

/** Words of a question that are looked at; a question has more only by mistake. */
const mostWords = 8;
/** Characters of a question. */
export const longestQuestion = 100;
const mostFindings = 12;

/** What finds sections in these pages. */
export function searchIn(
  topics: readonly Topic[],
  apiUrl: string,
): (question: string) => readonly Finding[] {
  const entries = topics.flatMap((topic) => entriesOf(topic, apiUrl));
  return (question) => {
    const words = wordsOf(question.slice(0, longestQuestion)).slice(0, mostWords);
    if (words.length === 0) return [];
    return entries
      .map((entry) => ({ entry, score: scoreOf(entry, words) }))
      .filter(({ score }) => score > 0)
      .sort((one, other) => other.score - one.score)
      .slice(0, mostFindings)
      .map(({ entry }) => findingOf(entry, words));
  };
}

/** `font_size` → font, size. */
function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function entriesOf(topic: Topic, apiUrl: string): Entry[] {
  const whole = withoutPictures(topic.text(apiUrl));
  const headings = headingsOf(whole).values();
  const parts = whole.split(/^(?=#{2,4} )/m);
  return parts.flatMap((part) => {
    const heading = part.startsWith('#') ? headings.next().value : undefined;
    const text = readable(part.replace(/^#{2,4} .*\n?/, ''));
    if (text === '' && !heading) return [];
    const place = heading ? `#${heading.anchor}` : '';
    const shown = heading ? heading.text.replaceAll('`', '') : '';
    return {
      address: `${addressOf(topic)}${place}`,
      page: topic.title,
      heading: shown,
      text,
      titleWords: wordsOf(topic.title),
      headingWords: wordsOf(shown),
      textWords: new Set(wordsOf(heading ? text : `${topic.summary} ${text}`)),
    };
  });
}

/** Without marks. */
function readable(markdown: string): string {
  return markdown
    .replace(/^```.*$/gm, '')
    .replace(/^\|[-| ]+\|$/gm, '')
    .replace(/\]\([^)]*\)/g, '')
    .replace(/[`*|[]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Every word must be there; what is a heading counts most. 0 = not found. */
function scoreOf(entry: Entry, words: readonly string[]): number {
  let score = 0;
  for (const word of words) {
    const best = Math.max(
      weightIn(entry.headingWords, word, 60, 30),
      weightIn(
        entry.titleWords,
        word,
        entry.heading === '' ? 50 : 12,
        entry.heading === '' ? 20 : 6,
      ),
      weightIn([...entry.textWords], word, 5, 2),
    );
    if (best === 0) return 0;
    score += best;
  }
  // A heading that is the question itself, nothing else.
  if (entry.headingWords.join(' ') === words.join(' ')) score += 100;
  return score;
}

function weightIn(known: readonly string[], word: string, whole: number, start: number): number {
  if (known.includes(word)) return whole;
  return known.some((one) => one.startsWith(word)) ? start : 0;
}

const excerptLength = 160;

function findingOf({ address, page, heading, text }: Entry, words: readonly string[]): Finding {
  const lower = text.toLowerCase();
  const places = words.map((word) => lower.indexOf(word)).filter((place) => place >= 0);
  const first = Math.min(...places, text.length);
  const from = first > 60 && first < text.length ? text.lastIndexOf(' ', first - 40) + 1 : 0;
  const cut = text.slice(from, from + excerptLength);
  const to = from + excerptLength < text.length ? cut.replace(/ \S*$/, ' …') : cut;
  return { address, page, heading, excerpt: `${from > 0 ? '… ' : ''}${to}` };
}
