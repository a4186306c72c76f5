/**
 * Captions without fillers, and with swear words covered: what is taken out of the lines is kept beside them, so that
 * it can be shown again. Pure.
 */
import {
  endOf,
  startOf,
  type CaptionLine,
  type CaptionWord,
} from '../../../shared/engine/compile/caption-lines.ts';
import { languageOf, shownWord, type HiddenKind } from '../../../shared/hidden-words.ts';
import type { JsonObject } from '../../../shared/renderscript/source.ts';
import { parseSeconds } from '../../../shared/renderscript/units.ts';
import { isAway, type Kept } from './kept.ts';
import { fitted } from './lines.ts';

export interface KeptLines {
  readonly lines: readonly CaptionLine[];
  readonly kept: Kept;
}

/** What an entry that is kept aside says, as it was spoken. */
const spokenIn = ({ spoken, shown }: JsonObject): string =>
  [spoken, shown].find((text) => typeof text === 'string') ?? '';

/** The same words with these kinds hidden, and no others. */
export function withHidden({ lines, kept }: KeptLines, hides: readonly HiddenKind[]): KeptLines {
  const away = kept.aside.filter(isAway);
  const whole = lines.map((line) => line.map(asSpoken));
  const fillers = kept.aside.filter((entry) => !isAway(entry)).map(wordOf);
  const all = fillers.reduce(withWord, whole);
  const language = languageOf([...all.flat(), ...away.map((entry) => ({ text: spokenIn(entry) }))]);
  const gone: JsonObject[] = [];
  const shown = all.flatMap((line) => {
    const left = line.flatMap((word): CaptionWord[] => {
      const text = shownWord(word.text, hides, language);
      if (text === word.text) return [word];
      if (text !== '') return [{ ...word, text, spoken: word.text }];
      gone.push({
        ...{ time: tidy(word.start), duration: tidy(word.end - word.start) },
        ...{ value: '', spoken: word.text },
      });
      return [];
    });
    return left.length > 0 ? [fitted(left)] : [];
  });
  const outside = away.map((entry): JsonObject => {
    const spoken = spokenIn(entry);
    const text = shownWord(spoken, hides, language);
    const made = new Map(Object.entries(entry));
    for (const [name, value] of [
      ['shown', text],
      ['spoken', spoken],
    ] as const) {
      if (value === '' || (name === 'spoken' && text === spoken)) made.delete(name);
      else made.set(name, value);
    }
    return Object.fromEntries(made);
  });
  return { lines: shown, kept: { ...kept, hides, aside: [...gone, ...outside] } };
}

const tidy = (seconds: number): number => Math.round(seconds * 1000) / 1000;

function asSpoken({ spoken, ...word }: CaptionWord): CaptionWord {
  return { ...word, text: spoken ?? word.text };
}

function wordOf(entry: JsonObject): CaptionWord {
  const start = parseSeconds(entry.time) ?? 0;
  const end = start + (parseSeconds(entry.duration) ?? 0);
  return { text: spokenIn(entry).trim(), start, end, glued: false };
}

/** Seconds between a moment and a line; 0 within it. */
const distance = (line: CaptionLine, { start, end }: CaptionWord): number =>
  Math.max(0, startOf(line) - end, start - endOf(line));

/** Seconds of silence that part two lines. */
const pause = 0.8;

/** Lines with one word more: in the nearest one, or by itself where none is near. */
function withWord(lines: readonly CaptionLine[], word: CaptionWord): CaptionLine[] {
  if (word.text === '') return [...lines];
  let [nearest, least] = [-1, pause];
  for (const [index, line] of lines.entries()) {
    const own = distance(line, word);
    // Of two that are as near it begins the second.
    if (own <= least) [nearest, least] = [index, own];
  }
  const line = lines[nearest];
  if (!line) {
    const at = lines.findIndex((one) => startOf(one) > word.start);
    return lines.toSpliced(at < 0 ? lines.length : at, 0, [word]);
  }
  const at = line.findIndex(({ start }) => start > word.start);
  const whole = line.toSpliced(at < 0 ? line.length : at, 0, word);
  return lines.toSpliced(nearest, 1, fitted(whole));
}
