/**
 * One gesture of the hand on the picture: moving, resizing, turning. It does not change the document until it ends;
 * meanwhile the page draws the document as it would be. Its result is one step of the history. Window only.
 */
import { withCopies } from './copies.ts';
import { followsContent, moved, withPlaces, type Held, type Values } from './changes.ts';
import { flowOf, placeOf, withPlace, type Flow } from './flow.ts';
import { gestureStep, type GestureKind, type Grip, type Modifiers } from './gesture.ts';
import { isWithin, meantBy, parentOf } from './hits.ts';
import { KeyedText, type ElementMoment } from './keyed.ts';
import { boundsOf, minus, plus, type Area, type Bounds, type Point } from './plane.ts';
import { snapLinesOf, type Guide, type SnapLines } from './snap.ts';
import { distances, type Gap } from './spacing.ts';
import { PatchedText, type Patch } from '../source/patch.ts';
import { say } from '../../ui/say.ts';
import { differenceOf } from '../../engine/text-change.ts';
import type { CanvasEditor } from './canvas-editor.svelte.ts';

/** What it uses of the canvas. */
interface Canvas {
  readonly document: { readonly width: number; readonly height: number };
  readonly selection: readonly string[];
  readonly selectedAreas: readonly Area[];
  readonly autoKeys: boolean;
  areaOf(path: string): Area | null;
  momentOf(path: string): ElementMoment | null;
  hold(path: string, keyed?: boolean): Held | null;
  hit(point: Point): string;
  isLocked(path: string): boolean;
  selectAll(paths: readonly string[]): void;
}

interface Gesture extends Grip {
  readonly text: string;
  readonly patched: KeyedText | PatchedText;
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

export class CanvasGesture {
  readonly #editor: CanvasEditor;
  readonly #canvas: Canvas;
  #gesture: Gesture | null = null;
  /** The areas of what is held, as it would be; null while nothing is. */
  areas = $state.raw<readonly Area[] | null>(null);
  /**
   * The one element whose area is that of its picture, because its content or a flow decides a part of it; '' for none.
   */
  #measured = $state('');
  readonly shown = $derived.by((): readonly Area[] | null => {
    const drawn = this.#measured === '' ? null : this.#canvas.areaOf(this.#measured);
    return this.areas && drawn ? [drawn] : this.areas;
  });
  /** The path that an element dragged along a flow has in the picture as it would be; '' for none. */
  #placed = $state('');
  /** The place that would be its own, among neighbours that have made room; null for none. */
  readonly slot = $derived.by((): Area | null =>
    this.#placed === '' ? null : this.#canvas.areaOf(this.#placed),
  );
  guides = $state.raw<readonly Guide[]>([]);
  gaps = $state.raw<readonly Gap[]>([]);
  /** The result in numbers; '' for none. */
  readout = $state('');

  constructor(editor: CanvasEditor, canvas: Canvas) {
    this.#editor = editor;
    this.#canvas = canvas;
  }

  /** It is under way, and has begun to change something. */
  get isBusy(): boolean {
    return this.areas !== null;
  }

