/** The menu of one timeline: what it is about, which is selected when it opens. Window only. */
import type { Place } from '../../ui/menu.ts';
import type { TemplateEditor } from '../template-editor.svelte.ts';

export type TimelineMenuKind = 'clip' | 'track' | 'keys' | 'cut' | 'empty';

export class TimelineMenuState {
  readonly #editor: TemplateEditor;
  /** The open one; null for none. */
  open = $state.raw<{ readonly kind: TimelineMenuKind; readonly at: Place } | null>(null);

  constructor(editor: TemplateEditor) {
    this.#editor = editor;
  }

  /**
   * Opens the menu of what lies under the pointer; by its key, that of what the keys are about.
   *
   * @param current The clip that the keys are about, or the grid around it.
   * @returns whether it opened.
   */
  show(event: MouseEvent, current: Element | null | undefined): boolean {
    const { target } = event;
    const { timeline, selected } = this.#editor;
    if (!(target instanceof Element) || target instanceof HTMLInputElement || timeline.busy)
      return false;
    if (event.button === 2) {
      this.open = { kind: this.#select(target), at: { x: event.clientX, y: event.clientY } };
      return true;
    }
    const { left: x = 0, bottom: y = 0 } = current?.getBoundingClientRect() ?? {};
    this.open = { kind: selected === '' ? 'empty' : 'clip', at: { x, y } };
    return true;
  }

  /** Selects what lies there. @returns what that is. */
  #select(target: Element): TimelineMenuKind {
    const { timeline, canvas } = this.#editor;
    const within = (name: string): string | undefined =>
      target.closest<HTMLElement>(`[data-${name}]`)?.dataset[name];
    const [path, moment, key] = [within('path'), within('moment'), within('row')];
    const cut = within('cut');
    if (cut !== undefined) {
      timeline.pick(cut);
      return 'cut';
    }
    if (path !== undefined && moment !== undefined) {
      if (!timeline.keys.has(path, Number(moment))) timeline.goToKeys(path, Number(moment));
      return 'keys';
    }
    if (path !== undefined) {
      timeline.keys.choose(null);
      if (!timeline.isSelected(path)) timeline.pick(path);
      return 'clip';
    }
    const row = timeline.rows.find((one) => one.key === key);
    canvas.selectAll(row?.clips.map((clip) => clip.key) ?? []);
    return row ? 'track' : 'empty';
  }
}
