/**
 * Frames in, finished file out: a film goes through colour conversion into one ffmpeg, a gif through two, pictures in a
 * zip come out of it one by one. Runs in the worker.
 *
 * The encoder sets the pace: `write` returns once at most a few frames are on their way, so that the next frame is
 * painted while they are consumed. The file gets its name when it is complete and checked.
 */
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { OutputSettings } from '../../../shared/engine/compile/timeline.ts';
import { RenderError } from '../../../shared/engine/errors.ts';
import {
  isFilm,
  isSound,
  isStill,
  type FilmFormat,
  type OutputFormat,
  type SoundFormat,
  type StillFormat,
} from '../../../shared/renderscript/formats.ts';
import { hardwareLimits } from '../../../shared/limits.ts';
import { decoderLimits, encoderLimits, type ProcessLimits } from '../cage.ts';
import { computedBy } from '../../system/programs.ts';
import { startFfmpeg, stoppedError, type Ffmpeg, type FfmpegProcess } from '../ffmpeg.ts';
import { can } from '../ffmpeg-builds.ts';
import { timed } from '../stopwatch.ts';
import {
  filmArguments,
  gifCollectArguments,
  gifWriteArguments,
  overlayArguments,
  pngsArguments,
  type Overlay,
  webpArguments,
} from './arguments.ts';
import { checkResult, type FileFacts } from './check.ts';
import { filmCoding, type FilmCoding, type FrameForm } from './film-formats.ts';
import { hardwareCoding, type Hardware } from './hardware.ts';
import { clearBetweenFrames, endAt } from './gif-frames.ts';
import { separatePngs, writePictureZip } from './picture-zip.ts';
import { Converter, type PixelArea } from './pixels.ts';
import { discard, partPath, placeError, publish } from './publish.ts';
import { settleSound, type Mix } from './sound-check.ts';
import { tagged, textOf, type FileTags } from './tags.ts';
import { endAt as endWebpAt } from './webp-frames.ts';
import { straightenAlpha } from '../routines.ts';

/** What an encoder needs. */
export interface EncoderOptions {
  readonly ffmpeg: Ffmpeg;
  readonly output: OutputSettings;
  /** The result of mixSounds(); not used for gif. */
  readonly sound: Mix | null;
  /** The finished file; `<filePath>.part` is written first. */
  readonly filePath: string;
  readonly signal: AbortSignal;
  /** Written into the file; absent = none. */
  readonly tags?: FileTags | null;
  /** What codes an mp4 of one of its codecs. Default: software. */
  readonly hardware?: Hardware | undefined;
  /** It is a piece of a film; see [Note: Pieces] in film-formats.ts. */
  readonly isPiece?: boolean;
  /** Of the frames of several pieces. Default: one of its own. */
  readonly converter?: Converter;
  /** For a gif's files between its two passes. */
  readonly workFolder: string;
}

/** What an encoder of a video with graphics over it needs. */
export interface OverlayEncoderOptions extends EncoderOptions {
  readonly overlay: Overlay;
  /** Called with the number of frames done so far. */
  readonly onFrames: (frames: number) => void;
}

/** Takes the graphics of a film, a picture for each change; rejects as `FrameSink`. */
export interface GraphicsSink extends Pick<FrameSink, 'finish' | 'close'> {
  /** @param pixels The whole canvas, RGBA multiplied by its alpha; may be reused once the promise settles. */
  write(pixels: Uint8Array): Promise<void>;
}

/**
 * Takes the frames of one file in order.
 *
 * All rejections are RenderErrors: `encoder_failed`, `encoder_killed`, `output_unwritable`, `cancelled`.
 */
export interface FrameSink extends AsyncDisposable {
  /**
   * The next frame.
   *
   * @param pixels RGBA of the canvas, or only of `changed`; may be reused once the promise settles.
   * @param changed All differences from the last frame, on even borders; absent = everything. Films only.
   */
  write(pixels: Uint8Array, changed?: PixelArea): Promise<void>;
  /** The next frame of a film: a video with graphics over it. */
  writeOver(over: FrameOver): Promise<void>;
  /**
   * The next frame of a film, converted already.
   *
   * @param planes Y, U and V; must stay as they are until `framesInFlight` more frames were taken.
   */
  pass(planes: Uint8Array): Promise<void>;
  /** The last frame once more, without converting it again. */
  repeat(): Promise<void>;
  /** Waits until the process has taken all frames so far. */
  drain(): Promise<void>;
  /** The last frame of a film: planes Y, U and V, valid until the next; null before the first. */
  lastPlanes(): Uint8Array | null;
  /** What it has cost so far. */
  times(): EncoderTimes;
  /** Call after the last frame: waits for the encoder, checks the file and gives it its name. */
  finish(): Promise<FileFacts>;
  /** Ends everything that still runs and removes an unfinished file. Safe after finish, and to call twice. */
  close(): Promise<void>;
}

