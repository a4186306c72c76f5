/**
 * One template being edited. The JSON text is the truth: the form, the outline and the source pane all change it, and it
 * lives in CodeMirror's state, so that there is one history for all of them, also while the source pane is not shown.
 */
import { redo, redoDepth, undo, undoDepth } from '@codemirror/commands';
import { setDiagnostics } from '@codemirror/lint';
import { EditorState as CodeState, type TransactionSpec } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { SvelteSet } from 'svelte/reactivity';
import type { WindowTemplate } from '../../shared/api.ts';
import { previewSide, type Draft, type OpenedTemplate } from '../../shared/preview.ts';
import { problemSentence, type Json, type Source } from '../../shared/renderscript/source.ts';
import { RequestProblem } from '../lib/api.ts';
import { checkText, type EditorProblem } from '../views/editor/check.ts';
import { codeExtensions, diagnosticsOf } from '../views/editor/code.ts';
import { fieldsOf, outlineOf } from '../views/editor/elements.ts';
import {
  parsePath,
  rangeOf,
  setValue,
  type Node,
  type TextChange,
} from '../views/editor/json-text.ts';
import { largeSource } from '../views/editor/limits.ts';
import { openTemplate, saveTemplate } from '../views/editor/requests.ts';
import { DraftKeeper } from './draft.svelte.ts';
import { PreviewState } from './preview.svelte.ts';

/** What is stored. */
interface Stored {
  readonly text: string;
  readonly name: string;
  readonly tags: readonly string[];
  readonly updatedAt: number;
}

/** Quiet before a text is checked, in ms. */
const quiet = { small: 100, large: 1000 };

/** The status of an answer that tells that the store can't be written. */
const cannotSave = 503;

const printed = (source: Source): string => `${JSON.stringify(source, null, 2)}\n`;

/** A template in the editor. Call `open()` once, `close()` at the end. */
export class TemplateEditor {
  readonly id: string;
  loading = $state<'loading' | 'ready' | 'error' | 'gone'>('loading');
  text = $state.raw('');
  name = $state('');
  tags = $state.raw<readonly string[]>([]);
  saving = $state(false);
  undoable = $state(false);
  redoable = $state(false);
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
  /** What someone else stored meanwhile. */
  theirs = $state.raw<Stored | null>(null);
  /** Path of the element that is selected in the outline. */
  selected = $state('');
  /** The cursor, 1-based. */
  cursor = $state.raw({ line: 1, column: 1 });
  readonly hidden = new SvelteSet<string>();
  readonly preview = new PreviewState(previewSide);
  readonly draft: DraftKeeper;

