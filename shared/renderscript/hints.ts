/**
 * Hints for authors: things in a document that the language silently ignores, although they are probably mistakes. The
 * editor shows them, and the API reports them as warnings (`hintProblems`). Pure; never throws for any JSON. The work
 * grows only with the document, and there are at most `mostHints`.
 */
import {
  animationOption,
  animationTypes,
  commonAnimationOptions,
  type AnimationOption,
} from './animation-types.ts';
import { easingNames, parseEasing } from './easing.ts';
import {
  formatChoices,
  formatNamed,
  formats,
  hasCodecs,
  hasSound,
  isFilm,
  isSequence,
  isStill,
  type OutputFormat,
  usualFormat,
} from './formats.ts';
import { keyframesOf } from './keyframes.ts';
import { nearest } from './nearest.ts';
import { otherNames } from './other-names.ts';
import {
  defaultOf,
  isUnset,
  properties,
  propertiesOf,
  property,
  withoutUnset,
  type PropertyOwner,
} from './properties.ts';
import { keepsRule, type Rule } from './rules.ts';
import { looseName } from './same-name.ts';
import { hasProvider } from './voices.ts';
import {
  elementTypes,
  isJsonObject,
  type JsonObject,
  type Problem,
  type Source,
} from './source.ts';
import { cutOnTracks } from './tracks.ts';
import { parseAmount } from './units.ts';
import { elementLabels } from './validate.ts';

/** Something without an effect, or without the intended one. */
export interface Hint {
  /** Where in the document, e.g. `elements[2].animations[0].easing`. */
  readonly path: string;
  /** The element's name as in problems; empty for the document. */
  readonly element: string;
  readonly severity: 'hint';
  readonly code:
    | 'unknown_property'
    | 'foreign_property'
    | 'unknown_easing'
    | 'unknown_animation'
    | 'unknown_option'
    | 'wrong_option'
    | 'wrong_share'
    | 'empty_text'
    | 'half_outside'
    | 'never_visible'
    | 'cut_short'
    | 'no_overlap'
    | 'no_snapshot'
    | 'no_sound'
    | 'no_codec'
    | 'not_found';
  readonly message: string;
  /** The word that was probably meant: the name of a property or option, or a value; null if there is no good guess. */
  readonly instead: string | null;
}

/** Most hints to report, so that a document full of mistakes costs no more than others. */
const mostHints = 500;

/** Most addresses of this computer and its network to name. */
const mostAddresses = 50;

/** An address that seems to lead to this computer or its network, which a server may refuse, and its first place. */
export interface LocalAddress extends Pick<Problem, 'path' | 'element' | 'property'> {
  readonly address: string;
}

/**
 * Most names to find suggestions for: each is compared with all known names, which takes a fifth of a millisecond of
 * the API's thread.
 */
const mostSearches = 50;

/** The state of one pass over a document. */
interface Look {
  readonly hints: Hint[];
  /** Empty texts that count as absent, and the first of them. */
  readonly empty: { count: number; first: Place | null; path: string };
  /** How many more there are than reported. */
  untold: number;
  /** Suggestions for names, by kind and name. */
  readonly found: Map<string, string | null>;
  /** The output format; undefined if it is unknown. */
  readonly format: OutputFormat | undefined;
  readonly formatCalled: string;
  /** The document's pixels, if it names them. */
  readonly sides: Readonly<Record<'width' | 'height', number | null>>;
  /** Names and IDs of what a text can follow, as `transcript_source` compares them. */
  readonly names: ReadonlySet<string>;
  /** By address. */
  readonly local: Map<string, LocalAddress>;
}

interface Place {
  readonly look: Look;
  readonly path: string;
  readonly element: string;
  readonly owner: PropertyOwner;
}

/** Deeper than any valid document. */
const deepest = 64;

/** All hints, in document order; at most `mostHints`. */
export function hintsOf(source: Source): Hint[] {
  return look(source).hints;
}

/**
 * The hints as problems. With `strict`, unknown names and words are errors; everything else stays a warning.
 *
 * @param onLocal Called with up to 50 addresses that whoever knows the server's settings should check.
 */
