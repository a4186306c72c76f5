/** The elements of the edited template as a tree: selection, renaming, and actions. Window only. */
import { SvelteSet } from 'svelte/reactivity';
import { differenceOf } from '../../engine/text-change.ts';
import type { MenuItem } from '../../ui/menu.ts';
import { TypeAhead } from '../../ui/type-ahead.ts';
import { call } from '../../frame/connection/call.ts';
import { feedRows } from '../../../shared/api/feeds.ts';
import type { ElementType } from '../../../shared/renderscript/source.ts';
import { command, type Command, menuLine, nameOfCommand } from '../../frame/commands/command.ts';
import { rowGoal } from '../../ui/rows.ts';
import { localeInUse, say } from '../../ui/say.ts';
import { elementAt, frontFirstOutline, wrongElements, type OutlineItem } from './elements.ts';
import type { Regrouped } from '../canvas/grouping.ts';
import { insertItem, parsePath, printPath, setValue } from '../source/json-text.ts';
import { nested } from './layer-nesting.ts';
import { layerOf, layersOf, reordered, type LayerPlace } from './layer-order.ts';
import { moveOf } from './sibling-order.ts';
import { clock } from '../preview/time.ts';
import type { AppState } from '../../frame/app.svelte.ts';
import type { TemplateEditor } from '../template-editor.svelte.ts';
import { siblingMove, whyNotMoved } from './sibling-moves.svelte.ts';

/** Without the tenth of a whole second, which most elements begin and end on. */
const short = (seconds: number): string => clock(seconds, 1).replace(/\.0$/, '');

/** What the pane does for its tree. */
export interface OutlineDesk {
  /** Puts the focus on the selected row once it is drawn. */
  readonly focus: () => void;
  /** Goes to an element in the source. */
  readonly open: (item: OutlineItem) => void;
}

export class OutlineTree {
  /** Path of the element whose name is being typed; '' for none. */
  renaming = $state('');
  /** Path of the element whose menu is open; '' for none. */
  menuOf = $state('');

  readonly #editor: TemplateEditor;
  readonly #app: AppState;
  readonly #desk: OutlineDesk;

  readonly #typed = new TypeAhead();

  /** Paths of compositions whose elements are not shown. */
  readonly folded = new SvelteSet<string>();

