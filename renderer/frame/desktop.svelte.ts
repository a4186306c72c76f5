/**
 * Handles the desktop's messages and fills the application menu. Only in Electron; App.svelte connects it. Everything
 * here is a command or an action that the page has in any browser too.
 */
import { commandIds, commandTable, type CommandMenu } from '../../shared/commands.ts';
import type { DesktopMessage, OpenedArchive, OpenedFile } from '../../shared/desktop.ts';
import { writesEnded } from './connection/api.ts';
import { say } from '../ui/say.ts';
import type { AppState } from './app.svelte.ts';
import { allCommands, runCommand } from './commands/applying-commands.svelte.ts';

/**
 * What the menu shows: the present commands, and those of renders and templates even while none is chosen. The editor's
 * commands come and go with it.
 */
export function commandMenu(app: AppState): CommandMenu {
  const commands = allCommands(app);
  const absent = commandIds.filter(
    (id) =>
      commandTable[id].only !== 'browser' &&
      commandTable[id].where.every((place) => place !== 'editor' && place !== 'preview') &&
      !commandTable[id].byDesktop,
  );
  return {
    enabled: Object.fromEntries([
      ...absent.map((id) => [id, false] as const),
      ['render-template', false] as const,
      ...commands.map(({ id, enabled }) => [id, enabled] as const),
    ]),
    ticked: Object.fromEntries(
      commands.flatMap(({ id, ticked }) => (ticked === undefined ? [] : [[id, ticked] as const])),
    ),
    keys: app.shortcuts.changed,
  };
}

/** Shows what a message of the desktop is about, or runs its command. */
export function followMessage(message: DesktopMessage, app: AppState): void {
  switch (message.type) {
    case 'show-render':
      app.navigation.showRender(message.id);
      return;
    case 'show-template':
      app.navigation.edit(message.id);
      return;
    case 'offer-sample':
      void app.templateTasks.offerSample(message.id);
      return;
    case 'import-files':
      app.navigation.goTo('templates');
      app.dialogs.show({ kind: 'import', files: message.files.map(asFile) });
      return;
    case 'notice': {
      const { text, click } = message;
      const action = { label: say('toast.open'), run: () => followMessage(click, app) };
      app.messages.show(text, { action });
      return;
    }
    case 'switches':
      app.switches = message.switches;
      return;
    case 'closing':
      app.keepWaiting();
      // The editor keeps its draft as when the page is left.
      window.dispatchEvent(new Event('beforeunload'));
      void writesEnded().then(() => app.desktop?.readyToClose());
      return;
    case 'command': {
      const found = allCommands(app).find(({ id }) => id === message.command);
      if (found) runCommand(found, app);
    }
  }
}

/**
 * Like a dropped file, except for archives, which the desktop sends itself; one that could not be read is empty, and
 * the dialog says that it is no template.
 */
function asFile(opened: OpenedFile): File | OpenedArchive {
  if ('archive' in opened) return opened;
  return new File('text' in opened ? [opened.text] : [], opened.name);
}
