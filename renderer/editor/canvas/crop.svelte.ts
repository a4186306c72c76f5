/**
 * Choosing the part of a picture or video that its element shows. Until it is done, the document stays as it is: the
 * page draws it as it would be, with all of the picture dimmed around it. The result is one step of the history. Window
 * only.
 */
import type { Handle, Held } from './changes.ts';
import {
  cropArea,
  cropObstacle,
  cropped,
  cropRect,
  cropText,
  isFrame,
  listOf,
  panned,
  scaled,
  startCrop,
  wholePicture,
  type Crop,
  type CropObstacle,
  type CropStart,
} from './crop.ts';
import type { Modifiers } from './gesture.ts';
import { parentOf } from './hits.ts';
import { areaOf, holds, minus, wayIn, type Area, type Point } from './plane.ts';
import { shownMedia } from '../media/media-element.ts';
import { appendItems, applied, parsePath } from '../source/json-text.ts';
import { elementAt } from '../outline/elements.ts';
import { say } from '../../ui/say.ts';
import { differenceOf } from '../../engine/text-change.ts';
import type { CanvasEditor } from './canvas-editor.svelte.ts';

/** What it uses of the canvas. */
interface Canvas {
  readonly document: { readonly width: number; readonly height: number };
  hold(path: string, keyed: boolean): Held | null;
  isLocked(path: string): boolean;
  selectAll(paths: readonly string[]): void;
}

interface Session {
  readonly start: CropStart;
  readonly crop: Crop;
  /** Something was moved or scaled. */
  readonly touched: boolean;
}

interface Grip {
  readonly handle: Handle | null;
  readonly from: Point;
  readonly crop: Crop;
}

