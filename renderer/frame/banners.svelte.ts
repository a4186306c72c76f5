/**
 * The conditions that banners show: one row each, the most severe first. Events are toasts instead. Window only;
 * Banner.svelte shows the first and counts the others.
 */
import type { ServerState } from '../../shared/api.ts';
import { fileSize, percent } from '../ui/format.ts';
import { say } from '../ui/say.ts';
import type { AppState } from './app.svelte.ts';

/** What can be done about a condition. */
export interface BannerAction {
  readonly label: string;
  readonly run: () => void;
}

export interface BannerContent {
  /** Part of the test name: `banner-lost`. */
  readonly code: string;
  readonly title: string;
  readonly text: string;
  /** It needs no action. */
  readonly isCalm?: boolean;
  /** The last one is the next step. */
  readonly actions?: readonly BannerAction[];
}

/** A condition; null where it does not hold. */
type Row = (app: AppState, server: ServerState) => BannerContent | null;

const rows: readonly Row[] = [
  function store(app) {
    if (app.server.readOnly === undefined) return null;
    const actions = [
      { label: say('queue.error.retry'), run: () => void app.serverTasks.testStore() },
    ];
    return { code: 'store', title: app.server.readOnly, text: say('banner.store.text'), actions };
  },

  function rendererOff(app, { renderer: { state, reason } }) {
    if (state !== 'off') return null;
    const actions = [
      { label: say('diagnostics.save'), run: () => void app.serverTasks.saveDiagnostics() },
      { label: say('banner.renderer.start'), run: () => void app.serverTasks.startRenderer() },
    ];
    const text =
      reason === undefined ? say('banner.off.text') : say('banner.off.reason', { reason });
    return { code: 'renderer', title: say('banner.off.title'), text, actions };
  },

  function rendererRestarting(_app, { renderer: { restart } }) {
    if (!restart) return null;
    // The status bar shows the reason: it is technical, and mostly over at once.
    const title = say('banner.restarting.title', { ...restart });
    return { code: 'renderer', title, text: '' };
  },

  function outputFolder(app, { queue: { heldBy }, outputFolder: path }) {
    if (heldBy?.includes('folder') !== true) return null;
    const actions = [
      { label: say('banner.folder.choose'), run: () => void app.serverTasks.chooseOutputFolder() },
      { label: say('queue.error.retry'), run: () => void app.serverTasks.lookAtOutput() },
    ];
    const text = say('banner.folder.text', { path });
    return { code: 'folder', title: say('banner.folder.title'), text, actions };
  },

  function outputSpace(app, { queue: { heldBy }, freeBytes }) {
    if (heldBy?.includes('space') !== true || freeBytes === undefined) return null;
    const { desktop } = app;
    const open = async (): Promise<void> => desktop?.run('open-output-folder');
    const actions = [
      { label: say('banner.space.limit'), run: () => app.navigation.goToSetting('freeSpaceLimit') },
      {
        label: say('queue.removeFinished'),
        run: () => app.dialogs.show({ kind: 'remove-finished' }),
      },
      ...(desktop ? [{ label: say('banner.space.open'), run: () => void app.attempt(open) }] : []),
    ];
    const title = say('banner.space.title', { size: fileSize(freeBytes) });
    return { code: 'space', title, text: say('banner.space.paused'), actions };
  },

  function battery(app, { lowBattery }) {
    if (lowBattery === undefined) return null;
    const title = say('banner.battery.title', { percent: percent(lowBattery) });
    const actions = [
      { label: say('banner.battery.go'), run: () => void app.serverTasks.overrulePower() },
    ];
    return { code: 'battery', title, text: '', actions };
  },

  function missingEncoder(app, { encoder, encoderReason: reason }) {
    if (encoder !== 'missing') return null;
    const actions = [
      { label: say('page.settings'), run: () => app.navigation.goToSetting('ffmpegPath') },
      { label: say('banner.encoder.again'), run: () => void app.serverTasks.findEncoder() },
    ];
    const text =
      reason === undefined ? say('banner.encoder.text') : say('banner.encoder.reason', { reason });
    return { code: 'encoder', title: say('banner.encoder.title'), text, actions };
  },

  function apiOff(app, { api: { problem } }) {
    // The API page says so itself, with more remedies.
    if (!problem || app.navigation.page === 'api') return null;
    const actions = [{ label: say('banner.api.open'), run: () => app.navigation.goTo('api') }];
    const text = say(`api.off.${problem.reason}`, { port: String(problem.port) });
    return { code: 'api', title: say('banner.api.title'), text, actions };
  },

  function setAside(app, { notices }) {
    const notice = notices[app.messages.noticesRead];
    if (!notice?.setAside) return null;
    const { records: count, file } = notice.setAside;
    const actions = [
      { label: say('banner.setAside.show'), run: () => void app.serverTasks.showSetAside(file) },
      readNotice(app),
    ];
    const title = say('banner.setAside.title', { count });
    return { code: 'set-aside', title, text: say('banner.setAside.text'), actions };
  },

  function recovered(app, { recovered: count }) {
    if (count === 0 || app.messages.recoveryRead) return null;
    const run = (): void => {
      app.messages.recoveryRead = true;
      app.navigation.goTo('queue');
    };
    const text = say('banner.recovered.text', { count });
    const actions = [{ label: say('banner.recovered.show'), run }];
    const title = say('banner.recovered.title');
    return { code: 'recovered', title, text, actions, isCalm: true };
  },

  function paused(app, { queue }) {
    if (!queue.paused || queue.waiting === 0) return null;
    const actions = [
      { label: say('queue.resume'), run: () => void app.serverTasks.pauseQueue(false) },
    ];
    const text = say('banner.paused.text', { count: queue.waiting });
    return { code: 'paused', title: say('banner.paused.title'), text, actions, isCalm: true };
  },

  function notice(app, { notices }) {
    const notice = notices[app.messages.noticesRead];
    if (!notice || notice.setAside) return null;
    const { text } = notice;
    const actions = [readNotice(app)];
    return { code: 'notice', title: say('banner.notice.title'), text, actions, isCalm: true };
  },
];

/** Marks the shown notice as read. */
function readNotice(app: AppState): BannerAction {
  const run = (): void => {
    app.messages.noticesRead += 1;
  };
  return { label: say('banner.dismiss'), run };
}

/** Lists whose own page says that they are missing. */
const lists: ReadonlySet<string> = new Set(['renders', 'templates', 'requests', 'feeds']);

/** The present conditions, the most severe first. */
export function bannersOf(app: AppState): readonly BannerContent[] {
  // Without a connection nothing else is known.
  if (app.server.connection === 'refused') {
    return [{ code: 'token', title: say('banner.token.title'), text: say('banner.token.text') }];
  }
  if (app.server.connection === 'lost') {
    return [{ code: 'lost', title: say('banner.lost.title'), text: say('banner.lost.text') }];
  }
  const { state: server } = app.server;
  const told = server ? rows.flatMap((row) => row(app, server) ?? []) : [];
  if (app.loads.failing.every((one) => lists.has(one))) return told;
  const actions = [{ label: say('queue.error.retry'), run: () => void app.reload() }];
  const title = say('banner.partial.title');
  return [{ code: 'partial', title, text: say('banner.partial.text'), actions }, ...told];
}
