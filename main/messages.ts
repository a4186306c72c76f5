/** All words of the desktop shell: dialogs, menu, tray, notifications. Main process. The window has its own (renderer/messages). */
import type { CommandId } from '../shared/commands.ts';
import { programName } from './paths.ts';

const numbers = new Intl.NumberFormat();
const plurals = new Intl.PluralRules('en');

/** `1 render`, `2 renders` */
function count(amount: number, one: string, other: string): string {
  return `${numbers.format(amount)} ${plurals.select(amount) === 'one' ? one : other}`;
}

/** `43 %` with a space that does not break. */
function percent(fraction: number): string {
  return `${Math.floor(fraction * 100)}\u00a0%`;
}

/** Words by what they are for; those with values are functions. */
export const words = {
  startFailed: `${programName} could not start`,

  quitTitle: (running: number, waiting: number) => {
    const now = count(running, 'render is running', 'renders are running');
    return waiting === 0 ? `${now}.` : `${now} and ${count(waiting, 'is queued', 'are queued')}.`;
  },
  quitBody: (running: number, waiting: number) => {
    const again = running === 1 ? 'The running one starts' : 'The running ones start';
    const from = running === 1 ? 'its beginning' : 'their beginning';
    const goesOn = running + waiting === 1 ? 'It goes on' : 'They go on';
    return `${goesOn} the next time you open ${programName}. ${again} again from ${from}.`;
  },
  quitAfter: (running: number) =>
    running === 1 ? 'Finish this one, then quit' : 'Finish these, then quit',
  quitNow: 'Quit now',
  cancel: 'Cancel',

  keepTitle: 'Keep the API running after the window is closed?',
  keepBody: `Scripts on this computer can only reach it while ${programName} runs.`,
  keep: 'Keep running',
  quit: 'Quit',
  dontAsk: "Don't ask again",

  pageGoneTitle: 'The window stopped working.',
  pageGoneBody: 'Renders and the API go on without it.',
  hangTitle: 'The window does not respond.',
  hangBody: 'Renders and the API go on. Wait a moment, or load the window again.',
  reload: 'Reload',
  wait: 'Wait',

  linkTitle: 'Open this address in the browser?',
  open: 'Open',

  isDone: (name: string) => `${quoted(name)} is done`,
  hasFailed: (name: string) => `${quoted(name)} failed`,
  moreFailed: (amount: number) => `${count(amount, 'more render', 'more renders')} failed`,
  moreFailedBody: 'Open the queue to see why.',
  batchEnded: (name: string, done: number, failed: number, cancelled: number) => {
    const parts = [
      `${numbers.format(done)} done`,
      ...(failed > 0 ? [`${numbers.format(failed)} failed`] : []),
      ...(cancelled > 0 ? [`${numbers.format(cancelled)} cancelled`] : []),
    ];
    return `${name === '' ? 'Feed' : name}: ${parts.join(', ')}`;
  },
  /** A render that was sent without a template. */
  direct: (id: string) => `Render ${id.slice(0, 8)}`,

  trayOpen: `Open ${programName}`,
  trayPause: 'Pause queue',
  trayResume: 'Resume queue',
  trayCopy: 'Copy API address',
  trayIdle: 'Idle',
  trayPaused: 'Paused',
  trayOff: 'Renderer off',
  trayRendering: (name: string, fraction: number) => `Rendering ${name} ${percent(fraction)}`,
  trayFinishing: 'Quits when this render is done',

  titleWith: (fraction: number, title: string) => `${percent(fraction)} – ${title}`,

  tooLarge: (megabytes: number) => `It is larger than ${megabytes} MB.`,
  unreadable: 'It can’t be read.',
} as const;

/** A name between quotation marks. */
function quoted(name: string): string {
  return `“${name}”`;
}

/** Names of the menus and of what is in them besides commands. `&` stands before the letter to press with Alt. */
export const menuWords = {
  file: '&File',
  queue: '&Queue',
  template: '&Template',
  view: '&View',
  help: '&Help',
  outputFolder: 'Open Output Folder',
  options: 'While Working',
  zoomIn: 'Zoom In',
  zoomOut: 'Zoom Out',
  zoomReset: 'Actual Size',
  apiHelp: 'API Help',
  logs: 'Show Logs',
  openAtLogin: 'Open at Login',
  keepRunning: 'Keep Running When the Window Is Closed',
  keepAwake: 'Keep the Computer Awake While Rendering',
  notifyFinished: 'Notify When a Render Finishes',
  notifyBatches: 'Notify When a Batch Finishes',
  notifyFailures: 'Notify When Something Fails',
  notifySound: 'Notify with Sound',
} as const;

/** The commands as the menu names them. */
export const commandWords: Readonly<Record<CommandId, string>> = {
  'new-template': 'New Template',
  import: 'Import File…',
  save: 'Save',
  settings: 'Settings…',
  find: 'Find on This Page',
  'undo-removal': 'Undo Remove',
  'undo-edit': 'Undo Change of Template',
  'redo-edit': 'Redo Change of Template',
  'copy-id': 'Copy ID',
  'copy-url': 'Copy URL',
  'copy-curl': 'Copy as cURL',
  'pause-queue': 'Pause or Resume Queue',
  'pause-after-this': 'Pause after This One',
  'open-file': 'Open File',
  'show-in-folder': 'Show in Folder',
  'save-copy': 'Save a Copy…',
  'save-log': 'Save Log…',
  'render-again': 'Render Again',
  'render-again-changed': 'Render Again with Changes…',
  'cancel-render': 'Cancel or Remove',
  'move-up': 'Move Up',
  'move-down': 'Move Down',
  'move-to-top': 'Move to Top',
  'move-to-bottom': 'Move to Bottom',
  'retry-failed': 'Retry Failed',
  'remove-finished': 'Remove Finished…',
  'render-template': 'Render…',
  'edit-template': 'Edit',
  'rename-template': 'Rename',
  'duplicate-template': 'Duplicate',
  'export-template': 'Export…',
  'trash-template': 'Move to Trash',
  'show-trash': 'Trash',
  'next-problem': 'Next Problem',
  'previous-problem': 'Previous Problem',
  'format-source': 'Format Source',
  'go-to-time': 'Go to Time…',
  'focus-left': 'Fields and Outline',
  'focus-preview': 'Preview',
  'focus-source': 'Source',
  'toggle-left': 'Show or Hide Fields and Outline',
  'toggle-preview': 'Show or Hide Preview',
  'toggle-source': 'Show or Hide Source',
  palette: 'Command Palette…',
  'go-queue': 'Queue',
  'go-templates': 'Templates',
  'go-feeds': 'Feeds',
  'go-api': 'API',
  'go-settings': 'Settings',
  'next-pane': 'Next Pane',
  'previous-pane': 'Previous Pane',
  shortcuts: 'Keyboard Shortcuts',
  'first-steps': 'First Steps',
};
