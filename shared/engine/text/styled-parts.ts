/**
 * Styles of parts of a text, as a person sets them: a text with tags, a range of its letters and a style give the text
 * with other tags. Ranges count the letters that are seen, in UTF-16 units, without the tags. Pure; runs in the editor.
 */
import { placeholderPlaces } from '../../renderscript/placeholders.ts';
import { isTagValue, readTags, type Tag, type TagName } from './markup.ts';

/** A style as it is written in the tags; what is missing is the element's. */
export type WrittenStyle = Readonly<Partial<Record<TagName, string>>>;

/** Letters under one style. */
export interface Part {
  readonly from: number;
  readonly to: number;
  readonly style: WrittenStyle;
}

/** A text without its tags, and what these say of which letters. */
interface Read {
  readonly plain: string;
  /** Neighbours differ; together they are the whole text. */
  readonly parts: readonly Part[];
  /** Where each stretch of letters begins: in the text with tags, and without. */
  readonly stretches: readonly { readonly at: number; readonly plainAt: number }[];
}

/** In the order in which tags are written that begin and end together. */
const names: readonly TagName[] = ['family', 'size', 'weight', 'style', 'color'];

/** What is seen of a text: all but its tags. */
export const plainText = (text: string): string => read(text).plain;

/** The parts of a text that differ in style, in order. */
export const partsOf = (text: string): readonly Part[] => read(text).parts;

/**
 * What a range has in common.
 *
 * @returns by name: the value, null for the element's own, undefined where the letters differ.
 */
export function commonStyle(
  text: string,
  from: number,
  to: number,
): Readonly<Record<TagName, string | null | undefined>> {
  const within = read(text).parts.filter((part) => part.from < to && part.to > from);
  const common = (name: TagName): string | null | undefined => {
    const [first, ...others] = within.map(({ style }) => style[name] ?? null);
    return others.every((other) => other === first) ? (first ?? null) : undefined;
  };
  return {
    color: common('color'),
    size: common('size'),
    weight: common('weight'),
    style: common('style'),
    family: common('family'),
  };
}

/**
 * A text with another style for a range. A range that ends inside a sign or a placeholder grows to hold all of it.
 *
 * @param change Values by name; null takes the style away. A value that no tag can have leaves the text alone.
 * @returns the text with the fewest tags that say it, each closed; the same text if nothing looks different.
 */
export function styled(
  text: string,
  from: number,
  to: number,
  change: Readonly<Partial<Record<TagName, string | null>>>,
): string {
  const given = names.filter((name) => change[name] !== undefined);
  if (given.some((name) => change[name] !== null && !isTagValue(name, change[name] ?? '')))
    return text;
  const { plain, parts } = read(text);
  const range = wholeSigns(plain, from, to);
  if (range.from >= range.to) return text;
  const made = parts.flatMap((part): Part[] => {
    const inner = { from: Math.max(part.from, range.from), to: Math.min(part.to, range.to) };
    if (inner.from >= inner.to) return [part];
    return [
      { ...part, to: inner.from },
      { ...inner, style: changed(part.style, change) },
      { ...part, from: inner.to },
    ].filter((one) => one.from < one.to);
  });
  if (sameParts(joined(made), parts)) return text;
  return written(plain, joined(made));
}

/** A text whose range has the style of its element. */
export function unstyled(text: string, from: number, to: number): string {
  return styled(text, from, to, {
    color: null,
    size: null,
    weight: null,
    style: null,
    family: null,
  });
}

/**
 * A text after other letters were typed into what is seen of it. Its tags stay as they are written; new letters look
 * like the one before them, or those that they replace. Of letters that are gone no tag is left.
 */
export function retyped(text: string, plain: string): string {
  const before = read(text);
  const old = before.plain;
  if (plain === old) return text;
  let from = 0;
  const shorter = Math.min(old.length, plain.length);
  while (from < shorter && old[from] === plain[from]) from++;
  let end = 0;
  while (end < shorter - from && old[old.length - 1 - end] === plain[plain.length - 1 - end]) end++;
  const to = old.length - end;
  const typed = plain.slice(from, plain.length - end);
  if (before.stretches.length === 0) return withoutEmptyTags(text + typed);
  // Into the style of what it replaces, else of the letter before it.
  const place =
    to > from
      ? placeIn(before, from)
      : from > 0
        ? placeIn(before, from - 1) + 1
        : placeIn(before, 0);
  let made = '';
  let taken = 0;
  const put = (until: number): void => {
    made += text.slice(taken, until);
    taken = until;
  };
  let isTyped = false;
  const type = (): void => {
    if (!isTyped) made += typed;
    isTyped = true;
  };
  before.stretches.forEach(({ at, plainAt }, index) => {
    const next = before.stretches[index + 1]?.plainAt ?? old.length;
    const gone = { from: Math.max(from, plainAt), to: Math.min(to, next) };
    const [start, stop] = [at, at + next - plainAt];
    if (!isTyped && place >= start && place <= stop && gone.from >= gone.to) {
      put(place);
      type();
    }
    if (gone.from >= gone.to) return;
    put(at + gone.from - plainAt);
    type();
    taken = at + gone.to - plainAt;
  });
  type();
  put(text.length);
  return withoutEmptyTags(made);
}

/** Where a letter stands in the text with tags; the end where there is none. */
function placeIn({ stretches }: Read, letter: number): number {
  const stretch = stretches.findLast(({ plainAt }) => plainAt <= letter);
  return stretch ? stretch.at + letter - stretch.plainAt : 0;
}

