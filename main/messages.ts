/**
 * All texts of the desktop shell: dialogs, menu, tray, notifications. Main process. The window has its own
 * (renderer/messages).
 */
import type { CommandId } from '../shared/commands.ts';
import { programName } from './paths.ts';

const numbers = new Intl.NumberFormat();
const plurals = new Intl.PluralRules('en');

/** `1 render`, `2 renders` */
function count(amount: number, one: string, other: string): string {
  return `${numbers.format(amount)} ${plurals.select(amount) === 'one' ? one : other}`;
}

/** `today 13:00`, `yesterday 09:05`, `12 Nov 2026 13:00` */
function momentOf(moment: number, now: number): string {
  const time = new Date(moment);
  const daysAgo = Math.round(
    (new Date(now).setHours(0, 0, 0, 0) - new Date(moment).setHours(0, 0, 0, 0)) / 86_400_000,
  );
  const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' }).format(time);
  const day = ['today', 'yesterday'][daysAgo] ?? date;
  return `${day} ${time.toTimeString().slice(0, 5)}`;
}

/** `43 %` with a space that does not break. */
function percent(fraction: number): string {
  return `${Math.floor(fraction * 100)}\u00a0%`;
}

/** Texts by purpose; those with values are functions. */
export const words = {
  startFailed: `${programName} could not start`,
  errorsTitle: `${programName} keeps failing`,
  errorsBody:
    'It restarted and failed again, so it closes now. Accepted renders are kept. The log says what went wrong.',

  dataTitle: 'The template data could not be opened.',
  dataBody: (backupAt: number | null, now: number, reason: string) => {
    const backup =
      backupAt === null
        ? 'There is no backup of it.'
        : `A backup from ${momentOf(backupAt, now)} is available.`;
    return `${backup}\n\n${reason}`;
  },
  dataRestore: 'Restore backup',
  dataFolder: 'Open folder',

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

  isDone: (name: string) => `${name} is done`,
  showInFolder: 'Show in folder',
  notNotified: (title: string) => `${title}. The system did not show the notification.`,
  hasFailed: (name: string) => `${name} failed`,
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
  /** The icon's menu has no tooltips, so the item contains the reason. */
  trayNoAddress: 'Copy API address (the API is off)',
  trayIdle: 'Idle',
  trayPaused: 'Paused',
  trayLowBattery: (percent: number) => `Paused – battery at ${percent}\u00a0%`,
  trayOff: 'Renderer off',
  trayRendering: (name: string, fraction: number) => `Rendering ${name} ${percent(fraction)}`,
  trayFinishing: 'Quits when this render is done',

  titleWith: (fraction: number, title: string) => `${percent(fraction)} – ${title}`,

  tooLarge: (megabytes: number) => `It is larger than ${megabytes} MB.`,
  unreadable: 'It can’t be read.',
} as const;

/** Names of the menus and of their items other than commands. `&` precedes the letter to press with Alt. */
export const menuWords = {
  file: '&File',
  queue: '&Queue',
  template: '&Template',
  view: '&View',
  help: '&Help',
  showRenders: 'Show Renders',
  sortRenders: 'Sort Renders',
  sortTemplates: 'Sort Templates',
  arrange: 'Arrange',
  timeline: 'Timeline',
  options: 'While Working',
  openAtLogin: 'Open at Login',
  keepRunning: 'Keep Running When the Window Is Closed',
  notifyFinished: 'Notify When a Render Finishes',
  notifyBatches: 'Notify When a Batch Finishes',
  notifyFailures: 'Notify When Something Fails',
  notifySound: 'Notify with Sound',
} as const;

