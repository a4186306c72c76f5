/**
 * Pictures for the editor: any moment of a document, drawn by the same phases as a render, so that both are identical
 * pixel by pixel. Runs in the preview's worker process.
 *
 * The opened document stays open: another moment of it costs one frame. Media stay on the disk between documents, so
 * that typing a word fetches nothing. A file that can't be loaded is only a warning here: a hatched box with the
 * element's name replaces it.
 */
import type { CompiledElement, PreviewFacts } from '../../shared/preview.ts';
import { formatOf, formats, isStill } from '../../shared/renderscript/formats.ts';
import type { Problem } from '../../shared/renderscript/source.ts';
import type { TimelineElement, Timeline } from '../../shared/engine/compile/timeline.ts';
import { stillBytes } from './encode/still.ts';
import { MediaShelf, type Found } from './assets/shelf.ts';
import { liveKit, type KitWithFiles } from './live-kit.ts';
import { lastTranscribed } from './assets/speech/transcribe.ts';
import { followsSpeech } from './assets/speech/transcripts.ts';
import { withStandIns } from '../../shared/engine/stand-in.ts';
import { lastSpoken } from '../system/voice-folder.ts';
import { findFfmpeg } from './ffmpeg.ts';
import { letGo } from './garbage.ts';
import { outlinesOf } from '../../shared/engine/layout/outlines.ts';
import { overflowsOf } from '../../shared/engine/layout/overflows.ts';
import type { RenderJob } from './render-job.ts';
import { assetOptions } from './materials.ts';
import { openStage, type Stage } from './stage.ts';

/** One picture. `workFolder` keeps the media. */
export interface PreviewJob extends Omit<
  RenderJob,
  'scaling' | 'moment' | 'outputPath' | 'snapshotPath'
> {
  readonly hidden: readonly string[];
  /** Seconds. */
  readonly time: number;
  /** Longest side, pixels. */
  readonly side: number;
  /** True to also get what a page needs to draw the document itself. */
  readonly kit: boolean;
}

/** What was drawn. */
export interface DrawnPreview {
  readonly facts: PreviewFacts;
  /** A jpg, or a png if it is partly transparent: a png takes many times as long. */
  readonly picture: Buffer;
  /** Null if not wanted. */
  readonly kit: KitWithFiles | null;
}

interface Opened {
  /** Project, document, size, hidden elements, recogniser and its latest transcript, added fonts, voices. */
  readonly key: string;
  /** Milliseconds since 1970. */
  readonly openedAt: number;
  readonly stage: Stage;
  readonly found: Found;
}

/** An open document for previews. One picture at a time. */
export class PreviewStage {
  readonly #shelf = new MediaShelf();
  #opened: Opened | null = null;
  /** Ends loading and decoding of the opened document. */
  #life = new AbortController();

