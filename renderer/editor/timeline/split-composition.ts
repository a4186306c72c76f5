/** A composition cut in two at a moment: what it shows goes on where it was, or the reason why that can't be. Pure. */
import {
  isJsonObject,
  type Json,
  type JsonObject,
  type Source,
} from '../../../shared/renderscript/source.ts';
import { takeName } from '../../../shared/free-name.ts';
import { parseAmount } from '../../../shared/renderscript/units.ts';
import { without } from '../canvas/copies.ts';
import { applied, insertItem, parsePath } from '../source/json-text.ts';
import { changedText } from './change.ts';
import { clipsOf, endOf, type Clip } from './clips.ts';
import { fileTimeAt } from './file-time.ts';
import { secondsLike, tidySeconds } from './seconds.ts';
import { halves, type Values } from './split.ts';
import { isAutomatic, lengthKind, mediaObstacleOf, obstacleOf, type Obstacle } from './wishes.ts';

/** Why a composition can't be cut: a key of the messages `editor.timeline.why.…`. */
export type UncutReason = Obstacle | 'content' | 'loops' | 'flows' | 'masks';

/** What a cut gives: the text, or why there is none. */
export type Cut = { readonly text: string } | { readonly why: UncutReason; readonly of: string };

/** Ends are sums of fractions. */
const tolerance = 0.003;

/**
 * The document with a composition cut in two; the second part follows in the list. Elements that end before the cut
 * stay in the first one, those that begin later go to the second, and those in between are cut, too. The engine's
 * schedule then says whether anything would be seen at another time.
 *
 * @param at Seconds on the document's clock, within the clip.
 * @param names All names of the document; those of second parts are added.
 * @param lengths Seconds of its files.
 */
export function splitComposition(
  text: string,
  clip: Clip,
  at: number,
  names: Set<string>,
  lengths: Readonly<Record<string, number>>,
): Cut {
  const obstacle = obstacleIn(clip, at);
  if (obstacle) return obstacle;
  for (const isExact of [false, true]) {
    const free = new Set(names);
    const made = new Cutter(at, free, isExact).cut(text, clip);
    if (!looksSame(made, clip, at, lengths)) continue;
    for (const name of free) names.add(name);
    return { text: made };
  }
  return { why: 'content', of: clip.name };
}

/** What stands against the cut, in the composition or in those inside it that it goes through. */
function obstacleIn(
  clip: Clip,
  at: number,
): { readonly why: UncutReason; readonly of: string } | null {
  const why = (reason: UncutReason, { name }: Clip): { why: UncutReason; of: string } => ({
    why: reason,
    of: name,
  });
  if (clip.element.loop === true) return why('loops', clip);
  for (const child of clip.children) {
    const { element } = child;
    if (element.mask_mode !== undefined && element.mask_mode !== null) return why('masks', child);
    if (element.x === null || element.y === null) return why('flows', child);
    const obstacle =
      obstacleOf(child, element.locked === true) ??
      (isThrough(child, at) ? mediaObstacleOf(child) : null);
    if (obstacle) return why(obstacle, child);
    const inner = isThrough(child, at) ? obstacleIn(child, at) : null;
    if (inner) return inner;
  }
  return null;
}

const isThrough = (clip: Clip, at: number): boolean =>
  clip.start < at - tolerance && endOf(clip) > at + tolerance;

class Cutter {
  readonly #at: number;
  readonly #names: Set<string>;
  /** Every element says its time and length; otherwise those that follow others go on doing so. */
  readonly #isExact: boolean;

  constructor(at: number, names: Set<string>, isExact: boolean) {
    this.#at = at;
    this.#names = names;
    this.#isExact = isExact;
  }

  cut(text: string, clip: Clip): string {
    const values: Record<string, Json | undefined> = {};
    const gone: string[] = [];
    const second = this.#parts(clip, { first: clip.whole, second: clip.whole }, values, gone);
    const changed = without(changedText(text, { values, order: null }), gone);
    return applied(changed, insertItem(changed, parsePath(clip.list), second, clip.index + 1));
  }

