/** Stores unsaved changes on the server every two seconds, so that a crash loses no more. Window only. */
import type { Draft } from '../../../shared/api/editor.ts';
import { dropDraft, keepDraft } from '../../frame/connection/editor.ts';

/** Between two drafts, in ms. */
const interval = 2000;

/** The unsaved work of one template. */
export class DraftKeeper {
  /** Why the last one could not be stored; '' if it was. */
  problem = $state('');

  readonly #id: string;
  readonly #read: () => Omit<Draft, 'savedAt'> | null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** What the server has; '' for nothing. */
  #kept = '';

  /** @param read What is not saved now; null when everything is. */
  constructor(id: string, read: () => Omit<Draft, 'savedAt'> | null) {
    this.#id = id;
    this.#read = read;
  }

  /** Something was typed. */
  touch(): void {
    this.#timer ??= setTimeout(() => void this.flush(), interval);
  }

  /** Stores the current draft at once. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const draft = this.#read();
    const next = draft ? JSON.stringify(draft) : '';
    if (next === this.#kept) return;
    try {
      if (draft) await keepDraft(this.#id, draft);
      else await dropDraft(this.#id);
      this.#kept = next;
      this.problem = '';
    } catch (reason) {
      this.problem = reason instanceof Error ? reason.message : String(reason);
    }
  }

  /** The server has this draft, or none. */
  knows(draft: Omit<Draft, 'savedAt'> | null): void {
    this.#kept = draft ? JSON.stringify(draft) : '';
  }
}
