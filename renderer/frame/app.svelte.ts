/**
 * The window as a whole: its parts, and how events of the server reach them. Window only.
 * Made once in App.svelte and passed down; `open` and `close` start and end its event stream and clock.
 */
import { createContext } from 'svelte';
import { call } from './connection/call.ts';
import { stateRows } from '../../shared/api/state.ts';
import type { Desktop, DesktopSwitches } from '../../shared/desktop.ts';
import type { WindowRender } from '../../shared/api.ts';
import { placeInAddress } from './address.ts';
import type { Command } from './commands/command.ts';
import { isOwnAddress } from './connection/api.ts';
import { nameOf, stageOf } from '../queue/display.ts';
import { followEvents, type NumberedEvent } from './connection/events.ts';
import { gathered } from '../ui/turns.ts';
import { say } from '../ui/say.ts';
import { FeedsState } from '../feeds/feeds-state.svelte.ts';
import { MachinesState } from '../queue/machines.svelte.ts';
import { Clipboard } from './clipboard.ts';
import { FontsState } from '../settings/fonts.svelte.ts';
import { SpeechModelsState } from '../settings/speech-models.svelte.ts';
import { Completion } from './completion.svelte.ts';
import { Dialogs } from './open-dialogs.svelte.ts';
import { Messages } from './messages.svelte.ts';
import { Navigation } from './navigation.svelte.ts';
import { Shortcuts } from './commands/shortcuts-state.svelte.ts';
import { UndoStack } from './undo.svelte.ts';
import { Preferences } from './preferences.svelte.ts';
import { RendersState } from '../queue/renders.svelte.ts';
import { RequestsState, WebhooksState } from '../api/api-state.svelte.ts';
import { RenderTasks } from '../queue/render-tasks.svelte.ts';
import { ServerTasks } from './server-tasks.svelte.ts';
import { TemplateTasks } from '../templates/template-tasks.svelte.ts';
import { TemplatesState } from '../templates/templates-state.svelte.ts';
import { type WindowParts, WindowClock, ServerStanding, Projects } from './window-parts.svelte.ts';

/** Events that come within so many ms are shown together; a thousand per second can't be read anyway. */
const eventPause = 100;

declare global {
  interface Window {
    /** There in Electron only; see shared/desktop.ts. */
    readonly desktop?: Desktop;
  }
}

/** Everything the components share, in parts. */
export class AppState implements WindowParts {
  /** The desktop's calls; undefined in a browser. */
  readonly desktop = window.desktop;
  /** Switches of the desktop program; null in a browser, and until the Settings page has asked. */
  switches = $state.raw<DesktopSwitches | null>(null);

  readonly navigation = new Navigation();
  readonly dialogs = new Dialogs();
  readonly ownCommands = new OwnCommands();
  readonly clock = new WindowClock();
  readonly server = new ServerStanding();
  readonly preferences = new Preferences();
  readonly projects = new Projects(this.preferences);
  readonly shortcuts = new Shortcuts(this.preferences);
  readonly requests = new RequestsState();
  readonly webhooks = new WebhooksState(this.projects);
  readonly clipboard = new Clipboard(this.desktop);
  readonly messages = new Messages();
  readonly undoSteps = new UndoStack(this.messages);
  readonly renders = new RendersState({
    onOutcome: (render, outcome) => {
      if (render.rendererStops !== undefined) {
        const name = nameOf(render);
        this.messages.show(say('toast.stops', { name, count: render.rendererStops }), {
          tone: 'problem',
          action: {
            label: say('toast.open'),
            run: () => this.navigation.showRender(render.id),
          },
        });
        return;
      }
      this.completion.tell(render, outcome);
    },
    onQuarter: (render, percent) => {
      this.messages.speak(say('render.progress.announce', { name: nameOf(render), percent }));
    },
  });
  readonly templates = new TemplatesState();
  readonly feeds = new FeedsState();
  readonly machines = new MachinesState();
  readonly fonts = new FontsState(this);
  readonly speechModels = new SpeechModelsState(this);
  readonly completion = new Completion(this);
  readonly renderTasks = new RenderTasks(this);
  readonly serverTasks = new ServerTasks(this);
  readonly templateTasks = new TemplateTasks(this);

