/** Handles the pointer on the timeline: the head, clips and their edges, scrolling at the sides. Window only. */
import type { Marker } from '../../../shared/markers.ts';
import type { ClipGesture } from './gestures.ts';
import type { Target } from './move.ts';
import { clipHeight } from './ruler.ts';
import type { Obstacle } from './wishes.ts';
import { modifiersOf } from '../canvas/canvas-pointer.svelte.ts';
import type { TemplateEditor } from '../template-editor.svelte.ts';
import type { ShownRow, TimelineState } from './timeline-state.svelte.ts';

export type TimelinePress =
  | { readonly kind: 'ruler' }
  | { readonly kind: 'marker'; readonly marker: Marker }
  | {
      readonly kind: 'clip';
      readonly path: string;
      readonly what: ClipGesture;
      /** What a click does. Default: it selects the clip. */
      readonly onclick?: () => void;
    };

/** Where things lie on the screen. */
export interface TimelinePlaces {
  /** The part that scrolls. */
  readonly box: HTMLElement;
  /** The beginning of time, and of the first row, which scroll along. */
  readonly left: number;
  readonly top: number;
  /** From one row to the next, in pixels. */
  readonly pitch: number;
  /** Pixels of the names before the rows, and of the ruler above them. */
  readonly head: number;
  readonly ruler: number;
}

/** Pixels: of a way that is meant; beside the edges where it scrolls; how far in a frame. */
const ways = { meant: 3, edge: 28, scroll: 14 } as const;

export class TimelinePointer {
  readonly #editor: TemplateEditor;
  readonly #placesOf: () => TimelinePlaces | null;
  readonly #onRefused: (why: Obstacle, path: string) => void;
  #pressed: TimelinePress | null = null;
  /** The last event of the press, whose place counts while it scrolls. */
  #last: PointerEvent | null = null;
  #began = { x: 0, y: 0, time: 0 };
  #isDragging = false;
  /** What a press does if nothing is dragged. */
  #click: (() => void) | null = null;
  #frame = 0;

  constructor(
    editor: TemplateEditor,
    placesOf: () => TimelinePlaces | null,
    onRefused: (why: Obstacle, path: string) => void,
  ) {
    this.#editor = editor;
    this.#placesOf = placesOf;
    this.#onRefused = onRefused;
  }