function read(text: string): Read {
  const stretches: { at: number; plainAt: number }[] = [];
  const parts: Part[] = [];
  const open = new Map<TagName, string[]>();
  let plain = '';
  let taken = 0;
  const take = (until: number): void => {
    if (until <= taken) return;
    stretches.push({ at: taken, plainAt: plain.length });
    const from = plain.length;
    plain += text.slice(taken, until);
    parts.push({ from, to: plain.length, style: styleNow(open) });
  };
  for (const { from, to, name, value } of readTags(text)) {
    take(from);
    const own = open.get(name) ?? [];
    if (value === null) own.pop();
    else own.push(value);
    open.set(name, own);
    taken = to;
  }
  take(text.length);
  return { plain, parts: joined(parts), stretches };
}

function styleNow(open: ReadonlyMap<TagName, readonly string[]>): WrittenStyle {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = open.get(name)?.at(-1);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function changed(
  style: WrittenStyle,
  change: Readonly<Partial<Record<TagName, string | null>>>,
): WrittenStyle {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = change[name] === undefined ? style[name] : change[name]?.trim();
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

const isSame = (one: WrittenStyle, other: WrittenStyle): boolean =>
  names.every((name) => one[name] === other[name]);

function joined(parts: readonly Part[]): readonly Part[] {
  const made: Part[] = [];
  for (const part of parts) {
    const last = made.at(-1);
    if (last && isSame(last.style, part.style)) made[made.length - 1] = { ...last, to: part.to };
    else made.push(part);
  }
  return made;
}

const sameParts = (one: readonly Part[], other: readonly Part[]): boolean =>
  one.length === other.length &&
  one.every((part, index) => {
    const twin = other[index];
    return twin?.from === part.from && twin.to === part.to && isSame(part.style, twin.style);
  });

/** A range grown to whole signs and placeholders: a tag inside of one would break it. */
function wholeSigns(plain: string, from: number, to: number): { from: number; to: number } {
  let [start, end] = [Math.max(0, from), Math.min(plain.length, to)];
  if (start >= end) return { from: start, to: start };
  for (const place of placeholderPlaces(plain)) {
    if (place.from < start && start < place.to) start = place.from;
    if (place.from < end && end < place.to) end = place.to;
  }
  const isInside = (at: number): boolean =>
    /[\ud800-\udbff]/.test(plain[at - 1] ?? '') && /[\udc00-\udfff]/.test(plain[at] ?? '');
  if (isInside(start)) start--;
  if (isInside(end)) end++;
  return { from: start, to: end };
}

/** A text with tags that nest, none of which is empty. */
function written(plain: string, parts: readonly Part[]): string {
  const literals = literalTags(plain);
  let made = '';
  let open: readonly { readonly name: TagName; readonly value: string }[] = [];
  const close = (kept: number): void => {
    for (const { name } of open.slice(kept).toReversed()) made += `[/${name}]`;
    open = open.slice(0, kept);
  };
  const begin = (name: TagName, value: string): void => {
    made += `[${name} ${value}]`;
    open = [...open, { name, value }];
  };
  let literal = 0;
  parts.forEach(({ from, to, style }, index) => {
    const kept = open.findIndex(({ name, value }) => style[name] !== value);
    close(kept < 0 ? open.length : kept);
    const missing = names.filter((name) => !open.some((one) => one.name === name));
    // What lasts longest goes around the others.
    const lasting = missing
      .flatMap((name) => {
        const value = style[name];
        if (value === undefined) return [];
        const end = parts.findIndex((part, at) => at > index && part.style[name] !== value);
        return [{ name, value, end: end < 0 ? parts.length : end }];
      })
      .sort((a, b) => b.end - a.end);
    for (const { name, value } of lasting) begin(name, value);
    let at = from;
    for (; (literals[literal]?.from ?? Infinity) < to; literal++) {
      const place = literals[literal];
      // Where its parts differ a tag of ours stands in it already.
      if (!place || place.to > to) continue;
      const around = open.at(-1);
      made += plain.slice(at, place.from);
      at = place.from + 1;
      if (around) {
        made += plain[place.from] ?? '';
        close(open.length - 1);
        begin(around.name, around.value);
      } else made += `[size 100%]${plain[place.from] ?? ''}[/size]`;
    }
    made += plain.slice(at, to);
  });
  close(0);
  return made;
}

/** Letters that are to be seen and would be read as a tag. */
function literalTags(plain: string): readonly { readonly from: number; readonly to: number }[] {
  const pattern = /\[(?:\/(?:color|size|weight|style|family)|[a-z]+\s[^[\]]*)\s*\]/g;
  return Array.from(plain.matchAll(pattern)).flatMap(({ 0: letters, index }) =>
    letters[1] === '/' || readTags(letters).length > 0
      ? [{ from: index, to: index + letters.length }]
      : [],
  );
}

/** Without tags that nothing stands in. */
function withoutEmptyTags(text: string): string {
  const tags = readTags(text);
  if (!hasEmpty(tags)) return text;
  const { plain, parts } = read(text);
  return written(plain, parts);
}

/** True if a tag is followed by its end, with other tags alone between them. */
function hasEmpty(tags: readonly Tag[]): boolean {
  let begun: TagName[] = [];
  let end = -1;
  for (const { from, to, name, value } of tags) {
    if (from !== end) begun = [];
    if (value !== null) begun.push(name);
    else if (begun.includes(name)) return true;
    end = to;
  }
  return false;
}
