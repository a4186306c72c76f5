/** A document that is open in the drawing worker: compiled, and drawn moment by moment with the phases of a render. */
import type { PreviewFacts } from '../../shared/preview.ts';
import type { TextBlock, TextRoom } from '../../shared/engine/text/block.ts';
import type { CaretPlaces } from '../../shared/engine/text/caret-places.ts';
import {
  typedElement,
  typedPlaces,
  withResting,
  withTyped,
} from '../../shared/engine/layout/typed-text.ts';
import { compileTimeline } from '../../shared/engine/compile/compile.ts';
import {
  recompiled,
  valueChanges,
  type ValueChange,
} from '../../shared/engine/compile/recompile.ts';
import { parseLut, type Lut, type Luts } from '../../shared/engine/lut.ts';
import { scheduleDocument } from '../../shared/engine/compile/schedule.ts';
import {
  seenFiles,
  showsSound,
  type SoundSamples,
} from '../../shared/engine/compile/seen-sounds.ts';
import type { Timeline } from '../../shared/engine/compile/timeline.ts';
import { scaling, type Rect } from '../../shared/engine/geometry.ts';
import type { LiveKit } from '../../shared/engine/live-kit.ts';
import type { Frame } from '../../shared/engine/layout/box.ts';
import { createLayout, type Layout } from '../../shared/engine/layout/layout.ts';
import { videosOf, type Scale } from '../../shared/engine/layout/video-use.ts';
import { standingElements, type StandingMoment } from '../../shared/engine/layout/standing.ts';
import { outlinesOf } from '../../shared/engine/layout/outlines.ts';
import { changedPart } from '../../shared/engine/paint/changes.ts';
import { createMeasurer } from '../../shared/engine/paint/measure.ts';
import {
  createPainter,
  keepFor,
  type Kept,
  type Painter,
} from '../../shared/engine/paint/paint.ts';
import type { Fonts } from '../../shared/engine/paint/sources.ts';
import { withStandIns } from '../../shared/engine/stand-in.ts';
import { writtenTranscripts } from '../../shared/engine/written-words.ts';
import type { Canvas } from '../../shared/engine/surface.ts';
import type { Measurer } from '../../shared/engine/text/measurer.ts';
import type { MediaInfo } from '../../shared/engine/media-info.ts';
import { formats } from '../../shared/renderscript/formats.ts';
import { documentLimits } from '../../shared/renderscript/limits.ts';
import { applyModifications } from '../../shared/renderscript/modifications.ts';
import {
  isJsonObject,
  isMediaKind,
  type Json,
  type JsonObject,
  type Source,
} from '../../shared/renderscript/source.ts';
import { validate } from '../../shared/renderscript/validate.ts';
import { mediaAddress } from '../../shared/renderscript/voices.ts';
import type { SentKit } from '../../shared/preview.ts';
import { LiveEmojiPictures, LiveFonts } from './live-fonts.ts';
import { LiveFiles } from './live-files.ts';
import { LiveKept } from './live-kept.ts';
import { LivePictures, UnreadablePicture } from './live-pictures.ts';
import { LiveVideos, UnreadableVideo } from './live-videos.ts';
import type { LiveClock, LiveDocument, RefusalReason } from './messages.ts';
import { pageSurface } from './page-surface.ts';
import { SourceReader } from './source-reader.ts';

