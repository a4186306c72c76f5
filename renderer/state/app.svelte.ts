/**
 * The window as a whole: which page, what is selected, and how it stands with the server. Window only.
 * Made once in App.svelte and handed down; `open` and `close` bound the life of its event stream and clock.
 */
import { createContext } from 'svelte';
import type { Desktop, DesktopSwitches } from '../../shared/desktop.ts';
import type { ProjectRecord, ServerState, WindowRender, WindowTemplate } from '../../shared/api.ts';
import { placeInAddress, type Page, type Place } from '../lib/address.ts';
import { isOwnAddress, loadProjects, loadState, type NewTemplate } from '../lib/connection/api.ts';
import { nameOf, stageOf } from '../lib/display.ts';
import type { Command } from '../lib/commands/command.ts';
import { followEvents, type NumberedEvent } from '../lib/connection/events.ts';
import { gathered } from '../lib/lists/gathered.ts';
import { say } from '../lib/say.ts';
import { Completion } from './frame/completion.svelte.ts';
import { Loads } from './loads.svelte.ts';
import { Messages } from './frame/messages.svelte.ts';
import { Preferences } from './preferences.svelte.ts';
import { RendersState } from './renders.svelte.ts';
import { RequestsState } from './requests.svelte.ts';
import { RenderTasks } from './render-tasks.ts';
import { ServerTasks } from './server-tasks.ts';
import { Shortcuts } from './frame/shortcuts.svelte.ts';
import { TemplateTasks } from './template-tasks.ts';
import { TemplatesState } from './templates.svelte.ts';
import { UndoStack } from './frame/undo.ts';
import type { OpenRenderDialog, Question, WindowParts } from './window-parts.ts';

/** `refused`: what answers does not know the token of this address; it is asked again. */
export type Connection = 'connecting' | 'open' | 'lost' | 'refused';

/** Events that come within so many ms are shown together; a thousand per second can't be read anyway. */
const eventPause = 100;

declare global {
  interface Window {
    /** There in Electron only; see shared/desktop.ts. */
    readonly desktop?: Desktop;
  }
}

/** Everything the components share. */
export class AppState implements WindowParts {
  page = $state<Page>(placeInAddress().page);
  /** ID of the template that is open in the editor, over the page; null: none is. */
  editing = $state<string | null>(placeInAddress().template);
  /** Place in its document at which the editor begins; '' for none. */
  editingAt = '';
  /** The commands of the open editor; empty without one. */
  editorCommands = $state.raw<readonly Command[]>([]);
  /** The commands of the element that is chosen in its outline; empty while that is not shown. */
  outlineCommands = $state.raw<readonly Command[]>([]);
  /** Commands that only the page that is shown can carry out. */
  pageCommands = $state.raw<readonly Command[]>([]);
  /** Those that sort and filter the list of that page. */
  listCommands = $state.raw<readonly Command[]>([]);
  /** Text of the search field; each page searches its own list. */
  search = $state('');
  /** ID of the render whose details are open. */
  selected = $state<string | null>(placeInAddress().render);
  /** ID of the render that its details are to play as soon as they show it; null: none. */
  playing = $state<string | null>(null);
  /** ID of the template whose card on the Templates page had the focus last. */
  chosenTemplate = $state<string | null>(null);
  /** ID of the template whose editor was closed last, until its card has the focus again; null: none. */
  lastEdited: string | null = null;
  connection = $state<Connection>('connecting');
  server = $state.raw<ServerState | null>(null);
  /** The time in ms, for "2 min ago"; moves on while the window is seen. */
  now = $state(Date.now());
  /** The window is seen: neither behind another tab nor put away. */
  seen = $state(!document.hidden);

