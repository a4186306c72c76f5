/** The command palette while it is open: what it lists, what is typed, which line is chosen. Window only. */
import { computeCommandScore } from 'bits-ui';
import type { IconName } from '../../ui/icons.ts';
import type { Command } from './command.ts';
import { lookOf, nameOf } from '../../queue/display.ts';
import { shortId } from '../../ui/format.ts';
import {
  firstLines,
  foundGroups,
  goalEntry,
  palettePage,
  type PaletteEntry,
  type PaletteGroup,
} from './palette.ts';
import { rendersToFind } from '../../queue/queue-view.ts';
import { say } from '../../ui/say.ts';
import { templateCommands } from '../../templates/template-commands.svelte.ts';
import type { AppState } from '../app.svelte.ts';
import { commandGroups, keysAtHand } from './applying-commands.svelte.ts';

interface Line extends PaletteEntry {
  readonly label: string;
  readonly icon: IconName;
  readonly run: () => void;
  /** What else can be done with the thing. */
  readonly more?: () => readonly Command[];
}

/** How many renders are listed without a search, and at most in addition with one. */
const mostRenders = 40;
/** How many lines are in the page at first, and are added when the last one is near. */
const atOnce = 60;

export class PaletteState {
  text = $state('');
  /** The thing whose actions are shown; null: everything. */
  inside = $state.raw<Line | null>(null);
  /** Lines that are in the page: there may be hundreds of templates. */
  made = $state(atOnce);

  readonly #app: AppState;
  /** Key of the chosen line; another one is used when it is gone. */
  #chosen = $state('');

  readonly #groups = $derived.by((): readonly PaletteGroup<Line>[] => {
    const { inside } = this;
    if (inside?.more) return [{ title: this.name, entries: this.#linesOf(inside.more()) }];
    const commands = commandGroups(this.#app).map((group) => ({
      title: group.title,
      entries: this.#linesOf(group.commands.filter(({ id }) => id !== 'palette')),
    }));
    return [
      ...commands,
      { title: say('page.templates'), entries: this.#templates },
      { title: say('page.feeds'), entries: this.#feeds },
      { title: say('palette.renders'), entries: this.#renders },
      { title: say('palette.projects'), entries: this.#projects },
    ];
  });
  readonly #templates = $derived.by((): readonly Line[] =>
    this.#app.templates.list.map((template) => ({
      key: `${template.name} ${template.id}`,
      label: template.name,
      icon: 'templates',
      note: template.tags.map((tag) => `#${tag}`).join(' '),
      run: () => this.#app.navigation.edit(template.id),
      more: () => templateCommands(this.#app, template),
    })),
  );
  readonly #renders = $derived.by((): readonly Line[] =>
    rendersToFind(this.#app.renders.ordered, this.text, mostRenders).map((render) => {
      const label = nameOf(render);
      const { icon, word } = lookOf(render, this.#app.isHalted(render));
      return {
        key: `${label} ${render.id}`,
        label,
        icon,
        note: `${word} · ${shortId(render.id)}`,
        run: () => this.#app.navigation.showRender(render.id),
        more: () => this.#app.renderTasks.commandsOf(render),
      };
    }),
  );
  readonly #feeds = $derived.by((): readonly Line[] =>
    this.#app.feeds.list
      .filter(({ project }) => project === this.#app.projects.chosen?.id)
      .map(({ id, name, rowCount }) => ({
        key: `feed ${name} ${id}`,
        label: name,
        icon: 'feeds',
        note: say('feeds.rows', { count: rowCount }),
        run: () => this.#app.navigation.openFeed(id),
      })),
  );
  readonly #projects = $derived.by((): readonly Line[] => {
    const { projects, preferences } = this.#app;
    if (projects.all.length < 2) return [];
    return projects.all.map(({ id, name }) => ({
      key: `project ${name} ${id}`,
      label: say('palette.project', { name }),
      icon: id === projects.chosen?.id ? 'tick' : 'folder',
      run: () => preferences.set('project', id),
    }));
  });
  readonly #found = $derived.by(() =>
    foundGroups(this.#groups, this.text.trim(), computeCommandScore),
  );

  /** All lines that match the typed text. */
  readonly entries = $derived.by(() => this.#found.flatMap((group) => group.entries));
  /** The line that Enter takes; undefined when there is none. */
  readonly current = $derived.by(() => {
    const open = this.entries.filter(({ disabled }) => !disabled);
    return open.find(({ key }) => key === this.#chosen) ?? open[0];
  });
  /** The lines that are in the page, by group. */
  readonly drawn = $derived.by(() => firstLines(this.#found, this.made));

  constructor(app: AppState) {
    this.#app = app;
  }

  /** Of the list. */
  get name(): string {
    const { inside } = this;
    return inside ? say('palette.of', { name: inside.label }) : say('palette.title');
  }

  /** Puts more lines into the page. */
  makeMore(): void {
    this.made += atOnce;
  }

  run(entry: Line): void {
    this.#app.dialogs.close('palette');
    entry.run();
  }

  /** Shows what else can be done with a thing; null: everything again, with that thing chosen. */
  enter(entry: Line | null): void {
    const left = this.inside;
    this.inside = entry;
    this.text = '';
    if (entry) this.#app.messages.speak(this.name);
    this.choose(entry ? undefined : left?.key);
  }

  /** Chooses a line, the first one by default. */
  choose(key = ''): void {
    this.#chosen = key;
    this.made = Math.max(this.made, this.placeOf(this.current) + palettePage);
  }

  /** Chooses a line under the pointer, which is visible already. */
  point(entry: Line): void {
    this.#chosen = entry.key;
  }

  /** Goes where a key leads. @returns false for other keys */
  move(key: string): boolean {
    const goal = goalEntry(this.entries, this.current, key);
    if (goal) this.choose(goal.key);
    return goal !== undefined;
  }

  /** Its place in the whole list, from 0. */
  placeOf(entry: Line | undefined): number {
    return entry ? this.entries.indexOf(entry) : 0;
  }

  /** Commands as lines; one that can't run now only when it says why. */
  #linesOf(commands: readonly Command[]): readonly Line[] {
    return commands
      .filter(({ enabled, reason }) => enabled || reason !== undefined)
      .map(({ id, label, icon, run, enabled, reason }) => ({
        key: `${label} ${id}`,
        label,
        icon,
        run,
        ...(enabled ? { keys: keysAtHand(id, this.#app) } : { disabled: true, note: reason }),
      }));
  }
}
