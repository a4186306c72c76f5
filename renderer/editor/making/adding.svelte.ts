/**
 * Adds pieces and files to the open template, one named step each. In films, pictures and videos follow each other on
 * the main track; everything else lies above, from the playhead on. Window only.
 */
import type { Brand } from '../../../shared/api.ts';
import { takeName } from '../../../shared/free-name.ts';
import { formatOf, isStill } from '../../../shared/renderscript/formats.ts';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  type MediaKind,
  type Source,
} from '../../../shared/renderscript/source.ts';
import { mediaAddress } from '../../../shared/renderscript/voices.ts';
import { parseAmount, parseSeconds } from '../../../shared/renderscript/units.ts';
import { differenceOf } from '../../engine/text-change.ts';
import type { Size } from '../canvas/length.ts';
import { applied, insertItem } from '../source/json-text.ts';
import { changedText } from '../timeline/change.ts';
import { clipsOf, endOf, type Clip } from '../timeline/clips.ts';
import { mainTrack } from '../timeline/rows.ts';
import { secondsLike, tidySeconds } from '../timeline/seconds.ts';
import { atFreePlace } from './free-place.ts';
import { landingOn, layerTrack } from './landing.ts';
import type { OutlineItem } from '../outline/elements.ts';
import { dropped, type Dragged } from '../media/dragged.ts';
import { elementOf, isForElements, roleOf, type MediaFacts } from '../media/media-element.ts';
import { contextFor, pieceOf, type Piece, type VoiceWay } from './pieces.ts';
import { addMedia } from '../../frame/connection/uploads.ts';
import { say } from '../../ui/say.ts';
import type { EditedDocument } from '../source/edited-document.svelte.ts';
import type { PreviewState } from '../preview/preview-state.svelte.ts';

/** What it adds to; a `TemplateEditor` is one. */
interface AddingEditor {
  readonly document: EditedDocument;
  readonly preview: PreviewState;
  readonly outline: readonly OutlineItem[];
  readonly brand: Brand;
  choosing: {
    readonly path: string;
    readonly kind: MediaKind;
    readonly isNew?: boolean;
  } | null;
  voicing: Voicing | null;
  select(path: string): void;
}

/** Reports what fails. */
interface AddingApp {
  attempt(work: () => Promise<unknown>): Promise<boolean>;
}

/** A place in the frame, as shares of its sides. */
interface Share {
  readonly x: number;
  readonly y: number;
}

/** Where and when something is added. Default: pictures and videos at the end, the rest at the playhead. */
export interface Spot {
  readonly place?: Share | undefined;
  /** Seconds. */
  readonly time?: number;
  /** The track of the row that it is dropped on; null: in front of all. Default: none. */
  readonly track?: number | null;
}

/** A voice that is being made. */
export interface Voicing {
  readonly way: VoiceWay;
  /** Where it was wanted. */
  readonly spot: Spot;
}

/** A file of the library. */
export type AddedMedia = MediaFacts & { readonly name: string };

interface Thing {
  readonly word: string;
  readonly element: JsonObject;
  /** Seconds of its own; null: up to the end, or not known. */
  readonly seconds: number | null;
  /** It belongs on the main track. */
  readonly isScene: boolean;
  /** It keeps clear of what is seen at the same time, unless a place was chosen for it. */
  readonly isApart?: boolean;
}

/** A place in a film, for what is seen or heard there. */
interface Place {
  readonly track: number;
  readonly start: number;
}

export class Adding {
  /** What the pane shows; kept while another pane is in front. */
  shown = $state<'pieces' | 'shelf' | 'media'>('pieces');
  /** Seconds that a new photo or colour lasts in a film. */
  photoSeconds = $state(4);
  readonly #editor: AddingEditor;

  constructor(editor: AddingEditor) {
    this.#editor = editor;
  }

