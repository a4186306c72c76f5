/**
 * Where a film is cut into pieces: where its contents change, so that an edit changes few of them. Pure,
 * and a function of the film alone: each piece is coded apart, so the file depends on where it begins.
 */
import type { CompositionElement, Timeline } from '../../../shared/engine/compile/timeline.ts';
import { isFilm } from '../../../shared/renderscript/formats.ts';
import type { FrameRange } from '../plan.ts';

/** What a film is like as a whole. */
export interface FilmKind {
  /** One ffmpeg makes it: each piece then decodes its video from the last key frame on. */
  readonly isOneProcess: boolean;
  /** It is one of several of one template, which share what is equal. */
  readonly isShared: boolean;
}

/** Seconds: shorter films are left whole. */
const shortestFilm = 5;
/** Seconds of the shortest piece. */
const shortestPiece = 2;
/** Seconds: where nothing changes, there is a cut at every multiple of it, so that a first edit finds pieces, too. */
const grid = 10;

// Milliseconds on two cores, measured (docs/decisions/018-pieces-by-content.md).

/** What a film takes for each million pixels, and what a cut adds: a process, and frames to decode once more. */
const costs = {
  frames: { megapixel: 3.5, cut: 110 },
  oneProcess: { megapixel: 6.8, cut: 400 },
} as const;
/** Small frames take as long as so many million pixels: layout, the way to the encoder. */
const leastMegapixels = 0.5;
/** Of the time of a film, the share that one cut may take, and all of them. */
const mostShare = {
  alone: { each: 0.02, frames: 0.02, oneProcess: 0.02 },
  shared: { each: 0.04, frames: 0.1, oneProcess: 0.2 },
} as const;
/** A title has a beginning and an end: so many cuts are allowed where contents change, if each of them is. */
const bothEnds = 2;
/** However long a film is; and of how many possible cuts they are chosen. */
const mostPieces = 1_000;
const mostPossible = 2_000;

/** A possible cut before a frame. */
interface Cut {
  readonly frame: number;
  /** Nothing changes there. */
  readonly isGrid: boolean;
}

/** The frames of each piece; one range: the film is left whole. */
export function cutFilm(timeline: Timeline, kind: FilmKind): readonly FrameRange[] {
  const { format, width, height, frameRate, frameCount } = timeline.output;
  const whole = [{ first: 0, end: frameCount }];
  if (!isFilm(format) || frameCount < shortestFilm * frameRate) return whole;
  const way = kind.isOneProcess ? 'oneProcess' : 'frames';
  const { megapixel, cut } = costs[way];
  const time = frameCount * megapixel * Math.max(leastMegapixels, (width * height) / 1e6);
  const share = mostShare[kind.isShared ? 'shared' : 'alone'];
  if (cut > share.each * time) return whole;
  const most = Math.min(mostPieces - 1, Math.floor((share[way] * time) / cut));
  const shortest = Math.ceil(Math.max(shortestPiece * frameRate, frameCount / mostPossible));
  return rangesBetween(thin(possibleCuts(timeline, shortest), most, frameCount), frameCount);
}

/** Of the length of a piece, how far from its even end the contents may change. */
const nearby = 1 / 4;

/** The frames of so many pieces, about as long as each other: where contents change, if that is near. */
export function cutEvenly(timeline: Timeline, count: number): readonly FrameRange[] {
  const { frameRate, frameCount } = timeline.output;
  const shortest = Math.ceil(Math.max(shortestPiece * frameRate, frameCount / mostPossible));
  const changes = possibleCuts(timeline, shortest).filter(({ isGrid }) => !isGrid);
  const length = frameCount / count;
  const cuts = Array.from({ length: count - 1 }, (_, index): Cut => {
    const even = { frame: Math.round((index + 1) * length), isGrid: true };
    const apart = ({ frame }: Cut): number => Math.abs(frame - even.frame);
    const near = changes.filter((cut) => apart(cut) <= length * nearby);
    return near.toSorted((one, other) => apart(one) - apart(other))[0] ?? even;
  });
  return rangesBetween(cuts, frameCount);
}

function rangesBetween(cuts: readonly Cut[], frameCount: number): readonly FrameRange[] {
  const borders = [0, ...cuts.map(({ frame }) => frame), frameCount];
  return borders.slice(1).map((end, index) => ({ first: borders[index] ?? 0, end }));
}

/** Where elements and pages of captions begin and end, and the grid; ascending, none close to another. */
function possibleCuts({ root, output }: Timeline, shortest: number): Cut[] {
  const { frameRate, frameCount } = output;
  const frames = new Set<number>();
  const add = (time: number): void => {
    // The first frame that shows what begins there.
    const frame = Math.ceil(time * frameRate - 1e-6);
    if (frame >= shortest && frame <= frameCount - shortest) frames.add(frame);
  };
  addTimes(root, 0, add);
  const changes = [...frames].sort((a, b) => a - b).map((frame) => ({ frame, isGrid: false }));
  const spread = apart(changes, shortest);
  const steps = Math.floor(frameCount / frameRate / grid);
  const even = Array.from({ length: steps }, (_, index) => ({
    frame: Math.ceil((index + 1) * grid * frameRate - 1e-6),
    isGrid: true,
  }));
  const all = [...spread, ...even.filter(({ frame }) => frame <= frameCount - shortest)];
  // Of two too close to each other, that of the contents stays.
  return all
    .filter((cut) => !cut.isGrid || spread.every((o) => Math.abs(o.frame - cut.frame) >= shortest))
    .sort((a, b) => a.frame - b.frame);
}

function addTimes(
  { children }: CompositionElement,
  offset: number,
  add: (time: number) => void,
): void {
  for (const element of children) {
    const start = offset + element.start;
    add(start);
    add(start + element.duration);
    if (element.type === 'text')
      for (const page of element.captions?.pages ?? []) add(start + page.start);
    if (element.type === 'composition' && !element.loop) addTimes(element, start, add);
  }
}

/** Leaves out what is too close to the last one. @param cuts ascending */
function apart(cuts: readonly Cut[], shortest: number): Cut[] {
  const kept: Cut[] = [];
  for (const cut of cuts) if (cut.frame - (kept.at(-1)?.frame ?? 0) >= shortest) kept.push(cut);
  return kept;
}

/** Leaves out the cuts between the shortest pieces until there are no more than may be: those of the grid first. */
function thin(possible: readonly Cut[], most: number, frameCount: number): readonly Cut[] {
  const cuts = [...possible];
  for (;;) {
    const hasGrid = cuts.some(({ isGrid }) => isGrid);
    if (cuts.length <= (hasGrid ? most : Math.max(most, bothEnds))) return cuts;
    const around = (index: number): number =>
      (cuts[index + 1]?.frame ?? frameCount) - (cuts[index - 1]?.frame ?? 0);
    let least = -1;
    for (const [index, { isGrid }] of cuts.entries()) {
      if (hasGrid && !isGrid) continue;
      if (least < 0 || around(index) < around(least)) least = index;
    }
    cuts.splice(least, 1);
  }
}
