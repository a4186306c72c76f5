/**
 * The keys of the list of renders: travelling, ticking, ordering and acting on the row with the focus, as grids do.
 * Knows no page; what the list is and can do is handed in.
 */
import type { SvelteSet } from 'svelte/reactivity';
import type { WindowRender } from '../../shared/api.ts';
import { canCancel, nameOf, stageOf } from '../lib/display.ts';
import type { ListLine } from '../lib/queue-view.ts';
import { say } from '../lib/say.ts';
import type { AppState } from '../state/app.svelte.ts';
import type { Place } from './menu.ts';

/** What the keys need of the list; the fields are read anew at every key. */
export interface ListHandle {
  readonly app: AppState;
  readonly lines: readonly ListLine[];
  /** The renders behind the lines, also those of folded batches. */
  readonly renders: readonly WindowRender[];
  readonly selection: SvelteSet<string>;
  /** Index of the row with the focus. */
  readonly currentIndex: number;
  /** Rows that are seen at once. */
  readonly rowsInSight: number;
  isUnfolded: (batch: string) => boolean;
  /** Folds or unfolds a batch. */
  toggle: (batch: string) => void;
  /** Opens the details of a render, or closes them. */
  open: (id: string) => void;
  /** Gives a row the focus; places outside the list are brought inside. */
  moveTo: (index: number) => void;
  openMenu: (id: string, at: Place) => void;
}

/** Between two letters of a name that is typed, in ms. */
const typingPause = 700;

/** Ticks and keys of one list. */
export class ListKeys {
  readonly #list: ListHandle;
  /** Where a range of ticks began. */
  #anchorId: string | null = null;
  #typed = '';
  #typedAt = 0;

  constructor(list: ListHandle) {
    this.#list = list;
  }

  /** Ticks a line, or takes its tick away. */
  toggleTick(line: ListLine): void {
    const { selection } = this.#list;
    const ids = idsOf(line);
    const isTicked = ids.every((id) => selection.has(id));
    for (const id of ids) {
      if (isTicked) selection.delete(id);
      else selection.add(id);
    }
    this.#anchorId = line.id;
  }

  tickAll(): void {
    const { app, renders, selection } = this.#list;
    for (const { id } of renders) selection.add(id);
    app.messages.speak(say('selection.count', { count: renders.length }));
  }

  /** Takes a key that was pressed on a row; one that means nothing here goes on. */
  onKey(event: KeyboardEvent): void {
    // Keys pressed on a button inside a row belong to the button.
    if (!(event.target instanceof HTMLElement) || event.target.dataset['row'] === undefined) return;
    const line = this.#list.lines[this.#list.currentIndex];
    if (!line) return;
    const isHandled = event.altKey
      ? this.#reorder(event, line)
      : this.#travel(event) || this.#onLine(event, line) || this.#withCtrl(event, line);
    if (!isHandled) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Ticks everything between the last tick and a line. */
  #tickRange(to: number): void {
    const { lines, selection, currentIndex } = this.#list;
    const from = lines.findIndex(({ id }) => id === (this.#anchorId ?? lines[currentIndex]?.id));
    this.#anchorId ??= lines[currentIndex]?.id ?? null;
    selection.clear();
    for (const line of lines.slice(Math.min(from, to), Math.max(from, to) + 1)) {
      for (const id of idsOf(line)) selection.add(id);
    }
  }

  #travel(event: KeyboardEvent): boolean {
    const { currentIndex, lines, rowsInSight } = this.#list;
    const page = Math.max(1, rowsInSight - 1);
    const index = {
      ArrowDown: currentIndex + 1,
      ArrowUp: currentIndex - 1,
      PageDown: currentIndex + page,
      PageUp: currentIndex - page,
      Home: 0,
      End: lines.length - 1,
    }[event.key];
    if (index === undefined || event.ctrlKey || event.metaKey) return false;
    const bounded = Math.min(lines.length - 1, Math.max(0, index));
    if (event.shiftKey) this.#tickRange(bounded);
    else this.#anchorId = null;
    this.#list.moveTo(bounded);
    return true;
  }

  #onLine(event: KeyboardEvent, line: ListLine): boolean {
    if (event.ctrlKey || event.metaKey) return false;
    const list = this.#list;
    const render = list.app.renders.get(line.id);
    switch (event.key) {
      case 'Enter':
        if (line.kind === 'batch') list.toggle(line.id);
        else list.open(line.id);
        return true;
      case ' ':
        this.toggleTick(line);
        return true;
      case 'ArrowRight':
      case 'ArrowLeft':
        if (line.kind !== 'batch' || list.isUnfolded(line.id) === (event.key === 'ArrowRight')) {
          return false;
        }
        list.toggle(line.id);
        return true;
      case 'Delete':
        if (list.selection.size > 0) this.#removeTicked();
        else if (render && canCancel(render)) void list.app.renderTasks.cancel(render);
        else if (render) list.app.renderTasks.remove([render]);
        return true;
      case 'ContextMenu':
      case 'F10':
        if (event.key === 'F10' && !event.shiftKey) return false;
        if (line.kind === 'render' && event.target instanceof HTMLElement) {
          const { left, top, height } = event.target.getBoundingClientRect();
          list.openMenu(line.id, { x: left + 40, y: top + height - 10 });
        }
        return true;
      default:
        return this.#typeAhead(event);
    }
  }

