/**
 * Finds films that stand on one video from the first frame to the last, so that one ffmpeg can decode it, put the
 * graphics over it and encode ([Note: One process]). Runs in the worker, before the encoder starts; lays every frame
 * out once.
 *
 * [Note: One process] Passing frames through this process costs two copies through pipes and a switch between processes
 * for each, a sixth of the time of a video under a title. ffmpeg's `overlay` needs only the graphics, and only when
 * they change. The decoder's filters are the same, so the video's own pixels are equal to the byte; under graphics,
 * rounding differs by a level.
 *
 * [Note: The end of a slow video] The filter that tells the encoder the frame rate gives out a frame when the next one
 * comes, or the end. ffmpeg 4.1 says the end in the video's own time, as `setpts` changes only the times of frames: at
 * half the speed it comes in the middle of the film, and the last frame is lost. Where the video goes on, the film is
 * cut before its end matters; at more than its own speed the end comes too late, and the film is cut as well.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Color } from '../../shared/engine/compile/property-values.ts';
import { bandsOf, type Ground } from '../../shared/engine/paint/ground.ts';
import type { Frame } from '../../shared/engine/layout/box.ts';
import { sameFrame } from '../../shared/engine/layout/same-frame.ts';
import type { Rect } from '../../shared/engine/geometry.ts';
import { isPlanar } from './encode/film-formats.ts';
import { isInOneProcess } from '../system/plain-way.ts';
import type { PixelArea } from './encode/pixels.ts';
import { type Ffmpeg, startFfmpeg } from './ffmpeg.ts';
import { groundAt, isScaledByDecoder, type PlanOptions } from './plan.ts';
import { overlayGraph } from './encode/arguments.ts';
import { frameTiming, type Release } from './ffmpeg-builds.ts';

/** A film that is one video under graphics. */
export interface OverlayPlan {
  /** Key of the video in `Assets.media`. */
  readonly source: string;
  /** Seconds of the file that the first frame shows, and from frame to frame. */
  readonly time: number;
  readonly step: number;
  /** As in `Ground`. */
  readonly place: Rect;
  readonly veil: Color | null;
  /** Numbers of the frames whose graphics differ from those of the frame before, ascending. Before the first: none. */
  readonly changes: readonly number[];
  /** Where graphics ever are, on even borders of the output; null if there are none. */
  readonly area: PixelArea | null;
  /** Parts of `area` that contain all graphics, without overlap: less to blend. */
  readonly parts: readonly PixelArea[];
}

/** Largest output, pixels (4K); beyond it, the process that reads the file would need too much memory. */
const mostPixels = 4096 * 2304;
/** Most gaps between changes; each is a term that ffmpeg computes for each change. */
const mostGaps = 1_000;
/** A time this far from the equal steps is still on them, as for decoders. */
const gridTolerance = 0.0002;
/** A video that goes on for so many frames of the film does not end with it. */
const framesToSpare = 2;
/** How long frames are laid out before other events get their turn, milliseconds. */
const turn = 50;

/**
 * The plan of such a film, or null for any other, and for one that this ffmpeg can't make.
 *
 * @param signal ends the search by throwing its reason.
 */
export async function planOverlay(
  options: PlanOptions,
  ffmpeg: Ffmpeg,
  signal: AbortSignal,
): Promise<OverlayPlan | null> {
  const { times, timeline, scale, media } = options;
  const { output } = timeline;
  if (!isPlanar(output) || !isInOneProcess()) return null;
  if (output.width * output.height > mostPixels) return null;

  let first: Ground | undefined;
  let last: Frame | undefined;
  let gaps = 0;
  const changes: number[] = [];
  const extent = new Extent();
  let since = performance.now();
  for (const index of times.keys()) {
    const { ground } = groundAt(options, index);
    if (!ground) return null;
    const info = media.get(ground.content.source);
    if (!info || !isScaledByDecoder(ground.place, info)) return null;
    first ??= ground;
    if (!continues(first, ground, index, output.frameRate)) return null;
    const { graphics } = ground;
    const isNew = last ? !sameFrame(last, graphics) : graphics.boxes.length > 0;
    last = graphics;
    if (isNew) {
      if (changes.at(-1) !== index - 1) gaps++;
      if (gaps > mostGaps) return null;
      changes.push(index);
      extent.add(bandsOf(graphics, scale, output));
    }
    if (performance.now() - since > turn) {
      await nextTurn();
      signal.throwIfAborted();
      since = performance.now();
    }
  }
  if (!first) return null;
  const { content, place } = first;
  const step = content.mediaSpeed / output.frameRate;
  // Behind the file's end its last frame is held, which is for the decoder to find.
  const endsAt = (frames: number): number => content.mediaTime + frames * step;
  const duration = media.get(content.source)?.duration ?? 0;
  if (endsAt(times.length - 0.5) > duration) return null;
  const isSlowToTheEnd = content.mediaSpeed < 1 && endsAt(times.length + framesToSpare) > duration;
  if (isSlowToTheEnd && !(await keepsLastFrame(ffmpeg))) return null;
  signal.throwIfAborted();
  const parts = extent.parts();
  return {
    ...{ source: content.source, time: content.mediaTime, step, changes },
    ...{ place, veil: first.veil },
    ...{ area: parts.length === 0 ? null : around(parts), parts },
  };
}

