/**
 * Direct editing of the picture: what lies where, and the selection. What the hand does with it is in `gesture`. Window
 * only.
 */
import { SvelteSet } from 'svelte/reactivity';
import type { Json } from '../../../shared/renderscript/source.ts';
import { handlesOf, isAsItsPath, isFree, type Handle, type Held } from './changes.ts';
import { flowOf } from './flow.ts';
import type { Modifiers } from './gesture.ts';
import { innerOf, isWithin, meantBy, parentOf } from './hits.ts';
import { elementAtMoment, type ElementMoment } from './keyed.ts';
import { areaOf, boundsOf, holds, type Area, type Bounds, type Point } from './plane.ts';
import { parsePath, withoutProperties } from '../source/json-text.ts';
import { PatchedText } from '../source/patch.ts';
import { elementAt } from '../outline/elements.ts';
import { differenceOf } from '../../engine/text-change.ts';
import type { CanvasEditor } from './canvas-editor.svelte.ts';
import { CanvasGesture } from './canvas-gesture.svelte.ts';
import { CanvasTyping } from './canvas-typing.svelte.ts';
import { CropState } from './crop.svelte.ts';

/** The hand tools of one editor. */
export class CanvasState {
  readonly #editor: CanvasEditor;
  /** Selected beside `editor.selected`. */
  readonly also = new SvelteSet<string>();
  /** What the hand is doing. */
  readonly gesture: CanvasGesture;
  /** The part of a picture that shows. */
  readonly crop: CropState;
  /** Texts that are typed in the picture. */
  readonly typing: CanvasTyping;
  /** The rubber-band selection. */
  marquee = $state.raw<Bounds | null>(null);
  /** What is changed by hand and has no keyframes gets some. What has some gets one at the moment shown in any case. */
  autoKeys = $state(false);
  /** All selected elements, without those inside another selected one. */
  readonly selection = $derived.by((): readonly string[] => {
    const { selected } = this.#editor;
    if (selected === '') return [];
    const all = [selected, ...[...this.also].filter((path) => path !== selected)];
    return all.filter((path) => !all.some((other) => other !== path && isWithin(path, other)));
  });
  /** Their areas, if visible at this moment. */
  readonly selectedAreas = $derived.by((): readonly Area[] =>
    this.selection.flatMap((path) => this.areaOf(path) ?? []),
  );
  /** The one element that has handles, and those. */
  readonly handled = $derived.by((): { held: Held; handles: readonly Handle[] } | null => {
    const [path, ...others] = this.selection;
    const held = path === undefined || others.length > 0 ? null : this.hold(path);
    return held && isFree(held.element) ? { held, handles: handlesOf(held) } : null;
  });
  /** What to know of the one selected element: that a flow places it, or that its size is that of its path. */
  readonly note = $derived.by((): 'flow' | 'path' | null => {
    const { held } = this.handled ?? {};
    const { source } = this.#editor.document;
    if (!held || !source) return null;
    if (flowOf(source, held.path)) return 'flow';
    return isAsItsPath(held) ? 'path' : null;
  });

  constructor(editor: CanvasEditor) {
    this.#editor = editor;
    this.gesture = new CanvasGesture(editor, this);
    this.crop = new CropState(editor, this);
    this.typing = new CanvasTyping(editor, (path) => this.isLocked(path));
  }

  /** Pixels of the document. */
  get document(): { readonly width: number; readonly height: number } {
    const { facts } = this.#editor.preview;
    return facts
      ? { width: facts.documentWidth, height: facts.documentHeight }
      : { width: 0, height: 0 };
  }

  /** The area of an element, if visible at this moment. */
  areaOf(path: string): Area | null {
    const outline = this.#editor.preview.facts?.outlines[path];
    return outline ? areaOf(outline, this.document) : null;
  }

  /**
   * The inside of a composition, '' for the document, if visible at this moment: what percentages of its elements refer
   * to.
   */
  roomOf(path: string): Area | null {
    const { width, height } = this.document;
    const whole = { corners: [0, 0, 1, 0, 1, 1, 0, 1], width, height };
    const inside = path === '' ? whole : this.#editor.preview.facts?.outlines[path]?.inside;
    return inside && width > 0 ? areaOf(inside, this.document) : null;
  }

  /** An element at the moment shown, on its own clock; null where its time is not known. */
  momentOf(path: string): ElementMoment | null {
    const { document, preview, outline } = this.#editor;
    const element = document.source && elementAt(document.source, path);
    const drawn = outline.find((item) => item.path === path)?.drawn;
    if (!element || !drawn) return null;
    const at = Math.min(Math.max(0, preview.time - drawn.start), drawn.duration);
    return { path, element, at, duration: drawn.duration, frame: 1 / preview.frameRate };
  }

  /** The innermost element at a point, the topmost of several; '' for none. Locked ones let it through. */
  hit(point: Point): string {
    const { source } = this.#editor.document;
    return this.topmost(point, (path) => {
      // A composition is hit where its elements are, or by its own colour.
      const element = source && elementAt(source, path);
      return element?.type !== 'composition' || (element.fill_color ?? null) !== null;
    });
  }

  /** The topmost element at a point that is asked for, and not locked; '' for none. */
  topmost(point: Point, isMeant: (path: string) => boolean): string {
    const { outlines = {} } = this.#editor.preview.facts ?? {};
    const { source } = this.#editor.document;
    const found = Object.keys(outlines).findLast((path) => {
      const area = this.areaOf(path);
      if (!area || !holds(area, point) || !source || !elementAt(source, path)) return false;
      return isMeant(path) && !this.isLocked(path);
    });
    return found ?? '';
  }

