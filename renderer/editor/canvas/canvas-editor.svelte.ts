/** What the canvas and the timeline need of the editor that they are part of. Window only. */
import type { OutlineItem } from '../outline/elements.ts';
import type { EditedDocument } from '../source/edited-document.svelte.ts';
import type { PreviewState } from '../preview/preview-state.svelte.ts';

/** An editor of a document; a `TemplateEditor` is one. */
export interface CanvasEditor {
  readonly document: EditedDocument;
  readonly preview: PreviewState;
  readonly outline: readonly OutlineItem[];
  /** Path of the selected element; '' for none. */
  selected: string;
  select(path: string): void;
}
