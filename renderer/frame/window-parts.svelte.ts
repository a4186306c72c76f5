/**
 * The parts of the window's state that tasks use: `AppState` (app.svelte.ts) owns tasks and parts,
 * so tasks can't import it. Clock, server and projects are small enough to live here. Window only.
 */
import type { WindowRender, ServerState, ProjectRecord } from '../../shared/api.ts';
import type { Desktop } from '../../shared/desktop.ts';
import type { Clipboard } from './clipboard.ts';
import type { Dialogs } from './open-dialogs.svelte.ts';
import type { Messages } from './messages.svelte.ts';
import type { Navigation } from './navigation.svelte.ts';
import type { Shortcuts } from './commands/shortcuts-state.svelte.ts';
import type { UndoStack } from './undo.svelte.ts';
import type { Preferences } from './preferences.svelte.ts';
import type { RendersState } from '../queue/renders.svelte.ts';
import type { TemplatesState } from '../templates/templates-state.svelte.ts';
import { say } from '../ui/say.ts';
import { call } from './connection/call.ts';
import { projectRows } from '../../shared/api/projects.ts';

/** The parts. Each task picks its own. */
export interface WindowParts {
  readonly desktop: Desktop | undefined;
  readonly navigation: Navigation;
  readonly dialogs: Dialogs;
  readonly clock: WindowClock;
  readonly server: ServerStanding;
  readonly projects: Projects;
  readonly preferences: Preferences;
  readonly shortcuts: Shortcuts;
  readonly clipboard: Clipboard;
  readonly messages: Messages;
  readonly undoSteps: UndoStack;
  readonly renders: RendersState;
  readonly templates: TemplatesState;
  copy(text: string, told?: string): Promise<void>;
  tellQueued(text: string, render: Pick<WindowRender, 'id'>, label?: string): void;
  attempt(work: () => Promise<unknown>): Promise<boolean>;
}

/* The time as the window shows it, and whether anyone sees it. */

/** Milliseconds between two updates. */
const pause = 20_000;

export class WindowClock {
  /** The time in ms, for "2 min ago"; updated while the window is visible. */
  now = $state(Date.now());
  /** The window is visible: neither behind another tab nor minimised. */
  seen = $state(!document.hidden);

  /** Starts following time and window. @param onTurned called when the window becomes visible or hidden */
  follow(signal: AbortSignal, onTurned: () => void): void {
    const look = (): void => {
      if (!document.hidden) this.now = Date.now();
    };
    const timer = setInterval(look, pause);
    signal.addEventListener('abort', () => clearInterval(timer));
    const turn = (): void => {
      this.seen = !document.hidden;
      look();
      onTurned();
    };
    document.addEventListener('visibilitychange', turn, { signal });
  }
}

/* The server's state, as far as the window knows it. */

/** `refused`: what answers does not know the token of this address; it is asked again. */
type Connection = 'connecting' | 'open' | 'lost' | 'refused';

export class ServerStanding {
  connection = $state<Connection>('connecting');
  /** Null until it is loaded. */
  state = $state.raw<ServerState | null>(null);

  /** No render starts now: a person paused the queue, or something holds all of it. */
  readonly halted = $derived.by((): boolean => {
    const { paused = false, heldBy = [] } = this.state?.queue ?? {};
    // A missing encoder holds only films; pictures go on.
    return paused || heldBy.some((reason) => reason !== 'encoder');
  });

  /** Why the queue can be neither paused nor resumed: nothing is known of it. Undefined while something is. */
  readonly queueUnknown = $derived.by((): string | undefined =>
    this.state === null || this.connection === 'refused' ? say('reason.queueUnknown') : undefined,
  );

  /** Why nothing can be saved, as a sentence; undefined while it can. */
  readonly readOnly = $derived.by((): string | undefined => {
    const reason = this.state?.storeProblem;
    return reason === undefined ? undefined : say('reason.store', { reason });
  });
}

/* The projects, and which of them is shown. */

export class Projects {
  all = $state.raw<readonly ProjectRecord[]>([]);
  readonly #preferences: Preferences;

  constructor(preferences: Preferences) {
    this.#preferences = preferences;
  }

  /** The chosen project; the first one where the chosen one is gone. */
  readonly chosen = $derived.by((): ProjectRecord | undefined => {
    const id = this.#preferences.text('project');
    return this.all.find((project) => project.id === id) ?? this.all[0];
  });

  async load(): Promise<void> {
    this.all = await call(projectRows.list);
  }
}
