/**
 * Placeholders in texts: `{{name}}` and `{{name|default}}`. Pure; modifications.ts decides which values they get.
 *
 * The `text` of text elements has every placeholder filled, as in the service. In all other strings, only names that
 * the document declares under `variables` are filled (an extension); other braces stay as they are.
 */
import { sameName } from './same-name.ts';
import { isJsonObject, type Json } from './source.ts';

/** A placeholder's value. */
export type Scalar = string | number | boolean;

/** Returns the value for a placeholder's name, or undefined for its default. */
export type PlaceholderValue = (name: string) => Scalar | undefined;

/** Whether a placeholder can have this value. */
export function isScalar(value: unknown): value is Scalar {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

const pattern = /\{\{([^{}|]*)(?:\|([^{}]*))?\}\}/g;

/**
 * The text with every placeholder filled by its value, its default, or nothing. Does not fill placeholders in values.
 */
export function fillPlaceholders(text: string, valueOf: PlaceholderValue): string {
  // A quick check first: most texts have no braces.
  if (!text.includes('{{')) return text;
  return text.replace(pattern, (_, name: string, fallback: string | undefined) =>
    String(valueOf(sameName(name.trim())) ?? fallback ?? ''),
  );
}

/** The names of the placeholders in a `text` property, keyframed or not. */
export function placeholderNames(text: Json | undefined): readonly string[] {
  return textsIn(text).flatMap((part) =>
    part.includes('{{')
      ? Array.from(part.matchAll(pattern), ([, name = '']) => sameName(name.trim()))
      : [],
  );
}

/** Where the placeholders of a text stand, in order. */
export function placeholderPlaces(
  text: string,
): readonly { readonly from: number; readonly to: number }[] {
  if (!text.includes('{{')) return [];
  return Array.from(text.matchAll(pattern), ({ 0: { length }, index }) => ({
    from: index,
    to: index + length,
  }));
}

/** A `text` property with its placeholders filled; the same value if there are none. */
export function fillTextProperty(text: Json, valueOf: PlaceholderValue): Json {
  if (typeof text === 'string') return fillPlaceholders(text, valueOf);
  if (!Array.isArray(text)) return text;
  const keyframes: readonly Json[] = text;
  if (placeholderNames(keyframes).length === 0) return keyframes;
  return keyframes.map((keyframe) =>
    isJsonObject(keyframe) && typeof keyframe.value === 'string'
      ? { ...keyframe, value: fillPlaceholders(keyframe.value, valueOf) }
      : keyframe,
  );
}

/** Most nested lists and objects to search for variables; deeper documents are refused anyway. */
const deepestValue = 64;

/**
 * A property's value with declared variables filled, in all strings at any depth; the same value if there are none. A
 * string that is only a placeholder becomes a number or boolean if its value is one, so that `"visible": "{{logo}}"`
 * works.
 */
export function fillVariables(value: Json, valueOf: PlaceholderValue, depth = 0): Json {
  if (typeof value === 'string') return fillDeclared(value, valueOf);
  if (typeof value !== 'object' || value === null || depth >= deepestValue) return value;
  if (Array.isArray(value)) {
    const items: readonly Json[] = value;
    const filled = items.map((item) => fillVariables(item, valueOf, depth + 1));
    return filled.some((item, index) => item !== items[index]) ? filled : items;
  }
  const entries = Object.entries(value);
  const filled = entries.map(
    ([key, item]) =>
      [key, item === undefined ? item : fillVariables(item, valueOf, depth + 1)] as const,
  );
  // `fromEntries` treats `__proto__` like any other key.
  return filled.some(([, item], index) => item !== entries[index]?.[1])
    ? Object.fromEntries(filled)
    : value;
}

function fillDeclared(text: string, valueOf: PlaceholderValue): Scalar {
  if (!text.includes('{{')) return text;
  const [match] = text.matchAll(pattern);
  if (match?.[0] === text) return valueOf(sameName((match[1] ?? '').trim())) ?? text;
  return text.replace(pattern, (written, name: string) =>
    String(valueOf(sameName(name.trim())) ?? written),
  );
}

function textsIn(text: Json | undefined): readonly string[] {
  if (typeof text === 'string') return [text];
  if (!Array.isArray(text)) return [];
  const keyframes: readonly unknown[] = text;
  return keyframes.flatMap((item) =>
    isJsonObject(item) && typeof item.value === 'string' ? [item.value] : [],
  );
}