export function hintProblems(
  source: Source,
  strict = false,
  onLocal?: (address: LocalAddress) => void,
): Problem[] {
  const { hints, untold, local } = look(source);
  if (onLocal) for (const address of local.values()) onLocal(address);
  const problems = hints.map(({ path, element, code, message, instead }): Problem => {
    const severity = strict && !unlucky.has(code) ? 'error' : 'warning';
    // Of a keyframe or colour stop, the property whose it is.
    const owner = code === 'wrong_share' ? path.replace(/\[\d+\]\.(?:value|offset)$/, '') : path;
    const property = /([^.[\]]+)(?:\[\d+\])*$/.exec(owner)?.[1] ?? '';
    const place = ofWholeElement.has(code) ? '' : property;
    const meant = instead === null ? {} : { instead };
    return { path, element, property: place, severity, code, message, ...meant };
  });
  if (untold === 0) return problems;
  const message = `${untold.toLocaleString('en-US')} more of the document's values have no effect, or not the one that was meant`;
  const more = { path: '', element: '', property: '', code: 'more_hints', message } as const;
  return [...problems, { ...more, severity: 'warning' }];
}

const ofWholeElement: ReadonlySet<Hint['code']> = new Set([
  'half_outside',
  'never_visible',
  'cut_short',
]);

const unlucky: ReadonlySet<Hint['code']> = new Set([
  ...ofWholeElement,
  'empty_text',
  'no_overlap',
  'no_snapshot',
  'no_sound',
  'no_codec',
  'wrong_share',
  'not_found',
]);

function look(source: Source): Look {
  const given: unknown = source;
  const root = isJsonObject(given) ? given : {};
  const { output_format: name = usualFormat } = withoutUnset(root, 'root');
  const format = formatNamed(name);
  const pixels = (name: string): number | null => parseAmount(root[name])?.value ?? null;
  const all: Look = {
    hints: [],
    empty: { count: 0, first: null, path: '' },
    untold: 0,
    found: new Map(),
    format,
    formatCalled: format ? formats[format].called : `a ${quoted(name).replaceAll("'", '')}`,
    sides: { width: pixels('width'), height: pixels('height') },
    names: namesIn(root, 0, new Set()),
    local: new Map(),
  };
  lookAtObject({ look: all, path: '', element: '', owner: 'root' }, root, 0);
  const { count, first, path } = all.empty;
  if (first !== null) {
    const message = `An empty text counts as not set${count === 1 ? '' : `; there are ${count.toLocaleString('en-US')} in the document`}`;
    add(first, path, 'empty_text', message, null);
  }
  return all;
}

/** Types of elements whose sound a text can follow. */
const speaking = /^(video|audio|composition)$/;

function namesIn({ elements }: JsonObject, depth: number, names: Set<string>): Set<string> {
  if (!Array.isArray(elements) || depth >= deepest) return names;
  for (const element of elements as readonly unknown[]) {
    if (!isJsonObject(element)) continue;
    if (typeof element.type === 'string' && speaking.test(element.type)) {
      for (const word of [element.name, element.id])
        if (typeof word === 'string') names.add(looseName(word));
    }
    namesIn(element, depth + 1, names);
  }
  return names;
}

/** Beginnings of addresses that renders can read. */
const readable = /^\s*(https?|data|file|media):/i;
const scheme = /^\s*([a-z][a-z0-9+.-]+):/i;
/** Subtitles may have a colon, too. */
const hasHost = /^\s*[^\s:]+:\/\/\S+\s*$/;