  get #timeline(): TimelineState {
    return this.#editor.timeline;
  }

  /** Seconds at an event. */
  #timeOf(event: MouseEvent): number {
    const places = this.#placesOf();
    return places ? (event.clientX - places.left) / this.#timeline.scale : 0;
  }

  /** The button went down on the ruler, a clip or an edge of it. */
  down(event: PointerEvent, pressed: TimelinePress): void {
    this.#pressed = pressed;
    this.#last = event;
    this.#began = { x: event.clientX, y: event.clientY, time: this.#timeOf(event) };
    this.#isDragging = false;
    if (pressed.kind !== 'marker') this.#editor.markers.choose(null);
    if (pressed.kind === 'ruler') this.#scrub(event);
    else if (pressed.kind === 'marker') {
      this.#editor.markers.choose(pressed.marker);
      this.#click = () => this.#editor.markers.goTo(pressed.marker);
    } else {
      const select = this.#press(pressed, event);
      this.#click = pressed.onclick ?? select;
    }
  }

  /** Selects what is pressed. @returns what to do if the press turns out to be a click. */
  #press(
    { path, what }: TimelinePress & { readonly kind: 'clip' },
    { shiftKey, ctrlKey, metaKey }: PointerEvent,
  ): () => void {
    const { canvas } = this.#editor;
    const adds = shiftKey || ctrlKey || metaKey;
    if (what.kind === 'keys') return this.#pressKey(path, what.at[0] ?? 0, adds);
    this.#timeline.keys.choose(null);
    if (what.kind === 'move' && adds) {
      const wasSelected = this.#timeline.isSelected(path);
      if (!wasSelected) canvas.toggle(path);
      return () => {
        if (wasSelected) canvas.toggle(path);
      };
    }
    if (!this.#timeline.isSelected(path)) this.#timeline.pick(path);
    return () => {
      canvas.also.clear();
      this.#editor.select(path);
    };
  }

  /** One that is chosen stays so: it may be the beginning of a drag of all of them. */
  #pressKey(path: string, at: number, adds: boolean): () => void {
    const timeline = this.#timeline;
    const wasChosen = timeline.keys.has(path, at);
    if (this.#editor.selected !== path) timeline.pick(path);
    if (!wasChosen && adds) timeline.keys.toggle(path, at);
    else if (!wasChosen) timeline.keys.choose({ path, at: [at] });
    return () => {
      if (!adds) timeline.goToKeys(path, at);
      else if (wasChosen) timeline.keys.toggle(path, at);
    };
  }

  /** What is dragged: of keyframes, all that are chosen. */
  #dragged({ path, what }: TimelinePress & { readonly kind: 'clip' }): ClipGesture {
    const { chosen } = this.#timeline.keys;
    if (what.kind !== 'keys' || chosen?.path !== path) return what;
    const others = chosen.at.filter((at) => !what.at.includes(at));
    return { kind: 'keys', at: [...what.at, ...others] };
  }

  #scrub(event: MouseEvent): void {
    this.#editor.preview.scrub(Math.max(0, this.#timeOf(event)));
  }

  /** It moved with the button down. */
  move(event: PointerEvent): void {
    const pressed = this.#pressed;
    if (!pressed) return;
    this.#last = event;
    const { x, y, time } = this.#began;
    const isMeant = Math.hypot(event.clientX - x, event.clientY - y) >= ways.meant;
    if (!this.#isDragging && isMeant) {
      this.#isDragging = true;
      if (pressed.kind === 'clip') {
        const why = this.#timeline.begin(this.#dragged(pressed), pressed.path, time);
        if (why) {
          this.#pressed = this.#click = null;
          this.#onRefused(why, pressed.path);
          return;
        }
      }
      if (pressed.kind === 'marker') this.#editor.markers.begin(pressed.marker, time);
      this.#frame = requestAnimationFrame(() => this.#scroll());
    }
    if (this.#isDragging) this.#drag(event);
  }

  #drag(event: PointerEvent): void {
    if (this.#pressed?.kind === 'ruler') this.#scrub(event);
    else if (this.#pressed?.kind === 'marker')
      this.#editor.markers.drag(
        this.#timeOf(event),
        modifiersOf(event).ctrl === this.#timeline.snaps,
      );
    else if (this.#pressed?.kind === 'clip')
      this.#timeline.drag(
        this.#timeOf(event),
        this.#targetOf(event, this.#pressed.path),
        modifiersOf(event),
        (this.#began.y - event.clientY) / clipHeight,
      );
  }

  /** Scrolls while the pointer is beside an edge; what is dragged goes along. */
  #scroll(): void {
    const [event, places] = [this.#last, this.#placesOf()];
    if (!this.#pressed || !event || !places) return;
    const { box, head, ruler } = places;
    const { left, right, top, bottom } = box.getBoundingClientRect();
    const speed = (at: number, from: number, to: number): number => {
      if (at < from + ways.edge) return -Math.min(1, (from + ways.edge - at) / ways.edge);
      return at > to - ways.edge ? Math.min(1, (at - to + ways.edge) / ways.edge) : 0;
    };
    const [x, y] = [box.scrollLeft, box.scrollTop];
    box.scrollLeft += speed(event.clientX, left + head, right) * ways.scroll;
    // Along its own row it only goes sideways.
    const isAway = Math.abs(event.clientY - this.#began.y) > places.pitch;
    if (this.#pressed.kind === 'clip' && isAway)
      box.scrollTop += speed(event.clientY, top + ruler, bottom) * ways.scroll;
    if (box.scrollLeft !== x || box.scrollTop !== y) this.#drag(event);
    this.#frame = requestAnimationFrame(() => this.#scroll());
  }

  /** The row under the pointer; null on the clip's own. */
  #targetOf(event: MouseEvent, path: string): Target | null {
    const places = this.#placesOf();
    if (!places) return null;
    const rows = this.#timeline.rows;
    const own = rows.findIndex(({ clips }) => clips.some(({ key }) => key === path));
    const at = Math.floor((event.clientY - places.top) / places.pitch);
    const list = path.slice(0, path.lastIndexOf('['));
    if (at < 0) return list === rows[0]?.list ? { kind: 'front' } : null;
    // What is locked must not be cut by it.
    const isLocked = rows[at]?.clips.some(
      ({ key }) => key !== path && this.#timeline.isLocked(key),
    );
    if (isLocked === true) return null;
    return targetAt(rows[at], at < (own < 0 ? at : own), list, path);
  }

  /** The button was let go. */
  up(): void {
    const isDrag = this.#isDragging;
    const click = this.#click;
    const kind = this.#pressed?.kind;
    this.#end();
    if (isDrag && kind === 'marker') this.#editor.markers.end();
    else if (isDrag) this.#timeline.end();
    else click?.();
  }

  /** Esc, or the system took the pointer away. @returns whether something was dragged. */
  cancel(): boolean {
    const isDrag = this.#isDragging && this.#pressed?.kind === 'clip';
    this.#end();
    this.#timeline.cancel();
    const isMarker = this.#editor.markers.cancel();
    return isDrag || isMarker;
  }

  #end(): void {
    cancelAnimationFrame(this.#frame);
    this.#pressed = this.#click = this.#last = null;
    this.#isDragging = false;
  }
}

/** @param isAbove In front of the clip's own row. */
export function targetAt(
  row: ShownRow | undefined,
  isAbove: boolean,
  list: string,
  path: string,
): Target | null {
  if (row?.list !== list) return null;
  if (row.track !== null) {
    const isOwn = row.clips.some(({ key }) => key === path);
    return isOwn && row.clips.length === 1 ? null : { kind: 'track', track: row.track };
  }
  const indexes = row.clips.filter(({ key }) => key !== path).map(({ clip }) => clip.index);
  if (indexes.length === 0) return null;
  return { kind: 'lane', index: isAbove ? Math.max(...indexes) : Math.min(...indexes) };
}