/** What an encoder costs, in milliseconds. */
export interface EncoderTimes {
  /** For which frames waited for it. */
  readonly waited: number;
  /** That its process computed; null where the system does not say. */
  readonly computed: number | null;
}

/** A frame that stands on a video; see `Converter.compose`. */
export interface FrameOver {
  readonly planes: Uint8Array;
  /** Where graphics are. */
  readonly bands: readonly PixelArea[];
  /** New graphics; absent = those of the last such frame. */
  readonly graphics?: {
    /** The whole canvas, RGBA multiplied by its alpha. */
    readonly pixels: Uint8Array;
    /** As in `write`. */
    readonly changed?: PixelArea;
  };
}

/** Most frames on their way to the encoder. Two would be enough to overlap; a third evens out slow frames. */
export const framesInFlight = 3;

/** Starts the encoder of a moving picture. It runs when the promise resolves. */
export async function openEncoder(options: EncoderOptions): Promise<FrameSink> {
  const { format } = options.output;
  if (isStill(format) || isSound(format)) throw new Error(`openEncoder: ${format} has no frames`);
  await discard(options.filePath);
  const plan = isFilm(format)
    ? filmPlan(options, codingOf(options, format))
    : silentPlans[format](options);
  return new FrameEncoder(options, plan);
}

function codingOf({ output, hardware }: EncoderOptions, format: FilmFormat): FilmCoding {
  const software = filmCoding({ format, videoCodec: output.videoCodec });
  return hardware ? hardwareCoding(software, hardware) : software;
}

/** How what has frames and no sound is made. */
const silentPlans: Readonly<
  Record<
    Exclude<OutputFormat, StillFormat | FilmFormat | SoundFormat>,
    (options: EncoderOptions) => Plan
  >
> = { gif: gifPlan, 'webp-animated': webpPlan, 'png-sequence': sequencePlan };

/** Starts the process that makes a film from a video and graphics. It runs when the promise resolves. */
export async function openOverlayEncoder(options: OverlayEncoderOptions): Promise<GraphicsSink> {
  await discard(options.filePath);
  return new FrameEncoder(options, overlayPlan(options));
}

/** What differs between the formats. */
interface Plan {
  /** Arguments of the process that takes the frames. */
  readonly args: readonly string[];
  /** How many pictures it takes. */
  readonly pictures: number;
  readonly limits: ProcessLimits;
  /** Takes what the process writes to stdout, to its end; absent: nothing. */
  readonly read?: (stdout: Readable) => Promise<void>;
  /** Work on the file after that process, if any; `run` runs another one. */
  readonly afterwards?: (run: (args: readonly string[]) => Promise<void>) => Promise<void>;
  /** Files to remove at the end. */
  readonly leftovers: readonly string[];
  readonly sound: boolean;
  /** A frame in the process's format; valid for as many more calls as there are frames in flight. */
  readonly convert: (pixels: Uint8Array, changed?: PixelArea) => Uint8Array;
  /** The same for a frame that stands on a video; absent if the format does not support it. */
  readonly compose?: (over: FrameOver) => Uint8Array;
}

function filmPlan(options: EncoderOptions, coding: FilmCoding): Plan {
  const {
    ffmpeg,
    output,
    sound,
    filePath,
    tags,
    isPiece,
    converter = openConverter(output),
  } = options;
  const part = partPath(filePath);
  const files = { soundPath: sound?.path ?? null, filePath: part, tags, isPiece };
  return {
    args: filmArguments(ffmpeg, output, coding, files),
    pictures: output.frameCount,
    limits: encoderLimits,
    ...(sound && { afterwards: (run) => settleSound(part, sound, { ...options, coding, run }) }),
    leftovers: [],
    sound: sound !== null,
    convert: converting(coding.frames(output), converter, output),
    compose({ planes, bands, graphics }) {
      if (graphics) converter.setGraphics(graphics.pixels, graphics.changed);
      return converter.compose(planes, bands);
    },
  };
}