  /**
   * Adds a piece; where it needs a file, the dialog for files opens.
   *
   * @returns its path; '' if the source is broken, or for what is made with the person first.
   */
  add(piece: Piece, spot: Spot = {}): string {
    const { document, brand } = this.#editor;
    if (piece.asks) {
      if (document.readable) this.#editor.voicing = { way: piece.asks, spot };
      return '';
    }
    const made = piece.make(contextFor(document.source, brand));
    // In a still picture there is no track for it: it must not hide what is designed already.
    const isOver =
      piece.scene === true && this.#isStill && this.#clipsOf(document.source).length > 0;
    const element = isOver ? { ...made, width: '60%', height: '60%' } : made;
    const isScene = piece.scene === true && spot.place === undefined;
    const seconds = isScene && element.type !== 'video' ? this.photoSeconds : null;
    const path = this.#insert(
      [{ word: say(`piece.${piece.id}`), element, seconds, isScene, isApart: true }],
      spot,
    );
    if (path !== '' && piece.file && (element.source ?? null) === null)
      this.#editor.choosing = { path, kind: piece.file, isNew: true };
    return path;
  }

  /**
   * Adds files of the library: several pictures and videos become a film, one after the other.
   *
   * @returns the path of the last one; '' if the source is broken.
   */
  addMedia(files: readonly AddedMedia[], spot: Spot = {}): string {
    this.#editor.preview.knowLengths(
      Object.fromEntries(
        files
          .filter(({ duration }) => duration > 0)
          .map(({ source, duration }) => [source, duration]),
      ),
    );
    this.#editor.document.settle();
    const { source } = this.#editor.document;
    const clips = this.#clipsOf(source);
    const frame = frameOf(source);
    const isFirst = clips.every(({ type }) => type === 'audio');
    // What is dropped at a place of the picture stays there; the first thing is the ground of the whole film.
    const isPlaced = spot.place !== undefined && files.length === 1;
    const isGround = isPlaced && isFirst && !this.#isStill;
    const hasMain = !this.#isStill && !isPlaced && this.#mainOf(clips, spot) !== null;
    const things = files.map((media): Thing => {
      const isScene = hasMain && roleOf([media.kind]) === 'scene';
      const isPhoto = media.kind === 'image';
      const known = media.duration > 0 ? media.duration : null;
      return {
        word: media.name.replace(/\.[^.]+$/, ''),
        element: {
          ...elementOf(media, frame, isFirst || isScene, isPlaced ? 'layer' : 'picture'),
          ...(isGround && media.kind !== 'audio' && { track: 1 }),
        },
        seconds: isPhoto ? (isScene ? this.photoSeconds : null) : known,
        isScene,
      };
    });
    return this.#insert(things, isPlaced && !isFirst ? spot : { ...spot, place: undefined });
  }

  /**
   * Adds an element at its place, or the nearest free one.
   *
   * @param isGround It fills the frame behind the rest: in a film, it follows the pictures and videos that are there.
   * @returns its path; '' if the source is broken.
   */
  addElement(word: string, element: JsonObject, spot: Spot = {}, isGround = false): string {
    const at = isGround ? { ...spot, place: undefined } : spot;
    const isScene = isGround && !this.#isStill;
    // In a still picture there is no track for it: it must not hide what is designed already.
    const isOver =
      isGround && this.#isStill && this.#clipsOf(this.#editor.document.source).length > 0;
    const sized = isOver ? { ...element, width: '60%', height: '60%' } : element;
    const seconds = isScene ? this.photoSeconds : null;
    return this.#insert([{ word, element: sized, seconds, isScene, isApart: true }], at);
  }

  /**
   * Adds a sound at its moment, by default the playhead's.
   *
   * @param seconds null: not known.
   * @returns its path; '' if the source is broken.
   */
  addSound(word: string, element: JsonObject, seconds: number | null, spot: Spot = {}): string {
    const address = mediaAddress(element);
    if (address !== null && seconds !== null)
      this.#editor.preview.knowLengths({ [address]: seconds });
    return this.#insert([{ word, element, seconds, isScene: false }], spot);
  }

  /** Adds files to the media library, and elements that show them to the template, in one step. Reports what fails. */
  async addFiles(app: AddingApp, files: readonly File[], spot: Spot = {}): Promise<void> {
    const added: AddedMedia[] = [];
    for (const file of files) {
      await app.attempt(async () => {
        const media = await addMedia(file, new AbortController().signal, () => undefined);
        if (isForElements(media)) added.push(media);
      });
    }
    if (added.length > 0) this.addMedia(added, spot);
  }

  /** Adds what was dragged out of the panel. @returns whether it was something of the panel */
  drop(transfer: DataTransfer | null, spot: Spot): boolean {
    const thing: Dragged | null = dropped(transfer);
    if (!thing) return false;
    if ('media' in thing) this.addMedia(thing.media, spot);
    else if ('element' in thing) {
      const element: unknown = JSON.parse(thing.element);
      if (isJsonObject(element)) this.addElement(thing.word, element, spot, thing.isScene);
    } else {
      const piece = pieceOf(thing.piece);
      if (piece) this.add(piece, spot);
    }
    return true;
  }

  /**
   * Where something that is dropped on the timeline would come to lie.
   *
   * @param what `scene`: a picture or a video; `seen`: anything else that is seen.
   */
  landing(spot: Spot, what: 'scene' | 'seen' | 'heard', seconds: number): Place {
    const clips = this.#clipsOf(this.#editor.document.source);
    const main = what === 'scene' ? this.#mainOf(clips, spot) : null;
    const start = spot.time ?? 0;
    if (main !== null) return landingOn(clips, main, spot.time ?? null, seconds);
    return { track: layerTrack(clips, what === 'heard' ? 'heard' : 'seen', start, seconds), start };
  }

  get #isStill(): boolean {
    const { source } = this.#editor.document;
    return source !== null && isStill(formatOf(source));
  }

  #clipsOf(source: Source | null): readonly Clip[] {
    return (source && clipsOf(source, this.#editor.preview.lengths)?.top) ?? [];
  }

  /** The track for pictures and videos: that of the row they are dropped on, else the main one; null for none. */
  #mainOf(clips: readonly Clip[], { track }: Spot): number | null {
    if (track === null) return null;
    const row = clips.filter((clip) => clip.track === track);
    return track !== undefined && row.every(({ type }) => type !== 'audio')
      ? track
      : mainTrack(clips);
  }

  #insert(things: readonly Thing[], spot: Spot): string {
    const { document } = this.#editor;
    document.settle();
    if (!document.readable) return '';
    // eslint-disable-next-line svelte/prefer-svelte-reactivity -- only read here
    const names = new Set(this.#editor.outline.map(({ label }) => label));
    let { text } = document;
    let path = '';
    let at = spot.time;
    for (const thing of things) {
      const name = takeName(thing.word, names);
      const element = withFreeParts(thing.element, names);
      const made = this.#inserted(text, { ...thing, element }, name, {
        ...spot,
        ...(at !== undefined && { time: at }),
      });
      ({ text, path } = made);
      if (at !== undefined) at = made.end;
    }
    const [only] = things;
    const step =
      only && things.length === 1
        ? say('adding.step', { name: only.word })
        : say('adding.steps', { count: things.length });
    document.namedStep(differenceOf(document.text, text), step);
    this.#editor.select(path);
    return path;
  }

  /** A document's text with one more thing. */
  #inserted(
    text: string,
    { element: made, seconds, isScene, isApart = false }: Thing,
    name: string,
    spot: Spot,
  ): { readonly text: string; readonly path: string; readonly end: number } {
    // `as`: it is the text of a document that could be read.
    const source = JSON.parse(text) as Source;
    const clips = this.#clipsOf(source);
    const { type = null, track: own, ...rest } = made;
    const isHeard = type === 'audio';
    const place = spot.place && !isHeard ? placed(spot.place, made) : {};
    const length = seconds ?? 0;
    const main = isScene && !this.#isStill ? this.#mainOf(clips, spot) : null;
    if (main !== null) {
      const { time, track, start, index, values } = landingOn(
        clips,
        main,
        spot.time ?? null,
        length,
      );
      const element = {
        ...{ type, name, track },
        ...(time !== null && { time }),
        ...(type !== 'video' && { duration: length }),
        ...rest,
      };
      const roomy = changedText(text, { values, order: null });
      const after = applied(roomy, insertItem(roomy, ['elements'], element, index));
      const path = `elements[${index}]`;
      return {
        text: this.#asLong(after, !clips.some((clip) => clip.track === main), main),
        path,
        end: start + length,
      };
    }
    const start = tidySeconds(spot.time ?? this.#editor.preview.time);
    const track = own ?? layerTrack(clips, isHeard ? 'heard' : 'seen', start, seconds ?? Infinity);
    const isTimed = start > 0 || clips.some((clip) => clip.track === track);
    const element = {
      ...{ type, name },
      ...(!this.#isStill && { track, ...(isTimed && { time: start }) }),
      ...rest,
      ...place,
    };
    const end = start + (seconds ?? parseSeconds(made.duration) ?? Infinity);
    const seen = clips.filter((clip) => clip.start < end && endOf(clip) > start);
    const others = this.#isStill ? clips : seen;
    const free =
      isApart && !spot.place
        ? atFreePlace(
            element,
            others.map((clip) => clip.element),
            frameOf(source),
          )
        : element;
    const after = applied(text, insertItem(text, ['elements'], free));
    const list = source.elements;
    const index = Array.isArray(list) ? list.length : 0;
    return { text: after, path: `elements[${index}]`, end: start + length };
  }

  /** The film lasts as long as its main track: with the first clip on it, it no longer has a length of its own. */
  #asLong(text: string, isFirst: boolean, track: number): string {
    const source = JSON.parse(text) as Source;
    const written = parseSeconds(source.duration);
    if (written === null) return text;
    const row = this.#clipsOf(source).filter((clip) => clip.track === track);
    const end = row.reduce((most, clip) => Math.max(most, endOf(clip)), 0);
    if (!isFirst && end <= written) return text;
    const duration = isFirst ? undefined : secondsLike(source.duration, end, 0);
    return changedText(text, { values: { duration }, order: null });
  }
}

