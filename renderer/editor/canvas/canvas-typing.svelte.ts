/** Texts that are typed where they stand in the picture, and the letters of them that are selected. Window only. */
import { elementAt } from '../outline/elements.ts';
import type { CaretPlaces } from '../../../shared/engine/text/caret-places.ts';
import type { CanvasEditor } from './canvas-editor.svelte.ts';
import type { Point } from './plane.ts';
import { retyped } from '../../../shared/engine/text/styled-parts.ts';
import { Runs } from '../source/edited-document.svelte.ts';
import { say } from '../../ui/say.ts';

/** Letters of a text. */
interface Letters {
  /** Of the element. */
  readonly path: string;
  readonly from: number;
  readonly to: number;
}

/** Milliseconds without a letter after which the next one begins another step. */
const runPause = 2_000;

export class CanvasTyping {
  readonly #editor: Pick<CanvasEditor, 'document' | 'preview'>;
  readonly #isLocked: (path: string) => boolean;
  /** Of the text that is being typed; '' for none. */
  path = $state('');
  /** Where the text was clicked to be typed, pixels of the document; null where all of it is selected at first. */
  begunAt: Point | null = null;
  /** Letters of a text that are selected where it is typed, counted without its tags; null for none. */
  letters = $state.raw<Letters | null>(null);
  /** What was typed and not checked yet; it counts for this source only. */
  #typed = $state.raw<{
    readonly path: string;
    readonly text: string;
    readonly source: unknown;
  } | null>(null);

  /** Letters that are typed in one go. */
  readonly #runs = new Runs(runPause);

  /** Boxes in which texts are typed, and what hears which of their letters are selected. */
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- nothing is shown of it
  readonly #boxes = new Map<Element, () => void>();

  constructor(
    editor: Pick<CanvasEditor, 'document' | 'preview'>,
    isLocked: (path: string) => boolean,
  ) {
    this.#editor = editor;
    this.#isLocked = isLocked;
  }

  /**
   * Tells which letters are selected in a box, until the returned function is called. For `{@attach}`.
   *
   * @param take Told the places of the first letter and behind the last; both are the same for none.
   */
  watch(box: HTMLTextAreaElement, take: (from: number, to: number) => void): () => void {
    const follow = (): void => take(box.selectionStart, box.selectionEnd);
    const events = ['select', 'keyup', 'pointerup'] as const;
    for (const event of events) box.addEventListener(event, follow);
    this.#boxes.set(box, follow);
    return () => {
      for (const event of events) box.removeEventListener(event, follow);
      this.#boxes.delete(box);
    };
  }

  /**
   * Takes over which letters are selected now. Browsers tell of a selection only with their next picture; on a slow
   * machine the key that follows comes first, and would style nothing, or other letters.
   */
  refresh(): void {
    const { activeElement } = document;
    if (activeElement) this.#boxes.get(activeElement)?.();
  }

  /** True for a text with its own words. */
  can(path: string): boolean {
    const { source } = this.#editor.document;
    const element = source && elementAt(source, path);
    return (
      element?.type === 'text' && typeof (element.text ?? '') === 'string' && !this.#isLocked(path)
    );
  }

  /** Starts typing in an element, if possible: at a point of the document, or with all of it selected. */
  begin(path: string, at: Point | null = null): void {
    if (!this.can(path)) return;
    this.begunAt = at;
    this.endRun();
    this.path = path;
    this.#editor.preview.typeIn(path);
  }

  end(): void {
    this.path = '';
    this.#editor.preview.typeIn('');
  }

  /** Where the caret can stand in the text that is typed, as it is drawn; null where that is not known. */
  get places(): CaretPlaces | null {
    return this.#editor.preview.live?.places ?? null;
  }

  /** The text of an element, with its tags; what was typed a moment ago counts. */
  textOf(path: string): string {
    const { source } = this.#editor.document;
    const typed = this.#typed;
    if (typed?.path === path && typed.source === source) return typed.text;
    const text = source && elementAt(source, path)?.text;
    return typeof text === 'string' ? text : '';
  }

  /** Letters that are typed in one go are one step. @param plain The text without its tags. */
  type(path: string, plain: string): void {
    const { document } = this.#editor;
    const { code } = document;
    // Its style was changed a moment ago.
    if (!this.#runs.isLast([code.lines]) && !document.currentTree) document.settle();
    const text = retyped(this.textOf(path), plain);
    this.#typed = { path, text, source: document.source };
    const { goesOn, began } = this.#runs.next(path, [code.lines]);
    const name = say('inspector.step', { name: say('inspector.name.text') });
    document.setValue(`${path}.text`, text, { began, goesOn, name });
    this.#runs.done([code.lines]);
  }

  /** Has what was typed checked at once, for who builds on it. */
  settle(): void {
    const { document } = this.#editor;
    if (this.#typed?.source === document.source) document.settle();
  }

  /** What is typed next is another step. */
  endRun(): void {
    this.#runs.end();
  }
}
