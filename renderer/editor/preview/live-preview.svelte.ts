/**
 * The preview drawn by the page itself, in a worker: in real time during playback, and at once during changes. The
 * server's pictures are authoritative: `PreviewState` shows them whenever nothing moves. Window only.
 */
import type { PreviewFacts, SentKit } from '../../../shared/preview.ts';
import type { StandingMoment } from '../../../shared/engine/layout/standing.ts';
import type { CaretPlaces } from '../../../shared/engine/text/caret-places.ts';
import type { LottieParts } from '../../../shared/engine/media-info.ts';
import type { LiveKit } from '../../../shared/engine/live-kit.ts';
import type { Transcript } from '../../../shared/engine/transcript.ts';
import type { Json, JsonObject, MediaKind, Source } from '../../../shared/renderscript/source.ts';
import { elementAt } from '../outline/elements.ts';
import { canDraw, LiveEngine } from '../../engine/live-engine.ts';
import type { LiveClock } from '../../engine/messages.ts';
import { tokenHeaders } from '../../frame/connection/api.ts';

/** A moment that the page's canvas shows. */
export interface LiveMoment {
  /** Number of the document that it is of. */
  readonly document: number;
  /** Seconds. */
  readonly time: number;
  readonly frame: number;
  readonly outlines: PreviewFacts['outlines'] | null;
  readonly clock: LiveClock;
}

/**
 * Longest side of the drawing, pixels: as on the screen, so that showing it scales nothing; within these bounds, even.
 */
const sides = { least: 192, most: 1920, step: 2 };
/** Quiet before drawing at another size, in ms. */
const resizePause = 250;

/** Characters of the longest text that is drawn with every key. */
const mostTyped = 400_000;

export interface KitFile {
  readonly id: string;
  readonly kind: MediaKind;
  /** Of a Lottie animation. */
  readonly parts?: LottieParts | undefined;
}

/** The transcript of a text, and the `transcript_source` that it is of. */
export interface HeardText {
  readonly given: Json | undefined;
  readonly transcript: Transcript;
}

interface LiveSource {
  readonly number: number;
  readonly source: Source | string;
  readonly modifications: JsonObject;
  readonly hidden: readonly string[];
  /** Path of the text that is typed in the picture; '' for none. */
  readonly typed: string;
}

/** The page's own drawing of one document at a time. It is there from the first kit on, while a canvas is. */
export class LivePreview {
  /** The newest document can be drawn here. */
  isReady = $state(false);
  /** Why the page has stopped drawing; null while it has not. */
  ended = $state<'slow' | 'broken' | null>(null);
  /** The files of the newest kit by their sources: the ID of each, and what it is. */
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- replaced as a whole
  files = $state.raw<ReadonlyMap<string, KitFile>>(new Map());
  /** What is spoken in texts that follow files, by the path of the text. */
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- replaced as a whole
  transcripts = $state.raw<ReadonlyMap<string, HeardText>>(new Map());
  /** Where the caret can stand in the text that is typed, as last drawn; null where nobody can say. */
  places = $state.raw<CaretPlaces | null>(null);
  /** True if the server's picture of the last drawn moment differs. */
  differs = $state(false);

  readonly #onDrawn: (moment: LiveMoment) => void;
  readonly #onRefused: () => void;
  #engine: LiveEngine | null = null;
  #kit: SentKit | null = null;
  /** Of the newest kit. */
  #heard: LiveKit['transcripts'] = [];
  /** Number of the document whose kit was taken. */
  #equipped = 0;
  #wanted: LiveSource | null = null;
  /** What is open in the worker. */
  #opened: { readonly document: number; readonly clock: LiveClock } | null = null;
  #typed = '';
  #side = 960;
  /** Seconds. */
  #time = 0;
  /** What is on the canvas. */
  #last: LiveMoment | null = null;

  /**
   * @param onDrawn Told of each moment of the newest document that was drawn.
   * @param onRefused Told when the newest document can't be drawn here; the last one stays.
   */
  constructor(onDrawn: (moment: LiveMoment) => void, onRefused: () => void) {
    this.#onDrawn = onDrawn;
    this.#onRefused = onRefused;
  }

  /** True if the next request to the server must ask for a kit. */
  get needsKit(): boolean {
    return canDraw() && this.ended === null && this.#equipped !== this.#wanted?.number;
  }

  /** Of the newest document. */
  get number(): number {
    return this.#wanted?.number ?? 0;
  }

  /** A moment is being drawn. */
  get isDrawing(): boolean {
    return this.#engine?.isDrawing ?? false;
  }

  /** What is shown now is drawn at once. */
  get isIdle(): boolean {
    return this.isReady && this.#engine?.isIdle === true;
  }

  /** Draws this document as soon as possible. */
  show(shown: Omit<LiveSource, 'number' | 'typed'>): void {
    this.#wanted = { ...shown, typed: this.#typed, number: this.number + 1 };
    this.#open();
  }

