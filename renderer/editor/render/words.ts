/** What the render dialog says of a field or a warning, in plain words. Pure. */
import { say } from '../../ui/say.ts';
import { wordsOfProperty } from '../inspector/words.ts';
import type { RenderOptions } from './render-request.ts';

/** Fields of the dialog besides those of the template. */
export type OutputField = Exclude<keyof RenderOptions, 'modifications' | 'other'>;

/** What the server calls them: parameters of a request, and properties of the document. */
const fieldOf: Readonly<Record<string, OutputField>> = {
  output_format: 'format',
  frame_rate: 'frameRate',
  crf: 'quality',
  gif_quality: 'quality',
  video_codec: 'codec',
  target_loudness: 'loudness',
  render_scale: 'scale',
  max_width: 'maxWidth',
  max_height: 'maxHeight',
  webhook_url: 'webhook',
  metadata: 'metadata',
};

/** What people call properties of the document that have no field. */
const otherWords: Readonly<Record<string, string>> = {
  width: say('editor.dialog.width'),
  height: say('editor.dialog.height'),
  duration: say('editor.dialog.duration'),
};

/** The words above the fields. */
export const fieldNames: Readonly<Record<OutputField, string>> = {
  format: say('editor.dialog.format'),
  frameRate: say('editor.dialog.frameRate'),
  quality: say('editor.dialog.quality'),
  codec: say('editor.dialog.codec'),
  loudness: say('editor.dialog.loudness'),
  scale: say('editor.dialog.scale'),
  maxWidth: say('editor.dialog.maxWidth'),
  maxHeight: say('editor.dialog.maxHeight'),
  webhook: say('editor.dialog.webhook'),
  metadata: say('editor.dialog.metadata'),
};

/** A sentence about one field, or about something else (`field` is null). */
export interface FieldProblem {
  readonly field: OutputField | null;
  /** The part of the template, e.g. `Title.fill_color`; '' where it is about the request. */
  readonly place: string;
  /** Only what is expected. */
  readonly what: string;
  /** With the name of the field. */
  readonly sentence: string;
}

/** Main properties, whose field is named after the element. */
const mainProperties = new Set(['text', 'source']);

/** Reads a sentence of the server: `Title.fill_color: Expected a color`, `The parameter 'render_scale' should be …`. */
export function fieldProblem(sentence: string): FieldProblem {
  const parameter = /^The parameter '(\w+)' should be ([^]*?)\.?$/.exec(sentence);
  const { 1: name = '', 2: expected = '' } = parameter ?? [];
  const field = fieldOf[name];
  if (field !== undefined) {
    const what = say('editor.dialog.expected', { what: expected });
    return { field, place: '', what, sentence: named(fieldNames[field], what) };
  }
  const colon = sentence.indexOf(': ');
  const place = colon < 0 ? '' : sentence.slice(0, colon);
  const what = sentence.slice(colon < 0 ? 0 : colon + 2);
  const own = fieldOf[place];
  if (own !== undefined) {
    return { field: own, place, what, sentence: named(fieldNames[own], what) };
  }
  return { field: null, place, what, sentence: place === '' ? what : named(wordsOf(place), what) };
}

function named(name: string, what: string): string {
  return say('editor.dialog.problem', { name, what });
}

function wordsOf(place: string): string {
  const known = otherWords[place];
  if (known !== undefined) return known;
  const dot = place.lastIndexOf('.');
  const property = place.slice(dot + 1);
  if (dot < 0 || mainProperties.has(property)) return dot < 0 ? place : place.slice(0, dot);
  return say('editor.field.part', {
    name: place.slice(0, dot),
    part: wordsOfProperty(property),
  });
}

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
