/**
 * Placeholders in texts: `{{name}}` and `{{name|default}}`. Pure; modifications.ts decides which values they get.
 *
 * In the `text` of text elements every placeholder is filled, as the service does. In all other strings only the names
 * that the document declares under `variables` are, an extension; other braces there stay as they are.
 */
import { isJsonObject, type Json } from './source.ts';

/** What can stand in a placeholder's place. */
export type Scalar = string | number | boolean;

/** Gives the value for a placeholder's name, or undefined to leave it to the default. */
export type PlaceholderValue = (name: string) => Scalar | undefined;

/** True for the values that a placeholder can have. */
export function isScalar(value: unknown): value is Scalar {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

const pattern = /\{\{([^{}|]*)(?:\|([^{}]*))?\}\}/g;

/** The text with every placeholder filled: by its value, else its default, else nothing. Values are not looked into. */
export function fillPlaceholders(text: string, valueOf: PlaceholderValue): string {
  // The text's own braces are found quickly; most texts have none.
  if (!text.includes('{{')) return text;
  return text.replace(pattern, (_, name: string, fallback: string | undefined) =>
    String(valueOf(name.trim()) ?? fallback ?? ''),
  );
}

/** The names of the placeholders in a `text` property, keyframed or not. */
export function placeholderNames(text: Json | undefined): readonly string[] {
  return textsIn(text).flatMap((part) =>
    part.includes('{{') ? Array.from(part.matchAll(pattern), ([, name = '']) => name.trim()) : [],
  );
}

/** A `text` property with its placeholders filled; the same value when there are none. */
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

/** Lists and objects inside each other that variables are looked for in; deeper documents are refused anyway. */
const deepestValue = 64;

/**
 * A property's value with the declared variables put in, in all strings at any depth; the same value when there are
 * none. A string that is nothing but a placeholder becomes a number or a boolean when its value is one, so that
 * `"visible": "{{logo}}"` works.
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
  // `fromEntries` makes `__proto__` a key like any other.
  return filled.some(([, item], index) => item !== entries[index]?.[1])
    ? Object.fromEntries(filled)
    : value;
}

function fillDeclared(text: string, valueOf: PlaceholderValue): Scalar {
  if (!text.includes('{{')) return text;
  const [match] = text.matchAll(pattern);
  if (match?.[0] === text) return valueOf((match[1] ?? '').trim()) ?? text;
  return text.replace(pattern, (written, name: string) => String(valueOf(name.trim()) ?? written));
}

function textsIn(text: Json | undefined): readonly string[] {
  if (typeof text === 'string') return [text];
  if (!Array.isArray(text)) return [];
  const keyframes: readonly unknown[] = text;
  return keyframes.flatMap((item) =>
    isJsonObject(item) && typeof item.value === 'string' ? [item.value] : [],
  );
}