/** True if a frame shows the same video, at the same place, in equal steps from the first one. */
function continues(first: Ground, ground: Ground, index: number, frameRate: number): boolean {
  const { content, place, veil, elementPath } = ground;
  const { mediaSpeed: speed, mediaTime: start } = first.content;
  const expected = start + (index * speed) / frameRate;
  return (
    elementPath === first.elementPath &&
    content.source === first.content.source &&
    veil?.join() === first.veil?.join() &&
    speed > 0 &&
    start >= 0 &&
    content.mediaSpeed === speed &&
    Math.abs(content.mediaTime - expected) <= gridTolerance &&
    (['x', 'y', 'width', 'height'] as const).every((side) => place[side] === first.place[side])
  );
}

/** Where graphics of several frames are: from left to right in each band of rows. */
class Extent {
  /** By the band's top. */
  readonly #bands = new Map<number, PixelArea>();

  add(bands: readonly PixelArea[]): void {
    for (const band of bands) {
      const known = this.#bands.get(band.top);
      this.#bands.set(band.top, known ? around([known, band]) : band);
    }
  }

  /** The bands joined into a few areas, one below the other. */
  parts(): readonly PixelArea[] {
    const sorted = [...this.#bands.values()].toSorted((one, two) => one.top - two.top);
    const parts: PixelArea[] = [];
    for (const band of sorted) {
      const above = parts.at(-1);
      const joined = above && around([above, band]);
      const isClose = joined && sizeOf(joined) <= mostWaste * (sizeOf(above) + sizeOf(band));
      if (isClose) parts[parts.length - 1] = joined;
      else parts.push(band);
    }
    while (parts.length > mostParts) joinCheapest(parts);
    return parts;
  }
}

/** Each part is a filter that every frame passes, so joining is worth some empty pixels. */
const mostWaste = 1.25;
const mostParts = 3;

/** Joins the neighbours whose common rectangle has the fewest pixels more than they have, in place. */
function joinCheapest(parts: PixelArea[]): void {
  const costs = parts.slice(1).map((part, index) => {
    const above = parts[index] ?? part;
    return sizeOf(around([above, part])) - sizeOf(above) - sizeOf(part);
  });
  const at = costs.indexOf(Math.min(...costs));
  parts.splice(at, 2, around(parts.slice(at, at + 2)));
}

const sizeOf = ({ width, height }: PixelArea): number => width * height;

function around(areas: readonly PixelArea[]): PixelArea {
  const left = Math.min(...areas.map((area) => area.left));
  const top = Math.min(...areas.map((area) => area.top));
  const right = Math.max(...areas.map((area) => area.left + area.width));
  const bottom = Math.max(...areas.map((area) => area.top + area.height));
  return { left, top, width: right - left, height: bottom - top };
}

/** Pixels of a side, and frames of the video; each is shown twice. */
const [side, count] = [16, 3];
const frameRate = 24;
const bytesPerFrame = side * side * 1.5;
/** Milliseconds after which the answer is no. */
const patience = 10_000;

const answers = new WeakMap<Ffmpeg, Promise<boolean>>();

/**
 * True if one process shows every frame of a slow video to its end. Any failure is a no: frame after frame, any build
 * can. Asked once for each program.
 */
export function keepsLastFrame(ffmpeg: Ffmpeg): Promise<boolean> {
  const known = answers.get(ffmpeg);
  if (known) return known;
  const answer = tryIt(ffmpeg).catch(() => false);
  answers.set(ffmpeg, answer);
  return answer;
}

/** Three frames at half the speed, through the graph of a film in one process. Pure. */
export function trialArguments(build: Release): string[] {
  const raw = ['-f', 'rawvideo', '-pix_fmt', 'yuv420p'];
  const input = [
    ...raw,
    ...['-s', `${side}x${side}`, '-framerate', String(frameRate), '-i', 'pipe:0'],
  ];
  const filters = [`fps=fps=${2 * frameRate}:start_time=0:round=up`];
  const graph = overlayGraph(
    { frameRate, frameCount: 2 * count },
    { input, filters, changes: [], area: null, parts: [] },
  );
  return [
    ...['-loglevel', 'error', '-copyts', '-protocol_whitelist', 'pipe', ...input],
    ...['-filter_complex', graph, '-map', '[film]', ...frameTiming(build, 'passthrough')],
    ...[...raw, 'pipe:1'],
  ];
}

async function tryIt(ffmpeg: Ffmpeg): Promise<boolean> {
  const { stdin, stdout, finished } = startFfmpeg(ffmpeg, trialArguments(ffmpeg), {
    stdin: true,
    stdout: true,
    deadline: patience,
  });
  const chunks: Buffer[] = [];
  stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
  // Each frame is of one grey, by which it is known again.
  stdin?.end(
    Buffer.concat(
      Array.from({ length: count }, (_, index) => Buffer.alloc(bytesPerFrame, grey(index))),
    ),
  );
  const { code } = await finished;
  const bytes = Buffer.concat(chunks);
  const shown = Array.from(
    { length: Math.ceil(bytes.length / bytesPerFrame) },
    (_, index) => bytes[index * bytesPerFrame],
  );
  const right = Array.from({ length: 2 * count }, (_, index) => grey(Math.floor(index / 2)));
  return code === 0 && shown.join() === right.join();
}

const grey = (index: number): number => 50 + index * 50;