  /**
   * Collects what changes in the first part of a clip.
   *
   * @param wholes Seconds of what is around each part.
   * @returns the second part.
   */
  #parts(
    clip: Clip,
    wholes: { readonly first: number; readonly second: number },
    values: Record<string, Json | undefined>,
    gone: string[],
  ): JsonObject {
    const cut = tidySeconds(this.#at - clip.start);
    const { first } = halves({ ...clip, whole: wholes.first }, cut);
    const { second } = halves({ ...clip, whole: wholes.second }, cut);
    for (const [name, value] of Object.entries(first)) values[`${clip.path}.${name}`] = value;
    const { name } = clip.element;
    return compact({
      ...clip.element,
      ...second,
      id: undefined,
      name: typeof name === 'string' ? takeName(name, this.#names.add(name)) : undefined,
      ...(clip.children.length > 0 && { elements: this.#contents(clip, values, gone) }),
    });
  }

  /** What is inside the second part. */
  #contents(clip: Clip, values: Record<string, Json | undefined>, gone: string[]): Json {
    const rest = endOf(clip) - this.#at;
    const tracks = new Set<number>();
    return clip.children.flatMap((child): JsonObject[] => {
      if (endOf(child) <= this.#at + tolerance) {
        Object.assign(values, this.#kept(child, this.#at - clip.start));
        return [];
      }
      const { track } = child;
      const follows = track !== null && tracks.has(track);
      if (track !== null) tracks.add(track);
      if (child.start < this.#at - tolerance) {
        const wholes = { first: this.#at - clip.start, second: rest };
        const part = this.#parts(child, wholes, values, gone);
        if (parseAmount(child.element.time)?.unit === '%')
          values[`${child.path}.time`] = secondsLike(
            child.element.time,
            child.start - child.offset,
            wholes.first,
          );
        const time = isAutomatic(child) && !this.#isExact ? child.element.time : 0;
        return [compact({ ...part, time })];
      }
      gone.push(child.path);
      return [this.#moved(child, child.start - this.#at, rest, follows)];
    });
  }

  /** Of what ends before the cut: times that count of the whole composition count of its first part. */
  #kept(child: Clip, whole: number): Values {
    const { element, path } = child;
    const start = child.start - child.offset;
    const isShare = parseAmount(element.time)?.unit === '%' || element.time === 'end';
    const unit = parseAmount(element.duration)?.unit;
    return {
      ...((isShare || this.#isExact) && {
        [`${path}.time`]: secondsLike(element.time, start, whole),
      }),
      ...((unit === '%' || unit === 'fr' || this.#isExact) && {
        [`${path}.duration`]: secondsLike(element.duration, child.duration, whole),
      }),
    };
  }

  /** What begins after the cut, counted from it. */
  #moved(child: Clip, start: number, whole: number, follows: boolean): JsonObject {
    const { element } = child;
    const staysTimed =
      !this.#isExact && (element.time === 'end' || (isAutomatic(child) && follows));
    const unit = parseAmount(element.duration)?.unit;
    const staysLong = !this.#isExact && unit !== '%' && unit !== 'fr';
    return compact({
      ...element,
      ...(!staysTimed && { time: secondsLike(element.time, start, whole) }),
      ...(!staysLong &&
        !(lengthKind(child) === 'content' && unit === undefined) && {
          duration: secondsLike(element.duration, child.duration, whole),
        }),
    });
  }
}

/** Without what is undefined. */
const compact = (values: Values): JsonObject =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );

/** An element while it is seen. */
interface Seen {
  readonly type: string;
  readonly from: number;
  readonly to: number;
  /** Seconds into its file at `from`. */
  readonly file: number;
}

/** All that a composition shows between two moments, in painting order. */
function seenIn(clip: Clip, from: number, to: number): readonly Seen[] {
  const [begin, end] = [Math.max(from, clip.start), Math.min(to, endOf(clip))];
  if (end - begin <= tolerance) return [];
  const { type, media, start } = clip;
  const file = fileTimeAt(media?.clip ?? null, begin - start);
  return [
    { type, from: begin, to: end, file },
    ...clip.children.flatMap((child) => seenIn(child, begin, end)),
  ];
}

function looksSame(
  text: string,
  clip: Clip,
  at: number,
  lengths: Readonly<Record<string, number>>,
): boolean {
  // `as`: made from a document that could be read.
  const source = JSON.parse(text) as Source;
  const clips = isJsonObject(source) ? clipsOf(source, lengths) : null;
  const [first, second] = [0, 1].map((by) => clips?.byPath.get(`${clip.list}[${clip.index + by}]`));
  if (!first || !second || !clips) return false;
  const near = (a: number, b: number): boolean => Math.abs(a - b) <= tolerance;
  const isSame = (now: readonly Seen[], before: readonly Seen[]): boolean =>
    now.length === before.length &&
    now.every((one, index) => {
      const other = before[index];
      return (
        other !== undefined &&
        one.type === other.type &&
        near(one.from, other.from) &&
        near(one.to, other.to) &&
        near(one.file, other.file)
      );
    });
  return (
    near(first.start, clip.start) &&
    near(endOf(second), endOf(clip)) &&
    isSame(seenIn(first, clip.start, at), seenIn(clip, clip.start, at)) &&
    isSame(seenIn(second, at, endOf(clip)), seenIn(clip, at, endOf(clip)))
  );
}
