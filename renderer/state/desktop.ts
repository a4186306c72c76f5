/**
 * The window's side of what the desktop tells it, and what it tells the application menu. Only in Electron; App.svelte
 * connects it. Everything it does is a command or an action that the page has in any browser.
 */
import type { CommandId, CommandStates } from '../../shared/commands.ts';
import type { DesktopMessage, OpenedFile } from '../../shared/desktop.ts';
import { actionsOf, type OfferedAction, type RenderAction } from '../lib/actions.ts';
import { commandsOf } from '../lib/commands.ts';
import type { AppState } from './app.svelte.ts';

/** Commands of the menu by the names that the palette has for them. */
const palette: Readonly<Record<string, CommandId>> = {
  'go-queue': 'go-queue',
  'go-templates': 'go-templates',
  'go-api': 'go-api',
  'go-settings': 'go-settings',
  new: 'new-template',
  import: 'import',
  trash: 'show-trash',
  pause: 'pause-queue',
  'pause-after': 'pause-after-this',
  'first-steps': 'first-steps',
  shortcuts: 'shortcuts',
};

/** Commands of the menu by the actions of the chosen render. */
const actions: Readonly<Partial<Record<RenderAction, CommandId>>> = {
  open: 'open-file',
  show: 'show-in-folder',
  saveCopy: 'save-copy',
  again: 'render-again',
  againWith: 'render-again-changed',
  cancel: 'cancel-render',
  remove: 'cancel-render',
  moveUp: 'move-up',
  moveDown: 'move-down',
  moveTop: 'move-to-top',
  moveBottom: 'move-to-bottom',
  copyId: 'copy-id',
  copyUrl: 'copy-url',
  copyCurl: 'copy-curl',
  saveLog: 'save-log',
};

/** Commands that are neither. */
const others: Readonly<Partial<Record<CommandId, (app: AppState) => void>>> = {
  palette: (app) => {
    app.overlay = 'palette';
  },
  settings: (app) => app.goTo('settings'),
  find: (app) => app.searchField?.focus(),
  'undo-removal': (app) => app.undo(),
};

/** What the chosen render offers; nothing while none is chosen. */
function offeredBy(app: AppState): readonly OfferedAction[] {
  const render = app.selected === null ? undefined : app.renders.get(app.selected);
  if (!render || app.editing !== null) return [];
  return actionsOf(render, {
    isDesktop: true,
    place: app.renders.places[render.id],
    queued: app.renders.waiting.length,
    hasTemplate: app.templates.get(render.record.template_id ?? '') !== undefined,
  });
}

/** Which commands there are, and which can be carried out now. */
export function commandStates(app: AppState): CommandStates {
  const states: Partial<Record<CommandId, boolean>> = {};
  for (const { name } of commandsOf(app)) {
    const id = palette[name];
    if (id) states[id] = true;
  }
  for (const id of Object.keys(others) as CommandId[]) states[id] = true;
  for (const id of Object.values(actions)) states[id] = false;
  for (const { name, reason } of offeredBy(app)) {
    const id = actions[name];
    if (id) states[id] = reason === undefined;
  }
  for (const { id, enabled } of app.editorCommands) states[id] = enabled;
  return states;
}

/** Shows what a message of the desktop is about, or carries out its command. */
export function followMessage(message: DesktopMessage, app: AppState): void {
  switch (message.type) {
    case 'show-render':
      app.showRender(message.id);
      return;
    case 'show-template':
      app.edit(message.id);
      return;
    case 'import-files':
      app.goTo('templates');
      app.importing = message.files.map(asFile);
      return;
    case 'command':
      runCommand(message.command, app);
  }
}

function runCommand(id: CommandId, app: AppState): void {
  const other = others[id];
  if (other) {
    other(app);
    return;
  }
  const edit = app.editorCommands.find((one) => one.id === id);
  if (edit) {
    if (edit.enabled) edit.run();
    return;
  }
  const command = commandsOf(app).find(({ name }) => palette[name] === id);
  if (command) {
    app.overlay = null;
    command.run();
    return;
  }
  const render = app.selected === null ? undefined : app.renders.get(app.selected);
  const action = offeredBy(app).find(
    ({ name, reason }) => actions[name] === id && reason === undefined,
  );
  if (render && action) void app.renderTasks.act(action.name, render);
}

/** As a file that was dropped; one that could not be read is empty, and the dialog says that it is no template. */
function asFile(opened: OpenedFile): File {
  return new File('text' in opened ? [opened.text] : [], opened.name);
}