  /** A text is typed in the picture from now on: it is drawn at rest, as it is written. '' for none. */
  typeIn(path: string): void {
    this.#typed = path;
    this.places = null;
    if (this.#wanted) this.show(this.#wanted);
  }

  /**
   * The same for a text as it is typed, before it is checked: while it is not a document, the last one stays.
   *
   * @returns false if the page can't draw it
   */
  type(code: { readonly length: number; readonly text: string }): boolean {
    const { modifications = {}, hidden = [] } = this.#wanted ?? {};
    if (!this.isReady || code.length > mostTyped) return false;
    this.show({ source: code.text, modifications, hidden });
    return true;
  }

  /** A gesture begins that will change the newest document at each step: `type` follows. */
  expect(code: { readonly length: number; readonly text: string }): void {
    if (this.isReady && code.length <= mostTyped) this.#engine?.expect(code.text);
  }

  /** Where the elements of another document with the same files stand; null where the page can't say. */
  standing(source: Source): Promise<readonly StandingMoment[] | null> {
    return this.#engine && this.isReady ? this.#engine.standing(source) : Promise.resolve(null);
  }

  /** Whether the canvas has this frame of this document. */
  shows(document: number, frame: number): boolean {
    return this.#last?.document === document && this.#last.frame === frame;
  }

  /** What the server says that a document needs. */
  take(kit: SentKit, number: number): void {
    if (number !== this.number) return;
    this.#equipped = number;
    const isKnown = this.#kit?.text === kit.text && sameItems(this.#kit.files, kit.files);
    this.#kit = kit;
    if (!isKnown) {
      // Both ends are of one build (shared/engine/live-kit.ts).
      const { media, transcripts } = JSON.parse(kit.text) as LiveKit;
      this.files = filesOf(media, kit.files);
      this.#heard = transcripts;
    }
    this.#takeTranscripts();
    if (isKnown) return;
    this.#engine?.equip(kit);
    this.#open();
  }

  /** Those of the kit, each beside what the document says at the time. */
  #takeTranscripts(): void {
    const source = this.#wanted?.source;
    if (typeof source !== 'object' || (this.#heard.length === 0 && this.transcripts.size === 0))
      return;
    // eslint-disable-next-line svelte/prefer-svelte-reactivity -- replaced as a whole
    this.transcripts = new Map(
      this.#heard.map(([path, transcript]) => [
        path,
        { given: elementAt(source, path)?.transcript_source, transcript },
      ]),
    );
  }

  /** Draws another moment of the newest document, in seconds. */
  draw(time: number, outlines: boolean): void {
    this.#time = time;
    if (this.isReady) this.#engine?.draw(time, outlines);
  }

  /**
   * Checks whether the server's picture differs from the canvas.
   *
   * @param picture Its address.
   */
  async compare(picture: string, number: number, frame: number): Promise<void> {
    this.differs = false;
    const isSame = (): boolean => number === this.#last?.document && frame === this.#last.frame;
    if (!this.#engine || !isSame()) return;
    const image = new Image();
    image.src = picture;
    try {
      await image.decode();
      const bitmap = await createImageBitmap(image);
      if (isSame()) this.#engine.compare(bitmap);
      else bitmap.close();
    } catch {
      // A picture that can't be decoded is not shown either.
    }
  }

  /** Draws on a canvas until the result is called. For `{@attach}`. */
  attach(canvas: HTMLCanvasElement): () => void {
    const engine = this.#start();
    if (!engine) return () => undefined;
    engine.showOn(canvas);
    const stopWatching = this.#watchSize(canvas);
    this.#open();
    return () => {
      stopWatching();
      this.#last = null;
    };
  }

  close(): void {
    this.#engine?.close();
    this.#engine = null;
    this.isReady = false;
  }

  /** The engine, started at first use; null if unavailable or ended. */
  #start(): LiveEngine | null {
    if (this.#engine || !canDraw() || this.ended !== null) return this.#engine;
    this.#engine = new LiveEngine(tokenHeaders(), {
      opened: (document, clock) => this.#take(document, clock),
      refused: ({ document, reason }) => {
        if (document !== this.number) return;
        this.#onRefused();
        if (typeof this.#wanted?.source === 'string') return;
        this.isReady = false;
        // Its files could not be loaded: the next kit is a new try, even if it is the same.
        if (reason === 'unknown-file' && this.#equipped === document) this.#kit = null;
      },
      drawn: ({ document, time, outlines, places }) => {
        if (document !== this.#opened?.document) return;
        const { clock } = this.#opened;
        const frame = Math.round(time * clock.frameRate);
        this.#last = { document, time, frame, outlines, clock };
        if (document === this.number) this.places = places;
        this.#onDrawn(this.#last);
      },
      missed: () => (this.isReady = false),
      compared: (differs) => (this.differs = differs),
      completed: () => this.#open(),
      ended: (reason) => {
        this.ended = reason;
        this.isReady = false;
      },
    });
    return this.#engine;
  }

  #open(): void {
    const wanted = this.#wanted;
    if (!wanted || !this.#kit || !this.#engine) return;
    this.#engine.open({ ...wanted, side: this.#side }, this.#time);
  }

  #take(document: number, clock: LiveClock): void {
    this.#opened = { document, clock };
    if (document !== this.number) return;
    this.isReady = true;
  }

  #watchSize(canvas: HTMLCanvasElement): () => void {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const room = canvas.parentElement ?? canvas;
    this.#side = sideOf(room);
    const observer = new ResizeObserver(() => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        const side = sideOf(room);
        if (side === this.#side) return;
        this.#side = side;
        this.#open();
      }, resizePause);
    });
    observer.observe(room);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
    };
  }
}

function sideOf(room: Element): number {
  const { width, height } = room.getBoundingClientRect();
  const pixels = Math.max(width, height) * devicePixelRatio;
  const stepped = Math.round(pixels / sides.step) * sides.step;
  return Math.min(sides.most, Math.max(sides.least, stepped));
}

const sameItems = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((item, at) => item === b[at]);

function filesOf(media: LiveKit['media'], files: readonly string[]): ReadonlyMap<string, KitFile> {
  return new Map(
    media.flatMap(({ source, info, file }) => {
      const id = files[file];
      return id === undefined
        ? []
        : [[source, { id, kind: info.kind, parts: info.parts }] as const];
    }),
  );
}