/** Makes frames of a film's size into its encoder's format. */
export function openConverter({ width, height, hasSlowGradients }: OutputSettings): Converter {
  return new Converter(width, height, framesInFlight, hasSlowGradients);
}

/** How the pixels of a canvas become what the process takes. */
function converting(
  form: FrameForm,
  converter: Converter,
  output: OutputSettings,
): Plan['convert'] {
  if (form === 'yuv420p') return (pixels, changed) => converter.convert(pixels, changed);
  if (form === 'rgba') return straightFrames(output, () => undefined);
  const { width, height } = output;
  return (pixels) => {
    converter.setGraphics(pixels);
    return converter.graphics({ left: 0, top: 0, width, height });
  };
}

/** Copies frames, their colours not multiplied by alpha. @param onTransparent Called for each that is not opaque. */
function straightFrames(
  { width, height }: Pick<OutputSettings, 'width' | 'height'>,
  onTransparent: () => void,
): Plan['convert'] {
  const frames = Array.from({ length: framesInFlight }, () => new Uint8Array(width * height * 4));
  let count = 0;
  return (pixels) => {
    const frame = frames[count++ % framesInFlight];
    if (frame?.length !== pixels.length) throw new Error(`a frame has ${pixels.length} bytes`);
    frame.set(pixels);
    if (straightenAlpha(frame)) onTransparent();
    return frame;
  };
}

/** For a process that reads a stranger's file and writes the film, of up to 4K: up to twice what is in it uncoded. */
function overlayLimits(output: EncoderOptions['output']): ProcessLimits {
  const { width, height, frameCount, frameRate } = output;
  const pictures = frameCount * width * height * 1.5;
  const sound = (frameCount / frameRate) * 48_000 * 2 * 4;
  return {
    ...decoderLimits,
    memory: 2 * decoderLimits.memory,
    writes: decoderLimits.writes + 2 * Math.ceil(pictures + sound),
  };
}

function overlayPlan(options: OverlayEncoderOptions): Plan {
  const { ffmpeg, output, sound, filePath, tags, isPiece, overlay, onFrames } = options;
  const { format } = output;
  if (!isFilm(format)) throw new Error(`a ${format} is made frame by frame`);
  const coding = codingOf(options, format);
  const part = partPath(filePath);
  const converter = new Converter(output.width, output.height, framesInFlight);
  const files = { soundPath: sound?.path ?? null, filePath: part, tags, isPiece };
  return {
    args: overlayArguments(ffmpeg, output, coding, overlay, files),
    pictures: overlay.changes.length,
    limits: overlayLimits(output),
    read: (stdout) => readProgress(stdout, onFrames),
    ...(sound && { afterwards: (run) => settleSound(part, sound, { ...options, coding, run }) }),
    leftovers: [],
    sound: sound !== null,
    convert(pixels) {
      const { area } = overlay;
      if (!area) throw new Error('a film without graphics was given some');
      converter.setGraphics(pixels, area);
      return converter.graphics(area);
    },
  };
}

function gifPlan({ ffmpeg, output, filePath, workFolder, tags }: EncoderOptions): Plan {
  const spool = path.join(workFolder, 'frames.nut');
  const palette = path.join(workFolder, 'palette.png');
  let transparent = false;
  return {
    args: gifCollectArguments(ffmpeg, output, spool, palette),
    pictures: output.frameCount,
    limits: encoderLimits,
    async afterwards(run) {
      const part = partPath(filePath);
      const mend = transparent && !can(ffmpeg, 'clear pixels of a gif');
      await run(gifWriteArguments(ffmpeg, output, spool, palette, part, mend));
      const gif = await readFile(part);
      endAt(gif, Math.round((output.frameCount / output.frameRate) * 100));
      if (mend) clearBetweenFrames(gif);
      await writeFile(part, tags ? tagged.gif(gif, tags) : gif);
    },
    leftovers: [spool, palette],
    sound: false,
    convert: straightFrames(output, () => {
      transparent = true;
    }),
  };
}

