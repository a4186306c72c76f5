/**
 * The JSON text that is being edited, and the template's markers beside it. Both live in CodeMirror's state, so that
 * the form, the outline and the source pane have one history, also while the source pane is not shown. Window only.
 */
import { startCompletion } from '@codemirror/autocomplete';
import { isolateHistory, redo, redoDepth, undo, undoDepth } from '@codemirror/commands';
import { setDiagnostics, type Diagnostic } from '@codemirror/lint';
import { openSearchPanel } from '@codemirror/search';
import {
  EditorState as CodeState,
  Text,
  Transaction,
  type TransactionSpec,
} from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { sameMarkers, type Marker } from '../../../shared/markers.ts';
import { codeExtensions, joinsLast } from './code.ts';
import { markersIn, putMarkers } from './marker-field.ts';
import type { TextChange } from '../../engine/text-change.ts';

/** A text in the form in which it is compared. */
export const linesOf = (text: string): Text => Text.of(text.split('\n'));

/** A longer step of the history. */
export interface CodeStroke {
  /** When it began, in ms since 1970. */
  readonly began: number;
  /** False for its first change. */
  readonly goesOn: boolean;
  /** What it does, for the words beside undo. */
  readonly name: string;
}

/** A text with its history, its cursor and, at times, a view. */
export class SourceText {
  #doc = $state.raw(Text.empty);
  /** The last document that was turned into one string, and that string. */
  #read = { doc: Text.empty, text: '' };
  /** In order of time. */
  markers = $state.raw<readonly Marker[]>([]);
  /** The cursor, 1-based. */
  cursor = $state.raw({ line: 1, column: 1 });
  undoable = $state(false);
  redoable = $state(false);
  /** What the steps that can be undone and redone did; '' for those without a name. */
  undoName = $state('');
  redoName = $state('');

  readonly #onChange: () => void;
  readonly #onText: () => void;
  readonly #onMarkers: () => void;
  /** Called at the next change of the text. */
  #ends: (() => void)[] = [];
  #code = CodeState.create();
  /** Names of the steps of the history, undone ones too; missing ones have none. */
  #names: string[] = [];
  /** A step is being undone or redone. */
  #isGoingBack = false;
  #view: EditorView | null = null;

  /**
   * @param onChange Called after every change of the text, whoever made it.
   * @param onText Called before that and before the page shows it: another thread can begin with it meanwhile.
   * @param onMarkers Called after every change of the markers.
   */
  constructor(onChange: () => void, onText: () => void, onMarkers: () => void) {
    this.#onChange = onChange;
    this.#onText = onText;
    this.#onMarkers = onMarkers;
  }

