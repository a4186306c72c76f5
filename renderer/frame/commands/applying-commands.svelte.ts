/**
 * All present commands, grouped by what they are about: the palette lists them, the keys and the desktop's menu run
 * them. Window only.
 */
import { commandTable, places, type CommandId, type Place } from '../../../shared/commands.ts';
import type { Command } from './command.ts';
import { everywhere } from './window-commands.svelte.ts';
import { nameOf } from '../../queue/display.ts';
import { say } from '../../ui/say.ts';
import { templateCommands } from '../../templates/template-commands.svelte.ts';
import type { AppState } from '../app.svelte.ts';

/** Commands about one thing. */
export interface CommandGroup {
  readonly title: string;
  readonly commands: readonly Command[];
}

/** The commands, the most relevant first; no command is in two groups. */
export function commandGroups(app: AppState): readonly CommandGroup[] {
  const own = [...thingAtHand(app)];
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- only read here
  const taken = new Set(own.flatMap(({ commands }) => commands.map(({ id }) => id)));
  const rest = [...app.ownCommands.page, ...everywhere(app)].filter(({ id }) => !taken.has(id));
  return [
    ...own,
    { title: say('palette.commands'), commands: rest },
    { title: say('palette.list'), commands: app.ownCommands.list },
  ];
}

export function allCommands(app: AppState): readonly Command[] {
  return commandGroups(app).flatMap(({ commands }) => commands);
}

/** The open template, the chosen render or the chosen card. */
function thingAtHand(app: AppState): readonly CommandGroup[] {
  if (app.navigation.editing !== null) {
    return [
      {
        title: say('page.editor'),
        commands: [...app.ownCommands.editor, ...app.ownCommands.outline],
      },
    ];
  }
  if (app.navigation.page === 'queue') {
    const render =
      app.navigation.selected === null ? undefined : app.renders.get(app.navigation.selected);
    if (!render) return [];
    const title = say('palette.render', { name: nameOf(render) });
    return [{ title, commands: app.renderTasks.commandsOf(render) }];
  }
  if (['home', 'templates'].includes(app.navigation.page) && !app.navigation.trashOpen) {
    const template = app.templates.get(app.navigation.chosenTemplate ?? '');
    if (!template) return [];
    const title = say('palette.template', { name: template.name });
    return [{ title, commands: templateCommands(app, template) }];
  }
  return [];
}

/** The keys of a command as people read them; undefined when it has none that work here. */
export function keysAtHand(id: CommandId, app: AppState): string | undefined {
  const held: readonly Place[] =
    app.navigation.editing === null ? places : ['anywhere', 'editor', 'outline', 'preview'];
  const holds = commandTable[id].where.some((place) => held.includes(place));
  return holds ? app.shortcuts.shown(id) : undefined;
}

/** Runs a command as the menu and the keys do; one that can't run now says why. */
export function runCommand(one: Command, app: AppState): void {
  if (!one.enabled) {
    if (one.reason !== undefined) app.messages.speak(one.reason);
    return;
  }
  // These two decide themselves what lies over the page afterwards.
  const keepsOverlay: readonly CommandId[] = ['palette', 'shortcuts'];
  if (!keepsOverlay.includes(one.id)) app.dialogs.close('palette', 'shortcuts');
  one.run();
}