  #stored = $state.raw<Stored>({ text: '', name: '', tags: [], updatedAt: 0 });
  #code = CodeState.create();
  #view: EditorView | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  readonly dirty = $derived(
    this.text !== this.#stored.text ||
      this.name !== this.#stored.name ||
      this.tags.join('\n') !== this.#stored.tags.join('\n'),
  );
  readonly stored = $derived(this.#stored);
  /** The checker's, and what drawing noticed. */
  readonly problems = $derived.by((): readonly EditorProblem[] => {
    const known = this.checked.map(({ text }) => text);
    const drawn = this.readable && !this.hasErrors ? this.preview.warnings : [];
    const extra = drawn.flatMap((problem): EditorProblem[] => {
      const text = problemSentence(problem);
      if (known.includes(text)) return [];
      const range = rangeOf(this.tree, parsePath(problem.path));
      const line = this.#code.doc.lineAt(Math.min(range.from, this.#code.doc.length));
      return [
        {
          ...{ severity: 'warning', text, path: problem.path, element: problem.element },
          ...{ ...range, line: line.number, column: range.from - line.from + 1 },
        },
      ];
    });
    return [...this.checked, ...extra];
  });
  /** There is something to save, and saving it can succeed. */
  readonly canSave = $derived(
    this.dirty && !this.saving && this.readable && this.name.trim() !== '' && this.readOnly === '',
  );
  readonly hasErrors = $derived(this.checked.some(({ severity }) => severity === 'error'));
  readonly outline = $derived(outlineOf(this.source));
  readonly fields = $derived(fieldsOf(this.source));

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
    void this.draft.flush();
    this.preview.close();
  }

  #begin({ template, source, draft }: OpenedTemplate): void {
    this.#stored = storedOf(template, source);
    const first = draft ?? this.#stored;
    this.name = first.name;
    this.tags = first.tags;
    this.#code = CodeState.create({
      doc: this.#stored.text,
      extensions: codeExtensions((state, docChanged) => this.follow(state, docChanged)),
    });
    this.#moved();
    if (draft) this.#recover(draft);
    this.check();
  }

  #recover({ savedAt, ...draft }: Draft): void {
    this.draft.knows(draft);
    // One step of the history, so that undo leads back to what is stored.
    this.replace(draft.text);
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

  /** Lends the text to a view, until the returned function is called. */
  attach(make: (state: CodeState) => EditorView): () => void {
    const view = make(this.#code);
    this.#view = view;
    return () => {
      this.#view = null;
      view.destroy();
    };
  }

  /** The view has a new state. */
  follow(state: CodeState, docChanged: boolean): void {
    this.#code = state;
    this.#moved();
    if (docChanged) this.#typed();
  }

  #dispatch(spec: TransactionSpec): void {
    if (this.#view) {
      this.#view.dispatch(spec);
      return;
    }
    const { state, docChanged } = this.#code.update(spec);
    this.follow(state, docChanged);
  }

  #moved(): void {
    const { head } = this.#code.selection.main;
    const line = this.#code.doc.lineAt(head);
    this.cursor = { line: line.number, column: head - line.from + 1 };
    this.undoable = undoDepth(this.#code) > 0;
    this.redoable = redoDepth(this.#code) > 0;
    if (this.text.length !== this.#code.doc.length || this.text === '') {
      this.text = this.#code.doc.toString();
    }
  }

  #typed(): void {
    this.text = this.#code.doc.toString();
    this.draft.touch();
    clearTimeout(this.#timer);
    const wait = this.text.length > largeSource ? quiet.large : quiet.small;
    this.#timer = setTimeout(() => this.check(), wait);
  }

  /** Reads the text anew and draws it. */
  check(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { source, tree, problems } = checkText(this.text);
    this.tree = tree;
    this.checked = problems;
    this.readable = source !== null;
    if (source) this.source = source;
    this.#dispatch(
      setDiagnostics(
        this.#code,
        diagnosticsOf(problems, (changes) => this.change(changes)),
      ),
    );
    this.redraw();
  }

  redraw(): void {
    const drawable = this.readable && !this.hasErrors;
    this.preview.show(drawable ? this.source : null, { hidden: [...this.hidden] });
  }

  /** Changes the text; one step of the history. */
  change(changes: readonly TextChange[]): void {
    if (changes.length === 0) return;
    this.#dispatch({ changes: [...changes], userEvent: 'input.form' });
  }

  /** Sets one value by its path. */
  setValue(path: string, value: Json | undefined): void {
    this.change(setValue(this.text, parsePath(path), value));
  }

  /** Puts a whole text in place of this one. */
  replace(text: string): void {
    const { length } = this.#code.doc;
    this.#dispatch({ changes: { from: 0, to: length, insert: text }, userEvent: 'input.form' });
  }

  undo(): void {
    this.#run(undo);
  }

  redo(): void {
    this.#run(redo);
  }

  #run(command: typeof undo): void {
    // The form has to know what is undone, to show that it is.
    if (this.#timer !== undefined) this.check();
    command({
      state: this.#code,
      dispatch: (transaction) => {
        if (this.#view) this.#view.dispatch(transaction);
        else this.follow(transaction.state, transaction.docChanged);
      },
    });
  }

  setName(name: string): void {
    this.name = name;
    this.draft.touch();
  }

  setTags(tags: readonly string[]): void {
    this.tags = tags;
    this.draft.touch();
  }

  /** Puts the cursor at a place and, where the source is seen, shows it. */
  goTo(range: { readonly from: number; readonly to: number }, focus = true): void {
    const end = this.#code.doc.length;
    const selection = { anchor: Math.min(range.from, end), head: Math.min(range.to, end) };
    this.#dispatch({ selection, scrollIntoView: true });
    if (focus) this.#view?.focus();
  }

  focusSource(): void {
    this.#view?.focus();
  }

  /** Selects an element here, in the outline and in the source. */
  select(path: string): void {
    this.selected = path;
    this.goTo(rangeOf(this.tree, parsePath(path)), false);
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
        this.theirs = storedOf(answer.template, answer.source);
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
    this.theirs = storedOf(template, source);
    if (this.dirty) return false;
    this.takeTheirs();
    return true;
  }

  takeTheirs(): void {
    const { theirs } = this;
    if (!theirs) return;
    this.#stored = theirs;
    this.name = theirs.name;
    this.tags = theirs.tags;
    if (this.text !== theirs.text) this.replace(theirs.text);
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
    this.replace(this.#stored.text);
    this.check();
    void this.draft.flush();
  }
}

function storedOf({ name, tags, updatedAt }: WindowTemplate, source: Source): Stored {
  return { text: printed(source), name, tags, updatedAt };
}
