/**
 * Direct editing of the picture: the selection, and the current gesture. A gesture does not change the document until it
 * ends; meanwhile the page draws the document as it would be. Its result is one step of the history.
 */
import { SvelteSet } from 'svelte/reactivity';
import type { Json } from '../../../shared/renderscript/source.ts';
import {
  handlesOf,
  isFree,
  moved,
  withPlaces,
  type Handle,
  type Held,
  type Values,
} from '../../editor/canvas/changes.ts';
import {
  gestureStep,
  type GestureKind,
  type Grip,
  type Modifiers,
} from '../../editor/canvas/gesture.ts';
import { flowOf, placeOf, withPlace, type Flow } from '../../editor/canvas/flow.ts';
import { innerOf, isWithin, meantBy, parentOf } from '../../editor/canvas/hits.ts';
import {
  areaOf,
  boundsOf,
  holds,
  minus,
  plus,
  type Area,
  type Bounds,
  type Point,
} from '../../editor/canvas/plane.ts';
import { distances, type Gap } from '../../editor/canvas/spacing.ts';
import { snapLinesOf, type Guide, type SnapLines } from '../../editor/canvas/snap.ts';
import { elementAtMoment, KeyedText, type ElementMoment } from '../../editor/canvas/keyed.ts';
import { PatchedText, type Patch } from '../../editor/code/patch.ts';
import { withCopies } from '../../editor/canvas/copies.ts';
import { parsePath, withoutProperties } from '../../editor/code/json-text.ts';
import { say } from '../../lib/say.ts';
import { elementAt } from '../../editor/elements.ts';
import { differenceOf } from '../../lib/text-change.ts';
import type { CanvasEditor } from './canvas-editor.ts';
import { CanvasTyping } from './canvas-typing.svelte.ts';
import { CropState } from './crop.svelte.ts';

interface Gesture extends Grip {
  readonly text: string;
  readonly patched: Pick<PatchedText, 'with'>;
  /** The one element that is dragged along the flow of its composition, and where all of that lay; null for none. */
  readonly flow: { readonly of: Flow; readonly areas: readonly (Area | null)[] } | null;
  /** The dragged elements are copies, not yet in the document. */
  readonly copies: boolean;
  /** True once the pointer has moved further than a trembling hand. */
  begun: boolean;
  result: string;
  /** Of the dragged element, where its place in the flow has become another one. */
  path: string | null;
}

/** Screen pixels: of a way that is meant, and within which edges keep to lines. */
const reaches = { meant: 3, snap: 6 };

/** The hand tools of one editor. */
export class CanvasState {
  readonly #editor: CanvasEditor;
  #gesture: Gesture | null = null;
  /** Selected beside `editor.selected`. */
  readonly also = new SvelteSet<string>();
  /** The part of a picture that shows. */
  readonly crop: CropState;
  /** Texts that are typed in the picture. */
  readonly typing: CanvasTyping;
  /** The areas of what a gesture holds, as it would be; null while there is none. */
  areas = $state.raw<readonly Area[] | null>(null);
  guides = $state.raw<readonly Guide[]>([]);
  /** Distances to show. */
  gaps = $state.raw<readonly Gap[]>([]);
  /** The gesture's result in numbers; '' for none. */
  readout = $state('');
  /** The rubber-band selection. */
  marquee = $state.raw<Bounds | null>(null);
  /** What changes by hand becomes keyframes at the moment shown. */
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

  constructor(editor: CanvasEditor) {
    this.#editor = editor;
    this.crop = new CropState(editor, this);
    this.typing = new CanvasTyping(editor, (path) => this.isLocked(path));
  }

