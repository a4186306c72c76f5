/**
 * Turns scheduled elements into elements of the timeline: settled values, animations, drawing order. Compile phase;
 * pure. schedule.ts has decided when each element plays.
 */
import { lanesOf } from '../../renderscript/tracks.ts';
import { readAnimations, type Successor } from './animation-entries.ts';
import { entersBelow } from './animations.ts';
import type { CompositionValues, ImageValues } from './property-values.ts';
import type { Schedule, ScheduledElement, ScheduledFile } from './schedule.ts';
import type {
  CompositionElement,
  ImageElement,
  TimelineElement,
  VideoElement,
} from './timeline.ts';
import { readValues, type Units } from './values.ts';

/** What all elements of a document share. */
export interface ElementContext {
  readonly units: Units;
  /** True for pictures, which have no time. */
  readonly still: boolean;
}

/** The document's elements as one composition that fills it. */
export function compileRoot(
  { elements, duration }: Schedule,
  context: ElementContext,
): CompositionElement {
  const place = { path: '', name: '' };
  return {
    type: 'composition',
    ...place,
    track: 1,
    start: 0,
    duration,
    animations: [],
    values: readValues<CompositionValues>({}, 'composition', place, {
      units: context.units,
      duration,
    }),
    children: compileChildren(elements, context),
    contentDuration: duration,
    loop: false,
    plays: null,
  };
}

/**
 * Siblings in drawing order. In a picture every element starts at 0, without animations, most of which would hide it
 * there.
 */
function compileChildren(
  siblings: readonly ScheduledElement[],
  context: ElementContext,
): TimelineElement[] {
  const { units, still } = context;
  const successors = successorsOf(siblings);
  const animations = siblings.map((element, index) =>
    still ? [] : readAnimations(element, successors.get(index) ?? [], units),
  );
  const layers = siblings.map(({ track, predecessor, overlap }, index) => ({
    track,
    below: overlap > 0 && animations[index]?.some(entersBelow) ? predecessor : null,
  }));
  return drawOrder(layers).flatMap(({ index, lane }) => {
    const element = siblings[index];
    if (!element || element.type === 'audio') return [];
    const { path, name, start, duration } = element;
    const common = {
      path,
      name,
      track: lane,
      start: still ? 0 : start,
      duration,
      animations: animations[index] ?? [],
    };
    return [compileElement(element, common, context)];
  });
}

/** The successors that come in with a transition while an element is still visible, by the element's index. */
function successorsOf(siblings: readonly ScheduledElement[]): Map<number, Successor[]> {
  const successors = new Map<number, Successor[]>();
  for (const { predecessor, overlap, json, start } of siblings) {
    const before = predecessor === null ? undefined : siblings[predecessor];
    if (!before || predecessor === null || overlap === 0) continue;
    successors.set(predecessor, [
      ...(successors.get(predecessor) ?? []),
      { json, start: start - before.start },
    ]);
  }
  return successors;
}

type Common = Pick<
  TimelineElement,
  'path' | 'name' | 'track' | 'start' | 'duration' | 'animations'
>;

function compileElement(
  element: ScheduledElement,
  common: Common,
  context: ElementContext,
): TimelineElement {
  const { json, type, file, children, contentDuration, loop, plays } = element;
  const scales = { units: context.units, duration: element.duration };
  switch (type) {
    case 'text':
      return { type, ...common, values: readValues(json, type, element, scales) };
    case 'shape':
      return { type, ...common, values: readValues(json, type, element, scales) };
    case 'composition': {
      const values = readValues<CompositionValues>(json, type, element, scales);
      return {
        type,
        ...common,
        values,
        children: compileChildren(children, context),
        contentDuration,
        loop: loop && contentDuration > 0,
        plays,
      };
    }
    case 'image':
    case 'video':
    case 'lottie':
      return {
        ...common,
        values: readValues<ImageValues>(json, type, element, scales),
        ...pictureOf(file),
        ...(type === 'image' && json.smart_crop === true && { smartCrop: true }),
      };
    case 'audio':
      throw new Error(`${element.path} is audio and has no looks`);
  }
}

/** The file decides what an image or video element shows: a video element may name a picture, and vice versa. */
function pictureOf(
  file: ScheduledFile | null,
): Pick<ImageElement, 'type' | 'source' | 'clip'> | Pick<VideoElement, 'type' | 'source' | 'clip'> {
  if (!file || file.info.kind === 'audio') return { type: 'image', source: null };
  const { source, info, clip } = file;
  if (info.kind === 'video') return { type: 'video', source, clip };
  return info.animation ? { type: 'image', source, clip } : { type: 'image', source };
}

/** What drawing order depends on. */
interface Layered {
  /** The number of its track; null for a separate one. */
  readonly track: number | null;
  /** Index of the sibling that this one replaces, below which it is drawn meanwhile; null = normal order. */
  readonly below: number | null;
}

/** A sibling in drawing order. */
interface DrawPlace {
  readonly index: number;
  /** 1, 2, 3 … from bottom to top; siblings on one track share it. */
  readonly lane: number;
}

/**
 * Siblings of equal z-index from bottom to top.
 *
 * Tracks make lanes (`lanesOf`). An element that comes in below its predecessor is moved under it. Nothing else
 * changes: neighbours on a track only meet in transitions.
 */
function drawOrder(siblings: readonly Layered[]): DrawPlace[] {
  const keys = lanesOf(siblings.map(({ track }) => track));
  const keyed = keys.map((key, index) => ({ index, own: siblings[index]?.track === null, key }));
  const sorted = keyed.sort((a, b) => a.key - b.key || a.index - b.index);
  let lane = 0;
  let before: (typeof sorted)[number] | undefined;
  const places = sorted.map((entry): DrawPlace => {
    if (before?.key !== entry.key || entry.own) lane += 1;
    before = entry;
    return { index: entry.index, lane };
  });
  for (const [index, { below }] of siblings.entries()) {
    if (below === null) continue;
    const from = places.findIndex((place) => place.index === index);
    const to = places.findIndex((place) => place.index === below);
    if (to >= 0 && to < from) places.splice(to, 0, ...places.splice(from, 1));
  }
  return places;
}
