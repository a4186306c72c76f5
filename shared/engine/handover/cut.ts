/**
 * A film as editing programs see it: tracks of clips, with gaps and transitions between them, and what these can't say.
 * Made from the compiled document; otio.ts and edl.ts write it down. Pure.
 *
 * All times are frames of the film, those within files, too: a file's second counts as many frames as the film's.
 */
import type { Loss } from '../../handover.ts';
import { isSound } from '../../renderscript/formats.ts';
import { playedAt, timePlayed } from '../compile/speed.ts';
import type {
  CompositionElement,
  MediaClip,
  Timeline,
  TimelineElement,
} from '../compile/timeline.ts';
import type { MediaInfo } from '../media-info.ts';
import { plainText } from '../text/styled-parts.ts';
import { documentLosses, elementLosses, rectangleColor, soundLosses } from './losses.ts';

/** What a clip shows or plays. */
export type ClipContent =
  | {
      readonly kind: 'file';
      /** As the document names it. */
      readonly source: string;
      /** Where it begins in the file. */
      readonly from: number;
      /** 1 = as recorded; 0 holds one frame. */
      readonly speed: number;
      /** How many frames the file has; null for a picture. */
      readonly available: number | null;
    }
  | { readonly kind: 'text'; readonly text: string }
  /** A colour that fills the picture, e.g. `#ff0000`. */
  | { readonly kind: 'color'; readonly color: string }
  | { readonly kind: 'shape' }
  /** A composition, which begins at a frame of its own clock. */
  | {
      readonly kind: 'inner';
      readonly from: number;
      readonly tracks: readonly CutTrack[];
      /** How many items are written for them, those of all levels. */
      readonly size: number;
    }
  /** No file, or one that could not be read. */
  | { readonly kind: 'nothing' };

/** A stretch of a track that shows one thing. */
export interface CutClip {
  readonly kind: 'clip';
  readonly path: string;
  readonly name: string;
  readonly length: number;
  readonly content: ClipContent;
}

/** What lies over the cut between two clips. */
export interface CutTransition {
  readonly kind: 'transition';
  /** Type of the animation by which the second clip comes in, e.g. `fade`. */
  readonly type: string;
  /** Its frames before and after the cut. */
  readonly before: number;
  readonly after: number;
}

/** A stretch that shows nothing. */
export interface CutGap {
  readonly kind: 'gap';
  readonly length: number;
}

/** Clips one after the other; the lengths of clips and gaps are together that of the film or composition. */
export interface CutTrack {
  readonly kind: 'picture' | 'sound';
  readonly name: string;
  readonly items: readonly (CutClip | CutTransition | CutGap)[];
}

/** A whole film. */
export interface Cut {
  readonly frameRate: number;
  readonly frameCount: number;
  /** Pictures from the lowest track to the highest, then sounds. */
  readonly tracks: readonly CutTrack[];
  readonly lost: readonly Loss[];
}

interface Cutting {
  readonly frameRate: number;
  readonly framesOf: (seconds: number) => number;
  readonly media: ReadonlyMap<string, MediaInfo>;
  /** Pixels of the document. */
  readonly frame: { readonly width: number; readonly height: number };
  readonly lost: Loss[];
}

/** Cuts a film. @param frameRate In which it is counted. Default: its own. */
export function cutOf(
  timeline: Timeline,
  media: ReadonlyMap<string, MediaInfo>,
  frameRate = timeline.output.frameRate,
): Cut {
  const { root, output, duration } = timeline;
  const isOwnRate = frameRate === output.frameRate;
  const frameCount = isOwnRate
    ? output.frameCount
    : Math.max(1, Math.ceil(duration * frameRate - 1e-6));
  const lost: Loss[] = isSound(output.format) ? [] : [...documentLosses(timeline)];
  const framesOf = (seconds: number): number => Math.round(seconds * frameRate);
  const cutting = { frameRate, framesOf, media, frame: timeline, lost };
  const pictures = isSound(output.format) ? [] : pictureTracks(root.children, frameCount, cutting);
  const tracks = [...pictures, ...soundTracks(timeline, frameCount, cutting)];
  return { frameRate, frameCount, tracks, lost };
}

// ---- pictures ------------------------------------------------------------------------------------------------------

/** A track for each of the document's that shows something, the lowest first. */
function pictureTracks(
  elements: readonly TimelineElement[],
  frameCount: number,
  cutting: Cutting,
): readonly CutTrack[] {
  const byTrack = new Map<number, TimelineElement[]>();
  for (const element of elements) {
    const own = byTrack.get(element.track);
    if (own) own.push(element);
    else byTrack.set(element.track, [element]);
  }
  return [...byTrack]
    .sort(([one], [other]) => one - other)
    .map(([, own]) => laneItems(own, frameCount, cutting))
    .filter((items) => items.some(({ kind }) => kind === 'clip'))
    .map((items, index) => ({ kind: 'picture', name: `Picture ${index + 1}`, items }));
}

