/** The hand on the picture of an editor, and what holds after each of its gestures. */
import { expect, test, vi } from 'vitest';
import {
  beginCrop,
  canvasCommands,
  canvasKey,
} from '../../renderer/editor/canvas/canvas-commands.svelte.ts';
import { handles } from '../../renderer/editor/canvas/changes.ts';
import { carry, type Dragged } from '../../renderer/editor/media/dragged.ts';
import { MediaDrop } from '../../renderer/editor/media/media-drop.svelte.ts';
import { CanvasPointer, type Pressed } from '../../renderer/editor/canvas/canvas-pointer.svelte.ts';
import {
  nameOfHandle,
  placeOfHandle,
  turnPlace,
} from '../../renderer/editor/canvas/handle-looks.ts';
import { timelineCommands } from '../../renderer/editor/timeline/timeline-commands.svelte.ts';
import type { CommandId } from '../../shared/commands.ts';
import {
  elementsOf,
  expectElements,
  keysPressed,
  pointerAt,
  type Given,
  type Held,
  type OpenEditor,
} from './editor.ts';

/** A point of the document, which is drawn a pixel for a pixel. */
export type Place = readonly [x: number, y: number];

/** With Ctrl nothing snaps. */
export const free: readonly Held[] = ['Control'];

/** One gesture. */
export interface GestureRow {
  readonly what: string;
  /** Without it, the picture becomes another one, and by undoing the same again. */
  readonly picture?: 'the same' | 'another moment';
  readonly act: (hand: Hand) => void | Promise<void>;
  /** Values afterwards, by the index of the element. */
  readonly gives: Given;
}

class Hand {
  readonly #open: OpenEditor;
  readonly #pointer: CanvasPointer;
  /** What the last picture that was waited for says. */
  #seen: OpenEditor['editor']['preview']['facts'];

  constructor(open: OpenEditor) {
    this.#open = open;
    this.#seen = open.editor.preview.facts;
    const frame = new DOMRect(0, 0, 800, 600);
    this.#pointer = new CanvasPointer(
      open.editor.canvas,
      () => frame,
      (path) => beginCrop(open.editor, open.app, path),
    );
  }

  /** How many are selected. */
  get selected(): number {
    return this.#open.editor.canvas.selection.length;
  }

  /** A part is being chosen. */
  get crops(): boolean {
    return this.#open.editor.canvas.crop.isOpen;
  }

  click(at: Place, held: readonly Held[] = []): void {
    this.#pointer.down(pointerAt(...at, held), { kind: 'picture' }, true);
    this.#pointer.up();
  }

  double(at: Place): void {
    this.click(at);
    this.click(at);
    this.#pointer.double(pointerAt(...at));
  }

  drag(
    from: Place,
    to: Place,
    held: readonly Held[] = [],
    pressed: Pressed = { kind: 'picture' },
  ): void {
    this.#pointer.down(pointerAt(...from, held), pressed, true);
    this.#pointer.move(pointerAt((from[0] + to[0]) / 2, (from[1] + to[1]) / 2, held));
    this.#pointer.move(pointerAt(...to, held));
    this.#pointer.up();
  }

  /** Drags a handle of what is selected by so many pixels. */
  pull(name: string, [x, y]: Place, held: readonly Held[] = []): void {
    const { handled, selectedAreas } = this.#open.editor.canvas;
    const [area] = selectedAreas;
    const handle = handled?.handles.find((one) => nameOfHandle(one) === name);
    if (!area || (!handle && name !== 'turn')) throw new Error(`There is no handle ${name}.`);
    const view = { left: 0, top: 0, right: 800, bottom: 600 };
    const at = handle ? placeOfHandle(area, handle) : turnPlace(area, 1, view).at;
    const pressed: Pressed = handle ? { kind: 'resize', handle } : { kind: 'turn' };
    this.drag([at.x, at.y], [at.x + x, at.y + y], held, pressed);
  }

  /** Drags a handle of the part that shows. */
  pullCrop(name: string, [x, y]: Place): void {
    const frame = this.#open.editor.canvas.crop.areas?.frame;
    const handle = handles.find((one) => nameOfHandle(one) === name);
    if (!frame || !handle) throw new Error(`There is no handle ${name}.`);
    const at = placeOfHandle(frame, handle);
    this.drag([at.x, at.y], [at.x + x, at.y + y], [], { kind: 'crop', handle });
  }

  wheel([clientX, clientY]: Place, deltaY: number): void {
    this.#pointer.wheel(new WheelEvent('wheel', { clientX, clientY, deltaY }));
  }

  /** Something of the add panel is dragged over the picture, and let go there. */
  drop([x, y]: Place, what: Dragged, altKey = false): void {
    const { app, editor } = this.#open;
    const drop = new MediaDrop(editor, app);
    const dataTransfer = new DataTransfer();
    carry(dataTransfer, what);
    const event = new DragEvent('drop', { dataTransfer, altKey });
    expect(drop.hover(event, { x, y })).toBe(true);
    expect(drop.drop(event, { x: x / 800, y: y / 600 })).toBe(true);
  }

  press(keys: string): void {
    const { app, editor } = this.#open;
    app.ownCommands.editor = [...canvasCommands(editor, app), ...timelineCommands(editor, app)];
    expect(canvasKey(keysPressed(keys), editor, app), keys).toBe(true);
  }

  /** Takes the last step back. */
  undo(): void {
    this.#open.editor.document.undo();
  }

  get text(): string {
    return this.#open.editor.document.text;
  }

  /** A command whose keys belong to the whole editor. */
  run(id: CommandId): void {
    const { app, editor } = this.#open;
    canvasCommands(editor, app)
      .find((one) => one.id === id)
      ?.run();
  }

  /** Shows another moment, in seconds. */
  async seek(seconds: number): Promise<void> {
    this.#open.editor.preview.seek(seconds);
    await this.drawn();
  }

  /** Waits for the picture of a change, once after each. */
  async drawn(): Promise<void> {
    const { document, preview } = this.#open.editor;
    document.settle();
    const isThere = (): boolean => preview.facts !== this.#seen && preview.phase === 'ready';
    await vi.waitUntil(isThere, { timeout: 60_000, interval: 10 });
    this.#seen = preview.facts;
  }
}

/** Tries gestures one after the other: each changes document and picture, and undone leaves the same bytes of both. */
export function tryGestures(open: OpenEditor, text: string, rows: readonly GestureRow[]): void {
  const hand = new Hand(open);
  test.each(rows)('$what', async ({ act, gives, picture: changes }) => {
    const { document, preview, canvas } = open.editor;
    canvas.clear();
    if (preview.time > 0) {
      preview.seek(0);
      await hand.drawn();
    }
    const before = preview.picture;
    await act(hand);
    expectElements(elementsOf(open.editor), gives);
    expect(document.text).not.toBe(text);
    await hand.drawn();
    // An earlier step may be drawn once more meanwhile.
    if (changes === undefined) await expect.poll(() => preview.picture).not.toBe(before);
    if (changes === 'the same') expect(preview.picture).toBe(before);
    // Two steps where two keys were pressed.
    for (let steps = 0; steps < 3 && document.text !== text; steps++) document.undo();
    expect(document.text).toBe(text);
    await hand.drawn();
    if (changes !== 'another moment') await expect.poll(() => preview.picture).toBe(before);
  });
}
