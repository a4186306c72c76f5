/** The projects, and which of them is shown. Window only. */
import { call } from './connection/call.ts';
import { projectRows } from '../../shared/api/projects.ts';
import type { ProjectRecord } from '../../shared/api.ts';
import type { Preferences } from './preferences.svelte.ts';

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