/** A document that can't be drawn here. */
export class Refusal extends Error {
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** A kit with its fonts loaded. */
interface Tools {
  readonly kit: LiveKit;
  readonly fonts: Fonts;
  readonly measurer: Measurer;
  readonly samples: ReadonlyMap<string, SoundSamples>;
  readonly luts: ReadonlyMap<string, Lut>;
}

interface Opened {
  readonly number: number;
  /** The document as it was given. */
  readonly given: Source;
  /** The same with its modifications and with stand-ins: what was compiled. Out of date where it has neither. */
  readonly source: Source;
  /** Modifications and display options as one text. */
  readonly key: string;
  /** Path of the text that is typed; '' for none. */
  readonly typed: string;
  readonly tools: Tools;
  readonly clock: LiveClock;
  readonly timeline: Timeline;
  readonly layout: Layout;
  readonly painter: Painter;
}

/** A moment that was drawn. */
export interface DrawnMoment {
  readonly document: number;
  /** Seconds: that of the nearest frame. */
  readonly time: number;
  /** Contains `part` of the picture; outside of it, it is empty. */
  readonly canvas: Canvas;
  /** What differs from the moment drawn before; null for nothing. */
  readonly part: Rect | null;
  readonly outlines: PreviewFacts['outlines'] | null;
  readonly places: CaretPlaces | null;
}

/** A text as it was laid out last. */
interface SetText {
  readonly path: string;
  readonly block: TextBlock;
  readonly room: TextRoom;
}

/** One document at a time. */
export class LiveStage {
  readonly #fonts: LiveFonts;
  readonly #luts: LiveKept<Lut>;
  readonly #samples: LiveKept<SoundSamples>;
  readonly #emoji: LiveEmojiPictures;
  readonly #pictures: LivePictures;
  readonly #videos: LiveVideos;
  readonly #reader = new SourceReader();
  #tools: Tools | null = null;
  #opened: Opened | null = null;
  /**
   * What was painted on last, for the next document of the same size: a new one waits for the browser's other process.
   */
  #canvas: { readonly canvas: Canvas; readonly transparent: boolean } | null = null;
  /**
   * Goes from one document to the next, each of which is a step of a gesture most of the time: photos stay in their
   * drawn sizes.
   */
  #kept: Kept | null = null;
  /** The moment drawn last on this canvas, which the page shows; null where the next one must be painted whole. */
  #shown: Frame | null = null;
  /** The text that is typed, as it was laid out last. */
  #set: SetText | null = null;
  /** What was painted below everything last, and all that it depends on. */
  #ground: { readonly key: string; readonly fill: Frame['fill'] } = { key: '', fill: null };

