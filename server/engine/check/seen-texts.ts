/**
 * The texts of a film as they stand: where each is at a moment without movement, how large its letters are, and how
 * much they stand out. Runs in a worker process.
 */
import type { TextElement, TimelineElement } from '../../../shared/engine/compile/timeline.ts';
import {
  enclosing,
  identity,
  multiply,
  translation,
  type Rect,
} from '../../../shared/engine/geometry.ts';
import {
  homographyOf,
  joinHomographies,
  project,
  projectedBounds,
  type Homography,
} from '../../../shared/engine/homography.ts';
import type { Box, Frame, TextContent } from '../../../shared/engine/layout/box.ts';
import { overflowsOf } from '../../../shared/engine/layout/overflows.ts';
import type { Problem } from '../../../shared/renderscript/source.ts';
import type { Stage } from '../stage.ts';
import { contrastOf } from './contrast.ts';

/** A text at a moment at which it stands, as far as there is one. */
export interface SeenText {
  readonly element: TextElement;
  /** Seconds. */
  readonly time: number;
  /** In document pixels; null: behind the eye. */
  readonly bounds: Rect | null;
  /** Document pixels of most of its letters, as they are drawn. */
  readonly size: number;
  /** That it is larger than its box, or leaves the picture. */
  readonly overflows: readonly Problem[];
  /** Of its letters and what is behind them, 1 to 21; null: not measured. */
  readonly contrast: number | null;
}

/**
 * Most texts that are looked at, moments that are laid out, texts whose pixels are measured, and milliseconds for
 * those: each may need frames of several videos.
 */
const most = { texts: 400, moments: 600, measured: 80, time: 45_000 };

/** Shares of a text's time, in the order in which they are tried: it enters and leaves at the ends. */
const shares = [0.5, 0.7, 0.35, 0.85, 0.2, 0.95] as const;

/** Looks at all of them. */
export async function seeTexts(stage: Stage, signal: AbortSignal): Promise<readonly SeenText[]> {
  const looks = new Looks(stage);
  const found = stretchesOf(stage)
    .slice(0, most.texts)
    .flatMap((stretch) => looks.find(stretch) ?? []);
  // Decoders run forwards.
  found.sort((a, b) => a.time - b.time);
  const until = performance.now() + most.time;
  const texts: SeenText[] = [];
  for (const [index, { element, time, placed }] of found.entries()) {
    signal.throwIfAborted();
    const frame = looks.frameAt(time);
    const { box, content, place, isStill, opacity } = placed;
    const text = enclosing(content.pieces.map(({ bounds }) => bounds));
    const bounds = projectedBounds(place, text);
    const size = letterSize(content) * heightScale(place);
    const { path, name } = element;
    texts.push({
      ...{ element, time, bounds, size },
      overflows: overflowsOf(frame, () => name).filter((one) => one.path === path),
      contrast:
        isStill && bounds && index < most.measured && performance.now() < until
          ? await contrastOf(stage, frame, { path, bounds, box, size, opacity })
          : null,
    });
  }
  return texts;
}

/** A text, and the seconds of the film at which it may be looked at, best first. */
interface Stretch {
  readonly element: TextElement;
  readonly moments: readonly number[];
}

function stretchesOf({ timeline: { root, duration, output } }: Stage): Stretch[] {
  const found: Stretch[] = [];
  const visit = (element: TimelineElement, zero: number, from: number, to: number): void => {
    const start = zero + element.start;
    const first = Math.max(from, start);
    const last = Math.min(to, start + element.duration);
    if (duration > 0 && last <= first) return;
    if (element.type === 'composition')
      for (const child of element.children) visit(child, start, first, last);
    if (element.type === 'text')
      found.push({ element, moments: momentsOf(element, start, first, last) });
  };
  const momentsOf = (
    { captions }: TextElement,
    start: number,
    first: number,
    last: number,
  ): number[] => {
    const frames = (time: number): number => Math.floor(time * output.frameRate) / output.frameRate;
    if (duration === 0) return [0];
    // The fullest page, once all of it is said.
    const pages = captions?.pages.toSorted((a, b) => b.text.length - a.text.length) ?? [];
    const [page] = pages.filter(({ end }) => start + end > first && start + end <= last + 0.5);
    if (page) return [Math.min(last, start + page.start + (page.end - page.start) * 0.95)];
    return shares.map((share) => Math.max(first, frames(first + (last - first) * share)));
  };
  for (const child of root.children) visit(child, 0, 0, Math.max(duration, 0));
  return found;
}

