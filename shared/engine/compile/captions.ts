/**
 * Captions: turns the words of a transcript into pages, each shown while it is spoken. Compile phase; pure. Layout
 * decides how a page looks at a moment (layout/captions.ts).
 */
import { parseColor } from '../../renderscript/color.ts';
import { foundValue } from '../../renderscript/found-value.ts';
import { defaultOf } from '../../renderscript/properties.ts';
import { withFound } from '../../renderscript/rules.ts';
import type { Problem } from '../../renderscript/source.ts';
import { parseAmount } from '../../renderscript/units.ts';
import {
  inOrder,
  lengthOf,
  mostlyRightToLeft,
  staysWithWordBefore,
  type TimedWord,
  type Transcript,
} from '../transcript.ts';
import { RenderError } from '../errors.ts';
import type { Schedule, ScheduledElement } from './schedule.ts';
import { timePlayed } from './speed.ts';
import { isTextAnimation } from './text-animations.ts';
import {
  captionEffects,
  captionPlacements,
  captionSplits,
  type CaptionPage,
  type Captions,
  type CaptionWord,
  type CompositionElement,
  type TimelineElement,
} from './timeline.ts';
import { readWord, unreadable } from './values.ts';

/** Silence between two pages, seconds. */
const pause = 0.8;
/** The spoken word stays marked over gaps up to this, which are no pauses; seconds. */
const breath = 0.25;
/** How long a page stays after its last word, in seconds: long enough to finish reading. */
const linger = 0.5;
/** A page stays if the gap before the next one would be shorter than this; seconds. */
const blink = 0.3;
/** Most words that one element's speech may add to a text, including loops. */
const mostWords = 100_000;

/** The captions of all texts that follow a transcript, by the text's path. */
export function captionsOf(
  schedule: Schedule,
  transcripts: ReadonlyMap<string, Transcript>,
): ReadonlyMap<string, Captions> {
  const captions = new Map<string, Captions>();
  if (transcripts.size === 0) return captions;
  const placed = placesOf(schedule);
  for (const [path, { element, start }] of placed) {
    const transcript = transcripts.get(path);
    if (!transcript) continue;
    captions.set(path, readCaptions(element, wordsOn(transcript, placed, start)));
  }
  return captions;
}

/** The words of one text's transcript on the text's clock; none for a path without an element. */
export function wordsOfText(
  schedule: Schedule,
  path: string,
  transcript: Transcript,
): readonly TimedWord[] {
  const placed = placesOf(schedule);
  const place = placed.get(path);
  return place ? wordsOn(transcript, placed, place.start) : [];
}

function wordsOn(
  transcript: Transcript,
  placed: ReadonlyMap<string, Placed>,
  start: number,
): readonly TimedWord[] {
  return transcript.clock === 'text'
    ? transcript.words
    : wordsHeard(transcript.speeches, placed, start);
}

/** A composition with captions added to its texts. */
export function withCaptions(
  composition: CompositionElement,
  captions: ReadonlyMap<string, Captions>,
): CompositionElement {
  if (captions.size === 0) return composition;
  const fill = (element: TimelineElement): TimelineElement => {
    if (element.type === 'composition') return withCaptions(element, captions);
    const own = element.type === 'text' ? captions.get(element.path) : undefined;
    return own && element.type === 'text' ? { ...element, captions: own } : element;
  };
  return { ...composition, children: composition.children.map(fill) };
}

/** Warnings for text animations without effect: captions' words only move by their own effect. */
export function unanimatedCaptions({ children }: CompositionElement): Problem[] {
  return children.flatMap((element): Problem[] => {
    if (element.type === 'composition') return unanimatedCaptions(element);
    if (element.type !== 'text' || !element.captions) return [];
    const found = element.animations.find(({ type }) => isTextAnimation(type));
    if (!found) return [];
    const message =
      `Captions are not moved by '${found.type}': their words move as transcript_effect says. ` +
      'Animations of the whole element, such as fade or slide, do act';
    return [
      {
        path: `${element.path}.animations`,
        element: element.name,
        property: 'animations',
        severity: 'warning',
        code: 'captions_not_animated',
        message,
      },
    ];
  });
}

// ---- clocks --------------------------------------------------------------------------------------------------------

