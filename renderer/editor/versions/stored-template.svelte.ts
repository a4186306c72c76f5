/**
 * How a template being edited differs from the stored one: name and tags, unsaved changes, the draft, and what someone
 * else stored meanwhile. Window only.
 */
import { call } from '../../frame/connection/call.ts';
import { type Marker, sameMarkers } from '../../../shared/markers.ts';
import { type Draft, editorRows, type OpenedTemplate } from '../../../shared/api/editor.ts';
import { RequestProblem } from '../../frame/connection/api.ts';
import type { EditedDocument } from '../source/edited-document.svelte.ts';
import { linesOf } from '../source/source-text.svelte.ts';
import type { WindowTemplate } from '../../../shared/api.ts';
import type { Source } from '../../../shared/renderscript/source.ts';

/** The status of an answer when the store can't be written. */
const cannotSave = 503;

/** The template with the document that is edited. Call `open()` once, `close()` at the end. */
export class StoredTemplate {
  readonly id: string;
  loading = $state<'loading' | 'ready' | 'error' | 'gone'>('loading');
  name = $state('');
  tags = $state.raw<readonly string[]>([]);
  saving = $state(false);
  /** When the recovered draft was kept, in ms; null without one. */
  recovered = $state<number | null>(null);
  /** Why nothing can be saved at present; '' while it can. */
  readOnly = $state('');
  /** Someone moved it to the Trash while there were unsaved changes. */
  trashed = $state(false);
  /** What someone else stored meanwhile. */
  theirs = $state.raw<StoredText | null>(null);
  readonly draft: DraftKeeper;

