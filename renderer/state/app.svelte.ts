/**
 * The window as a whole: which page, what is selected, and how it stands with the server. Window only.
 * Made once in App.svelte and handed down; `open` and `close` bound the life of its event stream and clock.
 */
import { createContext } from 'svelte';
import type { Desktop } from '../../shared/desktop.ts';
import type { ServerState, WindowRender } from '../../shared/api.ts';
import { loadState, startRenderer } from '../lib/api.ts';
import { fileName, nameOf } from '../lib/display.ts';
import { followEvents, type NumberedEvent } from '../lib/events.ts';
import { say, type MessageKey } from '../lib/say.ts';
import { Messages } from './messages.svelte.ts';
import { RendersState } from './renders.svelte.ts';
import { TemplatesState } from './templates.svelte.ts';

/** The pages there are, in the order of the sidebar. */
export const pages = ['queue', 'templates'] as const;
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

/** Everything the components share. */
export class AppState {
  page = $state<Page>('queue');
  /** Text of the search field; each page searches its own list. */
  search = $state('');
  /** ID of the render whose details are open. */
  selected = $state<string | null>(null);
  connection = $state<Connection>('connecting');
  server = $state.raw<ServerState | null>(null);
  /** The time in ms, for "2 min ago"; moves on while the window is seen. */
  now = $state(Date.now());

  readonly messages = new Messages();
  readonly renders = new RendersState({
    onOutcome: (render, outcome) => {
      const key: MessageKey =
        outcome === 'done' ? 'render.done.announce' : 'render.failed.announce';
      this.messages.speak(say(key, { name: nameOf(render) }));
    },
  });
  readonly templates = new TemplatesState();

  /** The desktop's calls; undefined in a browser. */
  readonly desktop = window.desktop;

  #life = new AbortController();

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
  }

  close(): void {
    this.#life.abort();
  }

  /** Loads everything anew. */
  async reload(): Promise<void> {
    try {
      const [state] = await Promise.all([loadState(), this.renders.load(), this.templates.load()]);
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
  }

  goTo(page: Page): void {
    if (this.page === page) return;
    this.page = page;
    this.search = '';
  }

  /** Shows a render on the Queue page with its details open. */
  showRender(id: string): void {
    this.goTo('queue');
    this.search = '';
    this.selected = id;
  }

  // ---- what a person can do; problems are shown, never thrown ---------------------------------------------------

  async copy(text: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      this.messages.show(say('toast.copied'));
    } catch {
      this.messages.show(say('toast.notCopied'), { tone: 'problem' });
    }
  }

  async cancel(render: WindowRender): Promise<void> {
    await this.#attempt(async () => {
      await this.renders.cancel(render.id);
      this.messages.show(say('toast.cancelled'), {
        action: { label: say('action.again'), run: () => void this.again(render) },
      });
    });
  }

  async again(render: WindowRender): Promise<void> {
    await this.#attempt(async () => {
      this.#queued(say('toast.again'), await this.renders.again(render.id));
    });
  }

  /** Starts the renderer again after it has given up. */
  async startRenderer(): Promise<void> {
    await this.#attempt(startRenderer);
  }

  async renderTemplate(id: string): Promise<void> {
    await this.#attempt(async () => {
      this.#queued(say('toast.queued'), await this.templates.render(id));
    });
  }

  /** Opens the finished file with the system's program, or in a tab of the browser. */
  async openFile(render: WindowRender): Promise<void> {
    await this.#attempt(async () => {
      const { desktop } = this;
      if (desktop) await desktop.openFile(asFile(render));
      else window.open(render.filePath, '_blank', 'noopener');
    });
  }

  async showInFolder(render: WindowRender): Promise<void> {
    await this.#attempt(async () => this.desktop?.showInFolder(asFile(render)));
  }

  async saveCopy(render: WindowRender): Promise<void> {
    await this.#attempt(async () => {
      const saved = await this.desktop?.saveCopy(asFile(render), fileName(render));
      if (saved) this.messages.show(say('toast.copySaved'));
    });
  }

  #queued(text: string, render: WindowRender): void {
    this.messages.show(text, {
      action: { label: say('toast.open'), run: () => this.showRender(render.id) },
    });
  }

  async #attempt(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (reason) {
      this.messages.showProblem(reason);
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