/** Factor of one step by a key. */
const zoomStep = 1.05;
const arrows: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export class CropState {
  readonly #editor: CanvasEditor;
  readonly #canvas: Canvas;
  #shown = $state.raw<Session | null>(null);
  /** The same for what is done: while a component ends, it would read the states of before. */
  #session: Session | null = null;
  #grip: Grip | null = null;

  /** The frame and the whole picture in the document; null while nothing is cropped. */
  readonly areas = $derived.by((): { readonly frame: Area; readonly picture: Area } | null => {
    if (!this.#shown) return null;
    const { start, crop } = this.#shown;
    const around = start.held.area;
    return { frame: cropArea(around, crop.frame), picture: cropArea(around, crop.picture) };
  });

  constructor(editor: CanvasEditor, canvas: Canvas) {
    this.#editor = editor;
    this.#canvas = canvas;
  }

  get isOpen(): boolean {
    return this.#shown !== null;
  }

  /** It is cropped now, or is the frame of what is. */
  isAbout(path: string): boolean {
    const { start } = this.#shown ?? {};
    return start !== undefined && (path === start.path || path === start.held.path);
  }

  /** The element whose picture would be cropped: itself, or what is in the frame; null for none. */
  #mediaOf(path: string): string | null {
    const { source } = this.#editor.document;
    const element = source && elementAt(source, path);
    if (!element || this.#canvas.isLocked(path)) return null;
    if (isFrame(element)) return `${path}.elements[0]`;
    return shownMedia(element) ? path : null;
  }

  /** True for pictures, videos and frames around one. */
  can(path: string): boolean {
    return path !== '' && this.#mediaOf(path) !== null;
  }

  /** Starts with an element. @returns why that is not possible; null if it has begun, or there is nothing to crop. */
  begin(path: string): CropObstacle | 'unseen' | null {
    const { document, preview, outline } = this.#editor;
    document.settle();
    const inner = this.#mediaOf(path);
    const { source, text } = document;
    if (inner === null || !source || !document.readable) return null;
    const parent = parentOf(inner);
    const around = parent === '' ? null : elementAt(source, parent);
    const framed = isFrame(around);
    const element = elementAt(source, inner);
    const held = this.#canvas.hold(framed ? parent : inner, false);
    const shown = preview.facts?.outlines[inner]?.picture;
    if (!element || !held || !shown) return 'unseen';
    const obstacle = cropObstacle(element) ?? (framed ? cropObstacle(held.element) : null);
    if (obstacle) return obstacle;
    const picture = cropRect(held.area, areaOf(shown, this.#canvas.document));
    const { width, height } = held.area;
    if (!picture || picture.width < 1 || picture.height < 1 || width < 1 || height < 1)
      return 'unseen';
    const names = outline.map(({ label }) => label);
    this.#set({
      start: { text, path: inner, element, held, names },
      crop: startCrop({ x: 0, y: 0, width, height }, picture),
      touched: false,
    });
    this.#canvas.selectAll([held.path]);
    // What changes the text meanwhile ends it.
    document.code.untilChange(() => {
      this.#set(null);
      this.#grip = null;
    });
    this.#show();
    return null;
  }

  /**
   * A handle, or a point of the picture, was pressed.
   * @returns whether that is taken hold of; beside the picture, it is done.
   */
  press(point: Point, handle: Handle | null): boolean {
    const { areas } = this;
    if (!this.#session || !areas) return false;
    if (!handle && !holds(areas.picture, point)) {
      this.done();
      return false;
    }
    this.#grip = { handle, from: point, crop: this.#session.crop };
    return true;
  }

  /** The pointer is there now; with Shift, the frame keeps its shape. */
  drag(to: Point, { shift }: Modifiers): void {
    const grip = this.#grip;
    const way = grip && this.#session && wayIn(this.#session.start.held.area, minus(to, grip.from));
    if (!grip || !way) return;
    const { handle, crop } = grip;
    this.#take(handle ? cropped(crop, handle, way, shift) : panned(crop, way));
  }

  /** The pointer was let go. */
  up(): void {
    this.#grip = null;
  }

  /** Scales the picture about a point of the document. */
  zoom(by: number, about: Point): void {
    const { start, crop } = this.#session ?? {};
    const at = start && wayIn(start.held.area, minus(about, start.held.area.origin));
    if (crop && at) this.#take(scaled(crop, by, at));
  }

  /** A key while it is open. @returns whether it has a meaning here. */
  key(event: KeyboardEvent): boolean {
    const session = this.#session;
    if (!session || event.ctrlKey || event.metaKey || event.altKey) return false;
    const { crop } = session;
    const { frame } = crop;
    const middle = { x: frame.x + frame.width / 2, y: frame.y + frame.height / 2 };
    const arrow = arrows[event.key];
    if (arrow) {
      const by = event.shiftKey ? 10 : 1;
      this.#take(panned(crop, { x: arrow[0] * by, y: arrow[1] * by }));
    } else if (event.key === '+' || event.key === '=') this.#take(scaled(crop, zoomStep, middle));
    else if (event.key === '-') this.#take(scaled(crop, 1 / zoomStep, middle));
    else if (event.key === 'Enter') this.done();
    else if (event.key === 'Escape') this.cancel();
    else return false;
    return true;
  }

  /** Writes the crop into the document, as one step. */
  done(): void {
    const session = this.#session;
    if (!session) return;
    this.#set(null);
    this.#grip = null;
    const { start } = session;
    const { document } = this.#editor;
    const changes = differenceOf(start.text, this.#textOf(session));
    if (changes.length === 0 || document.text !== start.text) {
      document.check();
      return;
    }
    document.namedStep(changes, say('canvas.step.crop'));
    this.#canvas.selectAll([start.held.path]);
  }

  /** Leaves everything as it was. */
  cancel(): void {
    if (!this.#session) return;
    this.#set(null);
    this.#grip = null;
    this.#editor.document.check();
  }

  #set(session: Session | null): void {
    this.#session = session;
    this.#shown = session;
  }

  /** Nothing is written before something was changed, though a frame may begin smaller. */
  #textOf({ start, crop, touched }: Session): string {
    return touched ? cropText(start, crop).text : start.text;
  }

  #take(crop: Crop): void {
    if (!this.#session) return;
    this.#set({ start: this.#session.start, crop, touched: true });
    this.#show();
  }

  /** Draws the document with the crop, and all of the picture over it. */
  #show(): void {
    if (!this.#session) return;
    const { start, crop } = this.#session;
    const made = this.#textOf(this.#session);
    const list = parsePath(listOf(start.held.path));
    const text = applied(made, appendItems(made, list, [wholePicture(start, crop)]));
    this.#editor.preview.type({ length: text.length, text });
  }
}
