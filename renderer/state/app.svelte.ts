/**
 * The window as a whole: which page, what is selected, and how it stands with the server. Window only.
 * Made once in App.svelte and handed down; `open` and `close` bound the life of its event stream and clock.
 */
import { createContext } from 'svelte';
import type { Desktop } from '../../shared/desktop.ts';
import type { ProjectRecord, ServerState, WindowRender, WindowTemplate } from '../../shared/api.ts';
import type { JsonObject } from '../../shared/renderscript/source.ts';
import { putTemplateInAddress, templateInAddress } from '../lib/address.ts';
import {
  changeTemplate,
  createTemplate,
  duplicateTemplate,
  loadLog,
  loadProjects,
  loadRequest,
  loadSamples,
  loadSource,
  loadState,
  pauseQueue,
  purgeTemplate,
  renderTemplate,
  restoreTemplate,
  startRenderer,
  trashTemplate,
  type NewTemplate,
} from '../lib/api.ts';
import type { RenderAction } from '../lib/actions.ts';
import { canCancel, fileName, nameOf, stageOf } from '../lib/display.ts';
import { followEvents, type NumberedEvent } from '../lib/events.ts';
import { machineTime } from '../lib/format.ts';
import { moveTarget } from '../lib/queue-view.ts';
import { saveText } from '../lib/save-text.ts';
import { say, type MessageKey } from '../lib/say.ts';
import { templateFileName, templateFileText } from '../lib/template-file.ts';
import type { EditorCommand } from '../views/editor/commands.ts';
import { snippet } from '../views/editor/snippets.ts';
import { Messages } from './messages.svelte.ts';
import { Preferences } from './preferences.svelte.ts';
import { RendersState } from './renders.svelte.ts';
import { RequestsState } from './requests.svelte.ts';
import { TemplatesState } from './templates.svelte.ts';

/** The pages there are, in the order of the sidebar. */
export const pages = ['queue', 'templates', 'api', 'settings'] as const;
/** One of the pages. */
export type Page = (typeof pages)[number];

/** `refused`: the server was started anew and this address has an old token. */
export type Connection = 'connecting' | 'open' | 'lost' | 'refused';

declare global {
  interface Window {
    /** There in Electron only; see shared/desktop.ts. */
    readonly desktop?: Desktop;
  }
}

/** A question before something that can't be undone. */
export interface Question {
  readonly title: string;
  readonly text: string;
  /** The words of the two buttons. */
  readonly yes: string;
  readonly no: string;
  readonly danger?: boolean;
}

/** Milliseconds for which a removal can be taken back. */
const undoTime = 10_000;
/** Milliseconds of work that are not thrown away without a question. */
const muchWork = 30_000;

/** A removal that has not been carried out yet. */
interface Removal {
  readonly ids: readonly string[];
  readonly timer: ReturnType<typeof setTimeout>;
}

/** Everything the components share. */
export class AppState {
  page = $state<Page>(templateInAddress() === null ? 'queue' : 'templates');
  /** ID of the template that is open in the editor, over the page; null: none is. */
  editing = $state<string | null>(templateInAddress());
  /** The commands of the open editor; empty without one. */
  editorCommands = $state.raw<readonly EditorCommand[]>([]);
  /** Text of the search field; each page searches its own list. */
  search = $state('');
  /** ID of the render whose details are open. */
  selected = $state<string | null>(null);
  connection = $state<Connection>('connecting');
  server = $state.raw<ServerState | null>(null);
  /** The time in ms, for "2 min ago"; moves on while the window is seen. */
  now = $state(Date.now());

  projects = $state.raw<readonly ProjectRecord[]>([]);
  /** What new templates can begin with; empty until the Templates page has asked. */
  samples = $state.raw<readonly Omit<NewTemplate, 'project'>[]>([]);
  question = $state.raw<Question | null>(null);
  /** What lies over the page. */
  overlay = $state<'palette' | 'shortcuts' | null>(null);
  /** The template whose render dialog is open, with its document. */
  rendering = $state.raw<{ template: WindowTemplate; source: JsonObject } | null>(null);
  /** Files that wait to be looked at before they are imported; null: the dialog is closed. */
  importing = $state.raw<readonly File[] | null>(null);
  /** The Templates page shows the Trash. */
  trashOpen = $state(false);
  /** A project's dialog: null closed, '' a new one, else its ID. */
  editingProject = $state<string | null>(null);
  /** The search field of the page, for Ctrl F. */
  searchField: HTMLElement | null = null;

