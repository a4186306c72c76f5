/**
 * Placeholders in texts: `{{name}}` and `{{name|default}}`. Pure; modifications.ts decides which values they get.
 */
import { isJsonObject, type Json } from './source.ts';

/** Gives the text for a placeholder's name, or undefined to leave it to the default. */
export type PlaceholderValue = (name: string) => string | undefined;

const pattern = /\{\{([^{}|]*)(?:\|([^{}]*))?\}\}/g;

/** The text with every placeholder filled: by its value, else its default, else nothing. Values are not looked into. */
export function fillPlaceholders(text: string, valueOf: PlaceholderValue): string {
  // The text's own braces are found quickly; most texts have none.
  if (!text.includes('{{')) return text;
  return text.replace(
    pattern,
    (_, name: string, fallback: string | undefined) => valueOf(name.trim()) ?? fallback ?? '',
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

function textsIn(text: Json | undefined): readonly string[] {
  if (typeof text === 'string') return [text];
  if (!Array.isArray(text)) return [];
  const keyframes: readonly unknown[] = text;
  return keyframes.flatMap((item) =>
    isJsonObject(item) && typeof item.value === 'string' ? [item.value] : [],
  );
}
