/**
 * What tasks use of the window: the parts of `AppState` (app.svelte.ts), which owns the tasks and so can't be imported by them.
 * Types only.
 */
import type { ProjectRecord, ServerState, WindowRender, WindowTemplate } from '../../shared/api.ts';
import type { Desktop } from '../../shared/desktop.ts';
import type { JsonObject } from '../../shared/renderscript/source.ts';
import type { Page } from '../lib/address.ts';
import type { NewTemplate } from '../lib/connection/api.ts';
import type { Messages } from './frame/messages.svelte.ts';
import type { Preferences } from './preferences.svelte.ts';
import type { RendersState } from './renders.svelte.ts';
import type { Shortcuts } from './frame/shortcuts.svelte.ts';
import type { TemplatesState } from './templates.svelte.ts';
import type { UndoStack } from './frame/undo.ts';

/** A question before something that can't be undone. */
export interface Question {
  readonly title: string;
  readonly text: string;
  /** The words of the two buttons. */
  readonly yes: string;
  readonly no: string;
  readonly danger?: boolean;
}

/** The template whose render dialog is open, with its document and, to begin with, a request of before. */
export interface OpenRenderDialog {
  readonly template: WindowTemplate;
  readonly source: JsonObject;
  readonly request?: JsonObject | undefined;
}

/** The parts; those that are not `readonly` are set by tasks. Each task picks its own. */
export interface WindowParts {
  readonly page: Page;
  readonly editing: string | null;
  readonly seen: boolean;
  readonly readOnly: string | undefined;
  readonly desktop: Desktop | undefined;
  readonly project: ProjectRecord | undefined;
  readonly preferences: Preferences;
  readonly shortcuts: Shortcuts;
  readonly messages: Messages;
  readonly undoSteps: UndoStack;
  readonly renders: RendersState;
  readonly templates: TemplatesState;
  server: ServerState | null;
  selected: string | null;
  playing: string | null;
  samples: readonly Omit<NewTemplate, 'project'>[];
  rendering: OpenRenderDialog | null;
  importing: readonly File[] | null;
  goTo(page: Page): void;
  goToSetting(setting: string): void;
  edit(id: string | null, at?: string): void;
  showRender(id: string): void;
  copy(text: string, told?: string): Promise<void>;
  ask(question: Question): Promise<boolean>;
  tellQueued(text: string, render: WindowRender, label?: string): void;
  attempt(work: () => Promise<unknown>): Promise<boolean>;
}
