/** Texts that are typed where they stand in the picture, and the letters of them that are selected. Window only. */
import { elementAt } from '../outline/elements.ts';
import type { CanvasEditor } from './canvas-editor.svelte.ts';

/** Letters of a text. */
interface Letters {
  /** Of the element. */
  readonly path: string;
  readonly from: number;
  readonly to: number;
}

/** What is typed in one picture. */
export class CanvasTyping {
  readonly #editor: Pick<CanvasEditor, 'document'>;
  readonly #isLocked: (path: string) => boolean;
  /** Of the text that is being typed; '' for none. */
  path = $state('');
  /** Letters of a text that are selected where it is typed, counted without its tags; null for none. */
  letters = $state.raw<Letters | null>(null);
  /** What was typed and not checked yet; it counts for this source only. */
  #typed = $state.raw<{
    readonly path: string;
    readonly text: string;
    readonly source: unknown;
  } | null>(null);

  /** Boxes in which texts are typed, and what hears which of their letters are selected. */
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- nothing is shown of it
  readonly #boxes = new Map<Element, () => void>();

  constructor(editor: Pick<CanvasEditor, 'document'>, isLocked: (path: string) => boolean) {
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

  /** Starts typing in an element, if possible. */
  begin(path: string): void {
    if (this.can(path)) this.path = path;
  }

  end(): void {
    this.path = '';
  }

  /** The text of an element, with its tags; what was typed a moment ago counts. */
  textOf(path: string): string {
    const { source } = this.#editor.document;
    const typed = this.#typed;
    if (typed?.path === path && typed.source === source) return typed.text;
    const text = source && elementAt(source, path)?.text;
    return typeof text === 'string' ? text : '';
  }

  write(path: string, text: string): void {
    this.#typed = { path, text, source: this.#editor.document.source };
    this.#editor.document.setValue(`${path}.text`, text);
  }
}
