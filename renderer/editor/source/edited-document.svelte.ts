/**
 * The document of a template being edited. The JSON text is the truth: the form, the outline and the source pane all
 * change it, and it is checked after a moment of quiet. Window only.
 */
import type { Json, Source } from '../../../shared/renderscript/source.ts';
import { checkInSteps, checkText, type Checked, type EditorProblem } from './check.ts';
import { diagnosticsOf } from './code.ts';
import {
  appliedInOrder,
  followEdit,
  parsePath,
  putValue,
  setValue,
  type Node,
} from './json-text.ts';
import { largeSource } from '../limits.ts';
import { differenceOf, type TextChange } from '../../engine/text-change.ts';
import type { Marker } from '../../../shared/markers.ts';
import { SourceText, type CodeStroke } from './source-text.svelte.ts';

/** Quiet before a text is checked, in ms. */
export const quiet = { small: 100, large: 1000 };
/**
 * The quiet lasts at least so many times as long as the last check took: else each key of a steady hand waits for one.
 */
const pauses = 4;

interface Listener {
  /** There is another text, which the page does not show yet. */
  readonly onText: () => void;
  /** The markers have changed, the text has not. */
  readonly onMarkers: () => void;
  /** Something was typed, not checked yet. */
  readonly onTyped: () => void;
  /** A change makes another text: what else follows from it, e.g. captions that go with their clip. */
  readonly follow: (before: string, after: string) => string;
  /** The text was checked. The result takes effect when `apply` is called. */
  readonly onChecked: (apply: () => void) => void;
}

/** The text with its history, and what the last check of it has shown. */
export class EditedDocument {
  /** The last source that was JSON, and the tree of the newest text. */
  source = $state.raw<Source | null>(null);
  tree = $state.raw<Node | null>(null);
  checked = $state.raw<readonly EditorProblem[]>([]);
  /** False while the text is not a JSON object. */
  readable = $state(true);
  readonly hasErrors = $derived(this.checked.some(({ severity }) => severity === 'error'));
  /** It can be drawn as it stands. */
  readonly isDrawable = $derived(this.readable && !this.hasErrors);
  /** The text with its history and cursor. */
  readonly code = new SourceText(
    () => this.#typed(),
    () => this.#listener.onText(),
    () => this.#listener.onMarkers(),
  );

  readonly #listener: Listener;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** What the last check took, in ms. */
  #checkTime = 0;
  readonly #runs = new Runs();
  /** The text whose tree `tree` is. */
  #treeLines: unknown = null;

  constructor(listener: Listener) {
    this.#listener = listener;
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.code.close();
  }

  get text(): string {
    return this.code.text;
  }

  /** The tree of the text as it is now; null until it is checked. */
  get currentTree(): Node | null {
    return this.#treeLines === this.code.lines ? this.tree : null;
  }

  get undoable(): boolean {
    return this.code.undoable;
  }

  get redoable(): boolean {
    return this.code.redoable;
  }

  #typed(): void {
    this.#listener.onTyped();
    clearTimeout(this.#timer);
    const least = this.code.length > largeSource ? quiet.large : quiet.small;
    const wait = Math.max(least, Math.min(quiet.large, this.#checkTime * pauses));
    const timer = setTimeout(() => void this.#checkInTurns(timer), wait);
    this.#timer = timer;
  }

  /** Checks without blocking typing: a key meanwhile makes this check obsolete. */
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

  /** Reads the text again, at once, and draws it. */
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
    this.#listener.onChecked(() => {
      this.tree = tree;
      this.#treeLines = this.code.lines;
      this.checked = problems;
      this.readable = source !== null;
      if (source) this.source = source;
    });
    this.#checkTime = taken + performance.now() - begun;
  }

