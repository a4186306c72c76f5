/**
 * The keys of the list of renders: moving and ticking as in any grid, and the commands of the focused row (their keys
 * are those of AppState.shortcuts). Knows no page: callers pass in the list and what it can do.
 */
import type { SvelteSet } from 'svelte/reactivity';
import type { WindowRender } from '../../shared/api.ts';
import type { FixedKeyId } from '../../shared/commands.ts';
import { canCancel, nameOf } from './display.ts';
import type { ListLine } from './queue-view.ts';
import { rowGoal } from '../ui/rows.ts';
import { say } from '../ui/say.ts';
import type { AppState } from '../frame/app.svelte.ts';
import { runCommand } from '../frame/commands/applying-commands.svelte.ts';
import type { Place } from '../ui/menu.ts';
import { TypeAhead } from '../ui/type-ahead.ts';

/** What the keys need from the list; each key reads the fields again. */
export interface ListHandle {
  readonly app: AppState;
  readonly lines: readonly ListLine[];
  /** The renders behind the lines, including those of folded batches. */
  readonly renders: readonly WindowRender[];
  readonly selection: SvelteSet<string>;
  /** Index of the row with the focus. */
  readonly currentIndex: number;
  /** How many rows fit in view. */
  readonly rowsInSight: number;
  isUnfolded: (batch: string) => boolean;
  toggle: (batch: string) => void;
  /** Opens the details of a render, or closes them. */
  open: (id: string) => void;
  /** Focuses a row; places outside the list are clamped. */
  moveTo: (index: number) => void;
  openMenu: (id: string, at: Place) => void;
}

/** Keys that move in the list. */
type Travel = Extract<FixedKeyId, `${'row' | 'extend'}-${string}` | `page-${string}`> &
  Exclude<FixedKeyId, 'row-left' | 'row-right' | 'row-menu'>;

/** The ticks and keys of one list. */
export class ListKeys {
  readonly #list: ListHandle;
  /** ID of the line where a range of ticks begins. */
  #anchorId: string | null = null;
  readonly #typed = new TypeAhead();

  constructor(list: ListHandle) {
    this.#list = list;
  }

  /**
   * A press on a line or its box: with Shift it ticks everything from the start of the range, otherwise the line alone.
   */
  tick({ shiftKey }: Pick<MouseEvent, 'shiftKey'>, line: ListLine, index: number): void {
    if (shiftKey) this.#tickRange(index);
    else this.toggleTick(line);
  }

  /** The next range of ticks begins at this line. */
  begin(line: ListLine): void {
    this.#anchorId = line.id;
  }

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

  /** Handles a key pressed on a row; passes on unknown keys. */
  onKey(event: KeyboardEvent): void {
    // Keys pressed on a button inside a row belong to the button.
    if (!(event.target instanceof HTMLElement) || event.target.dataset['row'] === undefined) return;
    const line = this.#list.lines[this.#list.currentIndex];
    if (!line) return;
    const isHandled =
      this.#onCommand(event, line) ||
      this.#onFixed(event, line, event.target) ||
      this.#typeAhead(event);
    if (!isHandled) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Ticks everything between the last tick and a line. */
  #tickRange(to: number): void {
    const { app, lines, selection, currentIndex } = this.#list;
    const begun = lines.findIndex(({ id }) => id === this.#anchorId);
    // The first line may be gone, or hidden by a filter.
    const from = begun < 0 ? currentIndex : begun;
    this.#anchorId = lines[from]?.id ?? null;
    selection.clear();
    for (const line of lines.slice(Math.min(from, to), Math.max(from, to) + 1)) {
      for (const id of idsOf(line)) selection.add(id);
    }
    app.messages.speak(say('selection.count', { count: selection.size }));
  }

  /** Keys that are the same in every list. */
  #onFixed(event: KeyboardEvent, line: ListLine, row: HTMLElement): boolean {
    const list = this.#list;
    const pressed = list.app.shortcuts.findFixed(event);
    switch (pressed) {
      case 'open':
        if (line.kind === 'batch') list.toggle(line.id);
        else list.open(line.id);
        return true;
      case 'tick':
        this.toggleTick(line);
        return true;
      case 'row-left':
      case 'row-right':
        if (line.kind !== 'batch' || list.isUnfolded(line.id) === (pressed === 'row-right')) {
          return false;
        }
        list.toggle(line.id);
        return true;
      case 'row-menu': {
        const { left, top, height } = row.getBoundingClientRect();
        if (line.kind === 'render') list.openMenu(line.id, { x: left + 40, y: top + height - 10 });
        return true;
      }
      case 'close':
        if (list.app.navigation.selected === null) return false;
        list.app.navigation.selected = null;
        return true;
      case undefined:
        return false;
      default:
        this.#travel(pressed);
        return true;
    }
  }

  #travel(pressed: Travel): void {
    const { currentIndex, lines, rowsInSight } = this.#list;
    const page = Math.max(1, rowsInSight - 1);
    const last = lines.length - 1;
    const isExtending = pressed.startsWith('extend-');
    // Keys that tick while moving have their own names for the same goals.
    const travelled = pressed.replace(/^extend-/, 'row-') as Travel;
    const goal = rowGoal(travelled, currentIndex, lines.length, page) ?? currentIndex;
    const bounded = Math.min(last, Math.max(0, goal));
    if (isExtending) this.#tickRange(bounded);
    this.#list.moveTo(bounded);
    const reached = lines[bounded];
    if (!isExtending && reached) this.begin(reached);
  }

  /** Keys of the row's commands. */
  #onCommand(event: KeyboardEvent, line: ListLine): boolean {
    const { app, selection } = this.#list;
    const render = line.kind === 'render' ? app.renders.get(line.id) : undefined;
    const commands = render ? app.renderTasks.commandsOf(render) : [];
    const pressed = app.shortcuts.find(event, [
      'select-all',
      'cancel-render',
      ...commands.map(({ id }) => id),
    ]);
    if (!pressed) return false;
    if (pressed === 'select-all') this.tickAll();
    else if (pressed === 'cancel-render' && selection.size > 0) this.#removeTicked();
    else {
      const found = commands.find(({ id }) => id === pressed);
      if (found) runCommand(found, app);
    }
    return true;
  }

  #removeTicked(): void {
    const { app, renders, selection } = this.#list;
    if (app.server.readOnly !== undefined) {
      app.messages.speak(app.server.readOnly);
      return;
    }
    const chosen = renders.filter(({ id }) => selection.has(id));
    const stoppable = chosen.filter(canCancel);
    if (stoppable.length > 0) void app.renderTasks.cancelAll(stoppable);
    else app.renderTasks.remove(chosen);
    selection.clear();
  }

  /** Letters move to the next render whose name begins with them. */
  #typeAhead(event: KeyboardEvent): boolean {
    const { app, lines, moveTo } = this.#list;
    return this.#typed.take(event, (words) => {
      const found = lines.findIndex(({ id }) => {
        const render = app.renders.get(id);
        return render && nameOf(render).toLowerCase().startsWith(words);
      });
      if (found >= 0) moveTo(found);
      return found >= 0;
    });
  }
}

/** IDs of renders that a line stands for. */
function idsOf(line: ListLine): readonly string[] {
  return line.kind === 'batch' ? line.members : [line.id];
}
