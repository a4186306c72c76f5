/** Handles the pointer on the preview's picture: selecting, rubber-band selection, dragging. Window only. */
import type { Handle } from './changes.ts';
import type { Point } from './plane.ts';
import type { Modifiers } from './gesture.ts';
import type { CanvasState } from './canvas.svelte.ts';

/** What was pressed: the picture, or one of the handles around the selected element. */
export type Pressed =
  | { readonly kind: 'picture' }
  | { readonly kind: 'turn' }
  | { readonly kind: 'resize'; readonly handle: Handle }
  | { readonly kind: 'crop'; readonly handle: Handle };

/** Keys that a pointer event came with. */
export const modifiersOf = (event: MouseEvent): Modifiers => ({
  shift: event.shiftKey,
  alt: event.altKey,
  ctrl: event.ctrlKey || event.metaKey,
});

/** Whether two events have the pointer at the same place, with the same keys. */
export function isSameMove(one: MouseEvent, other: MouseEvent): boolean {
  const [keys, others] = [modifiersOf(one), modifiersOf(other)];
  return (
    one.clientX === other.clientX &&
    one.clientY === other.clientY &&
    keys.shift === others.shift &&
    keys.alt === others.alt &&
    keys.ctrl === others.ctrl
  );
}

export class CanvasPointer {
  readonly #canvas: CanvasState;
  readonly #frameOf: () => DOMRect | null;
  readonly #oncrop: (path: string) => void;
  /** The start of a rubber-band selection. */
  #corner: Point | null = null;
  /** A crop is held. */
  #crops = false;
  /** What a press does if nothing is dragged. */
  #click: (() => void) | null = null;

  /** @param frameOf Where the picture lies on the screen; null while there is none. */
  constructor(canvas: CanvasState, frameOf: () => DOMRect | null, oncrop: (path: string) => void) {
    this.#canvas = canvas;
    this.#oncrop = oncrop;
    this.#frameOf = frameOf;
  }

  /** Where an event is, in pixels of the document, and screen pixels for one of those. */
  #placeOf(event: MouseEvent): { readonly point: Point; readonly scale: number } | null {
    const frame = this.#frameOf();
    const { width } = this.#canvas.document;
    if (!frame || width <= 0 || frame.width <= 0) return null;
    const scale = frame.width / width;
    const point = {
      x: (event.clientX - frame.left) / scale,
      y: (event.clientY - frame.top) / scale,
    };
    return { point, scale };
  }

  /**
   * The button went down.
   *
   * @returns whether this handles the following moves; otherwise they may pan a large picture.
   */
  down(event: PointerEvent, pressed: Pressed, marquees: boolean): boolean {
    const place = this.#placeOf(event);
    if (!place) return false;
    const canvas = this.#canvas;
    if (canvas.crop.isOpen) {
      const handle = pressed.kind === 'crop' ? pressed.handle : null;
      this.#crops = canvas.crop.press(place.point, handle);
      return this.#crops;
    }
    if (pressed.kind === 'crop') return false;
    if (pressed.kind !== 'picture') return canvas.gesture.begin(pressed, place.point);
    const modifiers = modifiersOf(event);
    this.#click = canvas.press(place.point, modifiers);
    if (this.#click) {
      canvas.gesture.begin({ kind: 'move' }, place.point, modifiers.alt);
      return true;
    }
    if (!marquees) return false;
    this.#corner = place.point;
    return true;
  }

  /** It moved with the button down. */
  move(event: PointerEvent): void {
    const place = this.#placeOf(event);
    if (!place) return;
    if (this.#crops) {
      this.#canvas.crop.drag(place.point, modifiersOf(event));
      return;
    }
    const corner = this.#corner;
    if (!corner) {
      this.#canvas.gesture.drag(place.point, modifiersOf(event), place.scale);
      return;
    }
    const { point } = place;
    this.#canvas.marquee = {
      left: Math.min(corner.x, point.x),
      right: Math.max(corner.x, point.x),
      top: Math.min(corner.y, point.y),
      bottom: Math.max(corner.y, point.y),
    };
  }

  /** The button was let go. */
  up(): void {
    const canvas = this.#canvas;
    if (this.#letCropGo()) return;
    if (canvas.marquee) canvas.selectWithin(canvas.marquee);
    canvas.marquee = null;
    this.#corner = null;
    if (!canvas.gesture.end()) this.#click?.();
    this.#click = null;
  }

  /** The system took the pointer away. */
  cancel(): void {
    if (this.#letCropGo()) return;
    this.#canvas.marquee = null;
    this.#corner = null;
    this.#click = null;
    this.#canvas.gesture.cancel();
  }

  /** @returns whether a crop was held. */
  #letCropGo(): boolean {
    const crops = this.#crops;
    this.#crops = false;
    this.#canvas.crop.up();
    return crops;
  }

  /** The wheel scales a picture that is cropped. @returns whether there is one */
  wheel(event: WheelEvent): boolean {
    const place = this.#placeOf(event);
    if (!place || !this.#canvas.crop.isOpen) return false;
    this.#canvas.crop.zoom(Math.exp(-event.deltaY / 500), place.point);
    return true;
  }

  /** Two clicks: one level further in; a text is typed in, of a picture the part that shows is chosen. */
  double(event: MouseEvent): void {
    if (this.#canvas.crop.isOpen) return;
    const place = this.#placeOf(event);
    if (!place) return;
    const path = this.#canvas.enter(place.point);
    if (path === '') return;
    this.#canvas.typing.begin(path, place.point);
    this.#oncrop(path);
  }
}
