/** The templates that the window shows: loaded once, then kept current by events. Window only. */
import { SvelteMap } from 'svelte/reactivity';
import { call } from '../frame/connection/call.ts';
import type { TrashedTemplate, WindowTemplate } from '../../shared/api.ts';
import { freeName } from '../../shared/free-name.ts';
import { requestLimits as limits } from '../../shared/limits.ts';
import { type WindowSample, templateRows, trashRows } from '../../shared/api/templates.ts';
import type { NumberedEvent } from '../frame/connection/events.ts';
import type { Loading } from '../queue/renders.svelte.ts';

/** Templates by ID, newest change first. */
export class TemplatesState {
  loading = $state<Loading>('loading');

  readonly #byId = new SvelteMap<string, WindowTemplate>();
  #early: NumberedEvent[] | null = null;

  readonly list = $derived(
    [...this.#byId.values()].sort((a, b) => b.updatedAt - a.updatedAt || (a.id < b.id ? -1 : 1)),
  );

  /** What is in the Trash, newest first. */
  trash = $state.raw<readonly TrashedTemplate[]>([]);
  /** What new templates can begin with; empty until Home or the dialog has asked. */
  samples = $state.raw<readonly WindowSample[]>([]);

  get(id: string): WindowTemplate | undefined {
    return this.#byId.get(id);
  }

  /** A name that no other template of a project has: `Reel`, else `Reel 2`. Programs get the names that they send. */
  freeName(name: string, project: string): string {
    const own = this.list.filter((one) => one.project === project);
    // eslint-disable-next-line svelte/prefer-svelte-reactivity -- only read here
    const taken = new Set(own.map((one) => one.name.toLowerCase()));
    return freeName(name, (one) => taken.has(one), limits.nameLength);
  }

  /** Takes in what was just stored: its event comes a moment later, and the next name must not be the same. */
  put(template: WindowTemplate): void {
    this.#byId.set(template.id, template);
  }

  /** Loads the whole list; what is shown stays until it is there. */
  async load(): Promise<void> {
    this.#early = [];
    try {
      const [{ templates, eventNumber }, trash] = await Promise.all([
        call(templateRows.list),
        call(trashRows.list),
      ]);
      this.trash = trash;
      this.#byId.clear();
      for (const template of templates) this.#byId.set(template.id, template);
      this.loading = 'ready';
      const missed = this.#takeEarly();
      for (const event of missed) if (event.number > eventNumber) this.apply(event);
    } catch (reason) {
      this.#takeEarly();
      if (this.loading === 'loading') this.loading = 'error';
      throw reason;
    }
  }

  #takeEarly(): NumberedEvent[] {
    const early = this.#early ?? [];
    this.#early = null;
    return early;
  }

  /** Applies one event; ignores those that are not about templates. */
  apply(event: NumberedEvent): void {
    if (this.#early) this.#early.push(event);
    else if (event.type === 'template.created' || event.type === 'template.updated') {
      const { template } = event;
      this.#byId.set(template.id, template);
      this.trash = this.trash.filter(({ id }) => id !== template.id);
    } else if (event.type === 'template.removed') {
      this.#byId.delete(event.id);
      void this.loadTrash();
    }
  }

  /** Reloads the Trash. */
  async loadTrash(): Promise<void> {
    // What is shown stays; the next event or reload tries again.
    this.trash = await call(trashRows.list).catch(() => this.trash);
  }
}