  /** What is loaded when the stream of events opens. */
  readonly loads = new Loads({
    state: async () => {
      this.server.state = await call(stateRows.state);
    },
    // Short ones first: otherwise all would wait while the server makes a list of ten thousand.
    preferences: () => this.preferences.load(),
    projects: () => this.projects.load(),
    renders: () => this.renders.load(),
    templates: () => this.templates.load(),
    requests: () => this.requests.load(),
    feeds: () => this.feeds.load(),
    webhooks: () => this.webhooks.load(),
    machines: () => this.machines.load(),
  });

  /** Something failed since the queue was last looked at. */
  readonly hasUnseenFailure = $derived.by(() => {
    const seen = this.preferences.number('failuresSeen', 0);
    return this.renders.ordered.some(
      (render) => stageOf(render) === 'failed' && (render.finishedAt ?? 0) > seen,
    );
  });

  #life = new AbortController();

  /** Starts following the server. */
  open(): void {
    const { signal } = this.#life;
    void followEvents(
      {
        onOpen: () => (this.server.connection = 'open'),
        onEvent: gathered((event: NumberedEvent) => this.#apply(event), eventPause),
        onReload: () => void this.reload(),
        onLost: () => {
          this.server.connection = 'lost';
          this.loads.stop();
        },
        onRefused: () => {
          this.server.connection = 'refused';
          this.loads.stop();
          this.renders.loading = 'error';
          this.templates.loading = 'error';
          this.feeds.loading = 'error';
        },
      },
      signal,
    );
    this.clock.follow(signal, () => {
      // The desktop hides the window before it ends the server.
      if (!this.clock.seen) this.preferences.keepWaiting();
      else if (document.hasFocus()) this.completion.look();
    });
    window.addEventListener('pagehide', () => this.keepWaiting(), { signal });
    window.addEventListener('focus', () => this.completion.look(), { signal });
    window.addEventListener('popstate', () => this.#followAddress(), { signal });
  }

  /** Call when the window closes: runs pending changes at once. */
  keepWaiting(): void {
    this.renderTasks.carryOut();
    this.preferences.keepWaiting();
  }

  close(): void {
    this.#life.abort();
    this.loads.stop();
  }

  /** Reloads everything. Failed loads are repeated; lists and a banner show that meanwhile. */
  reload(): Promise<void> {
    return this.loads.all();
  }

  #apply(event: NumberedEvent): void {
    if (event.type === 'server.state') this.server.state = event.state;
    if (event.type === 'projects.changed') void this.loads.ask('projects');
    if (event.type === 'feeds.changed') void this.loads.ask('feeds');
    if (event.type === 'machines.changed') void this.loads.ask('machines');
    if (event.type === 'fonts.changed') this.fonts.changed();
    if (event.type === 'webhooks.changed') void this.loads.ask('webhooks');
    this.renders.apply(event);
    this.templates.apply(event);
    this.requests.apply(event);
  }

  /** The browser went back or on, or someone put another address into its bar. */
  #followAddress(): void {
    // Another token means another window.
    if (isOwnAddress()) {
      this.dialogs.close();
      this.navigation.goToPlace(placeInAddress());
    } else location.reload();
  }

  /** True if a render waits because the queue, or its batch, is paused. */
  isHalted({ batch }: WindowRender): boolean {
    return this.server.halted || this.feeds.isPaused(batch?.id);
  }