  /** The whole text. Joined on demand, not at every key press. */
  get text(): string {
    const doc = this.#doc;
    if (this.#read.doc !== doc) this.#read = { doc, text: doc.toString() };
    return this.#read.text;
  }

  /** The text as CodeMirror keeps it: the same object as long as nothing changes. */
  get lines(): Text {
    return this.#doc;
  }

  /** Letters of the text. */
  get length(): number {
    return this.#doc.length;
  }

  /** Whether two texts are the same; compared by lines, most of which are shared after a change. */
  equals(other: Text): boolean {
    return this.#doc.eq(other);
  }

  begin(text: string, markers: readonly Marker[]): void {
    const empty = CodeState.create({
      doc: text,
      extensions: codeExtensions(
        (state, docChanged) => this.#follow(state, docChanged),
        (doc) => this.#take(doc),
      ),
    });
    this.#code = empty.update({
      effects: putMarkers.of(markers),
      annotations: Transaction.addToHistory.of(false),
    }).state;
    this.#doc = this.#code.doc;
    this.markers = markers;
    this.#names = [];
    this.#moved();
  }

  /** Lends the text to a view, until the returned function is called. */
  attach(make: (state: CodeState) => EditorView): () => void {
    const view = make(this.#code);
    this.#view = view;
    return () => {
      this.#view = null;
      view.destroy();
    };
  }

  /**
   * Changes the text; one step of the history.
   *
   * @param isAlone Makes it a step of its own, even right after another change.
   */
  change(changes: readonly TextChange[], isAlone = false): void {
    if (changes.length === 0) return;
    this.#dispatch({
      changes: [...changes],
      userEvent: 'input.form',
      ...(isAlone && { annotations: isolateHistory.of('full') }),
    });
  }

  /** Changes the text as a part of a longer step, as a control does that is dragged or typed in. */
  stroke(changes: readonly TextChange[], { began, goesOn, name }: CodeStroke): void {
    if (changes.length === 0) return;
    const annotations = [
      // The history joins what happens at the same time.
      Transaction.time.of(began),
      goesOn ? joinsLast.of(true) : isolateHistory.of('before'),
    ];
    this.#dispatch({ changes: [...changes], annotations });
    this.#names[undoDepth(this.#code) - 1] = name;
    this.#moved();
  }

  /** Replaces the whole text, and the markers if they are others; one step of the history. */
  replace(text: string, markers: readonly Marker[]): void {
    this.#dispatch({
      changes: { from: 0, to: this.#code.doc.length, insert: text },
      userEvent: 'input.form',
      ...(!sameMarkers(markers, this.markers) && { effects: putMarkers.of(markers) }),
    });
  }

  /**
   * Makes these the markers; one step of the history, with a name.
   *
   * @param goesOn It takes the place of the last step, which was of markers too.
   */
  putMarkers(markers: readonly Marker[], name: string, goesOn = false): void {
    // The history joins changes of the text alone.
    if (goesOn) this.undo();
    this.#dispatch({
      effects: putMarkers.of(markers),
      annotations: isolateHistory.of('full'),
    });
    this.#names[undoDepth(this.#code) - 1] = name;
    this.#moved();
  }

  undo(): void {
    this.#run(undo);
  }

  redo(): void {
    this.#run(redo);
  }

  mark(diagnostics: readonly Diagnostic[]): void {
    this.#dispatch(setDiagnostics(this.#code, diagnostics));
  }

  /** Puts the cursor at a place and, where the source is seen, shows it. */
  goTo(range: { readonly from: number; readonly to: number }, focus = true): void {
    const end = this.#code.doc.length;
    const selection = { anchor: Math.min(range.from, end), head: Math.min(range.to, end) };
    this.#dispatch({ selection, scrollIntoView: true });
    if (focus) this.focus();
  }

  /** Calls `end` at the next change of the text, whoever makes it, or when the text is closed. */
  untilChange(end: () => void): void {
    this.#ends.push(end);
  }

  close(): void {
    this.#end();
  }

  #end(): void {
    const ends = this.#ends;
    this.#ends = [];
    for (const end of ends) end();
  }

  /** Where the source is seen, puts the focus into it. */
  focus(): void {
    this.#view?.focus();
  }

  /** Where the source is seen, opens its search. */
  openSearch(): void {
    if (this.#view) openSearchPanel(this.#view);
  }

  /** Where the source is seen, offers what may stand at the cursor. */
  complete(): void {
    if (this.#view) startCompletion(this.#view);
  }

  /** Line and column of a letter, 1-based. */
  placeOf(offset: number): { readonly line: number; readonly column: number } {
    const line = this.#code.doc.lineAt(Math.min(offset, this.#code.doc.length));
    return { line: line.number, column: offset - line.from + 1 };
  }

  #run(command: typeof undo): void {
    this.#isGoingBack = true;
    command({
      state: this.#code,
      dispatch: (transaction) => {
        if (this.#view) this.#view.dispatch(transaction);
        else this.#follow(transaction.state, transaction.docChanged);
      },
    });
    this.#isGoingBack = false;
  }

  #dispatch(spec: TransactionSpec): void {
    if (this.#view) {
      this.#view.dispatch(spec);
      return;
    }
    const { state, docChanged } = this.#code.update(spec);
    this.#follow(state, docChanged);
  }

  /** Takes over a new state, with or without a view. */
  #follow(state: CodeState, docChanged: boolean): void {
    const markers = markersIn(state);
    const isChanged = docChanged || markers !== markersIn(this.#code);
    if (isChanged && !this.#isGoingBack) this.#keepNames(undoDepth(this.#code), undoDepth(state));
    this.#code = state;
    this.markers = markers;
    if (docChanged && this.#doc !== state.doc) this.#take(state.doc);
    this.#moved();
    if (!isChanged) return;
    this.#end();
    if (docChanged) this.#onChange();
    else this.#onMarkers();
  }

  #take(doc: Text): void {
    this.#doc = doc;
    this.#onText();
  }

  /** A new step replaces those that could be redone; the oldest steps are forgotten. */
  #keepNames(before: number, after: number): void {
    if (after > before) this.#names.length = Math.min(this.#names.length, before);
    else if (after < before) this.#names.splice(0, before + 1 - after);
  }

  #moved(): void {
    this.cursor = this.placeOf(this.#code.selection.main.head);
    this.undoable = undoDepth(this.#code) > 0;
    this.redoable = redoDepth(this.#code) > 0;
    const depth = undoDepth(this.#code);
    this.undoName = this.#names[depth - 1] ?? '';
    this.redoName = this.redoable ? (this.#names[depth] ?? '') : '';
  }
}