function webpPlan({ ffmpeg, output, filePath }: EncoderOptions): Plan {
  const part = partPath(filePath);
  return {
    args: webpArguments(ffmpeg, output, part),
    pictures: output.frameCount,
    limits: encoderLimits,
    async afterwards() {
      const webp = await readFile(part);
      endWebpAt(webp, Math.round((output.frameCount / output.frameRate) * 1_000));
      await writeFile(part, webp);
    },
    leftovers: [],
    sound: false,
    convert: straightFrames(output, () => undefined),
  };
}

function sequencePlan({ ffmpeg, output, filePath, tags }: EncoderOptions): Plan {
  const { frameCount, frameRate } = output;
  // A sequence doesn't say its rate; who opens it is asked for it.
  const comment = [`${frameRate} frames per second`, ...(tags ? [textOf(tags)] : [])].join('\n');
  return {
    args: pngsArguments(ffmpeg, output),
    pictures: frameCount,
    limits: encoderLimits,
    read: (stdout) =>
      writePictureZip(partPath(filePath), separatePngs(stdout), frameCount, comment),
    leftovers: [],
    sound: false,
    convert: straightFrames(output, () => undefined),
  };
}

/** Reads what ffmpeg's `-progress` says. */
async function readProgress(stdout: Readable, onFrames: (frames: number) => void): Promise<void> {
  for await (const text of stdout.setEncoding('utf8') as AsyncIterable<string>) {
    const frames = /^frame=\s*(\d+)/m.exec(text)?.[1];
    if (frames !== undefined) onFrames(Number(frames));
  }
}

class FrameEncoder implements FrameSink {
  readonly #options: EncoderOptions;
  readonly #plan: Plan;
  readonly #stdin: Writable;
  /** The process that runs now. */
  #process: FfmpegProcess;
  /** Frames handed to the pipe and not yet taken from it; at most framesInFlight. */
  #inFlight = 0;
  /** Wakes a writer that waits for room: a frame was taken, or the process ended. */
  #wake: () => void = () => undefined;
  /** Why the process ended; thrown at the next write. */
  #failure: unknown;
  /** Set once hardware hung, and was ended for it. */
  #hung: RenderError | undefined;
  /** Settles when all that the process wrote to stdout was taken, or why not is known. */
  readonly #read: Promise<void>;
  #last: Uint8Array | undefined;
  #written = 0;
  /** Milliseconds. */
  #waited = 0;
  #state: 'open' | 'finishing' | 'published' | 'closed' = 'open';

