/**
 * The elements of a document as clips in time, placed by the engine's own schedule: at once after each change, and
 * while one is only tried. Pure.
 */
import type { MediaInfo } from '../../../shared/engine/media-info.ts';
import {
  scheduleDocument,
  type Schedule,
  type ScheduledElement,
} from '../../../shared/engine/compile/schedule.ts';
import type { MediaClip } from '../../../shared/engine/compile/timeline.ts';
import type { ElementType, JsonObject, Source } from '../../../shared/renderscript/source.ts';

/** An element in time. */
export interface Clip {
  readonly path: string;
  /** Path of the composition around it; '' for the document. */
  readonly parent: string;
  /** Of the list it stands in, e.g. `elements`; and its index there. */
  readonly list: string;
  readonly index: number;
  readonly name: string;
  readonly type: ElementType;
  /** As written. */
  readonly element: JsonObject;
  /** Null = a lane of its own. */
  readonly track: number | null;
  /** Seconds on the document's clock. */
  readonly start: number;
  /** Seconds from the beginning of the document to that of the composition around it. */
  readonly offset: number;
  readonly duration: number;
  /** Seconds of the composition around it, which percentages count of. */
  readonly whole: number;
  /** Seconds of the transition it begins with; 0 = none. */
  readonly overlap: number;
  /** The next one on its track ends it early. */
  readonly cut: boolean;
  /** The part of its file that plays; null for elements that play none. */
  readonly media: {
    readonly source: string;
    readonly length: number;
    readonly clip: MediaClip;
  } | null;
  readonly children: readonly Clip[];
}

/** A document in time. */
export interface Clips {
  /** Seconds. */
  readonly duration: number;
  /** Those of the document itself, in its order. */
  readonly top: readonly Clip[];
  /** Those at any depth. */
  readonly byPath: ReadonlyMap<string, Clip>;
}

/**
 * Places a document in time.
 *
 * @param lengths Seconds of its files, by `source`; elements whose file is not among them fill their time.
 * @returns null for a document with invalid elements
 */
export function clipsOf(source: Source, lengths: Readonly<Record<string, number>>): Clips | null {
  const schedule = scheduleOf(source, lengths);
  if (!schedule) return null;
  const { duration, elements } = schedule;
  const byPath = new Map<string, Clip>();
  const around = { path: '', offset: 0, whole: duration };
  return { duration, top: elements.map((one) => clipOf(one, around, byPath)), byPath };
}

/** The engine's own schedule of a document; otherwise as `clipsOf`. */
export function scheduleOf(
  source: Source,
  lengths: Readonly<Record<string, number>>,
): Schedule | null {
  const media = new Map(Object.entries(lengths).map(([name, seconds]) => [name, fileOf(seconds)]));
  try {
    return scheduleDocument(source, media);
  } catch {
    // The checker says what is wrong with it.
    return null;
  }
}

/** The schedule reads only the length. */
function fileOf(duration: number): MediaInfo {
  return {
    kind: 'video',
    format: '',
    width: 0,
    height: 0,
    duration,
    frameRate: 0,
    hasAudio: false,
    hasAlpha: false,
  };
}

function clipOf(
  scheduled: ScheduledElement,
  around: { readonly path: string; readonly offset: number; readonly whole: number },
  byPath: Map<string, Clip>,
): Clip {
  const { path, name, type, json, track, duration, overlap, cut, file } = scheduled;
  const at = path.lastIndexOf('[');
  const start = around.offset + scheduled.start;
  const inside = { path, offset: start, whole: scheduled.contentDuration };
  const clip: Clip = {
    path,
    parent: around.path,
    list: path.slice(0, at),
    index: Number(path.slice(at + 1, -1)),
    name,
    type,
    element: json,
    track,
    start,
    offset: around.offset,
    duration,
    whole: around.whole,
    overlap,
    cut,
    media:
      file && type !== 'image'
        ? { source: file.source, length: file.info.duration, clip: file.clip }
        : null,
    children: scheduled.children.map((child) => clipOf(child, inside, byPath)),
  };
  byPath.set(path, clip);
  return clip;
}

/** Seconds at which a clip ends, on the document's clock. */
export const endOf = ({ start, duration }: Pick<Clip, 'start' | 'duration'>): number =>
  start + duration;

/** All clips of the list that a clip stands in, in the document's order; itself too. */
export function siblingsOf(
  { top, byPath }: Clips,
  { parent }: Pick<Clip, 'parent'>,
): readonly Clip[] {
  return parent === '' ? top : (byPath.get(parent)?.children ?? []);
}

/* Where the arrow keys lead among the clips. */

interface Row {
  readonly clips: readonly { readonly key: string; readonly clip: Clip }[];
}

/**
 * The clip beside one, on the same row or on the nearest row with clips; the first of all from none; null at an edge.
 */
export function neighbour(
  rows: readonly Row[],
  from: Clip | null,
  way: 'left' | 'right' | 'up' | 'down',
): Clip | null {
  const at = rows.findIndex(({ clips }) => clips.some(({ key }) => key === from?.path));
  if (!from || at < 0) return rows.find(({ clips }) => clips.length > 0)?.clips[0]?.clip ?? null;
  if (way === 'left' || way === 'right') {
    const clips = rows[at]?.clips ?? [];
    const index = clips.findIndex(({ key }) => key === from.path);
    return clips[index + (way === 'left' ? -1 : 1)]?.clip ?? null;
  }
  const beyond = way === 'up' ? rows.slice(0, at).reverse() : rows.slice(at + 1);
  const row = beyond.find(({ clips }) => clips.length > 0);
  return nearest(row?.clips.map(({ clip }) => clip) ?? [], from);
}

/** The one that is there at the same time the longest, else the nearest. */
function nearest(clips: readonly Clip[], from: Clip): Clip | null {
  const shared = (clip: Clip): number =>
    Math.min(endOf(clip), endOf(from)) - Math.max(clip.start, from.start);
  return clips.reduce<Clip | null>(
    (best, clip) => (best === null || shared(clip) > shared(best) + 1e-6 ? clip : best),
    null,
  );
}
