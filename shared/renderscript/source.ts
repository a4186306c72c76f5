/**
 * RenderScript as it arrives: unchecked JSON. Used by window and server; knows no Node, DOM or Electron.
 */

/** Any JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;

/** A JSON object; absent keys read as undefined. */
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

/** A whole RenderScript document: root properties and `elements`. Keys are snake_case, values unchecked. */
export type Source = JsonObject;

/** The element types of the language, in the order in which the reference lists them. */
export const elementTypes = [
  'image',
  'video',
  'audio',
  'text',
  'shape',
  'composition',
  'lottie',
] as const;

/** Element types whose `source` is a file: the kinds of media files. */
export const mediaKinds = ['image', 'video', 'audio', 'lottie'] as const;

/** One of the kinds of media files. */
export type MediaKind = (typeof mediaKinds)[number];

/** What the media library holds: those, and tables of colors for `look_lut`. */
export const libraryKinds = [...mediaKinds, 'lut'] as const;

/** Whether the `source` of elements of a type is a file. */
export const isMediaKind = (type: unknown): type is MediaKind =>
  mediaKinds.some((kind) => kind === type);

/** Whether elements of a type last as long as their file, unless they say otherwise. */
export const isPlayed = (type: unknown): boolean => isMediaKind(type) && type !== 'image';

/** One of the element types. */
export type ElementType = (typeof elementTypes)[number];

/**
 * An error or warning about a document. Validation collects all of them in document order.
 */
export interface Problem {
  /** Where in the document, e.g. `elements[2].fill_color`; empty for the document itself. */
  readonly path: string;
  /** The element's name as people know it, e.g. `Title`, or type and position, e.g. `Text 3`; empty for the root. */
  readonly element: string;
  /** The property's JSON key, e.g. `fill_color`; empty when the problem is about the whole element. */
  readonly property: string;
  /** An error makes the render fail; a warning does not. */
  readonly severity: 'error' | 'warning';
  /** Stable code for programs, e.g. `wrong_unit`. */
  readonly code: string;
  /** The message alone, e.g. `Expected a number ending with %`. */
  readonly message: string;
  /**
   * The value that was probably meant, or the name of an unknown property or option, where one is near; see `fixOf`.
   */
  readonly instead?: string;
  /** True if other elements of the document are called the same: only the path says which is meant. */
  readonly sharesName?: boolean;
}

/**
 * A problem as the API's sentence: `Title.letter_spacing: Expected a number ending with %`; with its path if several
 * elements are called Title.
 */
export function problemSentence(problem: Problem): string {
  return problem.sharesName ? placedSentence(problem) : plainSentence(problem);
}

/** The same with its path in any case. */
export function placedSentence(problem: Problem): string {
  const { path } = problem;
  return `${plainSentence(problem)}${path === '' ? '' : ` (at ${path})`}`;
}

/** A message with the element that a render was at, which its sentence does not name. */
export function messageAt(message: string, element: string): string {
  return message.replace(/(?=\. )|$/, () => ` (at ${element})`);
}

function plainSentence({ element, property, message }: Problem): string {
  const place = [element, property].filter((part) => part !== '').join('.');
  return place === '' ? message : `${place}: ${message}`;
}

/** True for objects that are neither null nor an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The name in messages of an element without one: its type, and its position among siblings of that type, from 1. */
export function unnamedElement(type: string, position: number): string {
  return `${type.charAt(0).toUpperCase()}${type.slice(1)} ${position}`;
}
