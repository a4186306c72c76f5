/** The server's sentences about a request, in the words of the render dialog's fields. Pure. */
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