  projects = $state.raw<readonly ProjectRecord[]>([]);
  /** What new templates can begin with; empty until the Templates page has asked. */
  samples = $state.raw<readonly Omit<NewTemplate, 'project'>[]>([]);
  question = $state.raw<Question | null>(null);
  /** What lies over the page. */
  overlay = $state<'palette' | 'shortcuts' | null>(null);
  /** The template whose render dialog is open, with its document and, to begin with, a request of before. */
  rendering = $state.raw<OpenRenderDialog | null>(null);
  /** The template whose name or tags are being typed in a dialog. */
  naming = $state.raw<{ what: 'name' | 'tags'; template: WindowTemplate } | null>(null);
  /** Files that wait to be looked at before they are imported; null: the dialog is closed. */
  importing = $state.raw<readonly File[] | null>(null);
  /** The Templates page shows the Trash. */
  trashOpen = $state(placeInAddress().trash);
  /** A project's dialog: null closed, '' a new one, else its ID. */
  editingProject = $state<string | null>(null);
  /** The Queue page asks which finished renders are to go. */
  removingFinished = $state(false);
  /** Notices of this start that were read. */
  noticesRead = $state(0);
  /** The word about a crash before this start was read. */
  recoveryRead = $state(false);
  /** The list of projects is open. */
  managingProjects = $state(false);
  /** The messages of before are shown. */
  messagesOpen = $state(false);
  /** The setting whose field is to be focused by the Settings page; null: none. */
  wantedSetting = $state<string | null>(null);
  /** Switches of the desktop program; null in a browser, and until the Settings page has asked. */
  switches = $state.raw<DesktopSwitches | null>(null);
  /** The search field of the page, for Ctrl F. */
  searchField: HTMLElement | null = null;