/** Longer ones contain data. */
const longestAddress = 4_096;
/** Hosts that are numbers or this computer, and files that need not lie in the folders of media. */
const isLocal =
  /^\s*(?:https?:[/\\]*(?:\d|\[|(?:[\w-]+\.)*localhost\b)|file:|media:|[/\\]|\.\.[/\\])/i;
/** What stands for a file by its content, and where a `source` has none yet. */
const isNoPath = /^\s*(?:<|$)/;

/** An address or a name that leads to nothing, as far as the document itself tells. */
function lookAtAddress(place: Place, name: string, value: unknown, path: string): void {
  const { owner, look: all, element } = place;
  if (owner === 'root' && name === 'fonts' && Array.isArray(value)) {
    (value as readonly unknown[]).forEach((font, index) => {
      const at = `fonts[${index}]`;
      if (isJsonObject(font))
        lookAtAddress({ ...place, element: at }, 'source', font.source, `${at}.source`);
    });
  }
  if (typeof value !== 'string' || value.includes('{{')) return;
  const isAddress = name === 'source' || (owner === 'text' && name === 'transcript_source');
  const isPath = name === 'source' && !scheme.test(value) && !isNoPath.test(value);
  if (isAddress && value.length <= longestAddress && (isPath || isLocal.test(value))) {
    if (all.local.size < mostAddresses && !all.local.has(value))
      all.local.set(value, { address: value, path, element, property: name });
    return;
  }
  const isSought = name === 'source' || (isAddress && isFilm(all.format) && hasHost.test(value));
  if (isSought && scheme.test(value) && !readable.test(value)) {
    const kind = scheme.exec(value)?.[1] ?? '';
    const message = `The render fails: a file is read from http, https, data, file or media addresses, not from ${shortened(kind)}`;
    add(place, path, 'not_found', message, null);
  } else if (owner === 'text' && name === 'transcript_source' && isFilm(all.format)) {
    // Subtitles have several lines; an address, an ending or a scheme.
    const isName = !/[\n\r]|-->|^\s*[[{]|\.(srt|vtt|json)$/i.test(value) && !scheme.test(value);
    if (!isName || value.trim() === '' || all.names.has(looseName(value))) return;
    const message = `The render fails: no video, audio or composition is called ${quoted(value)}`;
    add(place, path, 'not_found', message, null);
  }
}

function lookAtObject(place: Place, object: JsonObject, depth: number): void {
  for (const [name, value] of Object.entries(object)) {
    const path = place.path === '' ? name : `${place.path}.${name}`;
    const row = property(place.owner, name);
    if (row === undefined) lookAtName(place, name, path);
    else if (isUnset(row, value)) noteEmpty(place, path);
    else if (name === 'elements') lookAtElements(place, value, path, depth);
    else if (name === 'animations') lookAtAnimations(place, value, path);
    else if (row.keyframable) lookAtEasings(place, value, path);
    if (row !== undefined) lookAtShares(place, row.rule, value, path);
    lookAtEffect(place, name, value, path);
    if (name !== 'source' || !hasProvider(object)) lookAtAddress(place, name, value, path);
  }
  if (place.owner === 'root') return;
  lookAtPosition(place, object);
  lookAtTransition(place, object);
}

/** A transition belongs to two elements of one track: the one before is shown until it ends. */
function lookAtTransition(place: Place, { track, animations }: JsonObject): void {
  if ((track !== undefined && track !== null) || !Array.isArray(animations)) return;
  const index = (animations as readonly unknown[]).findIndex(
    (entry) => isJsonObject(entry) && entry.transition === true,
  );
  if (index < 0) return;
  const message =
    'This transition overlaps no other element: give its element and the one before it the same track';
  add(place, `${place.path}.animations[${index}]`, 'no_overlap', message, null);
}

function noteEmpty(place: Place, path: string): void {
  const { empty } = place.look;
  if (empty.first === null) Object.assign(empty, { first: place, path });
  empty.count += 1;
}

/** Bare numbers up to this where percent is meant are likely shares of 1. */
const largestShare = 2;

/**
 * A number without a unit that means percent, though a share of 1 was probably meant: `0.25` for `25%`. Of keyframes
 * and colour stops the greatest is told, and none if one of them shows that percent is meant.
 */
function lookAtShares(place: Place, rule: Rule, value: unknown, path: string): void {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const key = rule.kind === 'fill' ? 'offset' : 'value';
  if (rule.kind !== 'fill' && (rule.kind !== 'number' || rule.bare !== '%')) return;
  if (rule.kind === 'fill' && !Array.isArray(value)) return;
  let greatest = { share: 0, path };
  for (const [index, item] of list.entries()) {
    const [single, at] = isJsonObject(item)
      ? [item[key], `${path}[${index}].${key}`]
      : [item, path];
    const amount = parseAmount(single);
    if (amount === null || amount.unit !== '' || Math.abs(amount.value) > largestShare) return;
    if (Math.abs(amount.value) > Math.abs(greatest.share))
      greatest = { share: amount.value, path: at };
  }
  const { share } = greatest;
  const percent = rule.kind === 'number' ? (rule.em ?? 100) : 100;
  const meant = `${Number((share * percent).toPrecision(6))}%`;
  // 1 em between letters is no likely wish.
  if (share === 0 || (percent > 100 && Math.abs(share) >= 1)) return;
  if (rule.kind === 'number' && !keepsRule(rule, meant)) return;
  const said = greatest.path.endsWith('.offset') ? `Offset ${share}` : `${share}`;
  add(place, greatest.path, 'wrong_share', `${said} means ${share} %`, meant);
}

/** Formats in words: `an mp4 or a webm`. */
function calledOf(chosen: readonly OutputFormat[]): string {
  const called = chosen.map((format) => formats[format].called);
  return new Intl.ListFormat('en', { type: 'disjunction' }).format(called);
}

/** Values that have no effect in the file's format. */
function lookAtEffect(place: Place, name: string, value: unknown, path: string): void {
  const { look: all, owner } = place;
  if (owner === 'root' && name === 'snapshot_time') {
    const shows = (format: OutputFormat | undefined): boolean =>
      isFilm(format) || isSequence(format) || isStill(format);
    if (value === null || shows(all.format)) return;
    const message = `Only ${calledOf(formatChoices.filter(shows))} shows a chosen moment; this file is ${all.formatCalled}`;
    add(place, path, 'no_snapshot', message, null);
  } else if (owner === 'root' && name === 'video_codec') {
    const { format } = all;
    if (value === defaultOf('root', 'video_codec') || format === undefined) return;
    if (hasCodecs(format)) return;
    const message = `Nothing changes: only ${calledOf(formatChoices.filter(hasCodecs))} has a codec to choose; this file is ${all.formatCalled}`;
    add(place, path, 'no_codec', message, null);
  } else if (owner === 'audio' && name === 'type') {
    if (all.format === undefined || hasSound(all.format)) return;
    const message = `Nothing is heard: ${all.formatCalled} has no sound`;
    add(place, path, 'no_sound', message, null);
  } else if (owner === 'audio' && name === 'muted' && value === true) {
    add(place, path, 'no_sound', 'Nothing is heard of this element: it is muted', null);
  } else if (owner === 'audio' && name === 'volume' && parseAmount(value)?.value === 0) {
    add(place, path, 'no_sound', 'Nothing is heard of this element: its volume is 0', null);
  } else if (owner === 'audio' && name === 'source' && (value === null || value === '')) {
    add(place, path, 'no_sound', 'Nothing is heard of this element: it has no file', null);
  }
}

/** A place or size as a percentage of the parent, if that is known. */
function shareOf(value: unknown, view: string, whole: number | null): number | null {
  const amount = parseAmount(value);
  if (amount === null) return null;
  if (amount.value === 0 || amount.unit === '%' || amount.unit === view) return amount.value;
  const isPixels = amount.unit === '' || amount.unit === 'px';
  return isPixels && whole !== null && whole > 0 ? (100 * amount.value) / whole : null;
}

/** A size as from `shareOf`: the default if none is given, the largest of keyframes (a bar that grows). */
function greatestShare(
  owner: PropertyOwner,
  element: JsonObject,
  size: 'width' | 'height',
  view: string,
  whole: number | null,
): number | null {
  const given = element[size] === undefined ? defaultOf(owner, size) : element[size];
  const values = keyframesOf(given)?.map(({ value }) => value) ?? [given];
  const shares = values.map((value) => shareOf(value, view, whole));
  return shares.reduce((most, share) =>
    most === null || share === null ? null : Math.max(most, share),
  );
}

const axes = [
  { at: 'x', edge: 'left edge', anchor: 'x_anchor', size: 'width', view: 'vw' },
  { at: 'y', edge: 'top edge', anchor: 'y_anchor', size: 'height', view: 'vh' },
] as const;

/** Share of an element that is outside at least for it to be much. */
const leastOutside = 0.05;

/**
 * A large element whose place was meant for its corner: it would fit there, but without an anchor the place is its
 * centre, and much of it is outside.
 */
function lookAtPosition(place: Place, element: JsonObject): void {
  if (place.owner === 'audio' || place.owner === 'root') return;
  const corners = axes.filter(({ at, anchor, size, view }) => {
    if (element[anchor] !== undefined && element[anchor] !== null) return false;
    const whole = place.look.sides[size];
    const from = shareOf(element[at], view, whole);
    const length = greatestShare(place.owner, element, size, view, whole);
    if (from === null || length === null || from < 0 || from + length > 100) return false;
    // What just reaches its edge is placed by its centre on purpose, also with rounded numbers.
    return length / 2 - from > length * leastOutside;
  });
  // Small ones at an edge are decoration, unless the other axis shows what was meant.
  const isLarge = corners.some(
    ({ size, view }) =>
      (greatestShare(place.owner, element, size, view, place.look.sides[size]) ?? 0) >= 50,
  );
  const outside = isLarge ? corners : [];
  const [first] = outside;
  if (first === undefined) return;
  const names = outside.map(({ at }) => at).join(' and ');
  const edges = outside.map(({ edge }) => edge).join(' and ');
  const anchors = outside.map(({ anchor }) => `${anchor}: 0%`).join(' and ');
  const verb = outside.length === 1 ? 'places' : 'place';
  const message = `Much of it lies outside: ${names} ${verb} its centre. Write ${anchors} to place its ${edges} there`;
  add(place, `${place.path}.${first.at}`, 'half_outside', message, null);
}

function lookAtElements(place: Place, list: unknown, path: string, depth: number): void {
  if (!Array.isArray(list) || depth >= deepest) return;
  const siblings: readonly unknown[] = list;
  const labels = elementLabels(siblings);
  for (const { index, code, message } of cutOnTracks(siblings)) {
    const at = { ...place, element: labels[index] ?? '' };
    add(at, `${path}[${index}]`, code, message, null);
  }
  siblings.forEach((child, index) => {
    if (!isJsonObject(child)) return;
    const owner = elementTypes.find((type) => type === child.type);
    // An element without a type is already an error, and its properties are unknown.
    if (owner === undefined) return;
    const element = labels[index] ?? '';
    lookAtObject({ look: place.look, path: `${path}[${index}]`, element, owner }, child, depth + 1);
  });
}

/** A name that the owner doesn't have: another type's property, a typo, or something unknown. */
function lookAtName(place: Place, name: string, path: string): void {
  // `$schema`, and authors' notes.
  if (/^[$_/]/.test(name)) return;
  // Editors name the documents that they export.
  if (place.owner === 'root' && (name === 'name' || name === 'id')) return;
  const what = place.owner === 'root' ? 'The document' : withArticle(place.owner);
  const owners = ownersOf.get(name);
  if (owners !== undefined) {
    const message = `${what} has no '${name}'; it belongs to ${owners.map((owner) => (owner === 'root' ? 'the document' : owner)).join(', ')}`;
    add(place, path, 'foreign_property', message, null);
    return;
  }
  const plain = snakeCase(name);
  const others = [plain, ...(otherNames.get(plain) ?? [])];
  const meant = others.find((other) => property(place.owner, other) !== undefined);
  const instead =
    meant ??
    suggested(place, place.owner, name, () =>
      nearest(
        name,
        Array.from(propertiesOf(place.owner), ([known]) => known),
      ),
    );
  add(place, path, 'unknown_property', `${what} has no '${shortened(name)}'`, instead);
}

/** The owners of each property name. */
const ownersOf: ReadonlyMap<string, readonly PropertyOwner[]> = new Map(
  properties.map(({ name }) => [
    name,
    properties.filter((row) => row.name === name).flatMap((row) => row.on),
  ]),
);

/** `textAlign` and `text-align` → `text_align`. */
function snakeCase(name: string): string {
  return name
    .slice(0, 60)
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[-\s]+/g, '_')
    .toLowerCase();
}

/** A suggestion, searched once per name; null if there were too many names. */
function suggested(
  { look: { found } }: Place,
  kind: string,
  name: string,
  search: () => string | null,
): string | null {
  const key = `${kind} ${name}`;
  const known = found.get(key);
  if (known !== undefined) return known;
  if (found.size >= mostSearches || name.length > 60) return null;
  const instead = search();
  found.set(key, instead);
  return instead;
}

function withArticle(type: string): string {
  return /^[aeiou]/.test(type) ? `An ${type} element` : `A ${type} element`;
}

function lookAtEasings(place: Place, value: unknown, path: string): void {
  if (!Array.isArray(value)) return;
  (value as readonly unknown[]).forEach((keyframe, index) => {
    if (isJsonObject(keyframe) && keyframe.value !== undefined)
      lookAtEasing(place, keyframe.easing, `${path}[${index}].easing`);
  });
}

function lookAtEasing(place: Place, easing: unknown, path: string): void {
  if (easing === undefined || easing === null || parseEasing(easing) !== null) return;
  const message = `There is no easing ${quoted(easing)}; the default one is used`;
  const instead =
    typeof easing === 'string'
      ? suggested(place, 'easing', easing, () => nearest(easing, easingNames))
      : null;
  add(place, path, 'unknown_easing', message, instead);
}

function lookAtAnimations(place: Place, list: unknown, path: string): void {
  if (!Array.isArray(list)) return;
  (list as readonly unknown[]).forEach((entry, index) => {
    if (isJsonObject(entry)) lookAtAnimation(place, entry, `${path}[${index}]`);
  });
}

/** What the service's editor leaves in animations, without effect. */
const leftovers = new Set(['track', 'property']);

function lookAtAnimation(place: Place, entry: JsonObject, path: string): void {
  const type = typeof entry.type === 'string' ? animationTypes.get(entry.type) : undefined;
  if (type === undefined) {
    // Validation warns about the type itself; this is what may have been meant.
    const { type: written } = entry;
    const instead =
      typeof written === 'string'
        ? suggested(place, 'animation', written, () =>
            nearest(written, Array.from(animationTypes.keys())),
          )
        : null;
    if (instead !== null)
      add(
        place,
        `${path}.type`,
        'unknown_animation',
        `There is no animation ${quoted(entry.type)}`,
        instead,
      );
    return;
  }
  if (type.target === 'text' && place.owner !== 'text') {
    const message = `'${type.name}' moves pieces of a text and has no effect here`;
    add(place, `${path}.type`, 'unknown_animation', message, null);
  }
  for (const [name, value] of Object.entries(entry)) {
    if (name === 'type' || leftovers.has(name)) continue;
    const at = `${path}.${name}`;
    const option = animationOption(type.name, name);
    if (option === undefined) {
      const instead = suggested(place, type.name, name, () =>
        nearest(
          name,
          [...commonAnimationOptions, ...type.options].map((known) => known.name),
        ),
      );
      add(
        place,
        at,
        'unknown_option',
        `'${type.name}' has no option '${shortened(name)}'`,
        instead,
      );
    } else if (option.rule.kind === 'number' && option.rule.bare === '%') {
      lookAtShares(place, option.rule, value, at);
    } else if (option.name === 'easing') {
      lookAtEasing(place, value, at);
    } else if (!keepsRule(option.rule, value) && !isDirectionWord(option, value)) {
      const words = option.rule.kind === 'enum' ? option.rule.values : [];
      const instead =
        typeof value === 'string'
          ? suggested(place, `${type.name}.${option.name}`, value, () => nearest(value, words))
          : null;
      const message = `${quoted(value)} is no value for '${name}'; ${option.default === null ? 'it is used as if it were not there' : `the default ${quoted(option.default)} is used`}`;
      add(place, at, 'wrong_option', message, instead);
    }
  }
}

/** Directions in degrees can also be words. */
function isDirectionWord({ name, rule }: AnimationOption, value: unknown): boolean {
  return (
    name === 'direction' &&
    rule.kind === 'number' &&
    ['left', 'right', 'up', 'down'].some((word) => word === value)
  );
}

function add(
  { look: all, element }: Place,
  path: string,
  code: Hint['code'],
  sentence: string,
  instead: string | null,
): void {
  if (all.hints.length >= mostHints) {
    all.untold += 1;
    return;
  }
  const message = instead === null ? sentence : `${sentence}. Did you mean '${instead}'?`;
  all.hints.push({ path, element, severity: 'hint', code, message, instead });
}

function quoted(value: unknown): string {
  return typeof value === 'string' ? `'${shortened(value)}'` : shortened(JSON.stringify(value));
}

function shortened(text: string): string {
  return text.length <= 40 ? text : `${text.slice(0, 40)}…`;
}