  #removeTicked(): void {
    const { app, renders, selection } = this.#list;
    const chosen = renders.filter(({ id }) => selection.has(id));
    const stoppable = chosen.filter(canCancel);
    if (stoppable.length > 0) void app.renderTasks.cancelAll(stoppable);
    else app.renderTasks.remove(chosen);
    selection.clear();
  }

  #withCtrl(event: KeyboardEvent, line: ListLine): boolean {
    if (!event.ctrlKey && !event.metaKey) return false;
    const { app } = this.#list;
    const render = line.kind === 'render' ? app.renders.get(line.id) : undefined;
    const key = `${event.shiftKey ? 'Shift ' : ''}${event.key.toLowerCase()}`;
    if (key === 'a') {
      this.tickAll();
      return true;
    }
    const action = (
      {
        c: 'copyId',
        'Shift c': 'copyCurl',
        'Shift o': 'open',
        'Shift e': 'show',
        'Shift enter': 'again',
      } as const
    )[key];
    if (!render || action === undefined) return false;
    const isFileAction = action === 'open' || action === 'show';
    if (!isFileAction || stageOf(render) === 'done') void app.renderTasks.act(action, render);
    return true;
  }

  #reorder(event: KeyboardEvent, line: ListLine): boolean {
    const where = (
      { ArrowUp: 'moveUp', ArrowDown: 'moveDown', Home: 'moveTop', End: 'moveBottom' } as const
    )[event.key];
    const { app } = this.#list;
    const render = app.renders.get(line.id);
    if (where === undefined || !render || stageOf(render) !== 'queued') return false;
    void app.renderTasks.move(render.id, where);
    return true;
  }

  /** Letters go to the next render whose name begins with them. */
  #typeAhead(event: KeyboardEvent): boolean {
    if (event.key.length !== 1 || event.ctrlKey || event.metaKey) return false;
    const { app, lines, moveTo } = this.#list;
    this.#typed =
      event.timeStamp - this.#typedAt > typingPause ? event.key : this.#typed + event.key;
    this.#typedAt = event.timeStamp;
    const words = this.#typed.toLowerCase();
    const found = lines.findIndex(({ id }) => {
      const render = app.renders.get(id);
      return render && nameOf(render).toLowerCase().startsWith(words);
    });
    if (found >= 0) moveTo(found);
    return found >= 0;
  }
}

/** IDs of renders that a line stands for. */
function idsOf(line: ListLine): readonly string[] {
  return line.kind === 'batch' ? line.members : [line.id];
}