  /** A gesture is under way, and has begun to change something. */
  get busy(): boolean {
    return this.areas !== null;
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

  /** The inside of a composition, '' for the document, if visible at this moment: what its elements' places count of. */
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
   * @returns what a click comes to that leads nowhere: pressing what is selected takes hold of it first. Null: nothing is there.
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
      else {
        this.also.clear();
        editor.select(path);
      }
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

  /** Selects exactly these. */
  selectAll([first = '', ...others]: readonly string[]): void {
    this.also.clear();
    this.#editor.selected = first;
    for (const path of others) this.also.add(path);
  }

  /** Esc: ends a gesture, else goes one level out. @returns whether there was something to leave. */
  leave(): boolean {
    if (this.cancel()) return true;
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

  /** With Alt, the distances from the selection to what is under the pointer, else to the picture's edges. */
  measure(point: Point | null): void {
    if (this.#gesture) return;
    const bounds = this.selectedAreas.length > 0 ? boundsOf(this.selectedAreas) : null;
    if (!bounds || !point) {
      if (this.gaps.length > 0) this.gaps = [];
      return;
    }
    const { width, height } = this.document;
    const hit = this.hit(point);
    const path = hit === '' ? '' : meantBy(hit, this.#editor.selected);
    const isOwn = this.selection.some((one) => isWithin(path, one));
    const area = path === '' || isOwn ? null : this.areaOf(path);
    const picture = { left: 0, top: 0, right: width, bottom: height };
    this.gaps = distances(bounds, area ? boundsOf([area]) : picture);
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

  /** An element as a hand grabs it; null while it is not visible. @param keyed With the values of this moment in place of keyframes. */
  hold(path: string, keyed = this.autoKeys): Held | null {
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

  /**
   * Starts a gesture with the selection.
   *
   * @param copies Of copies of it, which come into the document if the gesture leads somewhere.
   * @returns whether there is something to hold.
   */
  begin(what: GestureKind, from: Point, copies = false): boolean {
    const { document } = this.#editor;
    document.settle();
    const keyed = this.autoKeys && !copies;
    const held = this.selection.flatMap((path) => this.hold(path, keyed) ?? []);
    const free = held.filter(({ path }) => !this.isLocked(path));
    const { source, text } = document;
    if (free.length === 0 || !document.readable || !source) return false;
    const paths = free.map(({ path }) => path);
    const copied = copies ? withCopies(text, source, paths, this.#editor.outline) : null;
    this.#gesture = {
      what,
      from,
      held: copied ? free.map((one, index) => ({ ...one, path: copied.paths[index] ?? '' })) : free,
      ...this.#beside(copied ? [] : free),
      text,
      patched: keyed
        ? new KeyedText(
            text,
            paths.flatMap((path) => this.momentOf(path) ?? []),
          )
        : copied
          ? new PatchedText(copied.text)
          : new PatchedText(text, document.currentTree),
      flow: what.kind === 'move' && !copied ? this.#flowOf(free) : null,
      copies: copied !== null,
      begun: false,
      result: text,
      path: null,
    };
    return true;
  }

  #flowOf(held: readonly Held[]): Gesture['flow'] {
    const { source } = this.#editor.document;
    const [only, ...others] = held;
    const of = source && only && others.length === 0 ? flowOf(source, only.path) : null;
    return of && { of, areas: of.members.map((index) => this.areaOf(`${of.list}[${index}]`)) };
  }

  /** Drags along a flow: the others make room. */
  #reorder(gesture: Gesture, { of, areas }: NonNullable<Gesture['flow']>, way: Point): void {
    const [held] = gesture.held;
    if (!held) return;
    const to = placeOf(of, areas, held.room, way);
    const { text, path } = withPlace(gesture.text, of, to);
    gesture.path = to === of.place ? null : path;
    this.areas = [{ ...held.area, origin: plus(held.area.origin, way) }];
    this.readout = say('canvas.flow.place', { place: to + 1, count: of.members.length });
    this.#draw(gesture, text);
  }

  /** Moves the selected element by places in its flow; one step. @returns false where it is in none in that direction. */
  stepInFlow(axis: 'x' | 'y', by: 1 | -1): boolean {
    const { document } = this.#editor;
    document.settle();
    const [path, ...others] = this.selection;
    const { source, text } = document;
    const flow = source && path !== undefined && others.length === 0 ? flowOf(source, path) : null;
    if (path === undefined || flow?.axis !== axis || this.isLocked(path)) return false;
    const to = Math.min(flow.members.length - 1, Math.max(0, flow.place + by));
    const after = withPlace(text, flow, to);
    document.namedStep(differenceOf(text, after.text), say('canvas.step.reorder'));
    this.selectAll([after.path]);
    return true;
  }

  /** Edges and middles of the picture and of all that is not held. */
  #beside(held: readonly Held[]): { lines: SnapLines; others: readonly Bounds[] } {
    const { width, height } = this.document;
    const { outlines = {} } = this.#editor.preview.facts ?? {};
    const level = parentOf(held[0]?.path ?? this.#editor.selected);
    const others = Object.keys(outlines).flatMap((path) => {
      const isHeld = held.some((one) => isWithin(path, one.path));
      const area = !isHeld && parentOf(path) === level ? this.areaOf(path) : null;
      return area ? [boundsOf([area])] : [];
    });
    const picture = { left: 0, top: 0, right: width, bottom: height };
    // What fills the picture lies behind, not beside.
    const small = others.filter(
      ({ left, right, top, bottom }) => right - left < width * 0.95 || bottom - top < height * 0.95,
    );
    return { lines: snapLinesOf([picture, ...others]), others: small };
  }

  /**
   * The pointer is there now.
   *
   * @param scale Screen pixels for a pixel of the document.
   */
  drag(to: Point, modifiers: Modifiers, scale: number): void {
    const gesture = this.#gesture;
    if (!gesture) return;
    const way = minus(to, gesture.from);
    if (!gesture.begun && Math.hypot(way.x, way.y) * scale < reaches.meant) return;
    gesture.begun = true;
    // Ctrl takes it out of the flow.
    if (gesture.flow && !modifiers.ctrl) {
      this.guides = [];
      this.gaps = [];
      this.#reorder(gesture, gesture.flow, way);
      return;
    }
    gesture.path = null;
    const reach = modifiers.ctrl ? 0 : reaches.snap / scale;
    const step = gestureStep(gesture, to, modifiers, reach);
    if (!step) return;
    this.areas = step.areas;
    this.guides = step.guides;
    this.gaps = step.gaps;
    this.readout = step.readout;
    this.#show(gesture, step.valuesOf);
  }

  /** Draws the document with the values that the gesture has come to. */
  #show(gesture: Gesture, valuesOf: (held: Held) => Values): void {
    const patch = Object.assign(
      {},
      ...gesture.held.map((one) => withPlaces(one.path, valuesOf(one))),
    ) as Patch;
    const text = Object.keys(patch).length === 0 ? gesture.text : gesture.patched.with(patch);
    this.#draw(gesture, text);
  }

  #draw(gesture: Gesture, text: string): void {
    if (text === gesture.result) return;
    gesture.result = text;
    this.#editor.preview.type({ length: text.length, text });
  }

  /** Ends the gesture; what it came to is one change of the document. @returns whether it led anywhere. */
  end(): boolean {
    const gesture = this.#take();
    if (!gesture) return false;
    const { document } = this.#editor;
    const changes = differenceOf(gesture.text, gesture.result);
    // Where someone typed meanwhile, what was shown is not what the text would become.
    if (changes.length === 0 || document.text !== gesture.text) return gesture.begun;
    const name = gesture.copies ? 'copies' : gesture.path === null ? gesture.what.kind : 'reorder';
    document.namedStep(changes, say(`canvas.step.${name}`));
    if (gesture.copies) this.selectAll(gesture.held.map(({ path }) => path));
    if (gesture.path !== null) this.selectAll([gesture.path]);
    return true;
  }

  /** Cancels the gesture. @returns whether there was one. */
  cancel(): boolean {
    const gesture = this.#take();
    if (!gesture) return false;
    // Draws it as it is.
    if (gesture.result !== gesture.text) this.#editor.document.check();
    return true;
  }

  #take(): Gesture | null {
    const gesture = this.#gesture;
    this.#gesture = null;
    this.areas = null;
    this.guides = [];
    this.gaps = [];
    this.readout = '';
    return gesture;
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

  /**
   * Moves each selected element by its own offset, in document pixels; one step.
   *
   * @returns whether there was something to move.
   */
  moveEach(waysOf: (held: readonly Held[]) => readonly Point[]): boolean {
    if (!this.begin({ kind: 'move' }, { x: 0, y: 0 })) return false;
    const gesture = this.#gesture;
    if (gesture) {
      const ways = waysOf(gesture.held);
      const still = { x: 0, y: 0 };
      this.#show(gesture, (one) => moved(one, ways[gesture.held.indexOf(one)] ?? still));
    }
    this.end();
    return true;
  }
}
