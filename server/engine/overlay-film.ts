/**
 * Makes a film of one video under graphics in one ffmpeg; this process only paints the graphics ([Note: One process] in
 * overlay-plan.ts). Runs in the worker.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { decodeLimits, hardwareLimits } from '../../shared/limits.ts';
import { RenderError } from '../../shared/engine/errors.ts';
import { fileArguments, planFilters } from './assets/videos/video-decoder.ts';
import { groundInput, type Overlay } from './encode/arguments.ts';
import type { FileFacts } from './encode/check.ts';
import { openOverlayEncoder, type EncoderOptions, type GraphicsSink } from './encode/encoder.ts';
import type { PixelArea } from './encode/pixels.ts';
import { letGo } from './garbage.ts';
import type { OverlayPlan } from './overlay-plan.ts';
import type { GroundFile, Grounds } from './pieces/grounds.ts';
import { hashOf } from './pieces/prints.ts';
import { groundAt, type PlanOptions } from './plan.ts';
import type { Stage } from './stage.ts';
import { timed } from './stopwatch.ts';

/** What a film is made from. */
export interface OverlayFilm {
  readonly stage: Stage;
  readonly plan: OverlayPlan;
  readonly frames: PlanOptions;
  readonly encoding: EncoderOptions;
  /** Where the video's decoded frames may be kept for other films; absent: nowhere. */
  readonly grounds?: Grounds | undefined;
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
  const { plan, encoding, grounds, onFrames } = film;
  const { overlay, ground } = await overlayOf(film);
  const patience = encoding.hardware ? hardwareLimits.frameTime : decodeLimits.frameTime;
  let done = 0;
  let since = performance.now();
  const encoder = await openOverlayEncoder({
    ...encoding,
    overlay,
    onFrames(count) {
      if (count > done) since = performance.now();
      done = count;
    },
  });
  const watch = setInterval(() => {
    // Whoever waits for it then fails.
    if (performance.now() - since > patience) void encoder.close();
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
    const facts = await finished;
    if (ground?.isThere === false) await grounds?.keep(ground);
    return facts;
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

/** The plan in ffmpeg's terms: the decoder's own input and filters, cut to the output; or frames decoded before. */
async function overlayOf({ stage, plan, encoding, grounds }: OverlayFilm): Promise<{
  overlay: Overlay;
  ground: GroundFile | null;
}> {
  const { files } = stage;
  const { ffmpeg, output } = encoding;
  const { source, time, step, place, veil, changes, area, parts } = plan;
  const file = files.get(source);
  if (!file)
    throw new Error(`a film was planned on a file that is not among the assets: ${source}`);
  const size = { width: place.width, height: place.height };
  const reading = { time, step, ...size, pixels: 'yuv420p', ...(veil && { veil }) } as const;
  const isCut = place.width !== output.width || place.height !== output.height;
  const window = `crop=${output.width}:${output.height}:${-place.x}:${-place.y}:exact=1`;
  const filters = [...planFilters(ffmpeg, file, reading), ...(isCut ? [window] : [])];
  const graphics = { changes, area, parts };
  const decoded = { input: fileArguments(file, reading), filters, ...graphics };
  if (!grounds) return { overlay: decoded, ground: null };
  const { width, height, frameRate, frameCount } = output;
  // Where the file lies differs from render to render.
  const input = fileArguments({ ...file, path: await hashOf(file.path) }, reading);
  const basis = [ffmpeg.path, input, filters, width, height, frameRate, frameCount];
  const ground = await grounds.find(JSON.stringify(basis), frameCount * width * height * 1.5);
  const overlay = ground?.isThere
    ? { input: groundInput(output, ground.filePath), filters: [], ...graphics }
    : { ...decoded, groundPath: ground?.filePath };
  return { overlay, ground };
}
