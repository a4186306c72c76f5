/**
 * The present commands of every page; templates, renders and the editor have their own (those
 * named …-commands.svelte.ts, queue/render-actions.ts). Their keys are those of AppState.shortcuts.
 */
import { desktopCommands, type DesktopCommand } from '../../../shared/commands.ts';
import type { IconName } from '../../ui/icons.ts';
import type { AppState } from '../app.svelte.ts';
import { blankPicture } from '../blank.ts';
import { command, whileSaving, type Command } from './command.ts';
import { focusNextPane } from '../../ui/focus.ts';
import { say } from '../../ui/say.ts';

/** The commands of every page, in the order of the palette. */
export function everywhere(app: AppState): readonly Command[] {
  return whileSaving(app.server, [
    ...pageCommands(app),
    ...makingCommands(app),
    ...queueCommands(app),
    ...windowCommands(app),
    ...(app.desktop ? desktopOwn(app, app.desktop) : []),
  ]);
}

function pageCommands(app: AppState): readonly Command[] {
  return [
    command('go-home', 'home', () => app.navigation.goTo('home')),
    command('go-queue', 'queue', () => app.navigation.goTo('queue')),
    command('go-templates', 'templates', () => app.navigation.goTo('templates')),
    command('go-feeds', 'feeds', () => app.navigation.goTo('feeds')),
    command('go-api', 'api', () => app.navigation.goTo('api')),
    command('go-settings', 'settings', () => app.navigation.goTo('settings')),
    command('settings', 'settings', () => app.navigation.goTo('settings')),
    command('show-trash', 'trash', () => {
      app.navigation.goTo('templates');
      app.navigation.trashOpen = true;
    }),
    command('find', 'search', () => app.navigation.searchField?.focus()),
  ];
}

function makingCommands(app: AppState): readonly Command[] {
  const { templateTasks } = app;
  return [
    command('new-template', 'film', () => app.dialogs.show({ kind: 'new-template' })),
    command('new-picture', 'picture', () => void templateTasks.newTemplate(blankPicture())),
    command('new-from-clipboard', 'copy', () => void templateTasks.newFromClipboard()),
    command('import', 'upload', () => {
      app.navigation.goTo('templates');
      app.dialogs.show({ kind: 'import', files: [] });
    }),
    command('new-project', 'plus', () => app.dialogs.show({ kind: 'project', id: null })),
    command('rename-project', 'rename', () => {
      app.dialogs.show({ kind: 'project', id: app.projects.chosen?.id ?? null });
    }),
    command('manage-projects', 'settings', () => app.dialogs.show({ kind: 'projects' })),
  ];
}

function queueCommands(app: AppState): readonly Command[] {
  const paused = app.server.state?.queue.paused === true;
  const pausesAfter = app.server.state?.queue.pausesAfter !== undefined;
  const api = app.server.state?.api;
  const isOn = api?.state === 'on';
  return [
    command(
      'pause-queue',
      paused ? 'play' : 'pause',
      () => void app.serverTasks.pauseQueue(!paused),
      {
        label: say(paused ? 'queue.resume' : 'queue.pause'),
        ticked: paused,
        ...(app.server.queueUnknown !== undefined && { reason: app.server.queueUnknown }),
      },
    ),
    command('pause-after-this', 'pause', () => void app.serverTasks.pauseAfterThis(), {
      ticked: pausesAfter,
      ...(paused && { reason: say('reason.alreadyPaused') }),
      ...(!paused && !app.renders.active && !pausesAfter && { reason: say('reason.noneActive') }),
      enabled: !paused && (app.renders.active !== undefined || pausesAfter),
    }),
    // Undoes the last removal or deletion on any page but the editor, which has its own Undo.
    command('undo-removal', 'undo', () => app.undoSteps.undo(), {
      enabled: app.navigation.editing === null,
    }),
    command('copy-address', 'copy', () => void app.copy(api?.url ?? ''), {
      ...(!isOn && { reason: say('reason.apiOff') }),
    }),
    command(
      'switch-api',
      isOn ? 'pause' : 'play',
      () => void (isOn ? app.serverTasks.stopApi() : app.serverTasks.openApi(null)),
      {
        label: say(isOn ? 'api.stop.command' : 'api.start.command'),
        ticked: isOn,
        ...(api?.state === 'starting' && { reason: say('bar.api.starting') }),
        ...(app.server.queueUnknown !== undefined && { reason: say('reason.apiUnknown') }),
      },
    ),
  ];
}

function windowCommands(app: AppState): readonly Command[] {
  return [
    command('palette', 'search', () => {
      if (app.dialogs.isOpen('palette')) app.dialogs.close('palette');
      else app.dialogs.show({ kind: 'palette' });
    }),
    command('next-pane', 'right', () => focusNextPane(1)),
    command('previous-pane', 'left', () => focusNextPane(-1)),
    command('switch-theme', 'eye', () => {
      const { preferences } = app;
      const isDark =
        preferences.theme === 'dark' ||
        (preferences.theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
      preferences.theme = isDark ? 'light' : 'dark';
    }),
    command('recent-messages', 'bell', () => {
      // The palette closes first and gives the focus back, which would close the list.
      setTimeout(() => (app.messages.recentOpen = true));
    }),
    command('save-diagnostics', 'download', () => void app.serverTasks.saveDiagnostics()),
    command('shortcuts', 'help', () => app.dialogs.show({ kind: 'shortcuts' })),
    command('change-shortcuts', 'settings', () => app.navigation.goToSetting('keyboard')),
  ];
}

/** What only the desktop can do. */
function desktopOwn(app: AppState, desktop: NonNullable<AppState['desktop']>): readonly Command[] {
  const icons: Readonly<Record<DesktopCommand, IconName>> = {
    'zoom-in': 'search',
    'zoom-out': 'search',
    'zoom-reset': 'search',
    'open-output-folder': 'folder',
    'api-help': 'help',
    'show-logs': 'list',
    quit: 'close',
  };
  return desktopCommands.map((id) =>
    command(id, icons[id], () => void app.attempt(() => desktop.run(id))),
  );
}