interface Placed {
  readonly element: ScheduledElement;
  /** Seconds on the document's clock; in a looping composition, of its first pass. */
  readonly start: number;
}

function placesOf({ elements }: Schedule): Map<string, Placed> {
  const placed = new Map<string, Placed>();
  const visit = (siblings: readonly ScheduledElement[], origin: number): void => {
    for (const element of siblings) {
      const start = origin + element.start;
      placed.set(element.path, { element, start });
      visit(element.children, start);
    }
  };
  visit(elements, 0);
  return placed;
}

/** Converts words from their file's clock to the text's: trimmed parts aren't said, loops are said again. */
function wordsHeard(
  speeches: Extract<Transcript, { clock: 'media' }>['speeches'],
  placed: ReadonlyMap<string, Placed>,
  textStart: number,
): TimedWord[] {
  const heard = speeches.flatMap(({ elementPath, words }): TimedWord[] => {
    const place = placed.get(elementPath);
    if (!place?.element.file) return [];
    const { clip } = place.element.file;
    const { duration } = place.element;
    const pass = timePlayed(clip, clip.trimDuration);
    const passes = clip.loop && pass > 0 ? Math.ceil(duration / pass) : 1;
    const offset = place.start - textStart;
    const inside = words.filter(
      ({ start }) => start >= clip.trimStart && start < clip.trimStart + clip.trimDuration,
    );
    if (passes * inside.length > mostWords) {
      const { name, path } = place.element;
      const times = Math.floor(mostWords / inside.length);
      throw new RenderError(
        'limit_exceeded',
        `Source error: ${name}: It repeats the words of captions ${passes} times; the limit for so many words is ${times}`,
        { path },
      );
    }
    return Array.from({ length: passes }, (_, index) => index * pass).flatMap((since) =>
      inside.flatMap((word) => {
        const start = since + timePlayed(clip, word.start - clip.trimStart);
        const last = Math.min(word.end - clip.trimStart, clip.trimDuration);
        const end = Math.min(duration, since + timePlayed(clip, last));
        return start < duration ? [{ ...word, start: start + offset, end: end + offset }] : [];
      }),
    );
  });
  return inOrder(heard);
}

// ---- reading -------------------------------------------------------------------------------------------------------

function readCaptions(element: ScheduledElement, words: readonly TimedWord[]): Captions {
  const { json, duration } = element;
  const maximum = parseAmount(json.transcript_maximum_length)?.value ?? null;
  const shown = words.filter(({ start, end }) => start < duration && end >= 0);
  const color = json.transcript_color ?? defaultOf('text', 'transcript_color');
  const read = parseColor(color);
  if (!read) {
    const message = withFound('Expected a color', foundValue(color));
    throw unreadable(element, 'transcript_color', message);
  }
  return {
    effect: readWord(json, 'text', element, 'transcript_effect', captionEffects),
    split: readWord(json, 'text', element, 'transcript_split', captionSplits),
    placement: readWord(json, 'text', element, 'transcript_placement', captionPlacements),
    color: read,
    rightToLeft: mostlyRightToLeft(words),
    pages: pagesOf(shown, maximum),
  };
}

// ---- pages ---------------------------------------------------------------------------------------------------------

/**
 * Words as pages. A page ends with its sentence or at a pause; a sentence longer than `maximum` characters is split
 * into pages of similar length, at commas where that costs little. Words are never split, so a long one may exceed the
 * maximum.
 */
export function pagesOf(words: readonly TimedWord[], maximum: number | null): CaptionPage[] {
  const timed = closeGaps(words);
  const pages = sentencesOf(timed).flatMap((sentence) => {
    const cut = cutSentence(sentence, maximum);
    return cut.map((page) => ({ page, isWhole: cut.length === 1 }));
  });
  return pages.map(({ page, isWhole }, index): CaptionPage => {
    const start = page[0]?.start ?? 0;
    const spoken = page.at(-1)?.end ?? start;
    const next = pages[index + 1]?.page[0]?.start ?? Infinity;
    const end = next - spoken <= linger + blink ? next : spoken + linger;
    const own = page.map((word, place): CaptionWord => ({
      text: word.text,
      start: word.start,
      end: word.end,
      glued: word.glued && place > 0,
      startsLine: place > 0 && startsLine(word, isWhole),
    }));
    return { start, end, text: textOf(own), words: own };
  });
}