/** A text in a frame. */
interface PlacedText {
  readonly box: Box;
  readonly content: TextContent;
  /** Its box space → document pixels. */
  readonly place: Homography;
  /** Neither it nor what it lies in moves or fades. */
  readonly isStill: boolean;
  /** Of all that it lies in, and its own. */
  readonly opacity: number;
}

/** Frames that are laid out once, and the texts in them. */
class Looks {
  readonly #stage: Stage;
  readonly #frames = new Map<number, { frame: Frame; texts: ReadonlyMap<string, PlacedText> }>();

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  frameAt(time: number): Frame {
    return this.#at(time).frame;
  }

  /** The first moment at which a text stands; else one at which it is there. Null: it is never there. */
  find({
    element,
    moments,
  }: Stretch): (Pick<SeenText, 'element' | 'time'> & { placed: PlacedText }) | null {
    let there: { element: TextElement; time: number; placed: PlacedText } | null = null;
    for (const time of moments) {
      if (this.#frames.size >= most.moments && !this.#frames.has(time)) continue;
      const placed = this.#at(time).texts.get(element.path);
      if (!placed) continue;
      if (placed.isStill) return { element, time, placed };
      there ??= { element, time, placed };
    }
    return there;
  }

  #at(time: number): { frame: Frame; texts: ReadonlyMap<string, PlacedText> } {
    let known = this.#frames.get(time);
    if (!known) {
      const frame = this.#stage.layout.frameAt(time);
      known = { frame, texts: textsIn(frame) };
      this.#frames.set(time, known);
    }
    return known;
  }
}

function textsIn(frame: Frame): ReadonlyMap<string, PlacedText> {
  const found = new Map<string, PlacedText>();
  const visit = (box: Box, parent: Homography, rests: boolean, clearness: number): void => {
    const { bend, transform, content, element } = box;
    const opacity = box.opacity * clearness;
    const place = joinHomographies(parent, bend?.projection ?? homographyOf(transform));
    const isStill = rests && box.rest === undefined && opacity > 0;
    if (content.kind === 'composition') {
      const { originX, originY, children } = content;
      const inside = multiply(box.contentTransform ?? identity, translation(originX, originY));
      const room = joinHomographies(place, homographyOf(inside));
      for (const child of children) visit(child, room, isStill, opacity);
    }
    if (content.kind !== 'text' || content.pieces.length === 0 || found.has(element.path)) return;
    const stands = content.pieces.every(
      (piece) => piece.opacity === 1 && piece.transform === null && piece.clip === null,
    );
    found.set(element.path, { box, content, place, opacity, isStill: isStill && stands });
  };
  for (const box of frame.boxes) visit(box, homographyOf(identity), true, 1);
  return found;
}

/** The size of most letters. */
function letterSize({ pieces }: TextContent): number {
  const letters = new Map<number, number>();
  for (const { text, font } of pieces.flatMap(({ runs }) => runs))
    letters.set(font.size, (letters.get(font.size) ?? 0) + text.length);
  const [[size] = [0]] = [...letters].toSorted((a, b) => b[1] - a[1]);
  return size;
}

/** By how much a map makes upright lines longer. */
function heightScale(map: Homography): number {
  const [from, to] = [project(map, 0, 0), project(map, 0, 1)];
  return from && to ? Math.hypot(to[0] - from[0], to[1] - from[1]) : 1;
}