  readonly preferences = new Preferences();
  readonly shortcuts = new Shortcuts(this.preferences);
  readonly requests = new RequestsState();
  readonly messages = new Messages();
  readonly undoSteps = new UndoStack(this.messages);
  readonly renders = new RendersState({
    onOutcome: (render, outcome) => {
      if (render.rendererStops !== undefined) {
        const name = nameOf(render);
        this.messages.show(say('toast.stops', { name, count: render.rendererStops }), {
          tone: 'problem',
          action: { label: say('toast.open'), run: () => this.showRender(render.id) },
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
  readonly completion = new Completion(this);
  readonly renderTasks = new RenderTasks(this);
  readonly serverTasks = new ServerTasks(this);
  readonly templateTasks = new TemplateTasks(this);

  /** What is loaded when the stream of events opens. */
  readonly loads = new Loads({
    state: async () => {
      this.server = await loadState();
    },
    // The short ones first: they would all wait while the server makes a list of ten thousand.
    preferences: () => this.preferences.load(),
    projects: () => this.loadProjects(),
    renders: () => this.renders.load(),
    templates: () => this.templates.load(),
    requests: () => this.requests.load(),
  });

  /** The chosen project; the first one where the chosen one is gone. */
  readonly project = $derived.by((): ProjectRecord | undefined => {
    const chosen = this.preferences.text('project');
    return this.projects.find(({ id }) => id === chosen) ?? this.projects[0];
  });

  /** What the address of the page names. */
  readonly place = $derived.by((): Place => ({
    page: this.page,
    template: this.editing,
    trash: this.trashOpen,
    render: this.page === 'queue' ? this.selected : null,
  }));

  /** Nothing is begun now, whatever waits: a person paused the queue, or something holds all of it. */
  readonly halted = $derived.by((): boolean => {
    const { paused = false, heldBy = [] } = this.server?.queue ?? {};
    // A missing encoder keeps films only; pictures go on.
    return paused || heldBy.some((reason) => reason !== 'encoder');
  });

  /** Why the queue can be neither paused nor resumed: nothing is known of it. Undefined while something is. */
  readonly queueUnknown = $derived.by((): string | undefined =>
    this.server === null || this.connection === 'refused' ? say('reason.queueUnknown') : undefined,
  );

  /** Why nothing can be saved, as a sentence; undefined while it can. */
  readonly readOnly = $derived.by((): string | undefined => {
    const reason = this.server?.storeProblem;
    return reason === undefined ? undefined : say('reason.store', { reason });
  });

  /** Something failed since the queue was last looked at. */
  readonly hasUnseenFailure = $derived.by(() => {
    const seen = this.preferences.number('failuresSeen', 0);
    return this.renders.ordered.some(
      (render) => stageOf(render) === 'failed' && (render.finishedAt ?? 0) > seen,
    );
  });

  /** The desktop's calls; undefined in a browser. */
  readonly desktop = window.desktop;

  #life = new AbortController();
  #answer: ((yes: boolean) => void) | null = null;

  /** Starts following the server. */
  open(): void {
    const { signal } = this.#life;
    void followEvents(
      {
        onOpen: () => {
          this.connection = 'open';
        },
        onEvent: gathered((event: NumberedEvent) => this.#apply(event), eventPause),
        onReload: () => void this.reload(),
        onLost: () => {
          this.connection = 'lost';
          this.loads.stop();
        },
        onRefused: () => {
          this.connection = 'refused';
          this.loads.stop();
          this.renders.loading = 'error';
          this.templates.loading = 'error';
        },
      },
      signal,
    );
    const clock = setInterval(() => {
      if (!document.hidden) this.now = Date.now();
    }, 20_000);
    signal.addEventListener('abort', () => clearInterval(clock));
    window.addEventListener('pagehide', () => this.keepWaiting(), { signal });
    const whenTurned = (): void => {
      this.seen = !document.hidden;
      if (this.seen) {
        this.now = Date.now();
        if (document.hasFocus()) this.completion.look();
      }
      // The desktop hides the window before it ends the server.
      else this.preferences.keepWaiting();
    };
    document.addEventListener('visibilitychange', whenTurned, { signal });
    window.addEventListener('focus', () => this.completion.look(), { signal });
    window.addEventListener('popstate', () => this.#followAddress(), { signal });
  }

  /** Closing the window ends the time for taking back, and waits for no quiet moment. */
  keepWaiting(): void {
    this.renderTasks.carryOut();
    this.preferences.keepWaiting();
  }

  close(): void {
    this.#life.abort();
    this.loads.stop();
  }

  /** Loads everything anew. What fails is repeated; the lists and a banner say so meanwhile. */
  reload(): Promise<void> {
    return this.loads.all();
  }

  #apply(event: NumberedEvent): void {
    if (event.type === 'server.state') this.server = event.state;
    if (event.type === 'projects.changed') void this.loads.ask('projects');
    this.renders.apply(event);
    this.templates.apply(event);
    this.requests.apply(event);
  }

  /** The browser went back or on, or someone put another address into its bar. */
  #followAddress(): void {
    // With another token it is another window's.
    if (isOwnAddress()) this.goToPlace(placeInAddress());
    else location.reload();
  }

  goTo(page: Page): void {
    if (this.editing !== null) this.edit(null);
    this.trashOpen = false;
    if (this.page === page) return;
    this.page = page;
    this.search = '';
  }

  /** Opens the settings at one of them, with its field focused and selected. @param setting e.g. `port`. */
  goToSetting(setting: string): void {
    this.wantedSetting = setting;
    this.goTo('settings');
    // What is searched for there may leave it out.
    this.search = '';
  }

  /** Opens a template in the editor; null closes it. @param at a place in its document to begin at, e.g. `elements[2].source`. */
  edit(id: string | null, at = ''): void {
    if (id !== null) this.goTo('templates');
    else this.lastEdited = this.editing;
    this.editing = id;
    this.editingAt = at;
  }

  /** Goes where an address leads, e.g. the browser's way back. What lies over the page is closed. */
  goToPlace({ page, template, trash, render }: Place): void {
    this.overlay = null;
    this.rendering = null;
    this.importing = null;
    if (template === null) this.goTo(page);
    else if (template !== this.editing) this.edit(template);
    this.trashOpen = trash;
    if (page === 'queue') this.selected = render;
  }

  /** Shows a render on the Queue page with its details open. */
  showRender(id: string): void {
    this.goTo('queue');
    this.search = '';
    this.selected = id;
  }

  // ---- what a person can do; problems are shown, never thrown ---------------------------------------------------

  async copy(text: string, told = say('toast.copied')): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      this.messages.show(told);
    } catch {
      this.messages.show(say('toast.notCopied'), { tone: 'problem' });
    }
  }

  /** Takes back the last removal or deletion, when there is one to take back. */
  undo(): void {
    this.undoSteps.undo();
  }

  /** Opens the dialog on the Queue page that removes finished renders. */
  removeFinished(): void {
    this.goTo('queue');
    this.removingFinished = true;
  }

  async loadProjects(): Promise<void> {
    this.projects = await loadProjects();
  }

  // ---- questions ---------------------------------------------------------------------------------------------------------

  /** Asks a person. @returns true for the first button. */
  async ask(question: Question): Promise<boolean> {
    this.answer(false);
    this.question = question;
    return new Promise((resolve) => {
      this.#answer = resolve;
    });
  }

  /** What the person chose. */
  answer(yes: boolean): void {
    this.question = null;
    this.#answer?.(yes);
    this.#answer = null;
  }

  /** Says that a render was queued, with the way to it. @param label of the button */
  tellQueued(text: string, render: WindowRender, label = say('toast.open')): void {
    this.messages.show(text, {
      action: { label, run: () => this.showRender(render.id) },
    });
  }

  /** Does what a person asked for. What goes wrong is shown. @returns true when nothing did. */
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
