/**
 * Texts of the desktop shell in English: dialogs, tray, notifications, and the menus but for the commands. `{placeholders}` are
 * filled by name; `count` chooses between two forms.
 */
import type { Message } from '../../shared/speech.ts';
import { commandMessages } from './en-commands.ts';

/** Every text of the shell. */
export const messages = {
  ...commandMessages,
  cancel: 'Cancel',
  open: 'Open',
  quit: 'Quit',
  showInFolder: 'Show in folder',

  'start.failed': 'Framewright could not start',
  'errors.title': 'Framewright keeps failing',
  'errors.text':
    'It restarted and failed again, so it closes now. Accepted renders are kept. The log says what went wrong.',

  'data.title': 'The template data could not be opened.',
  'data.noBackup': 'There is no backup of it.',
  'data.backup': 'A backup from {moment} is available.',
  'data.restore': 'Restore backup',
  'data.folder': 'Open folder',

  'quit.running': { one: '{count} render is running.', other: '{count} renders are running.' },
  'quit.waiting': { one: '{count} is queued.', other: '{count} are queued.' },
  'quit.goesOn': {
    one: 'It goes on the next time you open Framewright.',
    other: 'They go on the next time you open Framewright.',
  },
  'quit.again': {
    one: 'The running one starts again from its beginning.',
    other: 'The running ones start again from their beginning.',
  },
  'quit.after': { one: 'Finish this one, then quit', other: 'Finish these, then quit' },
  'quit.now': 'Quit now',

  'keep.title': 'Keep the API running after the window is closed?',
  'keep.text':
    'Scripts on this computer can only reach it while Framewright runs. Open Framewright again to see the window.',
  'keep.yes': 'Keep running',
  'keep.dontAsk': 'Don’t ask again',

  'page.gone.title': 'The window stopped working.',
  'page.gone.text': 'Renders and the API go on without it.',
  'page.hangs.title': 'The window does not respond.',
  'page.hangs.text': 'Renders and the API go on. Wait a moment, or load the window again.',
  'page.reload': 'Reload',
  'page.wait': 'Wait',

  'link.title': 'Open this address in the browser?',

  'notice.done': '{name} is done',
  'notice.failed': '{name} failed',
  'notice.moreFailed': { one: '{count} more render failed', other: '{count} more renders failed' },
  'notice.moreFailed.text': 'Open the queue to see why.',
  'notice.notShown': '{title}. The system did not show the notification.',
  'batch.ended': '{name}: {parts}',
  'batch.done': { one: '{count} done', other: '{count} done' },
  'batch.failed': { one: '{count} failed', other: '{count} failed' },
  'batch.cancelled': { one: '{count} cancelled', other: '{count} cancelled' },
  'batch.unnamed': 'Feed',
  /** A render that was sent without a template. */
  'render.direct': 'Render {id}',

  'tray.open': 'Open Framewright',
  'tray.pause': 'Pause queue',
  'tray.resume': 'Resume queue',
  'tray.copy': 'Copy API address',
  /** The icon's menu has no tooltips, so the item contains the reason. */
  'tray.noAddress': 'Copy API address (the API is off)',
  'tray.tip': 'Framewright: {state}',
  'tray.idle': 'Idle',
  'tray.paused': 'Paused',
  'tray.lowBattery': 'Paused – battery at {percent}',
  'tray.off': 'Renderer off',
  'tray.rendering': 'Rendering {name} {percent}',
  'tray.finishing': 'Quits when this render is done',
  'title.progress': '{percent} – {title}',

  'import.tooLarge': 'It is larger than {size} MB.',
  'import.unreadable': 'It can’t be read.',
  'import.archiveGone': 'The file is no longer known. Open it again.',
  'import.noAnswer': 'The server does not answer.',

  'problem.call': 'The window asked for this wrongly.',
  'problem.fileGone': 'The file is no longer in the output folder.',
  'problem.asideGone': 'The file is no longer there.',
  'problem.notOpened': 'The system could not open the file: {reason}',
  'problem.copyGone': 'The copy is no longer where it was saved.',
  'problem.clipboard': 'The clipboard is read only while the window is in front.',
  'problem.copy.full': 'The copy could not be saved: the disk is full.',
  'problem.copy.refused': 'The copy could not be saved: this folder cannot be written: {folder}',
  'problem.copy': 'The copy could not be saved: {reason}',

  // Menus; `&` precedes the letter to press with Alt.
  'menu.file': '&File',
  'menu.edit': '&Edit',
  'menu.queue': '&Queue',
  'menu.template': '&Template',
  'menu.view': '&View',
  'menu.window': '&Window',
  'menu.help': '&Help',
  'menu.showRenders': 'Show Renders',
  'menu.sortRenders': 'Sort Renders',
  'menu.sortTemplates': 'Sort Templates',
  'menu.arrange': 'Arrange',
  'menu.timeline': 'Timeline',
  'menu.captions': 'Captions',
  'menu.options': 'While Working',
  'menu.openAtLogin': 'Open at Login',
  'menu.keepRunning': 'Keep Running When the Window Is Closed',
  'menu.notifyFinished': 'Notify When a Render Finishes',
  'menu.notifyBatches': 'Notify When a Batch Finishes',
  'menu.notifyFailures': 'Notify When Something Fails',
  'menu.notifySound': 'Notify with Sound',

  // What Electron does itself, and would name in English.
  'role.about': 'About Framewright',
  'role.services': 'Services',
  'role.hide': 'Hide Framewright',
  'role.hideOthers': 'Hide Others',
  'role.unhide': 'Show All',
  'role.undo': 'Undo',
  'role.redo': 'Redo',
  'role.cut': 'Cut',
  'role.copy': 'Copy',
  'role.paste': 'Paste',
  'role.selectAll': 'Select All',
  'role.close': 'Close Window',
  'role.minimize': 'Minimize',
  'role.zoom': 'Zoom',
  'role.front': 'Bring All to Front',
  'role.togglefullscreen': 'Full Screen',
  'role.reload': 'Reload',
  'role.toggleDevTools': 'Developer Tools',
} as const satisfies Record<string, Message>;

/** All texts of the shell, by their names. */
export type DesktopMessages = typeof messages;
