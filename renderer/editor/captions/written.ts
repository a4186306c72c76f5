/**
 * Captions as they are written into a document: a list of words with their times, one word a line, each line of
 * captions with a number of its own. Every service that knows the language shows exactly that. Pure.
 */
import { findNodeAtLocation } from 'jsonc-parser';
import { areGlued } from '../../../shared/engine/transcript.ts';
import type { JsonObject } from '../../../shared/renderscript/source.ts';
import { differenceOf, type TextChange } from '../../engine/text-change.ts';
import { applied, parsePath, setValue, treeOf } from '../source/json-text.ts';
import type { CaptionLine } from '../../../shared/engine/compile/caption-lines.ts';
import { headOf, nothingKept, type Kept } from './kept.ts';
import { wordsOf } from './lines.ts';

/** Seconds as they are written. */
const tidy = (seconds: number): number => Math.round(seconds * 1000) / 1000;

/** The value of `transcript_source`. @param kept What else the list has. Default: nothing. */
export function wordList(
  lines: readonly CaptionLine[],
  kept: Kept = nothingKept,
): readonly JsonObject[] {
  const words = wordsOf(lines);
  // With their spaces, if a word belongs to the one before it where the language would part them.
  const isSpaced = words.some(
    ({ text, glued }, at) => glued && !areGlued(words[at - 1]?.text ?? '', text),
  );
  const shown = words.map(({ text, start, end, glued, startsLine, sentence, spoken }, at) => {
    const time = tidy(start);
    const duration = tidy(end) - time;
    const word = {
      time,
      duration: tidy(Math.max(0, duration)),
      value: startsLine ? `\n${text}` : isSpaced && at > 0 && !glued ? ` ${text}` : text,
      sentence,
    };
    return spoken === undefined ? word : { ...word, spoken };
  });
  const head = headOf(kept);
  const aside = kept.aside.map((entry): JsonObject => {
    const { sentence } = entry;
    // Lines of their own, until they are back.
    return typeof sentence === 'number' ? { ...entry, sentence: lines.length + sentence } : entry;
  });
  return [...(head ? [head] : []), ...shown, ...aside];
}

/** The changes of a document's text that write captions into the text element at a path. */
export const captionChanges = (
  text: string,
  path: string,
  lines: readonly CaptionLine[],
  kept: Kept,
): TextChange[] => differenceOf(text, withWordList(text, path, wordList(lines, kept)));

/** A document's text with a list of words in the text element at a path. */
export function withWordList(text: string, path: string, words: readonly JsonObject[]): string {
  const place = parsePath(`${path}.transcript_source`);
  // A text takes the place of a list that is to be written by hand.
  const made = applied(text, setValue(text, place, 'words'));
  const tree = treeOf(made);
  const node = tree && findNodeAtLocation(tree, [...place]);
  if (!node) return text;
  const line = made.slice(made.lastIndexOf('\n', node.offset) + 1, node.offset);
  const indent = made.includes('\n') ? (/^[ \t]*/.exec(line)?.[0] ?? '') : null;
  const end = node.offset + node.length;
  return made.slice(0, node.offset) + listText(words, indent) + made.slice(end);
}

/** @param indent Of the line that the list begins on; null where all is on one line. */
function listText(words: readonly JsonObject[], indent: string | null): string {
  if (indent === null || words.length === 0) return JSON.stringify(words);
  const step = indent.includes('\t') ? '\t' : '  ';
  const rows = words.map((word) => {
    const entries = Object.entries(word).map(
      ([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`,
    );
    return `${indent}${step}{ ${entries.join(', ')} }`;
  });
  return `[\n${rows.join(',\n')}\n${indent}]`;
}