  /** The elements that are shown, the front first, each before its children. */
  readonly items = $derived.by(() =>
    frontFirstOutline(this.#editor.outline).filter(({ list }) =>
      [...this.folded].every((path) => !list.startsWith(`${path}.`)),
    ),
  );
  /** Some element has others inside. */
  readonly hasLevels = $derived(this.items.some(({ hasChildren }) => hasChildren));
  /** The one that Tab reaches. */
  readonly current = $derived(
    this.items.find(({ path }) => path === this.#editor.selected) ?? this.items[0],
  );
  readonly #byPath = $derived.by(
    (): ReadonlyMap<string, OutlineItem> =>
      // eslint-disable-next-line svelte/prefer-svelte-reactivity -- made anew, never changed
      new Map(this.#editor.outline.map((item) => [item.path, item])),
  );
  /** The front ones first; each row of the outline asks for those beside it. */
  readonly #compositions = $derived.by(() =>
    this.#editor.outline
      .filter(({ type }) => type === 'composition')
      .sort((one, other) => one.place - other.place),
  );
  /** Paths of elements with errors or warnings. */
  readonly wrong = $derived.by(() => wrongElements(this.#editor.problems));

  constructor(editor: TemplateEditor, app: AppState, desk: OutlineDesk) {
    this.#editor = editor;
    this.#app = app;
    this.#desk = desk;
  }

  /** `0:01–0:03.5`; '' before the first drawing. */
  timeOf({ drawn }: OutlineItem): string {
    return drawn ? `${short(drawn.start)}–${short(drawn.start + drawn.duration)}` : '';
  }

  /** Hides the elements of a composition, or shows them. */
  fold(item: OutlineItem, isFolded: boolean): void {
    if (isFolded) this.folded.add(item.path);
    else this.folded.delete(item.path);
    // The focus must not be in a removed row.
    if (isFolded && this.#editor.selected.startsWith(`${item.path}.`)) this.select(item.path);
  }

  /** Selects an element and gives its row the focus. */
  select(path: string): void {
    this.#editor.select(path);
    this.#desk.focus();
  }

  rename(item: OutlineItem, name: string): void {
    this.renaming = '';
    if (name.trim() !== '' && name !== item.label) {
      this.#editor.document.setValue(`${item.path}.name`, name);
      if (item.named) void this.#warnOfFeeds(item.label, name);
    }
    this.select(item.path);
  }

  /** Columns of feeds are mapped by name: those that still have the old one are told about. */
  async #warnOfFeeds(old: string, name: string): Promise<void> {
    try {
      const names = (await call(feedRows.list))
        .filter(({ template, columns }) =>
          template === this.#editor.id
            ? columns.some(({ target }) => target === old || target?.startsWith(`${old}.`) === true)
            : false,
        )
        .map((feed) => `“${feed.name}”`);
      if (names.length === 0) return;
      const list = new Intl.ListFormat(localeInUse()).format(names);
      const text = say('editor.outline.feeds', { count: names.length, names: list, old, name });
      this.#app.messages.show(text, { tone: 'problem' });
    } catch {
      // Without the list there is nothing to warn of; the feed's own page shows what is not mapped.
    }
  }

  /**
   * Moves it among its siblings, one place up (-1) or down (1); says why where its track or its time decide its place.
   */
  move(item: OutlineItem, by: 1 | -1): void {
    const moved = siblingMove(this.#editor, this.#app, item, by);
    if (!moved) return;
    const { document } = this.#editor;
    document.change(moved.changes);
    document.check();
    this.select(moved.path);
  }

  /** Puts an element where it was dropped; says why where its picture or its time would not stay. */
  drop(item: OutlineItem, place: LayerPlace): void {
    const { document, preview, canvas, outline } = this.#editor;
    document.settle();
    const { source, text } = document;
    if (!source || !document.readable) return;
    const { lengths } = preview;
    const { label: name, list } = item;
    const seen = {
      ...{ text, source, lengths, document: canvas.document },
      areaOf: (path: string) => canvas.areaOf(path),
      roomOf: (path: string) => canvas.roomOf(path),
      names: outline.map(({ label }) => label),
    };
    const inList =
      place.list === list ? reordered(text, { source, lengths }, item, place.at) : null;
    const made: Regrouped | null = inList
      ? { text: inList.text, paths: [inList.path] }
      : place.list !== list
        ? nested(seen, item.path, place)
        : null;
    if (!made || 'why' in made) {
      const track = String(item.group.siblings[item.index]?.track ?? 0);
      const reason = made
        ? say(`editor.canvas.whyGroup.${made.why}`, { name: made.name })
        : say('editor.outline.ownTrack', { name, track });
      this.#app.messages.show(reason, { tone: 'problem' });
      return;
    }
    document.namedStep(differenceOf(text, made.text), say('canvas.step.order'));
    document.check();
    this.select(made.paths[0] ?? '');
  }

  /** The place in the nearest composition of its own list, the one above first, or beside the one that it is in. */
  #placeAcross({ list, place }: OutlineItem, way: 'in' | 'out'): LayerPlace | null {
    if (way === 'out') {
      const around = this.#byPath.get(printPath(parsePath(list).slice(0, -1)));
      return around ? { list: around.list, at: layerOf(around) } : null;
    }
    const beside = this.#compositions.filter((one) => one.list === list);
    const found =
      beside.findLast((one) => one.place < place) ?? beside.find((one) => one.place > place);
    if (!found) return null;
    const inner = `${found.path}.elements`;
    const inside = this.#byPath.get(atPlace(inner, 0))?.group;
    const isAbove = found.place < place;
    return { list: inner, at: isAbove && inside ? layersOf(inside).length : 0 };
  }

  remove(item: OutlineItem): void {
    const editor = this.#editor;
    editor.document.change(setValue(editor.document.text, parsePath(item.path), undefined));
    editor.document.check();
    const { order } = item.group;
    const next = order[item.place + 1] ?? order[item.place - 1];
    if (next !== undefined) this.select(`${item.list}[${next > item.index ? next - 1 : next}]`);
    const { messages } = this.#app;
    const offer = messages.show(say('editor.outline.deleted', { name: item.label }), {
      action: { label: say('editor.undo'), run: () => editor.document.undo() },
    });
    // Later it would undo something else.
    editor.document.code.untilChange(() => messages.dismiss(offer));
  }

  /** Adds an element; see TemplateEditor. */
  add(type: ElementType): void {
    this.select(this.#editor.add(type));
  }

  duplicate(item: OutlineItem): void {
    const editor = this.#editor;
    const element = editor.document.source && elementAt(editor.document.source, item.path);
    if (!element) return;
    editor.document.change(
      insertItem(editor.document.text, parsePath(item.list), element, item.index + 1),
    );
    editor.document.check();
    this.select(`${item.list}[${item.index + 1}]`);
  }

  /** What has keys, for one element. */
  commandsOf(item: OutlineItem): readonly Command[] {
    const move = (id: 'element-up' | 'element-down', by: 1 | -1): Command => {
      const found = moveOf(item.group, item.place, by);
      // Alone on its track, it takes another one.
      const layers = found.kind === 'track' ? layersOf(item.group)[layerOf(item)]?.length : 0;
      const reason = layers === 1 ? undefined : whyNotMoved(this.#editor.outline, item, found);
      return command(id, by < 0 ? 'moveUp' : 'moveDown', () => this.move(item, by), {
        label: say(by < 0 ? 'editor.outline.up' : 'editor.outline.down'),
        enabled: found.kind === 'swap' || found.kind === 'move' || layers === 1,
        ...(reason !== undefined && { reason }),
      });
    };
    const across = (id: 'element-in' | 'element-out', way: 'in' | 'out'): Command => {
      const place = this.#placeAcross(item, way);
      return command(
        id,
        way === 'in' ? 'group' : 'ungroup',
        () => place && this.drop(item, place),
        {
          label: say(`editor.outline.${way}`),
          enabled: place !== null,
        },
      );
    };
    return [
      command('rename-element', 'rename', () => (this.renaming = item.path), {
        label: say('editor.outline.rename'),
      }),
      move('element-up', -1),
      move('element-down', 1),
      across('element-in', 'in'),
      across('element-out', 'out'),
      command('delete-element', 'trash', () => this.remove(item), {
        label: say('editor.outline.delete'),
        line: true,
        danger: true,
      }),
    ];
  }

  /** The same where their names stand alone, for the element that is chosen. */
  named(item: OutlineItem): readonly Command[] {
    return this.commandsOf(item).map((one) => ({ ...one, label: nameOfCommand(one.id) }));
  }

  actionsOf(item: OutlineItem): MenuItem[] {
    const { shortcuts } = this.#app;
    const isHidden = this.#editor.hidden.has(item.path);
    const [rename, ...others] = this.commandsOf(item).map((one) => menuLine(one, shortcuts));
    return [
      ...(rename ? [rename] : []),
      {
        label: say(item.isField ? 'editor.outline.unmark' : 'editor.outline.mark'),
        icon: 'field',
        run: () =>
          this.#editor.document.setValue(`${item.path}.dynamic`, item.isField ? undefined : true),
      },
      {
        label: say(isHidden ? 'editor.outline.showPlain' : 'editor.outline.hidePlain'),
        icon: isHidden ? 'eye' : 'hidden',
        keys: shortcuts.shownFixed('tick'),
        run: () => this.#editor.toggleHidden(item.path),
      },
      {
        label: say('editor.outline.duplicate'),
        icon: 'duplicate',
        run: () => this.duplicate(item),
      },
      ...others,
    ];
  }

  /** The keys of a row. @returns whether the key meant something. */
  press(event: KeyboardEvent, item: OutlineItem): boolean {
    const { items } = this;
    const { shortcuts } = this.#app;
    const commands = this.commandsOf(item);
    const pressed = shortcuts.find(
      event,
      commands.map(({ id }) => id),
    );
    const found = commands.find(({ id }) => id === pressed);
    if (found) {
      // It reports itself why it can't run.
      found.run();
      return true;
    }
    const index = items.indexOf(item);
    const go = (to: OutlineItem | undefined): void => {
      if (to) this.select(to.path);
    };
    const fixed = shortcuts.findFixed(event);
    const goal = rowGoal(fixed, index, items.length);
    if (goal !== undefined) {
      go(items[goal]);
      return true;
    }
    switch (fixed) {
      case 'row-left':
        return this.#turn(item, !isMirrored());
      case 'row-right':
        return this.#turn(item, isMirrored());
      case 'open':
        this.#desk.open(item);
        return true;
      case 'row-menu':
        this.menuOf = item.path;
        return true;
      case 'tick':
        this.#editor.toggleHidden(item.path);
        return true;
      default:
        return this.#typed.take(event, (words) => {
          // The first letter leads on; more of them may still mean the same element.
          const from = words.length > 1 ? index : index + 1;
          const rest = [...items.slice(from), ...items.slice(0, from)];
          const next = rest.find(({ label }) => label.toLowerCase().startsWith(words));
          go(next);
          return next !== undefined;
        });
    }
  }

  /** Moves to the parent, or into the children. @returns whether there is one. */
  #turn(item: OutlineItem, isOutward: boolean): boolean {
    const isOpen = item.hasChildren && !this.folded.has(item.path);
    if (isOutward && isOpen) this.fold(item, true);
    else if (isOutward) {
      const parent = printPath(parsePath(item.list).slice(0, -1));
      if (this.items.some(({ path }) => path === parent)) this.select(parent);
    } else if (!item.hasChildren) return false;
    else if (isOpen) {
      const next = this.items[this.items.indexOf(item) + 1];
      if (next) this.select(next.path);
    } else this.fold(item, false);
    return true;
  }
}

const atPlace = (list: string, index: number): string => `${list}[${index}]`;

/** The page is laid out from right to left. */
const isMirrored = (): boolean => document.documentElement.dir === 'rtl';