/** Extends each word over a short gap to the next one. */
function closeGaps(words: readonly TimedWord[]): TimedWord[] {
  return words.map((word, index) => {
    const next = words[index + 1]?.start ?? Infinity;
    return { ...word, end: next - word.end <= breath ? next : word.end };
  });
}

/** Ends of sentences, with following quotation marks and brackets. */
const sentenceEnd = /[.!?…。！？؟۔।]["'”’»)\]]*$/u;
// prettier-ignore
const abbreviation = /^(?:mr|mrs|ms|dr|prof|st|jr|sr|vs|etc|no|approx|z\.b|d\.h|bzw|ca|e\.g|i\.e|p\.m|a\.m|\p{Lu})\.$/iu;

function sentencesOf(words: readonly TimedWord[]): TimedWord[][] {
  const numbered = words.some(({ sentence }) => sentence !== null);
  const sentences: TimedWord[][] = [];
  words.forEach((word, index) => {
    const before = words[index - 1];
    const parts =
      !before ||
      (numbered
        ? before.sentence !== word.sentence
        : word.start - before.end >= pause ||
          (sentenceEnd.test(before.text) &&
            !abbreviation.test(before.text) &&
            !staysWithWordBefore(word)));
    if (parts) sentences.push([word]);
    else sentences.at(-1)?.push(word);
  });
  return sentences;
}

/** Costs of splitting a sentence, in pages: an empty page costs one more than a full one. */
const commaBonus = 0.2;
/** Most words on a page of a split sentence, for any maximum; each is tried as the page's first. */
const mostOnPage = 1_000;

/** Splits a sentence so that the total cost of its pages is lowest; the first of equals wins. */
function cutSentence(sentence: readonly TimedWord[], maximum: number | null): TimedWord[][] {
  if (maximum === null || lengthOf(textOf(sentence)) <= maximum) return [[...sentence]];
  const units = unitsOf(sentence);
  const lengths = units.map((unit) => lengthOf(textOf(unit)));
  // best[n]: the cheapest way to put the first n units on pages, and where its last page begins.
  const best: { cost: number; from: number }[] = [{ cost: 0, from: 0 }];
  for (let end = 1; end <= units.length; end++) {
    let found = { cost: Infinity, from: end - 1 };
    let length = 0;
    for (let from = end - 1; from >= Math.max(0, end - mostOnPage); from--) {
      const next = units[from + 1]?.[0];
      const space = from + 1 < end && next && !next.glued ? 1 : 0;
      length += (lengths[from] ?? 0) + space;
      if (length > maximum && from < end - 1) break;
      const empty = Math.max(0, 1 - length / maximum);
      const comma =
        end < units.length && /[,;:，、；：،–—]$/u.test(units[end - 1]?.at(-1)?.text ?? '');
      const cost = (best[from]?.cost ?? 0) + 1 + empty ** 2 - (comma ? commaBonus : 0);
      if (cost < found.cost - 1e-9) found = { cost, from };
    }
    best.push(found);
  }
  const pages: TimedWord[][] = [];
  for (let end = units.length; end > 0; end = best[end]?.from ?? 0)
    pages.push(units.slice(best[end]?.from ?? 0, end).flat());
  return pages.reverse();
}

/** Units that must stay together: a word and everything attached without a space. */
function unitsOf(sentence: readonly TimedWord[]): TimedWord[][] {
  const units: TimedWord[][] = [];
  for (const word of sentence) {
    const last = units.at(-1);
    if (last && staysWithWordBefore(word)) last.push(word);
    else units.push([word]);
  }
  return units;
}

/** Lines of a subtitle that is cut into pages are for another width; those of a second speaker stay. */
function startsLine({ text, startsLine: starts = false }: TimedWord, isWhole: boolean): boolean {
  return starts && (isWhole || /^[-\u2010-\u2015]/.test(text));
}

function textOf(words: readonly Pick<CaptionWord, 'text' | 'glued'>[]): string {
  return words.map(({ text, glued }, index) => (glued || index === 0 ? text : ` ${text}`)).join('');
}