  constructor(options: EncoderOptions, plan: Plan) {
    this.#options = options;
    this.#plan = plan;
    const { ffmpeg, signal, workFolder } = options;
    this.#process = startFfmpeg(ffmpeg, plan.args, {
      signal,
      cwd: workFolder,
      stdin: true,
      stdout: plan.read !== undefined,
      limits: plan.limits,
    });
    const { stdout } = this.#process;
    this.#read = (stdout && plan.read?.(stdout)) ?? Promise.resolve();
    this.#read.catch((failure: unknown) => {
      this.#failure ??= failure;
      this.#process.kill();
      this.#wake();
    });
    if (!this.#process.stdin) throw new Error('the encoder was started without a pipe');
    this.#stdin = this.#process.stdin;
    const ended = (failure: unknown): void => {
      this.#failure ??= failure;
      this.#wake();
    };
    this.#process.finished.then((end) => ended(stoppedError(end)), ended);
  }

  async write(pixels: Uint8Array, changed?: PixelArea): Promise<void> {
    await this.#room();
    this.#last = timed('convert', () => this.#plan.convert(pixels, changed));
    this.#send(this.#last);
    await timed('pipe', () => nextTurn());
  }

  async writeOver(over: FrameOver): Promise<void> {
    const { compose } = this.#plan;
    if (!compose) throw new Error(`a ${this.#options.output.format} has no frames over videos`);
    await this.#room();
    this.#last = timed('convert', () => compose(over));
    this.#send(this.#last);
    await timed('pipe', () => nextTurn());
  }

  async pass(planes: Uint8Array): Promise<void> {
    await this.#room();
    this.#last = planes;
    this.#send(planes);
    await timed('pipe', () => nextTurn());
  }

  times(): EncoderTimes {
    const { pid } = this.#process;
    const computed = pid === undefined ? null : computedBy(pid);
    return { waited: this.#waited, computed: computed && computed.own * 1_000 };
  }

  lastPlanes(): Uint8Array | null {
    return this.#last ?? null;
  }

  async repeat(): Promise<void> {
    if (!this.#last) throw new Error('repeat: there is no frame yet');
    await this.#room();
    this.#send(this.#last);
    await timed('pipe', () => nextTurn());
  }

  drain(): Promise<void> {
    return this.#wait(1);
  }

  async finish(): Promise<FileFacts> {
    const { filePath, signal } = this.#options;
    const { pictures } = this.#plan;
    if (this.#written !== pictures) {
      throw new Error(`finish: expected ${pictures} frames, ${this.#written} were written`);
    }
    this.#state = 'finishing';
    const facts = await this.#complete().catch(async (error: unknown) => {
      throw await this.#reasonOf(error);
    });
    if (signal.aborted) throw new RenderError('cancelled', 'Render error: Cancelled');
    await publish(filePath);
    this.#state = 'published';
    await this.close();
    return facts;
  }

  /**
   * Completes and checks the file under its temporary name: an encoder may end well although its last bytes did not fit
   * on the disk.
   */
  async #complete(): Promise<FileFacts> {
    const { output, filePath, ffmpeg, signal, workFolder } = this.#options;
    this.#stdin.end();
    // First: why nothing more could be written is why the process was ended.
    await this.#read;
    await this.#processEnd();
    await this.#plan.afterwards?.(async (args) => {
      this.#process = startFfmpeg(ffmpeg, args, { signal, cwd: workFolder, limits: encoderLimits });
      await this.#processEnd();
    });
    const { format, width, height, frameRate, frameCount } = output;
    const { sound } = this.#plan;
    const expected = { format, width, height, frameRate, frameCount, sound };
    return checkResult(partPath(filePath), expected);
  }

  async close(): Promise<void> {
    if (this.#state === 'closed') return;
    const published = this.#state === 'published';
    this.#state = 'closed';
    this.#process.kill();
    await this.#process.finished.catch(() => undefined);
    await this.#read.catch(() => undefined);
    if (!published) await discard(this.#options.filePath);
    await Promise.all(this.#plan.leftovers.map((file) => rm(file, { force: true })));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Waits until another frame may be sent. */
  async #room(): Promise<void> {
    if (this.#state !== 'open')
      throw new Error(`a frame was written to an encoder that is ${this.#state}`);
    await this.#wait(framesInFlight);
  }

  /** Waits until fewer frames than this are on their way. */
  async #wait(frames: number): Promise<void> {
    while (this.#inFlight >= frames && this.#failure === undefined) {
      const since = performance.now();
      const room = (): Promise<void> => new Promise((resolve) => (this.#wake = resolve));
      await timed('wait for encoder', () => this.#patiently(room(), hardwareLimits.frameTime));
      this.#waited += performance.now() - since;
    }
    if (this.#failure !== undefined) throw await this.#reasonOf(this.#failure);
  }

  #send(frame: Uint8Array): void {
    this.#written++;
    this.#inFlight++;
    timed('pipe', () =>
      this.#stdin.write(frame, (error) => {
        // An error means that the process has ended, which is handled with its end.
        if (error) return;
        this.#inFlight--;
        this.#wake();
      }),
    );
  }

  async #processEnd(): Promise<void> {
    const end = await this.#patiently(this.#process.finished, hardwareLimits.endTime);
    if (this.#hung) throw this.#hung;
    if (end.code !== 0) throw stoppedError(end);
  }

  /** Waits for a process; one of hardware is ended where it hangs, so that software can take over. */
  async #patiently<Result>(work: Promise<Result>, time: number): Promise<Result> {
    // A process that reads videos itself is watched by who started it (overlay-film.ts).
    if (!this.#options.hardware || this.#plan.read) return work;
    const timer = setTimeout(() => {
      const message = `Render error: The encoder stopped: it did nothing for ${time / 1_000} s`;
      this.#hung = new RenderError('encoder_failed', message);
      this.#failure ??= this.#hung;
      this.#process.kill();
      this.#wake();
    }, time);
    try {
      return await work;
    } finally {
      clearTimeout(timer);
    }
  }

  /** If an encoder stopped because it could not write, or its output is gone, report the place as the reason. */
  async #reasonOf(failure: unknown): Promise<unknown> {
    const isOther =
      failure instanceof RenderError && !/^encoder_(?:failed|killed)$/.test(failure.code);
    if (isOther) return failure;
    return (await placeError(this.#options.filePath, failure)) ?? failure;
  }
}
