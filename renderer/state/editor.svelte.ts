/**
 * One template being edited. The JSON text is the truth: the form, the outline and the source pane all change it. Beside it
 * stand what is stored, the draft, and what someone else stored meanwhile.
 */
import { SvelteSet } from 'svelte/reactivity';
import { previewSide, type Draft, type OpenedTemplate } from '../../shared/preview.ts';
import type { ElementType, Json, Source } from '../../shared/renderscript/source.ts';
import { RequestProblem } from '../lib/api.ts';
import {
  checkInSteps,
  checkText,
  withDrawn,
  type Checked,
  type EditorProblem,
} from '../views/editor/check.ts';
import { diagnosticsOf } from '../views/editor/code.ts';
import { fieldsOf, newElement, outlineOf } from '../views/editor/elements.ts';
import { followed } from '../views/editor/followed.ts';
import {
  followEdit,
  insertItem,
  parsePath,
  putValue,
  rangeOf,
  setValue,
  type Node,
  type TextChange,
} from '../views/editor/json-text.ts';
import { momentOf } from '../views/editor/good-moment.ts';
import { largeSource } from '../views/editor/limits.ts';
import { openTemplate, saveTemplate } from '../views/editor/requests.ts';
import { storedText, type StoredText } from '../views/editor/stored.ts';
import { DraftKeeper } from './draft.svelte.ts';
import { PreviewState, quiet as drawQuiet } from './preview.svelte.ts';
import { linesOf, SourceText } from './source-text.svelte.ts';

/** Quiet before a text is checked, in ms. */
const quiet = { small: 100, large: 1000 };
/** The quiet lasts at least so many times as long as the last check took: else each key of a steady hand waits for one. */
const pauses = 4;

/** The status of an answer that tells that the store can't be written. */
const cannotSave = 503;