  /** Selects what a menu that opens at a point is about: what is there, unless it is selected already. */
  pointOut(point: Point): void {
    const hit = this.hit(point);
    if (hit === '') this.clear();
    else if (!this.selection.some((one) => isWithin(hit, one)))
      this.selectAll([meantBy(hit, this.#editor.selected)]);
  }

  /** True if it, or a composition around it, is locked. */
  isLocked(path: string): boolean {
    const { source } = this.#editor.document;
    for (let at = path; at !== '' && source; at = parentOf(at)) {
      if (elementAt(source, at)?.locked === true) return true;
    }
    return false;
  }

  /**
   * Selects what is meant by a point: with Shift beside what is selected, with Ctrl the innermost.
   *
   * @returns what to do if the press turns out to be a click, not a drag. Null: nothing is there.
   */
  press(point: Point, { shift, ctrl }: Modifiers): (() => void) | null {
    const hit = this.hit(point);
    const editor = this.#editor;
    if (hit === '') {
      if (!shift) this.clear();
      return null;
    }
    const path = ctrl ? hit : meantBy(hit, editor.selected);
    const select = (): void => {
      if (shift) this.toggle(path);
      else editor.select(path);
    };
    if (this.selection.some((one) => isWithin(hit, one))) {
      const changes = shift || ctrl || this.selection.length > 1;
      return changes ? select : () => undefined;
    }
    select();
    return () => undefined;
  }

  /** Goes one level further in, to what lies at a point. @returns its path, '' for none. */
  enter(point: Point): string {
    const hit = this.hit(point);
    if (hit === '') return '';
    this.also.clear();
    const { selected } = this.#editor;
    const path = selected === '' ? meantBy(hit, '') : innerOf(hit, selected);
    if (path !== selected) this.#editor.select(path);
    return path;
  }

  /** Adds an element to the selection, or takes it out. */
  toggle(path: string): void {
    const editor = this.#editor;
    if (path === editor.selected) {
      const [next = ''] = this.also;
      this.also.delete(next);
      editor.selected = next;
    } else if (editor.selected === '') editor.select(path);
    else if (!this.also.delete(path)) this.also.add(path);
  }

  clear(): void {
    this.selectAll([]);
  }

  selectAll([first = '', ...others]: readonly string[]): void {
    this.also.clear();
    this.#editor.selected = first;
    for (const path of others) this.also.add(path);
  }

  /** Esc: ends a gesture, else goes one level out. @returns whether there was something to leave. */
  leave(): boolean {
    if (this.gesture.cancel()) return true;
    const { selected } = this.#editor;
    if (selected === '') return false;
    this.selectAll(parentOf(selected) === '' ? [] : [parentOf(selected)]);
    return true;
  }

  /** True if the picture can be edited: there is one, and it is not playing. */
  get isOpen(): boolean {
    const { preview } = this.#editor;
    return preview.facts !== null && !preview.playing && preview.phase !== 'failed';
  }

  /** The elements of a level that are visible and not locked. */
  freeAt(level: string): readonly string[] {
    const { outlines = {} } = this.#editor.preview.facts ?? {};
    return Object.keys(outlines).filter((path) => parentOf(path) === level && !this.isLocked(path));
  }

  /** Selects what a rectangle touches, of the elements beside the selected one. */
  selectWithin({ left, top, right, bottom }: Bounds): void {
    const { outlines = {} } = this.#editor.preview.facts ?? {};
    const found = Object.keys(outlines).filter((path) => {
      const area = parentOf(path) === '' && !this.isLocked(path) ? this.areaOf(path) : null;
      if (!area) return false;
      const bounds = boundsOf([area]);
      return (
        bounds.left < right && bounds.right > left && bounds.top < bottom && bounds.bottom > top
      );
    });
    this.selectAll(found);
  }

  /**
   * An element as a hand grabs it; null while it is not visible.
   * @param keyed With the values of this moment in place of keyframes. Default true.
   */
  hold(path: string, keyed = true): Held | null {
    const { preview, document } = this.#editor;
    const element = document.source && elementAt(document.source, path);
    const area = this.areaOf(path);
    if (!preview.facts || !element || !area) return null;
    const room = this.roomOf(parentOf(path));
    const moment = keyed ? this.momentOf(path) : null;
    if (!room || !moment) return room && { path, element, area, room, document: this.document };
    const sides: Readonly<Record<string, number>> = {
      x: room.width,
      width: room.width,
      y: room.height,
      height: room.height,
    };
    const shown = elementAtMoment(moment, (name) => ({
      whole: sides[name] ?? Math.min(room.width, room.height),
      document: this.document,
    }));
    return { path, element: shown, area, room, document: this.document };
  }

  /** Sets a property of each selected element; undefined takes it away. One step. */
  setEach(name: string, value: Json | undefined): void {
    const { document } = this.#editor;
    const paths = this.selection.map((path) => `${path}.${name}`);
    const { text: before } = document;
    const text =
      value === undefined
        ? withoutProperties(before, paths.map(parsePath))
        : new PatchedText(before).with(Object.fromEntries(paths.map((path) => [path, value])));
    document.step(differenceOf(before, text));
  }
}