/** An element between the cuts around it. */
interface Span {
  readonly element: TimelineElement;
  first: number;
  end: number;
  /** How the one before goes over into it. */
  over: CutTransition | null;
}

/** Where two overlap, the cut is in the middle of the overlap, and a transition lies over it. */
function laneItems(
  elements: readonly TimelineElement[],
  frameCount: number,
  cutting: Cutting,
): CutTrack['items'] {
  const { framesOf, lost } = cutting;
  const spans: Span[] = [];
  for (const element of elements.toSorted((a, b) => a.start - b.start)) {
    const first = Math.max(0, framesOf(element.start));
    const end = Math.min(frameCount, framesOf(element.start + element.duration));
    const span: Span = { element, first, end, over: null };
    const before = spans.at(-1);
    const overlap = before ? Math.min(before.end, end) - first : 0;
    if (before && overlap > 0) {
      const cut = Math.max(before.first, first) + Math.ceil(overlap / 2);
      const [rise, fall] = [cut - first, before.end - cut];
      [before.end, span.first] = [cut, cut];
      span.over = transitionInto(element, rise, fall);
    }
    if (span.end > span.first) spans.push(span);
  }
  const parts = spans.map(({ element, first, end, over }) => {
    lost.push(...elementLosses(element, cutting.frame, cutting.media));
    const { path, name } = element;
    if (over && over.type !== 'fade')
      lost.push({ path, element: name, what: `its transition (${over.type})` });
    return { first, over, clips: clipsOf(element, first, end, cutting) };
  });
  return laid(parts, frameCount);
}

function transitionInto(
  { animations }: TimelineElement,
  before: number,
  after: number,
): CutTransition | null {
  const own = animations.find(({ transition, side }) => transition && side === 'own');
  return before > 0 || after > 0
    ? { kind: 'transition', type: own?.type ?? 'fade', before, after: Math.max(0, after) }
    : null;
}

interface Part {
  readonly first: number;
  readonly over: CutTransition | null;
  readonly clips: readonly (CutClip | CutGap)[];
}

/** Clips in their places, with gaps around them. */
function laid(parts: readonly Part[], frameCount: number): CutTrack['items'] {
  const items: (CutClip | CutTransition | CutGap)[] = [];
  let at = 0;
  for (const { first, over, clips } of parts) {
    if (first > at) items.push({ kind: 'gap', length: first - at });
    const before = items.at(-1);
    const [next] = clips;
    // A transition has no more frames than the clips beside it.
    if (over && before?.kind === 'clip' && next?.kind === 'clip') {
      const [rise, fall] = [
        Math.min(over.before, before.length),
        Math.min(over.after, next.length),
      ];
      items.push({ ...over, before: rise, after: fall });
    }
    items.push(...clips);
    at = first + clips.reduce((sum, { length }) => sum + length, 0);
  }
  if (frameCount > at) items.push({ kind: 'gap', length: frameCount - at });
  return items;
}

/** The clips of one element, a new one where its file begins again or is held. */
function clipsOf(
  element: TimelineElement,
  first: number,
  end: number,
  cutting: Cutting,
): readonly (CutClip | CutGap)[] {
  const { path, name, start } = element;
  const clip = (content: ClipContent, length = end - first): CutClip => ({
    ...{ kind: 'clip', path, name, length, content },
  });
  switch (element.type) {
    case 'text':
      return [clip({ kind: 'text', text: plainText(element.values.base.text) })];
    case 'shape': {
      const color = rectangleColor(element);
      return [clip(color === null ? { kind: 'shape' } : { kind: 'color', color })];
    }
    case 'composition':
      return passes(element, first, end, cutting);
    case 'image':
    case 'video': {
      const { source, clip: played } = element;
      if (source === null) return [clip({ kind: 'nothing' })];
      if (!played) return [clip({ kind: 'file', source, from: 0, speed: 1, available: null })];
      const place = { path, name, source, start, clip: played };
      return fileClips(place, first, end, cutting);
    }
  }
}

/**
 * A composition is written whole with each pass of its loop: more often than this, or with more items than this, it is
 * shown once. Loops within loops would multiply.
 */
const mostPasses = 20;
const mostItems = 20_000;