/** A template in the editor. Call `open()` once, `close()` at the end. */
export class TemplateEditor {
  readonly id: string;
  loading = $state<'loading' | 'ready' | 'error' | 'gone'>('loading');
  name = $state('');
  tags = $state.raw<readonly string[]>([]);
  saving = $state(false);
  /** The last source that was JSON, and the tree of the newest text. */
  source = $state.raw<Source | null>(null);
  tree = $state.raw<Node | null>(null);
  checked = $state.raw<readonly EditorProblem[]>([]);
  /** False while the text is not a JSON object. */
  readable = $state(true);
  /** When the recovered draft was kept, in ms; null without one. */
  recovered = $state<number | null>(null);
  /** Why nothing can be saved at present; '' while it can. */
  readOnly = $state('');
  /** Someone put it into the Trash while there was work that is not saved. */
  trashed = $state(false);
  /** What someone else stored meanwhile. */
  theirs = $state.raw<StoredText | null>(null);
  /** The new element whose file is being chosen; null: none is. */
  choosing = $state.raw<{
    readonly path: string;
    readonly kind: 'image' | 'video' | 'audio';
  } | null>(null);
  /** Path of the element that is selected in the outline. */
  selected = $state('');
  readonly hidden = new SvelteSet<string>();
  /** The text with its history and cursor. */
  readonly code = new SourceText(() => this.#typed());
  readonly preview = new PreviewState(previewSide, drawQuiet - quiet.small);
  readonly draft: DraftKeeper;

  #stored = $state.raw<StoredText>({ text: '', name: '', tags: [], updatedAt: 0 });
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** What the last check took, in ms. */
  #checkTime = 0;
  /** The text whose tree `tree` is. */
  #treeLines: unknown = null;

  readonly #storedLines = $derived(linesOf(this.#stored.text));
  /** The document itself is not stored as it is. */
  readonly isDraft = $derived(!this.code.equals(this.#storedLines));
  readonly dirty = $derived(
    this.isDraft ||
      this.name !== this.#stored.name ||
      this.tags.join('\n') !== this.#stored.tags.join('\n'),
  );
  /** The checker's, and what drawing noticed. */
  readonly problems = $derived.by((): readonly EditorProblem[] => {
    const isDrawn = this.readable && !this.hasErrors;
    return isDrawn
      ? withDrawn(this.checked, this.preview.warnings, this.tree, this.code)
      : this.checked;
  });
  /** What keeps this state from being saved; null: nothing does. */
  readonly unsavable = $derived.by((): 'trashed' | 'text' | 'name' | null => {
    if (this.trashed) return 'trashed';
    if (!this.readable) return 'text';
    return this.name.trim() === '' ? 'name' : null;
  });
  /** There is something to save, and saving it can succeed. */
  readonly canSave = $derived(
    this.dirty && !this.saving && this.unsavable === null && this.readOnly === '',
  );
  readonly hasErrors = $derived(this.checked.some(({ severity }) => severity === 'error'));
  readonly outline = $derived(outlineOf(this.source, this.preview.elements));
  readonly fields = $derived(fieldsOf(this.source, this.outline));

  constructor(id: string) {
    this.id = id;
    this.draft = new DraftKeeper(id, () => (this.dirty ? this.#unsaved() : null));
  }

  /** Loads the template and the draft there may be. */
  async open(): Promise<void> {
    this.loading = 'loading';
    try {
      this.#begin(await openTemplate(this.id));
      this.loading = 'ready';
    } catch (reason) {
      const isGone = reason instanceof RequestProblem && reason.status === 404;
      this.loading = isGone ? 'gone' : 'error';
    }
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    void this.draft.flush();
    this.code.close();
    this.preview.close();
  }

  #begin({ template, source, draft }: OpenedTemplate): void {
    this.#stored = storedText(template, source);
    const first = draft ?? this.#stored;
    this.name = first.name;
    this.tags = first.tags;
    this.code.begin(this.#stored.text);
    if (draft) {
      // What is stored is the last good state of a draft that can't be read.
      this.check();
      this.#recover(draft);
    }
    this.check();
  }

  #recover({ savedAt, ...draft }: Draft): void {
    this.draft.knows(draft);
    // One step of the history, so that undo leads back to what is stored.
    this.code.replace(draft.text);
    if (!this.dirty) {
      void this.draft.flush();
      return;
    }
    this.recovered = savedAt;
    if (draft.base !== this.#stored.updatedAt) this.theirs = this.#stored;
  }

  #unsaved(): Omit<Draft, 'savedAt'> {
    return { text: this.text, name: this.name, tags: this.tags, base: this.#stored.updatedAt };
  }

  // ---- the text ----------------------------------------------------------------------------------------------------

  get text(): string {
    return this.code.text;
  }

  get undoable(): boolean {
    return this.code.undoable;
  }

  get redoable(): boolean {
    return this.code.redoable;
  }

  #typed(): void {
    this.draft.touch();
    clearTimeout(this.#timer);
    const least = this.code.length > largeSource ? quiet.large : quiet.small;
    const wait = Math.max(least, Math.min(quiet.large, this.#checkTime * pauses));
    const timer = setTimeout(() => void this.#checkInTurns(timer), wait);
    this.#timer = timer;
  }

  /** Checks without keeping a key waiting that comes meanwhile: what it types makes this check one of an old text. */
  async #checkInTurns(timer: ReturnType<typeof setTimeout>): Promise<void> {
    const steps = checkInSteps(this.text);
    let taken = 0;
    while (this.#timer === timer) {
      const begun = performance.now();
      const step = steps.next();
      taken += performance.now() - begun;
      if (step.done === true) {
        this.#take(step.value, taken);
        return;
      }
      await new Promise((resolve) => setTimeout(resolve));
    }
  }

  /** Reads the text anew, at once, and draws it. */
  check(): void {
    const begun = performance.now();
    const checked = checkText(this.text);
    this.#take(checked, performance.now() - begun);
  }

  /** @param taken What the check took, in ms. */
  #take({ source, tree, problems }: Checked, taken: number): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const begun = performance.now();
    const before = this.hidden.size > 0 ? this.outline : [];
    this.tree = tree;
    this.#treeLines = this.code.lines;
    this.checked = problems;
    this.readable = source !== null;
    if (source) this.source = source;
    if (source && before.length > 0) this.#hide(followed(this.hidden, before, this.outline));
    this.redraw();
    this.#checkTime = taken + performance.now() - begun;
  }

  /** Marks what is wrong in the text; an effect, since drawing notices more later. What is typed meanwhile is checked first. */
  mark(): void {
    const { problems } = this;
    if (this.#treeLines !== this.code.lines) return;
    this.code.mark(diagnosticsOf(problems, (changes) => this.change(changes)));
  }

  #hide(paths: readonly string[]): void {
    this.hidden.clear();
    for (const path of paths) this.hidden.add(path);
  }

  redraw(): void {
    const drawable = this.readable && !this.hasErrors;
    this.preview.show(drawable ? this.source : null, { hidden: [...this.hidden] });
  }

  /** Changes the text; one step of the history. */
  change(changes: readonly TextChange[]): void {
    this.code.change(changes);
  }

  /** Sets one value by its path. */
  setValue(path: string, value: Json | undefined): void {
    const { tree } = this;
    const isCurrent = this.#treeLines === this.code.lines;
    const put = isCurrent && value !== undefined ? putValue(tree, parsePath(path), value) : null;
    const [edit] = put ?? [];
    if (!tree || !edit) {
      this.change(setValue(this.text, parsePath(path), value));
      return;
    }
    this.change([edit]);
    // So that the next letter in a field needs no reading of the whole text either.
    followEdit(tree, edit);
    this.#treeLines = this.code.lines;
  }

  undo(): void {
    this.#settle();
    this.code.undo();
  }

  redo(): void {
    this.#settle();
    this.code.redo();
  }

  /** The form has to know what is undone, to show that it is. */
  #settle(): void {
    if (this.#timer !== undefined) this.check();
  }

  setName(name: string): void {
    this.name = name;
    this.draft.touch();
  }

  setTags(tags: readonly string[]): void {
    this.tags = tags;
    this.draft.touch();
  }

  /** Selects an element here, in the outline and in the source, and shows a moment at which it can be seen. */
  select(path: string): void {
    this.selected = path;
    this.code.goTo(rangeOf(this.tree, parsePath(path)), false);
    const { preview } = this;
    const drawn = this.outline.find((item) => item.path === path)?.drawn;
    if (!drawn || preview.playing) return;
    const moment = momentOf(drawn, preview.time, preview.frameRate);
    if (moment !== preview.time) preview.seek(moment);
  }

  /**
   * Adds an element at the end; into the selected one when that is a composition.
   *
   * @param source Its file; where it needs one and none is given, the dialog for files opens.
   * @returns its path
   */
  add(type: ElementType, source?: string): string {
    const names = this.outline.map(({ label }) => label);
    const element = newElement(type, names);
    const selected = this.outline.find(({ path }) => path === this.selected);
    const into = selected?.type === 'composition' ? `${selected.path}.elements` : 'elements';
    const file = source === undefined ? {} : { source };
    this.change(insertItem(this.text, parsePath(into), { ...element, ...file }));
    this.check();
    const { group } = this.outline.find(({ list }) => list === into) ?? {};
    const path = `${into}[${(group?.siblings.length ?? 1) - 1}]`;
    this.select(path);
    const isFile = type === 'image' || type === 'video' || type === 'audio';
    if (isFile && source === undefined) this.choosing = { path, kind: type };
    return path;
  }

  toggleHidden(path: string): void {
    if (!this.hidden.delete(path)) this.hidden.add(path);
    this.redraw();
  }

  // ---- saving ------------------------------------------------------------------------------------------------------

  /**
   * Saves.
   *
   * @param over Also when someone else changed the template since.
   * @returns false when nothing was saved, because of a conflict, because the text is no JSON, or because the store can't
   *   be written (`readOnly` then has the reason).
   * @throws RequestProblem
   */
  async save(over = false): Promise<boolean> {
    this.check();
    if (!this.readable || !this.source) return false;
    const { text, name, tags, source } = this;
    this.saving = true;
    try {
      const base = over ? null : this.#stored.updatedAt;
      const answer = await saveTemplate(this.id, { name, tags, source, base });
      if (answer.conflict) {
        this.theirs = storedText(answer.template, answer.source);
        return false;
      }
      this.#stored = { text, name, tags, updatedAt: answer.template.updatedAt };
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
    const { template, source } = await openTemplate(this.id);
    if (template.updatedAt <= this.#stored.updatedAt) return false;
    this.theirs = storedText(template, source);
    if (this.dirty) return false;
    this.takeTheirs();
    return true;
  }

  /** The template was deleted elsewhere. What is not saved stays in sight. */
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
    this.name = theirs.name;
    this.tags = theirs.tags;
    if (this.text !== theirs.text) this.code.replace(theirs.text);
    this.theirs = null;
    this.recovered = null;
    void this.draft.flush();
    this.check();
  }

  /** Goes on with one's own text; saving then replaces what is stored. */
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
    this.recovered = null;
    this.theirs = null;
    this.name = this.#stored.name;
    this.tags = this.#stored.tags;
    this.code.replace(this.#stored.text);
    this.check();
    void this.draft.flush();
  }
}
