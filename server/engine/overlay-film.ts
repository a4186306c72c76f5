/**
 * Makes a film of one video under graphics in one ffmpeg; this process only paints the graphics ([Note: One process] in
 * overlay-plan.ts). Runs in the worker.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { decodeLimits } from '../../shared/limits.ts';
import { RenderError } from '../../shared/engine/errors.ts';
import { fileArguments, planFilters } from './assets/videos/video-decoder.ts';
import type { Overlay } from './encode/arguments.ts';
import type { FileFacts } from './encode/check.ts';
import { openOverlayEncoder, type EncoderOptions, type GraphicsSink } from './encode/encoder.ts';
import type { PixelArea } from './encode/pixels.ts';
import type { Ffmpeg } from './ffmpeg.ts';
import { letGo } from './garbage.ts';
import type { OverlayPlan } from './overlay-plan.ts';
import { groundAt, type PlanOptions } from './plan.ts';
import type { Stage } from './stage.ts';
import { timed } from './stopwatch.ts';

/** What a film is made from. */
export interface OverlayFilm {
  readonly stage: Stage;
  readonly plan: OverlayPlan;
  readonly frames: PlanOptions;
  readonly encoding: EncoderOptions;
  /** Called from time to time with the number of frames done. */
  readonly onFrames: (frames: number) => Promise<void>;
}

/** How often to look at a running process, milliseconds. */
const pace = 250;

/**
 * Renders the film.
 *
 * @throws RenderError. Nothing is left behind then, and frame after frame it may succeed: a file may have fewer frames
 *   than it says.
 */
export async function renderOverlay(film: OverlayFilm): Promise<FileFacts> {
  const { stage, plan, encoding, onFrames } = film;
  let done = 0;
  let since = performance.now();
  const encoder = await openOverlayEncoder({
    ...encoding,
    overlay: overlayOf(stage, plan, encoding.ffmpeg),
    onFrames(count) {
      if (count > done) since = performance.now();
      done = count;
    },
  });
  const watch = setInterval(() => {
    // Whoever waits for it then fails.
    if (performance.now() - since > decodeLimits.frameTime) void encoder.close();
  }, pace);
  try {
    for (const change of plan.changes) {
      await writeGraphics(film, encoder, change);
      await onFrames(done);
    }
    const finished = timed('finish and check', () => encoder.finish());
    const settled = finished.then(
      () => true,
      () => true,
    );
    while (!(await Promise.race([settled, pause(pace, false)]))) await onFrames(done);
    return await finished;
  } finally {
    clearInterval(watch);
    await encoder.close();
  }
}

/** True if making the film frame after frame may succeed where one process failed. */
export function isWorthFrames(error: unknown): boolean {
  return error instanceof RenderError && error.code === 'encoder_failed';
}

async function writeGraphics(
  { stage, plan: { area }, frames }: OverlayFilm,
  encoder: GraphicsSink,
  change: number,
): Promise<void> {
  const { ground } = groundAt(frames, change);
  if (!ground || !area) throw new Error(`frame ${change} was planned with graphics over a video`);
  await stage.drawGraphics(ground.graphics, rectOf(area));
  const canvas = stage.graphics();
  if (!canvas) throw new Error('graphics were painted without a canvas');
  const pixels = timed('read back', () => canvas.data());
  await encoder.write(pixels);
  letGo(pixels);
}

function rectOf({ left: x, top: y, width, height }: PixelArea): OverlayPlan['place'] {
  return { x, y, width, height };
}

/** The plan in ffmpeg's terms: the decoder's own input and filters, cut to the output. */
function overlayOf(
  { files, timeline: { output } }: Stage,
  plan: OverlayPlan,
  ffmpeg: Ffmpeg,
): Overlay {
  const { source, time, step, place, veil, changes, area, parts } = plan;
  const file = files.get(source);
  if (!file)
    throw new Error(`a film was planned on a file that is not among the assets: ${source}`);
  const size = { width: place.width, height: place.height };
  const reading = { time, step, ...size, pixels: 'yuv420p', ...(veil && { veil }) } as const;
  const isCut = place.width !== output.width || place.height !== output.height;
  const window = `crop=${output.width}:${output.height}:${-place.x}:${-place.y}:exact=1`;
  return {
    input: fileArguments(file, reading),
    filters: [...planFilters(ffmpeg, file, reading), ...(isCut ? [window] : [])],
    ...{ changes, area, parts },
  };
}