  readonly preferences = new Preferences();
  readonly requests = new RequestsState();
  readonly messages = new Messages();
  readonly renders = new RendersState({
    onOutcome: (render, outcome) => {
      const key: MessageKey =
        outcome === 'done' ? 'render.done.announce' : 'render.failed.announce';
      this.messages.speak(say(key, { name: nameOf(render) }));
    },
    onQuarter: (render, percent) => {
      this.messages.speak(say('render.progress.announce', { name: nameOf(render), percent }));
    },
  });
  readonly templates = new TemplatesState();

  /** The chosen project; the first one where the chosen one is gone. */
  readonly project = $derived.by((): ProjectRecord | undefined => {
    const chosen = this.preferences.text('project');
    return this.projects.find(({ id }) => id === chosen) ?? this.projects[0];
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
  #removal: Removal | null = null;
  /** The template that came into the Trash last, for Ctrl Z. */
  #trashed: WindowTemplate | null = null;

  /** Starts following the server. */
  open(): void {
    const { signal } = this.#life;
    void followEvents(
      {
        onEvent: (event) => this.#apply(event),
        onReload: () => void this.reload(),
        onLost: () => {
          this.connection = 'lost';
        },
        onRefused: () => {
          this.connection = 'refused';
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
    // Closing the window ends the time for taking back.
    window.addEventListener('pagehide', () => this.#carryOut(), { signal });
  }

  close(): void {
    this.#life.abort();
  }

  /** Loads everything anew. */
  async reload(): Promise<void> {
    try {
      const [state] = await Promise.all([
        loadState(),
        this.renders.load(),
        this.templates.load(),
        this.loadProjects(),
        this.preferences.load(),
        this.requests.load(),
      ]);
      this.server = state;
      this.connection = 'open';
    } catch {
      // The lists show their own error; a lost server shows in the stream.
    }
  }

  #apply(event: NumberedEvent): void {
    if (event.type === 'server.state') this.server = event.state;
    this.renders.apply(event);
    this.templates.apply(event);
    this.requests.apply(event);
  }

  goTo(page: Page): void {
    if (this.editing !== null) this.edit(null);
    this.trashOpen = false;
    if (this.page === page) return;
    this.page = page;
    this.search = '';
  }

  /** Opens a template in the editor; null closes it. */
  edit(id: string | null): void {
    if (id !== null) this.goTo('templates');
    this.editing = id;
    putTemplateInAddress(id);
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

  /** Asks first when much work would be lost. */
  async cancel(render: WindowRender): Promise<void> {
    const worked = stageOf(render) === 'active' ? Date.now() - (render.startedAt ?? Date.now()) : 0;
    if (worked > muchWork) {
      const minutes = Math.max(1, Math.round(worked / 60_000));
      const yes = await this.ask({
        title: say('ask.cancel.title'),
        text: say('ask.cancel.text', { count: minutes }),
        ...{ yes: say('ask.cancel.yes'), no: say('ask.cancel.no'), danger: true },
      });
      if (!yes) return;
    }
    await this.attempt(async () => {
      await this.renders.cancel(render.id);
      this.messages.show(say('toast.cancelled'), {
        action: { label: say('action.again'), run: () => void this.again(render) },
      });
    });
  }

  async again(render: WindowRender): Promise<void> {
    await this.attempt(async () => {
      this.#queued(say('toast.again'), await this.renders.again(render.id));
    });
  }

  /** One new render for each; cancelled ones are the caller's choice. */
  async againAll(renders: readonly WindowRender[]): Promise<void> {
    await this.attempt(async () => {
      for (const { id } of renders) await this.renders.again(id);
      this.messages.show(say('toast.againAll', { count: renders.length }));
    });
  }

  async cancelAll(renders: readonly WindowRender[]): Promise<void> {
    await this.attempt(async () => {
      // Those that wait first, so that none of them begins meanwhile.
      const waiting = renders.filter((render) => stageOf(render) === 'queued');
      const active = renders.filter((render) => stageOf(render) === 'active');
      for (const { id } of [...waiting.toReversed(), ...active]) await this.renders.cancel(id);
      this.messages.show(say('toast.cancelledAll', { count: waiting.length + active.length }));
    });
  }

  /** Takes finished renders out of sight at once; they go when the time for taking it back is over. */
  remove(renders: readonly WindowRender[]): void {
    const ids = renders.filter((render) => !canCancel(render)).map(({ id }) => id);
    if (ids.length === 0) return;
    this.#carryOut();
    this.renders.hide(ids);
    if (this.selected !== null && ids.includes(this.selected)) this.selected = null;
    this.#removal = { ids, timer: setTimeout(() => this.#carryOut(), undoTime) };
    this.messages.show(say('toast.removed', { count: ids.length }), {
      action: { label: say('toast.undo'), run: () => this.undo() },
    });
  }

  #carryOut(): void {
    const removal = this.#removal;
    if (!removal) return;
    clearTimeout(removal.timer);
    this.#removal = null;
    void this.attempt(() => this.renders.remove(removal.ids));
  }

  /** Takes back the last removal or deletion, when there is one to take back. */
  undo(): void {
    const removal = this.#removal;
    const trashed = this.#trashed;
    if (removal) {
      clearTimeout(removal.timer);
      this.#removal = null;
      this.renders.unhide(removal.ids);
      this.messages.speak(say('toast.undone'));
    } else if (trashed) {
      this.#trashed = null;
      void this.restore(trashed);
    }
  }

  /** Moves a queued render. */
  async move(
    id: string,
    where: 'moveTop' | 'moveUp' | 'moveDown' | 'moveBottom' | { before: string | null },
  ): Promise<void> {
    const { waiting } = this.renders;
    const before = typeof where === 'string' ? moveTarget(waiting, id, where) : where.before;
    if (before === undefined || before === id) return;
    await this.attempt(async () => {
      await this.renders.move(id, before);
      const others = waiting.filter((one) => one !== id);
      const place = before === null ? others.length + 1 : others.indexOf(before) + 1;
      this.messages.speak(say('queue.moved', { place }));
    });
  }

  async pauseQueue(paused: boolean): Promise<void> {
    await this.attempt(() => pauseQueue(paused));
  }

  /** Carries out an action of the table in lib/actions.ts. */
  async act(action: RenderAction, render: WindowRender): Promise<void> {
    switch (action) {
      case 'open':
        return this.openFile(render);
      case 'show':
        return this.showInFolder(render);
      case 'saveCopy':
        return this.saveCopy(render);
      case 'download':
        this.#download(render);
        return;
      case 'again':
        return this.again(render);
      case 'againWith':
        return this.openRenderDialog(render.record.template_id ?? '');
      case 'cancel':
        return this.cancel(render);
      case 'moveUp':
      case 'moveDown':
      case 'moveTop':
      case 'moveBottom':
        return this.move(render.id, action);
      case 'openTemplate':
        this.edit(render.record.template_id ?? null);
        return;
      case 'copyId':
        return this.copy(render.id);
      case 'copyUrl':
        return this.copy(render.record.url);
      case 'copyError':
        return this.copy(render.record.error_message ?? '');
      case 'copyCurl':
        return this.#copyCurl(render);
      case 'saveLog':
        return this.#saveLog(render);
      case 'remove':
        this.remove([render]);
    }
  }

  #download({ filePath, record }: WindowRender): void {
    if (filePath === undefined) return;
    const link = document.createElement('a');
    link.href = filePath;
    link.download = `${record.id}.${record.output_format}`;
    link.click();
  }

  async #copyCurl({ id }: WindowRender): Promise<void> {
    await this.attempt(async () => {
      const { request } = await loadRequest(id);
      const url = this.server?.api.url ?? '';
      await this.copy(snippet('cURL', { url, body: request }), say('editor.copied.code'));
    });
  }

  async #saveLog(render: WindowRender): Promise<void> {
    await this.attempt(async () => {
      const lines = await loadLog(render.id);
      const text = lines.map(
        (line) => `${machineTime(line.time)}  ${line.level.padEnd(7)}  ${line.text}\n`,
      );
      saveText(`${fileName(render)}.log.txt`, text.join(''));
    });
  }

  /** Starts the renderer again after it has given up. */
  async startRenderer(): Promise<void> {
    await this.attempt(startRenderer);
  }

  // ---- templates and projects ------------------------------------------------------------------------------------------

  /** Opens the render dialog of a template. */
  async openRenderDialog(id: string): Promise<void> {
    await this.attempt(async () => {
      const template = this.templates.get(id);
      if (template) this.rendering = { template, source: await loadSource(id) };
    });
  }

  /** Queues a template as it is stored. */
  async renderTemplate(id: string): Promise<void> {
    await this.attempt(async () => {
      this.#queued(say('toast.queued'), await renderTemplate(id));
    });
  }

  /** Stores a template in the chosen project and opens it. */
  async newTemplate({ name, source }: Pick<NewTemplate, 'name' | 'source'>): Promise<void> {
    const { project } = this;
    if (!project) return;
    await this.attempt(async () => {
      const { id } = await createTemplate({ project: project.id, tags: [], name, source });
      this.edit(id);
    });
  }

  async duplicate({ id, name }: WindowTemplate): Promise<void> {
    await this.attempt(() => duplicateTemplate(id, say('template.copyName', { name })));
  }

  /** @returns true when it was stored. */
  async changeTemplate(id: string, change: Parameters<typeof changeTemplate>[1]): Promise<boolean> {
    return this.attempt(() => changeTemplate(id, change));
  }

  async trash(template: WindowTemplate): Promise<void> {
    await this.attempt(async () => {
      await trashTemplate(template.id);
      this.#trashed = template;
      this.messages.show(say('toast.trashed', { name: template.name }), {
        action: { label: say('toast.undo'), run: () => void this.restore(template) },
      });
    });
  }

  async restore({ id, name }: Pick<WindowTemplate, 'id' | 'name'>): Promise<void> {
    await this.attempt(async () => {
      await restoreTemplate(id);
      this.messages.show(say('toast.restored', { name }));
    });
  }

  /** Asks, then deletes what is named for good. */
  async purge(list: readonly Pick<WindowTemplate, 'id' | 'name'>[]): Promise<void> {
    const [first] = list;
    if (!first) return;
    const title =
      list.length === 1
        ? say('ask.purge.title', { name: first.name })
        : say('ask.empty.title', { count: list.length });
    const yes = await this.ask({
      ...{ title, text: say('ask.purge.text'), yes: say('ask.purge.yes') },
      ...{ no: say('ask.no'), danger: true },
    });
    if (!yes) return;
    await this.attempt(async () => {
      for (const { id } of list) await purgeTemplate(id);
      await this.templates.loadTrash();
    });
  }

  /** Saves a template as a file. */
  async exportTemplate({ id, name, tags }: WindowTemplate): Promise<void> {
    await this.attempt(async () => {
      saveText(templateFileName(name), templateFileText(name, tags, await loadSource(id)));
    });
  }

  async copyTemplateCurl({ id }: WindowTemplate): Promise<void> {
    const url = this.server?.api.url ?? '';
    await this.copy(snippet('cURL', { url, body: { template_id: id } }), say('editor.copied.code'));
  }

  /** Once; without them the menu is only shorter. */
  async loadSamples(): Promise<void> {
    if (this.samples.length === 0) this.samples = await loadSamples().catch(() => []);
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

  /** Opens the finished file with the system's program, or in a tab of the browser. */
  async openFile(render: WindowRender): Promise<void> {
    await this.attempt(async () => {
      const { desktop } = this;
      if (desktop) await desktop.openFile(asFile(render));
      else window.open(render.filePath, '_blank', 'noopener');
    });
  }

  async showInFolder(render: WindowRender): Promise<void> {
    await this.attempt(async () => this.desktop?.showInFolder(asFile(render)));
  }

  async saveCopy(render: WindowRender): Promise<void> {
    await this.attempt(async () => {
      const saved = await this.desktop?.saveCopy(asFile(render), fileName(render));
      if (saved) this.messages.show(say('toast.copySaved'));
    });
  }

  #queued(text: string, render: WindowRender): void {
    this.messages.show(text, {
      action: { label: say('toast.open'), run: () => this.showRender(render.id) },
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

function asFile({ id, record }: WindowRender): {
  id: string;
  format: WindowRender['record']['output_format'];
} {
  return { id, format: record.output_format };
}

/** The window's state, from any component below App.svelte. */
export const [useApp, provideApp] = createContext<AppState>();
