/**
 * Style tags inside a text: `[color #f00]…[/color]`, `[size 150%]`, `[weight 700]`, `[style italic]`,
 * `[family Roboto Slab]`. First step of text layout; uses neither fonts nor sizes in pixels.
 */
import { parseColor } from '../../renderscript/color.ts';
import type { Color } from '../compile/property-values.ts';

/** The style set by the tags around a stretch of text; null = the element's. */
export interface TextStyle {
  readonly color: Color | null;
  /** Factor of the element's font size, e.g. 1.5. Nested sizes do not multiply: the inner one counts. */
  readonly size: number;
  readonly weight: number | null;
  readonly style: 'normal' | 'italic' | null;
  readonly family: string | null;
  /**
   * For small figures: how far they stand above the baseline, in font sizes of the element. Left out for plain text.
   */
  readonly rise?: number;
  /** The family that draws this word, because its own lacks a letter of it. Left out: its own does. */
  readonly standIn?: string;
}

/** A stretch of text under one style. */
export interface Span {
  readonly text: string;
  readonly style: TextStyle;
}

/** The style outside of all tags. */
export const plainStyle: TextStyle = {
  color: null,
  size: 1,
  weight: null,
  style: null,
  family: null,
};

/** Reads a tag's value; null if it is invalid; the tag is then printed as it is. */
const tags: Readonly<Record<TagName, (value: string) => Partial<TextStyle> | null>> = {
  color(value) {
    const color = parseColor(value);
    return color && { color };
  },
  size(value) {
    const percent = /^(\d+(?:\.\d+)?|\.\d+)\s*%$/.exec(value)?.[1];
    return percent !== undefined && Number(percent) > 0 ? { size: Number(percent) / 100 } : null;
  },
  weight(value) {
    const named = { normal: 400, bold: 700 }[value];
    const weight = named ?? (/^\d+$/.test(value) ? Number(value) : 0);
    return weight >= 1 && weight <= 1000 ? { weight } : null;
  },
  style(value) {
    return value === 'normal' || value === 'italic' ? { style: value } : null;
  },
  family(value) {
    return { family: value };
  },
};

/** Names of the tags. */
export type TagName = 'color' | 'size' | 'weight' | 'style' | 'family';

/** A tag that counts, where it stands in the text. */
export interface Tag {
  readonly from: number;
  readonly to: number;
  readonly name: TagName;
  /** As written; null for one that closes. */
  readonly value: string | null;
}

/** Whether a tag may have a value; brackets would end it early. */
export function isTagValue(name: TagName, value: string): boolean {
  return value.trim() !== '' && !/[[\]]/.test(value) && tags[name](value.trim()) !== null;
}

const isTagName = (name: string): name is TagName => Object.hasOwn(tags, name);

/**
 * The tags of a text, in order. Unknown tags, tags with invalid values and unmatched closing tags are none: they are
 * printed as they are.
 */
export function readTags(text: string): readonly Tag[] {
  const found: Tag[] = [];
  const open = new Map<TagName, number>();
  for (const match of text.matchAll(/\[(\/?)([a-z]+)(\s[^[\]]*)?\]/g)) {
    const [whole, slash, name = '', said = ''] = match;
    if (!isTagName(name)) continue;
    const value = said.trim();
    const depth = open.get(name) ?? 0;
    if (slash ? value !== '' || depth === 0 : value === '' || tags[name](value) === null) continue;
    open.set(name, slash ? depth - 1 : depth + 1);
    const place = { from: match.index, to: match.index + whole.length };
    found.push({ ...place, name, value: slash ? null : value });
  }
  return found;
}

/**
 * Splits a text into spans and removes the tags. Unknown tags, tags with invalid values and unmatched closing tags are
 * printed as they are; an unclosed tag applies to the end. Neighbours with the same style are one span, so an unmarked
 * text is one span and an empty text none.
 */
export function readMarkup(text: string): Span[] {
  const spans: Span[] = [];
  // Every tag changes one thing, so the last open one of its name counts.
  const open = new Map<TagName, Partial<TextStyle>[]>();
  let style = plainStyle;
  let taken = 0;

  const take = (until: number): void => {
    if (until > taken) spans.push({ text: text.slice(taken, until), style });
  };
  for (const { from, to, name, value } of readTags(text)) {
    take(from);
    const own = open.get(name) ?? [];
    const change = value === null ? null : tags[name](value);
    if (change) own.push(change);
    else own.pop();
    open.set(name, own);
    taken = to;
    style = { ...plainStyle };
    for (const changes of open.values()) style = { ...style, ...changes.at(-1) };
  }
  take(text.length);
  return joinEqual(spans);
}

function joinEqual(spans: readonly Span[]): Span[] {
  const joined: Span[] = [];
  for (const span of spans) {
    const last = joined.at(-1);
    if (last && styleKey(last.style) === styleKey(span.style)) {
      joined[joined.length - 1] = { text: last.text + span.text, style: last.style };
    } else {
      joined.push(span);
    }
  }
  return joined;
}

/** Equal for styles that look the same. */
export function styleKey(style: TextStyle): string {
  const { size, weight, style: slant, family, color, rise, standIn } = style;
  return JSON.stringify([size, weight, slant, family, color, rise, standIn]);
}