  /**
   * Draws one moment.
   *
   * @throws RenderError for everything the user can act on, and `cancelled`; other errors are bugs.
   */
  async draw(job: PreviewJob, signal: AbortSignal): Promise<DrawnPreview> {
    // Captions that wait for a transcript show it as soon as a render has made one.
    const heard = followsSpeech(job.source) ? await lastTranscribed(job.cacheFolder) : 0;
    // So does a voice that was silent, once it was heard.
    const isMute = this.#opened?.found.problems.some(({ code }) => code === 'voice_missing');
    const spoken = isMute === true ? await lastSpoken(job.cacheFolder) : 0;
    if (spoken > (this.#opened?.openedAt ?? 0)) await this.close();
    const { source, side, hidden, transcriber, addedFonts, hiddenMedia, voices } = job;
    const project = hiddenMedia?.project;
    const asPicture = isStill(formatOf(source)) && job.time === 0;
    const shown = [
      project,
      source,
      side,
      hidden,
      transcriber,
      heard,
      addedFonts,
      voices?.lines,
      asPicture,
    ];
    const key = JSON.stringify(shown);
    if (this.#opened?.key !== key) await this.#open(job, { key, asPicture }, signal);
    if (!this.#opened) throw new Error('unreachable: the document was opened');
    const { stage, found } = this.#opened;
    const { timeline } = stage;
    const { output } = timeline;
    const last = output.frameCount - 1;
    const frame = Math.max(0, Math.min(last, Math.round(job.time * output.frameRate)));
    // A format of pictures has no frames; its moments are the film's that it could be.
    const time = isStill(output.format)
      ? Math.min(job.time, timeline.duration)
      : frame / output.frameRate;
    const drawn = stage.layout.frameAt(time);
    let picture: Buffer;
    try {
      signal.throwIfAborted();
      await stage.draw(drawn);
      picture = await stillBytes(stage.painter.canvas, showsThrough(stage) ? 'png' : 'jpg');
    } catch (error) {
      // The open document may be the cause; the next question reopens it.
      await this.close();
      throw error;
    }
    const elements = compiledElements(timeline);
    const facts = {
      width: output.width,
      height: output.height,
      documentWidth: timeline.width,
      documentHeight: timeline.height,
      scale: output.width / timeline.width,
      time,
      frame,
      frameCount: output.frameCount,
      frameRate: output.frameRate,
      duration: timeline.duration,
      elements,
      lengths: lengthsOf(stage.media),
      outlines: outlinesOf(drawn),
      overflows: overflowsOf(
        drawn,
        (path) => elements.find((element) => element.path === path)?.name ?? '',
      ),
      warnings: [...found.problems, ...drawingWarnings(stage)],
    };
    const kit = job.kit ? await liveKit(source, stage, found, job.workFolder) : null;
    return { facts, picture, kit };
  }

  /** Closes the document; the media stay. */
  async close(): Promise<void> {
    const opened = this.#opened;
    this.#opened = null;
    this.#life.abort();
    await opened?.stage.close();
  }

  async #open(
    job: PreviewJob,
    { key, asPicture }: { key: string; asPicture: boolean },
    signal: AbortSignal,
  ): Promise<void> {
    await this.close();
    const life = new AbortController();
    this.#life = life;
    const openedAt = Date.now();
    const stop = (): void => life.abort(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    try {
      // Ends in png if the format keeps transparency, so that the canvas is like the render's.
      const { keepsAlpha } = formats[formatOf(job.source)];
      const outputPath = keepsAlpha ? 'preview.png' : 'preview.jpg';
      const common = { ...job, outputPath, snapshotPath: '', moment: job.time, asPicture };
      const scaling = { maxWidth: job.side, maxHeight: job.side };
      const context = { signal: life.signal, onProgress: () => undefined };
      const found = await this.#shelf.load(job.source, assetOptions(job, context), () =>
        findFfmpeg(job.ffmpegPath),
      );
      const source = withStandIns(job.source, { missing: found.missing, hidden: job.hidden });
      const stage = await openStage({ ...common, source, scaling }, context, () =>
        Promise.resolve(found.assets),
      );
      this.#opened = { key, openedAt, stage, found };
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }
}

/** True if the picture is not fully opaque. */
function showsThrough({ painter, timeline: { output } }: Stage): boolean {
  if (!formats[output.format].keepsAlpha) return false;
  const pixels = painter.read({ x: 0, y: 0, width: output.width, height: output.height });
  let shows = false;
  for (let at = 3; at < pixels.length && !shows; at += 4) shows = pixels[at] !== 255;
  letGo(pixels);
  return shows;
}

/** Warnings from drawing, without those of the checker. */
function drawingWarnings(stage: Stage): readonly Problem[] {
  const known = new Set(stage.problems.map(({ path, code }) => `${path} ${code}`));
  return stage.warnings().filter(({ path, code }) => !known.has(`${path} ${code}`));
}

/** Seconds of the files that play. */
function lengthsOf(media: Stage['media']): Record<string, number> {
  const playing = [...media].filter(([, { duration }]) => duration > 0);
  return Object.fromEntries(playing.map(([source, { duration }]) => [source, duration]));
}

/** Every element with its time on the document's clock: visible ones level by level, then sounds. */
function compiledElements({ root, sounds }: Timeline): CompiledElement[] {
  const found: CompiledElement[] = [];
  const add = (elements: readonly TimelineElement[], from: number): void => {
    for (const element of elements) {
      const { path, name, type, track, duration } = element;
      const start = from + element.start;
      found.push({ path, name, type, track, start, duration });
      if (element.type === 'composition') add(element.children, start);
    }
  };
  add(root.children, 0);
  const drawn = new Set(found.map(({ path }) => path));
  for (const { path, name, start, duration } of sounds) {
    if (!drawn.has(path)) found.push({ path, name, type: 'audio', track: 0, start, duration });
  }
  return found;
}