  /** Marks what is wrong in the text, unless it was changed since it was checked. */
  mark(problems: readonly EditorProblem[]): void {
    if (this.#treeLines !== this.code.lines) return;
    this.code.mark(diagnosticsOf(problems, (changes) => this.change(changes)));
  }

  /** Changes the text; one step of the history. */
  change(changes: readonly TextChange[]): void {
    this.code.change(this.#followed(changes));
  }

  /** The text after a change, with what else follows from it. @param before The text that was changed. */
  follow(before: string, after: string): string {
    return this.#listener.follow(before, after);
  }

  /** Changes with those that follow from them. */
  #followed(changes: readonly TextChange[]): readonly TextChange[] {
    const { text } = this;
    const after = appliedInOrder(text, changes);
    const followed = this.follow(text, after);
    return followed === after ? changes : differenceOf(text, followed);
  }

  /** Applies a direct edit: a separate step of the history, checked at once, so that the next one builds on it. */
  step(changes: readonly TextChange[]): void {
    this.code.change(this.#followed(changes), true);
    this.settle();
  }

  get #state(): readonly unknown[] {
    return [this.code.lines, this.code.markers];
  }

  /**
   * Makes a change with a name; one step of the history, checked at once.
   *
   * @param run What it is about, e.g. arrow keys on some elements: the same again within a second, and nothing else
   *   between, goes on with the step. Default: a step of its own.
   */
  namedStep(changes: readonly TextChange[], name: string, run = ''): void {
    const { began, goesOn } = this.#runs.next(run, this.#state);
    this.code.stroke(this.#followed(changes), { began, goesOn, name });
    this.#runs.done(this.#state);
    this.settle();
  }

  /** Makes these the markers; one step of the history with a name, or a part of a run as above. */
  putMarkers(markers: readonly Marker[], name: string, run = ''): void {
    const { goesOn } = this.#runs.next(run, this.#state);
    this.code.putMarkers(markers, name, goesOn);
    this.#runs.done(this.#state);
  }

  /**
   * Sets one value by its path.
   *
   * @param stroke The longer step that it is part of. Default: a step of its own.
   */
  setValue(path: string, value: Json | undefined, stroke?: CodeStroke): void {
    const change = (changes: readonly TextChange[]): void => {
      if (stroke) this.code.stroke(changes, stroke);
      else this.change(changes);
    };
    const tree = this.currentTree;
    const put = tree && value !== undefined ? putValue(tree, parsePath(path), value) : null;
    const [edit] = put ?? [];
    if (!tree || !edit) {
      change(setValue(this.text, parsePath(path), value));
      return;
    }
    change([edit]);
    // So that the next letter in a field needs no reading of the whole text either.
    followEdit(tree, edit);
    this.#treeLines = this.code.lines;
  }

  undo(): void {
    this.settle();
    this.code.undo();
    this.#settleIfQuick();
  }

  redo(): void {
    this.settle();
    this.code.redo();
    this.#settleIfQuick();
  }

  /**
   * What is pressed next is then what is shown: checked at once, but after the page has shown what was typed before, as
   * fields take over only what changes. A held key goes through many steps: a slow check waits for quiet.
   */
  #settleIfQuick(): void {
    if (this.#checkTime <= quiet.small) setTimeout(() => this.settle());
  }

  /** Checks unchecked typing at once: the form must know what an undo changes. */
  settle(): void {
    if (this.#timer !== undefined) this.check();
  }
}

/* Runs of steps that are undone as one: keys pressed again and again on the same thing. */

/** The last run of one history. */
export class Runs {
  readonly #pause: number;
  #key = '';
  #began = 0;
  #last = 0;
  #state: readonly unknown[] = [];

  /** @param pause Milliseconds within which the next key belongs to the same run. */
  constructor(pause = 1000) {
    this.#pause = pause;
  }

  /**
   * A step is made.
   *
   * @param key What it is about; '' for what is in no run.
   * @param state What it may change: any other than after the last step was changed otherwise.
   * @returns whether it goes on with the last step, and when that one began, in ms since 1970.
   */
  next(
    key: string,
    state: readonly unknown[],
  ): { readonly goesOn: boolean; readonly began: number } {
    const now = Date.now();
    const isSoon = now - this.#last < this.#pause;
    const goesOn = key !== '' && key === this.#key && this.isLast(state) && isSoon;
    if (!goesOn) this.#began = now;
    this.#key = key;
    this.#last = now;
    return { goesOn, began: this.#began };
  }

  /** Whether nothing was changed since the last step. */
  isLast(state: readonly unknown[]): boolean {
    return state.every((one, index) => one === this.#state[index]);
  }

  /** The next step is of another run. */
  end(): void {
    this.#key = '';
  }

  done(state: readonly unknown[]): void {
    this.#state = state;
  }
}