  async copy(text: string, told = say('toast.copied')): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      this.messages.show(told);
    } catch {
      this.messages.show(say('toast.notCopied'), { tone: 'problem' });
    }
  }

  /** Says that a render was queued, how far it is, and the way to it. @param label of the button */
  tellQueued(text: string, { id }: Pick<WindowRender, 'id'>, label = say('toast.open')): void {
    this.messages.show(text, {
      render: id,
      // The queue itself shows how far it is.
      follows: this.navigation.page !== 'queue' || this.navigation.editing !== null,
      action: { label, run: () => this.navigation.showRender(id) },
    });
  }

  /** Runs an action of the user and shows errors. @returns true on success. */
  async attempt(work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (reason) {
      this.messages.showProblem(reason);
      return false;
    }
  }
}

/** The window's state, from any component below App.svelte. */
export const [useApp, provideApp] = createContext<AppState>();

/** The commands of what is shown now, besides those of every page. A list is empty while its part is not shown. */
class OwnCommands {
  /** Of the open editor. */
  editor = $state.raw<readonly Command[]>([]);
  /** Of the element that is chosen in the editor's outline. */
  outline = $state.raw<readonly Command[]>([]);
  /** Of the page. */
  page = $state.raw<readonly Command[]>([]);
  /** Those that sort and filter the list of the page. */
  list = $state.raw<readonly Command[]>([]);
  /** Has the page take over what it was not told yet; called before a key is looked up. */
  settle: () => void = () => undefined;
}

/*
 * What the window loads once it is connected, each by itself: a failure does not delay the others, and is tried again
 * with growing pauses until it succeeds or the connection is lost. Window only.
 */

/** Pauses before trying again, in ms; the last one repeats. */
const pauses = [1000, 2000, 5000, 10_000];

/** One of them, with its state. */
interface Load {
  readonly run: () => Promise<unknown>;
  /** The request under way. */
  running: Promise<void> | null;
  /** Requested again meanwhile: the answer under way may be out of date. */
  isStale: boolean;
  failures: number;
  timer: ReturnType<typeof setTimeout> | undefined;
}

class Loads<Name extends string> {
  /** Those whose last answer was a failure. */
  failing = $state.raw<readonly Name[]>([]);

  readonly #loads: ReadonlyMap<Name, Load>;
  #stopped = true;

  constructor(runs: Readonly<Record<Name, () => Promise<unknown>>>) {
    // Object.entries forgets the names of the keys.
    const entries = Object.entries(runs) as [Name, Load['run']][];
    this.#loads = new Map(
      entries.map(([name, run]) => [
        name,
        { run, running: null, isStale: false, failures: 0, timer: undefined },
      ]),
    );
  }

  /** Loads everything again. Settles when each was answered once, and never rejects. */
  async all(): Promise<void> {
    await Promise.all([...this.#loads.keys()].map((name) => this.ask(name)));
  }

  /** Loads one again, likewise. Two requests for the same never run at once: the older answer could come last. */
  ask(name: Name): Promise<void> {
    const load = this.#loads.get(name);
    if (!load) return Promise.resolve();
    this.#stopped = false;
    clearTimeout(load.timer);
    if (load.running) {
      load.isStale = true;
      return load.running;
    }
    const running = this.#answer(name, load).finally(() => {
      load.running = null;
    });
    load.running = running;
    return running;
  }

  async #answer(name: Name, load: Load): Promise<void> {
    const isStale = (): boolean => load.isStale;
    do {
      load.isStale = false;
      try {
        await load.run();
        load.failures = 0;
        this.failing = this.failing.filter((one) => one !== name);
      } catch {
        // What it was is said by the page of the list, and by a banner.
        const pause = pauses[Math.min(load.failures, pauses.length - 1)];
        load.failures += 1;
        if (!this.failing.includes(name)) this.failing = [...this.failing, name];
        if (!this.#stopped) load.timer = setTimeout(() => void this.ask(name), pause);
      }
    } while (isStale());
  }

  /** The connection is lost: nothing is asked for until it is back. */
  stop(): void {
    this.#stopped = true;
    this.failing = [];
    for (const { timer } of this.#loads.values()) clearTimeout(timer);
  }
}
