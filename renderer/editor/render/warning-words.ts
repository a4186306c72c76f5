/** The server's warnings about a document, in the window's language. Pure. */
import { say } from '../../ui/say.ts';

/**
 * The end of a warning, and its sentence: `name` is the element; what the pattern finds follows. Null: not told, since
 * whoever chose the format knows it.
 */
type Row = readonly [RegExp, ((name: string, found: readonly string[]) => string) | null];

const rows: readonly Row[] = [
  [/^Only [^]* shows a chosen moment; this file is /, null],
  [
    /^Nothing is heard: an? (\w+) has no sound$/,
    (_name, [format = '']) => say('editor.warn.noSound', { format: format.toUpperCase() }),
  ],
  [/^Nothing is heard of this element: it is muted$/, (name) => say('editor.warn.muted', { name })],
  [
    /^Nothing is heard of this element: its volume is 0$/,
    (name) => say('editor.warn.volume', { name }),
  ],
  [
    /^Nothing is heard of this element: it has no file$/,
    (name) => say('editor.warn.empty', { name }),
  ],
  [/^Is never visible: /, (name) => say('editor.warn.never', { name })],
  [
    /^Is shown for ([\d.]+) of its ([\d.]+) s: /,
    (name, [shown = '', own = '']) => say('editor.warn.cut', { name, shown, own }),
  ],
  [/^Much of it lies outside: /, (name) => say('editor.warn.outside', { name })],
  [
    /^Modification '([^]*)' matched no element$/,
    (_name, [key = '']) => say('editor.warn.unmatched', { name: key }),
  ],
];

/** A warning to show. */
export interface ShownWarning {
  readonly text: string;
  /** It is the server's own sentence, in English. */
  readonly isEnglish: boolean;
}

/** The sentences of a check, each once. What has no words of its own stays as the server says it. */
export function warningsShown(warnings: readonly string[]): readonly ShownWarning[] {
  const shown = warnings.flatMap(inWords);
  return shown.filter(({ text }, index) => shown.findIndex((one) => one.text === text) === index);
}

function inWords(warning: string): readonly ShownWarning[] {
  const { 1: place = '', 2: said = warning } = /^([^:]*): ([^]*)$/.exec(warning) ?? [];
  const name = place.replace(/\.\w+$/, '');
  for (const [pattern, words] of rows) {
    for (const sentence of [said, warning]) {
      const found = pattern.exec(sentence);
      if (found) return words ? [{ text: words(name, found.slice(1)), isEnglish: false }] : [];
    }
  }
  return [{ text: warning, isEnglish: true }];
}
