/**
 * What tasks use of the window: the parts of `AppState` (app.svelte.ts), which owns the tasks and so can't be imported
 * by them. Types only.
 */
import type { WindowRender } from '../../shared/api.ts';
import type { Desktop } from '../../shared/desktop.ts';
import type { Clipboard } from './clipboard.ts';
import type { WindowClock } from './clock.svelte.ts';
import type { Dialogs } from './open-dialogs.svelte.ts';
import type { Messages } from './messages.svelte.ts';
import type { Navigation } from './navigation.svelte.ts';
import type { Shortcuts } from './commands/shortcuts-state.svelte.ts';
import type { UndoStack } from './undo.svelte.ts';
import type { Preferences } from './preferences.svelte.ts';
import type { Projects } from './projects.svelte.ts';
import type { RendersState } from '../queue/renders.svelte.ts';
import type { ServerStanding } from './server.svelte.ts';
import type { TemplatesState } from '../templates/templates-state.svelte.ts';

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