/** Pixels of a document; 0 where it doesn't say. */
/** An element whose parts have names that are free. */
function withFreeParts(element: JsonObject, names: Set<string>): JsonObject {
  if (!Array.isArray(element.elements)) return element;
  const parts = (element.elements as readonly Json[]).map((part) =>
    isJsonObject(part) && typeof part.name === 'string'
      ? { ...withFreeParts(part, names), name: takeName(part.name, names) }
      : part,
  );
  return { ...element, elements: parts };
}

function frameOf(source: Source | null): Size {
  const { width, height } = source ?? {};
  return {
    width: typeof width === 'number' ? width : 0,
    height: typeof height === 'number' ? height : 0,
  };
}

/** Share of the frame's sides that stays free beside what is dropped near an edge. */
const margin = 0.04;

/** The middle of an element lies where it was dropped, as far as it then lies within the frame. */
function placed({ x, y }: Share, { width, height }: JsonObject): JsonObject {
  const percent = (at: number, size: Json | undefined): string => {
    const amount = parseAmount(size);
    const half = amount?.unit === '%' ? amount.value / 200 + margin : 0;
    const share = half < 0.5 ? Math.min(Math.max(at, half), 1 - half) : at;
    return `${Number((share * 100).toFixed(2))}%`;
  };
  return { x: percent(x, width), y: percent(y, height), x_anchor: '50%', y_anchor: '50%' };
}