  /**
   * @param headers Sent with every request for a file.
   * @param onCopied Told when what could not be drawn can be: a small copy of a video has come.
   */
  constructor(headers: Readonly<Record<string, string>>, onCopied: () => void) {
    const files = new LiveFiles(headers);
    this.#fonts = new LiveFonts(files);
    this.#luts = new LiveKept(async (id) => parseLut(await (await files.fetch(id)).text(), id));
    this.#samples = new LiveKept(
      async (id) => new Uint8Array(await (await files.fetch(id)).arrayBuffer()),
    );
    this.#emoji = new LiveEmojiPictures(files);
    this.#pictures = new LivePictures(files);
    this.#videos = new LiveVideos(files, () => {
      this.paintWhole();
      onCopied();
    });
  }

  /** Paints all of the next moment: what is shown of the last one is gone, or was drawn with other files. */
  paintWhole(): void {
    this.#shown = null;
  }

  /** Sets what the next documents are drawn with. */
  async equip({ text, files }: SentKit): Promise<void> {
    // Written by the server of this very program.
    const kit = JSON.parse(text) as LiveKit;
    this.#tools = null;
    this.paintWhole();
    const [written, samples, luts] = await Promise.all([
      this.#fonts.use(kit, files),
      this.#samples.use(kit.samples, files),
      this.#luts.use(kit.luts, files),
      this.#emoji.use(kit.emoji, files),
    ]);
    const fonts: Fonts = { ...written, emoji: (text, side) => this.#emoji.picture(text, side) };
    this.#pictures.use(kit.media, files);
    this.#videos.use(kit.media, files);
    this.#tools = { kit, fonts, samples, luts, measurer: createMeasurer(fonts) };
  }

  /**
   * Opens a document in place of the previous one, which stays when this one is refused.
   *
   * @throws Refusal
   */
  open({ number, source: from, modifications, hidden, typed, side }: LiveDocument): LiveClock {
    const given = typeof from === 'string' ? parsedSource(from, this.#reader) : from;
    const tools = this.#tools;
    if (!tools) throw new Refusal('unknown-file', 'nothing to draw with has come yet');
    const { kit } = tools;
    const key = JSON.stringify([modifications, hidden, typed, side]);
    const last = this.#opened?.key === key && this.#opened.tools === tools ? this.#opened : null;
    const edits = last && valueChanges(last.given, given);
    // What was typed comes again once it has been checked.
    if (last && edits?.length === 0) {
      // The next text shares its elements with the last one.
      this.#opened = { ...last, number, given: typeof from === 'string' ? given : last.given };
      return last.clock;
    }
    const changed = edits && documentOf(given, edits);
    if (typeof from === 'string') check(changed ?? given);
    const isPlain = Object.keys(modifications).length + hidden.length + kit.missing.length === 0;
    if (last && edits && changed && isPlain) {
      // What becomes of an element depends on no other one.
      const filled = filledSource(changed, modifications);
      const changes = filledChanges(edits, filled);
      return this.#follow(last, { number, given }, typedChanges(changes, edits, typed));
    }
    const filled = filledSource(given, modifications);
    const missing = new Set(kit.missing);
    const source = withTyped(withStandIns(filled, { missing, hidden }), given, typed);
    const changes = last && edits && valueChanges(last.source, source);
    if (last && changes) return this.#follow(last, { number, given, source }, changes);
    return this.#compile({ number, given, source, key, typed, tools }, filled, side);
  }

  /**
   * Where the elements of another document with the same files stand; null before anything is known of these.
   *
   * @throws Refusal and what compiling throws
   */
  standing(given: Source): readonly StandingMoment[] | null {
    if (!this.#tools) return null;
    const { measurer } = this.#tools;
    const filled = filledSource(given, {});
    const source = withStandIns(filled, { missing: new Set(this.#tools.kit.missing), hidden: [] });
    const { timeline, media } = compiledWith(this.#tools, source, filled, documentLimits.side);
    return standingElements(timeline, { measurer, media });
  }

  /**
   * Reads the text of the document that is open, so that what changes in it is found at once from the first change on.
   */
  expectChanges(text: string): void {
    const opened = this.#opened;
    if (!opened) return;
    try {
      const given = parsedSource(text, this.#reader);
      if (valueChanges(opened.given, given)?.length === 0) this.#opened = { ...opened, given };
    } catch (error) {
      // It is another one, and not whole: the next document says so.
      if (!(error instanceof Refusal)) throw error;
    }
  }

  /**
   * Compiles a document whole, and opens it in place of the last one.
   *
   * @param filled It with its modifications, without stand-ins.
   * @param side Longest side, pixels.
   * @throws Refusal for a file that nothing is known of yet
   */
  #compile(
    document: Pick<Opened, 'number' | 'given' | 'source' | 'key' | 'typed' | 'tools'>,
    filled: Source,
    side: number,
  ): LiveClock {
    const { fonts, measurer } = document.tools;
    const { timeline, media } = compiledWith(document.tools, document.source, filled, side);
    this.paintWhole();
    const { output } = timeline;
    const transparent = formats[output.format].keepsAlpha;
    this.#opened?.painter.close();
    const clock = clockOf(timeline);
    const luts: Luts = (address) => document.tools.luts.get(address) ?? null;
    const sources = { fonts, luts, pictures: this.#pictures, videos: this.#videos };
    this.#kept ??= keepFor(sources);
    this.#opened = {
      ...document,
      clock,
      timeline,
      layout: createLayout(withResting(timeline, document.typed), {
        measurer,
        media,
        onText: (path, block, room) => {
          if (path === document.typed) this.#set = { path, block, room };
        },
      }),
      painter: createPainter({
        canvas: this.#canvasFor(output.width, output.height, transparent),
        documentWidth: timeline.width,
        documentHeight: timeline.height,
        transparent,
        sources,
        kept: this.#kept,
      }),
    };
    return clock;
  }

  /** What is open, with other values. */
  #follow(
    last: Opened,
    now: Pick<Opened, 'number' | 'given'> & Partial<Pick<Opened, 'source'>>,
    changes: readonly ValueChange[],
  ): LiveClock {
    const timeline = recompiled(last.timeline, changes);
    last.layout.follow(withResting(timeline, last.typed));
    this.#opened = { ...last, ...now, timeline };
    return last.clock;
  }

  #canvasFor(width: number, height: number, transparent: boolean): Canvas {
    const known = this.#canvas;
    const fits = known?.canvas.width === width && known.canvas.height === height;
    if (known && fits && known.transparent === transparent) return known.canvas;
    const canvas = pageSurface.createCanvas(width, height);
    this.#canvas = { canvas, transparent };
    return canvas;
  }

  /**
   * Draws a moment of the document that is open; null when none is.
   *
   * @throws Refusal and what painting throws.
   */
  async draw(time: number, withOutlines: boolean): Promise<DrawnMoment | null> {
    const opened = this.#opened;
    if (!opened) return null;
    const { number, given, timeline, typed, layout, painter } = opened;
    this.#set = null;
    const { frameRate, frameCount } = timeline.output;
    const frame = Math.max(0, Math.min(frameCount - 1, Math.round(time * frameRate)));
    const moment = frame / frameRate;
    const drawn = layout.frameAt(moment);
    const set = this.#textSet();
    const { width, height } = timeline.output;
    const scale: Scale = { x: width / timeline.width, y: height / timeline.height };
    try {
      await this.#pictures.prepare(drawn);
      await this.#videos.prepare(videosOf(drawn, scale));
    } catch (error) {
      if (error instanceof UnreadablePicture || error instanceof UnreadableVideo)
        throw new Refusal('unreadable-file', error.message);
      throw error;
    }
    const shown = this.#onKnownGround(drawn, timeline);
    const all: Rect = { x: 0, y: 0, width, height };
    const part = this.#shown
      ? (changedPart(this.#shown, shown, scaling(scale.x, scale.y), all)?.painted ?? null)
      : all;
    this.#shown = null;
    try {
      if (part) await painter.paint(shown, part === all ? undefined : part);
    } catch (error) {
      // Some are still lent.
      this.#kept?.layers.abandon();
      throw error;
    }
    this.#shown = shown;
    return {
      document: number,
      time: moment,
      canvas: painter.canvas,
      part,
      outlines: withOutlines ? outlinesOf(drawn) : null,
      places: set && typedPlaces(given, typed, set.block, set.room),
    };
  }

  /** The typed text in the frame that was laid out just now. */
  #textSet(): SetText | null {
    return this.#set;
  }

  /** What is drawn once for a ground is found by the object: an equal one of another document becomes the same. */
  #onKnownGround(drawn: Frame, { width, height }: Timeline): Frame {
    const key = JSON.stringify([width, height, drawn.fill]);
    if (this.#ground.key !== key) this.#ground = { key, fill: drawn.fill };
    return { ...drawn, fill: this.#ground.fill };
  }
}

/**
 * A document compiled with what is known of its files.
 *
 * @param filled It with its modifications, without stand-ins.
 * @param side Longest side, pixels.
 * @throws Refusal for a file that nothing is known of yet
 */
function compiledWith(
  { kit, samples }: Pick<Tools, 'kit' | 'samples'>,
  source: Source,
  filled: Source,
  side: number,
): { readonly timeline: Timeline; readonly media: ReadonlyMap<string, MediaInfo> } {
  const media = new Map(kit.media.map((one) => [one.source, one.info]));
  const missing = new Set(kit.missing);
  const known = new Set([...media.keys(), ...kit.luts.map(({ source: name }) => name), ...missing]);
  const unknown = sourcesOf(filled).find((name) => !known.has(name));
  if (unknown !== undefined) throw new Refusal('unknown-file', unknown);
  if (showsSound(source)) {
    const seen = [...seenFiles(scheduleDocument(source, media))];
    const undecoded = seen.find((name) => !samples.has(name));
    if (undecoded !== undefined) throw new Refusal('unknown-file', undecoded);
  }
  const timeline = compileTimeline(source, {
    media,
    scaling: { maxWidth: side, maxHeight: side },
    // Written words as they are now: those of the kit are of the last picture.
    samples,
    transcripts: new Map([...kit.transcripts, ...writtenTranscripts(filled)]),
  });
  return { timeline, media };
}

const clockOf = ({ output, width, duration }: Timeline): LiveClock => ({
  width: output.width,
  height: output.height,
  scale: output.width / width,
  frameRate: output.frameRate,
  frameCount: output.frameCount,
  duration,
});

/** @throws Refusal for what is no document, as most half-typed texts are. */
function parsedSource(text: string, reader: SourceReader): Source {
  let value: Json;
  try {
    value = reader.read(text);
  } catch {
    throw new Refusal('unfinished', 'the text is no JSON');
  }
  if (!isJsonObject(value)) throw new Refusal('unfinished', 'the text is no document');
  const source = value;
  if (!Array.isArray(source.elements) || source.elements.length === 0)
    throw new Refusal('unfinished', 'there is nothing to draw');
  return source;
}

/** @throws Refusal for a document with errors */
function check(source: Source): void {
  const fault = validate(source).find(({ severity }) => severity === 'error');
  if (fault) throw new Refusal('unfinished', fault.message);
}

/** A small document with what has changed, for checking it: the rest has been checked. */
function documentOf(source: Source, changes: readonly ValueChange[]): Source {
  const elements = changes.filter(({ path }) => path !== '').map(({ json }) => json);
  return { ...source, elements };
}

/** @throws Refusal for modifications that ask for too much */
function filledSource(source: Source, modifications: JsonObject): Source {
  const { source: filled, excess } = applyModifications(source, modifications);
  if (excess) throw new Refusal('failed', 'its modifications ask for too much');
  return filled;
}

/** Changes as they are in the small document of them (`documentOf`) once its placeholders are filled. */
function filledChanges(changes: readonly ValueChange[], filled: Source): readonly ValueChange[] {
  const elements = Array.isArray(filled.elements) ? (filled.elements as readonly Json[]) : [];
  const rest = elements[Symbol.iterator]();
  return changes.map((change) => {
    const json = change.path === '' ? { ...filled, elements: [] } : rest.next().value;
    return isJsonObject(json) ? { ...change, json } : change;
  });
}

/** Changes of which that of a typed text has the text as it is written. */
function typedChanges(
  changes: readonly ValueChange[],
  given: readonly ValueChange[],
  typed: string,
): readonly ValueChange[] {
  const written = given.find(({ path }) => path === typed && path !== '');
  if (!written) return changes;
  return changes.map((change) =>
    change.path === typed ? { ...change, json: typedElement(change.json, written.json) } : change,
  );
}

/** Addresses of all files and fonts that a document names. */
function sourcesOf(source: Source): string[] {
  const found: string[] = [];
  const listOf = (value: Json | undefined): readonly Json[] =>
    Array.isArray(value) ? (value as readonly Json[]) : [];
  const lists = [listOf(source.elements)];
  for (let list = lists.pop(); list; list = lists.pop()) {
    for (const element of list.filter(isJsonObject)) {
      const address = isMediaKind(element.type) ? mediaAddress(element) : null;
      if (address !== null) found.push(address);
      const { look_lut: lut } = element;
      if (typeof lut === 'string' && lut.trim() !== '') found.push(lut);
      lists.push(listOf(element.elements));
    }
  }
  return found;
}