function passes(
  { path, name, start, children, contentDuration, loop, plays }: CompositionElement,
  first: number,
  end: number,
  cutting: Cutting,
): readonly (CutClip | CutGap)[] {
  const { frameRate, framesOf, lost } = cutting;
  const origin = framesOf(start);
  const pass = Math.max(1, Math.ceil(contentDuration * frameRate - 1e-6));
  const content = loop ? pass : Math.max(pass, end - origin);
  const tracks = pictureTracks(children, content, cutting);
  const size = tracks.reduce((sum, one) => sum + itemsIn(one), 1);
  const item = (from: number, to: number, begin: number): CutClip => ({
    ...{ kind: 'clip', path, name, length: to - from },
    content: { kind: 'inner', from: Math.max(0, from - begin), tracks, size },
  });
  if (!loop) return [item(first, end, origin)];
  const beginOf = (index: number): number => framesOf(start + index * contentDuration);
  const count = Math.min(plays ?? Infinity, Math.ceil((end - origin) / pass));
  const isOnce = count > mostPasses || (count > 1 && count * size > mostItems);
  if (isOnce) lost.push({ path, element: name, what: 'its repeats' });
  const items: (CutClip | CutGap)[] = [];
  let at = first;
  for (let index = 0; index < (isOnce ? 1 : count + 1) && at < end; index++) {
    if (plays !== null && index >= plays) break;
    const to = Math.min(end, beginOf(index + 1));
    if (to > at) items.push(item(at, to, beginOf(index)));
    at = Math.max(at, to);
  }
  if (end > at) items.push({ kind: 'gap', length: end - at });
  return items;
}

function itemsIn({ items }: CutTrack): number {
  return items.reduce(
    (sum, one) =>
      sum + (one.kind === 'clip' && one.content.kind === 'inner' ? one.content.size : 1),
    0,
  );
}

// ---- files ---------------------------------------------------------------------------------------------------------

/** A file that is played from a moment on. */
interface Played {
  readonly path: string;
  readonly name: string;
  readonly source: string;
  /** Seconds at which the element, and so the first pass, begins. */
  readonly start: number;
  readonly clip: MediaClip;
}

/** A loop that begins again more often is played once, and held. */
const mostRepeats = 100;

/** What plays between two frames: the passes of a loop, and the last frame where the file ends before the element. */
function fileClips(
  { path, name, source, start, clip }: Played,
  first: number,
  end: number,
  { frameRate, framesOf, media, lost }: Cutting,
): CutClip[] {
  const { trimStart, trimDuration, loop, plays = Infinity, speed } = clip;
  const available = Math.ceil((media.get(source)?.duration ?? 0) * frameRate - 1e-6);
  const lastFrame = Math.max(0, Math.ceil((trimStart + trimDuration) * frameRate - 1e-6) - 1);
  const make = (length: number, from: number, rate: number): CutClip => ({
    ...{ kind: 'clip', path, name, length },
    content: { kind: 'file', source, from, speed: rate, available },
  });
  const pass = timePlayed(clip, trimDuration);
  const wanted =
    loop && pass > 0 ? Math.min(plays, Math.ceil((end - first) / (pass * frameRate))) : 1;
  const isShort = wanted > mostRepeats;
  if (isShort) lost.push({ path, element: name, what: 'its repeats' });
  const repeats = isShort || !loop ? 1 : plays;
  const made: CutClip[] = [];
  let at = first;
  for (let index = 0; pass > 0 && index < repeats && at < end; index++) {
    const begin = start + index * pass;
    const until = Math.min(end, framesOf(begin + pass));
    if (until <= at) {
      // A pass that is shorter than a frame is not seen.
      if (pass * frameRate < 0.5) break;
      continue;
    }
    const seconds = trimStart + playedAt(clip, Math.max(0, at / frameRate - begin));
    const room = Math.max(0, Math.floor(available - speed * (until - at) + 1e-6));
    made.push(make(until - at, Math.min(room, Math.round(seconds * frameRate)), speed));
    at = until;
  }
  if (at < end) made.push(make(end - at, Math.min(lastFrame, Math.max(0, available - 1)), 0));
  return made;
}

// ---- sounds --------------------------------------------------------------------------------------------------------

/** As few tracks as do: each sound goes to the first that is free. */
function soundTracks(
  { sounds }: Timeline,
  frameCount: number,
  cutting: Cutting,
): readonly CutTrack[] {
  const lanes: { end: number; readonly parts: Part[] }[] = [];
  for (const sound of sounds.toSorted((a, b) => a.start - b.start)) {
    const first = Math.max(0, cutting.framesOf(sound.start));
    const end = Math.min(frameCount, cutting.framesOf(sound.start + sound.duration));
    if (end <= first) continue;
    cutting.lost.push(...soundLosses(sound));
    const clips = fileClips(sound, first, end, cutting);
    // Nobody hears a held frame.
    const heard = clips.filter(({ content }) => content.kind === 'file' && content.speed > 0);
    let lane = lanes.find((one) => one.end <= first);
    if (!lane) lanes.push((lane = { end: 0, parts: [] }));
    lane.parts.push({ first, over: null, clips: heard });
    lane.end = end;
  }
  return lanes.map(({ parts }, index) => ({
    kind: 'sound',
    name: `Sound ${index + 1}`,
    items: laid(parts, frameCount),
  }));
}
