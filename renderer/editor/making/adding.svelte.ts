/** Adds pieces and files to the open template: one named step each, at the playhead. Window only. */
import type { Brand } from '../../../shared/api.ts';
import type { JsonObject } from '../../../shared/renderscript/source.ts';
import { insertItem } from '../source/json-text.ts';
import type { OutlineItem } from '../outline/elements.ts';
import { dropped, type Dragged } from '../media/dragged.ts';
import { elementOf, type MediaFacts } from '../media/media-element.ts';
import { contextFor, pieceOf, type Piece } from './pieces.ts';
import { addMedia } from '../../frame/connection/media.ts';
import { say } from '../../ui/say.ts';
import type { EditedDocument } from '../source/edited-document.svelte.ts';
import type { PreviewState } from '../preview/preview-state.svelte.ts';

/** What it adds to; a `TemplateEditor` is one. */
interface AddingEditor {
  readonly document: EditedDocument;
  readonly preview: PreviewState;
  readonly outline: readonly OutlineItem[];
  readonly brand: Brand;
  choosing: { readonly path: string; readonly kind: 'image' | 'video' | 'audio' } | null;
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

/** Where and when something is added. Default: in the middle, at the playhead. */
export interface Spot {
  readonly place?: Share | undefined;
  /** Seconds. */
  readonly time?: number;
}

export class Adding {
  readonly #editor: AddingEditor;

  constructor(editor: AddingEditor) {
    this.#editor = editor;
  }

  /** Adds a piece; where it needs a file, the dialog for files opens. @returns its path; '' if the source is broken. */
  add(piece: Piece, spot: Spot = {}): string {
    const { document } = this.#editor;
    const element = piece.make(contextFor(document.source, this.#editor.brand));
    const path = this.#insert(say(`piece.${piece.id}`), element, spot);
    if (path !== '' && piece.file && (element.source ?? null) === null)
      this.#editor.choosing = { path, kind: piece.file };
    return path;
  }

  /** Adds a file of the library. @returns its path; '' if the source is broken. */
  addMedia(media: MediaFacts & { readonly name: string }, spot: Spot = {}): string {
    const { document, outline } = this.#editor;
    const { width, height } = document.source ?? {};
    const frame = {
      width: typeof width === 'number' ? width : 0,
      height: typeof height === 'number' ? height : 0,
    };
    const isFirst = outline.every(({ type }) => type === 'audio');
    const name = media.name.replace(/\.[^.]+$/, '');
    return this.#insert(name, elementOf(media, frame, isFirst), isFirst ? {} : spot);
  }

  /** Adds an element as it is. @returns its path; '' if the source is broken. */
  addElement(word: string, element: JsonObject, spot: Spot = {}): string {
    return this.#insert(word, element, spot);
  }

  /** Adds files to the media library, and elements that show them to the template. Reports what fails. */
  async addFiles(app: AddingApp, files: readonly File[], spot: Spot = {}): Promise<void> {
    for (const file of files) {
      await app.attempt(async () => {
        const media = await addMedia(file, new AbortController().signal, () => undefined);
        this.addMedia(media, spot);
      });
    }
  }

  /** Adds what was dragged out of the panel. @returns whether it was something of the panel */
  drop(transfer: DataTransfer | null, spot: Spot): boolean {
    const thing: Dragged | null = dropped(transfer);
    if (!thing) return false;
    if ('media' in thing) this.addMedia(thing.media, spot);
    else {
      const piece = pieceOf(thing.piece);
      if (piece) this.add(piece, spot);
    }
    return true;
  }

  #insert(word: string, made: JsonObject, { place, time }: Spot): string {
    const { document, preview, outline } = this.#editor;
    document.settle();
    if (!document.readable) return '';
    const start = time ?? preview.time;
    const { type, ...rest } = made;
    const element: JsonObject = {
      type: type ?? null,
      name: freeName(word, outline),
      // What is there from the beginning says nothing about it.
      ...(start > 0 && { time: Number(start.toFixed(2)) }),
      ...rest,
      ...(place && type !== 'audio' && placed(place)),
    };
    const change = insertItem(document.text, ['elements'], element);
    document.namedStep(change, say('adding.step', { name: word }));
    const { elements } = document.source ?? {};
    const path = `elements[${Array.isArray(elements) ? elements.length - 1 : 0}]`;
    this.#editor.select(path);
    return path;
  }
}

/** The middle of an element lies where it was dropped. */
function placed({ x, y }: Share): JsonObject {
  const percent = (share: number): string => `${Number((share * 100).toFixed(2))}%`;
  return { x: percent(x), y: percent(y), x_anchor: '50%', y_anchor: '50%' };
}

function freeName(word: string, outline: readonly OutlineItem[]): string {
  const taken = new Set(outline.map(({ label }) => label));
  let name = word;
  for (let count = 2; taken.has(name); count += 1) name = `${word} ${count}`;
  return name;
}