  /** With Alt, the distances from the selection to what is under the pointer, else to the picture's edges. */
  measure(point: Point | null): void {
    if (this.#gesture) return;
    const bounds =
      this.#canvas.selectedAreas.length > 0 ? boundsOf(this.#canvas.selectedAreas) : null;
    if (!bounds || !point) {
      if (this.gaps.length > 0) this.gaps = [];
      return;
    }
    const { width, height } = this.#canvas.document;
    const hit = this.#canvas.hit(point);
    const path = hit === '' ? '' : meantBy(hit, this.#editor.selected);
    const isOwn = this.#canvas.selection.some((one) => isWithin(path, one));
    const area = path === '' || isOwn ? null : this.#canvas.areaOf(path);
    const picture = { left: 0, top: 0, right: width, bottom: height };
    this.gaps = distances(bounds, area ? boundsOf([area]) : picture);
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
    // A copy moves as a whole, with its keyframes.
    const keyed = !copies;
    const held = this.#canvas.selection.flatMap((path) => this.#canvas.hold(path, keyed) ?? []);
    const free = held.filter(({ path }) => !this.#canvas.isLocked(path));
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
      patched: copied
        ? new PatchedText(copied.text)
        : new KeyedText(
            text,
            paths.flatMap((path) => this.#canvas.momentOf(path) ?? []),
            this.#canvas.autoKeys ? 'keys' : 'set',
            document.currentTree,
          ),
      flow: what.kind === 'move' && !copied ? this.#flowOf(free) : null,
      copies: copied !== null,
      begun: false,
      result: text,
      path: null,
    };
    this.#editor.preview.live?.expect(document.code);
    return true;
  }

  #flowOf(held: readonly Held[]): Gesture['flow'] {
    const { source } = this.#editor.document;
    const [only, ...others] = held;
    const of = source && only && others.length === 0 ? flowOf(source, only.path) : null;
    return (
      of && { of, areas: of.members.map((index) => this.#canvas.areaOf(`${of.list}[${index}]`)) }
    );
  }

  /** Drags along a flow: the others make room. */
  #reorder(gesture: Gesture, { of, areas }: NonNullable<Gesture['flow']>, way: Point): void {
    const [held] = gesture.held;
    if (!held) return;
    const to = placeOf(of, areas, held.room, way);
    const { text, path } = withPlace(gesture.text, of, to);
    gesture.path = to === of.place ? null : path;
    this.#placed = path;
    this.areas = [{ ...held.area, origin: plus(held.area.origin, way) }];
    this.readout = say('canvas.flow.place', { place: to + 1, count: of.members.length });
    this.#draw(gesture, text);
  }

  /**
   * Moves the selected element by places in its flow; one step.
   * @returns false where it is in none in that direction.
   */
  stepInFlow(axis: 'x' | 'y', by: 1 | -1): boolean {
    const { document } = this.#editor;
    document.settle();
    const [path, ...others] = this.#canvas.selection;
    const { source, text } = document;
    const flow = source && path !== undefined && others.length === 0 ? flowOf(source, path) : null;
    if (path === undefined || flow?.axis !== axis || this.#canvas.isLocked(path)) return false;
    const to = Math.min(flow.members.length - 1, Math.max(0, flow.place + by));
    const after = withPlace(text, flow, to);
    document.namedStep(differenceOf(text, after.text), say('canvas.step.reorder'));
    this.#canvas.selectAll([after.path]);
    return true;
  }

  /** Edges and middles of the picture and of all that is not held. */
  #beside(held: readonly Held[]): { lines: SnapLines; others: readonly Bounds[] } {
    const { width, height } = this.#canvas.document;
    const { outlines = {} } = this.#editor.preview.facts ?? {};
    const level = parentOf(held[0]?.path ?? this.#editor.selected);
    const others = Object.keys(outlines).flatMap((path) => {
      const isHeld = held.some((one) => isWithin(path, one.path));
      const area = !isHeld && parentOf(path) === level ? this.#canvas.areaOf(path) : null;
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
    this.#placed = '';
    const reach = modifiers.ctrl ? 0 : reaches.snap / scale;
    const step = gestureStep(gesture, to, modifiers, reach);
    if (!step) return;
    const [held] = gesture.held;
    const isMeasured = gesture.what.kind === 'resize' && held !== undefined && followsContent(held);
    this.#measured = isMeasured && this.#editor.preview.live?.isReady === true ? held.path : '';
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

  /**
   * Ends the gesture; what it came to is one change of the document.
   *
   * @param run See `EditedDocument.namedStep`.
   * @returns whether it led anywhere.
   */
  end(run = ''): boolean {
    const gesture = this.#take();
    if (!gesture) return false;
    const { document } = this.#editor;
    const changes = differenceOf(gesture.text, gesture.result);
    if (changes.length === 0) {
      // It came back to where it began: the picture of before is drawn again, by the server, too.
      if (gesture.begun) document.check();
      return gesture.begun;
    }
    // Where someone typed meanwhile, what was shown is not what the text would become.
    if (document.text !== gesture.text) return gesture.begun;
    const name = gesture.copies ? 'copies' : gesture.path === null ? gesture.what.kind : 'reorder';
    document.namedStep(changes, say(`canvas.step.${name}`), run);
    if (gesture.copies) this.#canvas.selectAll(gesture.held.map(({ path }) => path));
    if (gesture.path !== null) this.#canvas.selectAll([gesture.path]);
    return true;
  }

  /** Cancels the gesture. @returns whether there was one. */
  cancel(): boolean {
    const gesture = this.#take();
    if (!gesture) return false;
    // Draws it as it is.
    if (gesture.begun) this.#editor.document.check();
    return true;
  }

  #take(): Gesture | null {
    const gesture = this.#gesture;
    this.#gesture = null;
    this.areas = null;
    this.#measured = this.#placed = '';
    this.guides = [];
    this.gaps = [];
    this.readout = '';
    return gesture;
  }

  /**
   * Moves each selected element by its own offset, in document pixels; one step.
   *
   * @param isRun A run of them, at the same moment, is one step.
   * @returns whether there was something to move.
   */
  moveEach(waysOf: (held: readonly Held[]) => readonly Point[], isRun = false): boolean {
    if (!this.begin({ kind: 'move' }, { x: 0, y: 0 })) return false;
    const gesture = this.#gesture;
    if (gesture) {
      const ways = waysOf(gesture.held);
      const still = { x: 0, y: 0 };
      this.#show(gesture, (one) => moved(one, ways[gesture.held.indexOf(one)] ?? still));
    }
    const { preview } = this.#editor;
    this.end(isRun ? ['move', preview.time, ...this.#canvas.selection].join('\n') : '');
    return true;
  }
}