/** The commands' names in the menu. */
export const commandWords: Readonly<Record<CommandId, string>> = {
  'new-template': 'New Template',
  'rename-element': 'Rename Element',
  'element-up': 'Move Element Up',
  'element-down': 'Move Element Down',
  'delete-element': 'Delete Element',
  'new-picture': 'New Picture Template',
  'new-from-clipboard': 'New Template from Clipboard',
  'new-project': 'New Project…',
  'rename-project': 'Rename Project…',
  'manage-projects': 'Manage Projects…',
  'switch-api': 'API On',
  'nudge-left': 'Move Left by 1 px',
  'nudge-right': 'Move Right by 1 px',
  'nudge-up': 'Move Up by 1 px',
  'nudge-down': 'Move Down by 1 px',
  'push-left': 'Move Left by 10 px',
  'push-right': 'Move Right by 10 px',
  'push-up': 'Move Up by 10 px',
  'push-down': 'Move Down by 10 px',
  'edit-text': 'Edit Text in Picture',
  'duplicate-elements': 'Duplicate Selection',
  'remove-elements': 'Delete Selection',
  'bring-forward': 'Bring Forward',
  'send-backward': 'Send Backward',
  'lock-elements': 'Lock or Unlock Selection',
  'align-left': 'Align Left',
  'align-centre': 'Align Centre',
  'align-right': 'Align Right',
  'align-top': 'Align Top',
  'align-middle': 'Align Middle',
  'align-bottom': 'Align Bottom',
  'spread-across': 'Distribute Across',
  'spread-down': 'Distribute Down',
  import: 'Import File…',
  save: 'Save',
  settings: 'Settings…',
  'open-output-folder': 'Open Output Folder',
  quit: 'Quit',
  find: 'Find on This Page',
  'select-all': 'Select All Renders',
  'undo-removal': 'Undo Remove',
  'undo-edit': 'Undo Change of Template',
  'redo-edit': 'Redo Change of Template',
  'copy-id': 'Copy ID',
  'copy-url': 'Copy URL',
  'copy-curl': 'Copy as cURL',
  'copy-error': 'Copy Error',
  'copy-node': 'Copy as Node',
  'copy-python': 'Copy as Python',
  'copy-php': 'Copy as PHP',
  'template-versions': 'Versions…',
  'copy-address': 'Copy API Address',
  'pause-queue': 'Pause Queue',
  'pause-after-this': 'Pause after This One',
  'open-file': 'Open File',
  'play-here': 'Play Here',
  'show-in-folder': 'Show in Folder',
  'save-copy': 'Save a Copy…',
  'download-file': 'Download File',
  'open-template': 'Open Template of Render',
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
  'sort-renders-queue': 'By Queue Order',
  'sort-renders-newest': 'Newest First',
  'sort-renders-oldest': 'Oldest First',
  'sort-renders-name': 'By Name',
  'sort-renders-longest': 'Longest Work First',
  'show-renders-all': 'All',
  'show-renders-active': 'Active',
  'show-renders-queued': 'Queued',
  'show-renders-done': 'Done',
  'show-renders-failed': 'Failed',
  'show-renders-cancelled': 'Cancelled',
  'render-template': 'Render…',
  'edit-template': 'Open',
  'rename-template': 'Rename…',
  'edit-tags': 'Edit Tags…',
  'duplicate-template': 'Duplicate',
  'export-template': 'Export…',
  'share-template': 'Share with Its Files…',
  'trash-template': 'Move to Trash',
  'show-trash': 'Trash',
  'switch-view': 'Switch between Cards and List',
  'sort-templates-updated': 'Last Changed First',
  'sort-templates-name': 'By Name',
  'sort-templates-created': 'Newest First',
  'clear-filter': 'Clear Filter',
  'empty-trash': 'Empty Trash…',
  'next-problem': 'Next Problem',
  'previous-problem': 'Previous Problem',
  'format-source': 'Format Source',
  complete: 'Complete',
  'clip-back': 'Move Clip Back by a Frame',
  'clip-on': 'Move Clip On by a Frame',
  'clip-back-ten': 'Move Clip Back by Ten Frames',
  'clip-on-ten': 'Move Clip On by Ten Frames',
  'clip-up': 'Move Clip to the Track Above',
  'clip-down': 'Move Clip to the Track Below',
  'trim-start': 'Trim Start to the Playhead',
  'trim-end': 'Trim End to the Playhead',
  'split-clips': 'Split at the Playhead',
  'ripple-remove': 'Delete and Close the Gap',
  'previous-keyframe': 'Playhead to the Previous Keyframe',
  'next-keyframe': 'Playhead to the Next Keyframe',
  'remove-keyframe': 'Delete Keyframes at the Playhead',
  'previous-cut': 'Playhead to the Previous Cut',
  'next-cut': 'Playhead to the Next Cut',
  'fold-clip': 'Open or Close Composition in the Timeline',
  'toggle-snapping': 'Snapping in the Timeline',
  'toggle-ripple': 'Ripple in the Timeline',
  'timeline-zoom-in': 'Zoom In on the Timeline',
  'timeline-zoom-out': 'Zoom Out of the Timeline',
  'timeline-fit': 'Fit the Timeline',
  play: 'Play or Pause Preview',
  'frame-back': 'One Frame Back',
  'frame-on': 'One Frame Forward',
  'second-back': 'One Second Back',
  'second-on': 'One Second Forward',
  'to-start': 'To the Start',
  'to-end': 'To the End',
  'go-to-time': 'Go to Time…',
  'play-back': 'Play Backwards',
  stop: 'Pause Preview',
  'play-on': 'Play',
  'mark-first': 'Play from Here',
  'mark-last': 'Play up to Here',
  'clear-part': 'Play Everything',
  loop: 'Loop Playback',
  'full-screen': 'Preview in Full Screen',
  'preview-zoom-in': 'Enlarge Preview',
  'preview-zoom-out': 'Reduce Preview',
  'preview-fit': 'Fit Preview',
  'preview-full-size': 'Preview at 100 %',
  'next-guide': 'Next Safe Area',
  'pin-moment': 'Pin Moment to Compare',
  'focus-left': 'Go to Fields and Outline',
  'focus-preview': 'Go to Preview',
  'focus-source': 'Go to Source',
  'toggle-left': 'Show Fields and Outline',
  'toggle-preview': 'Show Preview',
  'toggle-source': 'Show Source',
  palette: 'Command Palette…',
  'go-queue': 'Queue',
  'go-templates': 'Templates',
  'go-feeds': 'Feeds',
  'go-api': 'API',
  'go-settings': 'Settings',
  'next-pane': 'Next Pane',
  'previous-pane': 'Previous Pane',
  'switch-theme': 'Switch between Light and Dark',
  'zoom-in': 'Zoom In',
  'zoom-out': 'Zoom Out',
  'zoom-reset': 'Actual Size',
  shortcuts: 'Keyboard Shortcuts',
  'change-shortcuts': 'Change Shortcuts…',
  'api-help': 'API Help',
  'show-logs': 'Show Logs',
  'recent-messages': 'Recent Messages',
  'save-diagnostics': 'Save Diagnostics',
  'first-steps': 'First Steps',
};