  readonly #document: EditedDocument;
  #stored = $state.raw<StoredText>({
    ...{ text: '', name: '', tags: [], markers: [], updatedAt: 0 },
  });
  readonly #storedLines = $derived(linesOf(this.#stored.text));
  readonly isDraft = $derived.by(() => !this.#document.code.equals(this.#storedLines));
  readonly dirty = $derived.by(
    () =>
      this.isDraft ||
      this.name !== this.#stored.name ||
      this.tags.join('\n') !== this.#stored.tags.join('\n') ||
      !sameMarkers(this.#document.code.markers, this.#stored.markers),
  );
  /** Why this state can't be saved; null: it can. */
  readonly unsavable = $derived.by((): 'trashed' | 'text' | 'name' | null => {
    if (this.trashed) return 'trashed';
    if (!this.#document.readable) return 'text';
    return this.name.trim() === '' ? 'name' : null;
  });
  /** There is something to save, and saving it can succeed. */
  readonly canSave = $derived(
    this.dirty && !this.saving && this.unsavable === null && this.readOnly === '',
  );

  constructor(id: string, document: EditedDocument) {
    this.id = id;
    this.#document = document;
    this.draft = new DraftKeeper(id, () => (this.dirty ? this.#unsaved() : null));
  }

  /** Loads the template and its draft, if there is one. */
  async open(): Promise<void> {
    this.loading = 'loading';
    try {
      this.#begin(await call(editorRows.open, { params: { id: this.id } }));
      this.loading = 'ready';
    } catch (reason) {
      const isGone = reason instanceof RequestProblem && reason.status === 404;
      this.loading = isGone ? 'gone' : 'error';
    }
  }

  close(): void {
    void this.draft.flush();
  }

  #begin({ template, source, markers, draft }: OpenedTemplate): void {
    this.#stored = storedText(template, source, markers);
    const first = draft ?? this.#stored;
    this.name = first.name;
    this.tags = first.tags;
    this.#document.code.begin(this.#stored.text, this.#stored.markers);
    if (draft) {
      // Checks the stored text first: it is the last good state if the draft can't be read.
      this.#document.check();
      this.#recover(draft);
    }
    this.#document.check();
  }

  #recover({ savedAt, ...draft }: Draft): void {
    this.draft.knows(draft);
    // One step of the history, so that undo leads back to what is stored.
    this.#document.code.replace(draft.text, draft.markers ?? []);
    if (!this.dirty) {
      void this.draft.flush();
      return;
    }
    this.recovered = savedAt;
    if (draft.base !== this.#stored.updatedAt) this.theirs = this.#stored;
  }

  #unsaved(): Omit<Draft, 'savedAt'> {
    const { text, code } = this.#document;
    const { name, tags } = this;
    return { text, name, tags, markers: code.markers, base: this.#stored.updatedAt };
  }

  setName(name: string): void {
    this.name = name;
    this.draft.touch();
  }

  setTags(tags: readonly string[]): void {
    this.tags = tags;
    this.draft.touch();
  }

  /**
   * Saves.
   *
   * @param over Also when someone else changed the template since.
   * @returns false when nothing was saved, because of a conflict, because the text is no JSON, or because the store
   *   can't be written (`readOnly` then has the reason).
   * @throws RequestProblem
   */
  async save(over = false): Promise<boolean> {
    this.#document.check();
    const { text, source, readable } = this.#document;
    if (!readable || !source) return false;
    const { name, tags } = this;
    const { markers } = this.#document.code;
    this.saving = true;
    try {
      const base = over ? null : this.#stored.updatedAt;
      const answer = await call(editorRows.save, {
        params: { id: this.id },
        body: { name, tags, source, markers, base },
      });
      if (answer.conflict) {
        this.theirs = storedText(answer.template, answer.source, answer.markers);
        return false;
      }
      this.#stored = { text, name, tags, markers, updatedAt: answer.template.updatedAt };
      this.readOnly = '';
      this.theirs = null;
      this.recovered = null;
      this.draft.knows(null);
      this.draft.touch();
      return true;
    } catch (reason) {
      if (reason instanceof RequestProblem && reason.status === cannotSave) {
        this.readOnly = reason.message;
        return false;
      }
      throw reason;
    } finally {
      this.saving = false;
    }
  }

  /** The list of templates says that this one has changed. @returns true when the new version is shown at once. */
  async noticed(updatedAt: number): Promise<boolean> {
    if (this.saving || this.loading !== 'ready') return false;
    if (updatedAt <= Math.max(this.#stored.updatedAt, this.theirs?.updatedAt ?? 0)) return false;
    const { template, source, markers } = await call(editorRows.open, { params: { id: this.id } });
    if (template.updatedAt <= this.#stored.updatedAt) return false;
    this.theirs = storedText(template, source, markers);
    if (this.dirty) return false;
    this.takeTheirs();
    return true;
  }

  /** The template was deleted elsewhere. Unsaved changes stay visible. */
  removed(): void {
    if (this.loading !== 'ready') return;
    if (this.dirty) this.trashed = true;
    else this.loading = 'gone';
  }

  /** The template is there: again, when it was deleted while this editor was open. */
  async isThere(): Promise<void> {
    if (this.loading === 'gone') await this.open();
    if (!this.trashed) return;
    this.trashed = false;
    // Kept with the template that is back, or forgotten by the server with it.
    this.draft.knows(null);
    await this.draft.flush();
  }

  takeTheirs(): void {
    const { theirs } = this;
    if (!theirs) return;
    this.#stored = theirs;
    this.#showStored();
  }

  /** Keeps the edited text; saving then replaces the stored one. */
  keepMine(): void {
    if (!this.theirs) return;
    this.#stored = { ...this.#stored, updatedAt: this.theirs.updatedAt };
    this.theirs = null;
    this.draft.touch();
  }

  keepRecovered(): void {
    this.recovered = null;
  }

  discardRecovered(): void {
    this.#showStored();
  }

  /** Replaces the edited text with the stored one. */
  #showStored(): void {
    const { text, name, tags, markers } = this.#stored;
    this.name = name;
    this.tags = tags;
    const { code } = this.#document;
    if (this.#document.text !== text || !sameMarkers(code.markers, markers))
      code.replace(text, markers);
    this.theirs = null;
    this.recovered = null;
    this.#document.check();
    void this.draft.flush();
  }
}

/** Milliseconds between two drafts. */
const draftPause = 2000;

/** Stores unsaved changes on the server every two seconds, so that a crash loses no more. */
class DraftKeeper {
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

  touch(): void {
    this.#timer ??= setTimeout(() => void this.flush(), draftPause);
  }

  /** Stores the current draft at once. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const draft = this.#read();
    const next = draft ? JSON.stringify(draft) : '';
    if (next === this.#kept) return;
    try {
      if (draft) await call(editorRows.keepDraft, { params: { id: this.#id }, body: draft });
      else await call(editorRows.dropDraft, { params: { id: this.#id } });
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

/** A stored template; its document as the text that the editor begins with. */
export interface StoredText {
  readonly text: string;
  readonly name: string;
  readonly tags: readonly string[];
  readonly markers: readonly Marker[];
  /** ms since 1970. */
  readonly updatedAt: number;
}

/** The form in which a template is compared. */
export function storedText(
  { name, tags, updatedAt }: Pick<WindowTemplate, 'name' | 'tags' | 'updatedAt'>,
  source: Source,
  markers: readonly Marker[],
): StoredText {
  return { text: `${JSON.stringify(source, null, 2)}\n`, name, tags, markers, updatedAt };
}
