/** The transitions of one editor: the cut whose panel is open, and what is done in it, one step each. Window only. */
import { transitionLength } from '../../../shared/renderscript/tracks.ts';
import { say } from '../../ui/say.ts';
import type { EditedDocument } from '../source/edited-document.svelte.ts';
import type { PreviewState } from '../preview/preview-state.svelte.ts';
import { textAfter } from './change.ts';
import type { Clip } from './clips.ts';
import { cutBefore, cutsOf, entryOf, middleOf, type Cut } from './cuts.ts';
import { rowOf, timelineRows } from './rows.ts';
import {
  kindOf,
  transitionKinds,
  usualLength,
  withAllTransitions,
  withTransition,
  type NoTransition,
  type TransitionId,
  type Wish,
} from './transitions.ts';
import type { TimelineState } from './timeline-state.svelte.ts';

/** What it edits; a `TemplateEditor` is one. */
interface TransitionEditor {
  readonly document: EditedDocument;
  readonly preview: PreviewState;
  readonly timeline: TimelineState;
  readonly selected: string;
}

/** Lists with more clips than these only show the cuts within their rows. */
const most = 200;

export class TimelineTransitions {
  readonly #editor: TransitionEditor;
  /** The cut whose panel is open, by the path of its second clip; null for none. */
  open = $state.raw<{ readonly path: string; readonly all: boolean } | null>(null);
  /** Told why a transition can't be. */
  onRefused: ((refused: NoTransition) => void) | null = null;

  /** The cuts between clips on different rows, by the path of the second clip. */
  readonly between = $derived.by((): ReadonlyMap<string, Cut> => {
    const { clips, frame } = this.#editor.timeline;
    const found: [string, Cut][] = [];
    for (const clip of clips && clips.top.length <= most ? clips.top : []) {
      const cut = clips && cutBefore(clips, clip, frame);
      if (cut && cut.before.track !== cut.after.track) found.push([clip.path, cut]);
    }
    // eslint-disable-next-line svelte/prefer-svelte-reactivity -- replaced as a whole
    return new Map(found);
  });
  readonly cut = $derived.by((): Cut | null => {
    const { clips, frame } = this.#editor.timeline;
    const clip = clips?.byPath.get(this.open?.path ?? '');
    return clips && clip ? cutBefore(clips, clip, frame) : null;
  });
  /** Cuts of the row of the open one. */
  readonly count = $derived.by((): number => {
    const { clips, frame } = this.#editor.timeline;
    return clips && this.cut ? cutsOf(rowOf(clips, this.cut.after), frame).length : 0;
  });
  readonly entry = $derived(this.cut ? (entryOf(this.cut.after)?.values ?? null) : null);
  readonly kind = $derived<TransitionId | null>(this.entry && kindOf(this.entry));
  /** Seconds of the open one, or of the one that would be made. */
  readonly length = $derived(this.entry ? transitionLength(this.entry) : usualLength);

  constructor(editor: TransitionEditor) {
    this.#editor = editor;
  }

  /** Shows the panel of a cut. @param all What is chosen there goes to all cuts of its row. */
  show(path: string, all = false): void {
    this.open = { path, all };
  }

  /** The cut that a command is about: beside what is selected, else the nearest to the head; null for none. */
  near(): Cut | null {
    const { timeline, selected, preview } = this.#editor;
    const { clips, frame } = timeline;
    if (!clips) return null;
    const own = clips.byPath.get(selected);
    const cutsBeside = (clip: Clip): readonly Cut[] => cutsOf(rowOf(clips, clip), frame);
    const beside = own && cutsBeside(own).filter(({ before }) => before === own);
    const found = own && (cutBefore(clips, own, frame) ?? beside?.[0]);
    if (found) return found;
    const all = timelineRows(clips.top).flatMap((row) => cutsOf(row.clips, frame));
    const away = (cut: Cut): number => Math.abs(middleOf(cut) - preview.time);
    const [nearest] = [...all, ...this.between.values()].sort((a, b) => away(a) - away(b));
    return nearest ?? null;
  }

  /** Makes the open cut one of this kind; all of its row where that was asked for. */
  choose(id: TransitionId): void {
    this.#editor.document.settle();
    const kind = transitionKinds.find((one) => one.id === id);
    if (!kind || !this.cut) return;
    this.#apply({ values: kind.values }, this.open?.all === true);
    this.#seekMiddle();
  }

  /** Makes the cut that a command is about one of this kind. @returns whether there is one */
  put(id: TransitionId): boolean {
    const cut = this.near();
    if (!cut) return false;
    this.show(cut.after.path);
    this.choose(id);
    this.open = null;
    return true;
  }

  /** Shows the middle of what was chosen. */
  #seekMiddle(): void {
    if (this.cut) this.#editor.preview.seek(middleOf(this.cut));
  }

  /** Gives the transition of the open cut to all cuts of its row. */
  spread(): void {
    const { entry } = this;
    if (!entry) return;
    const kind = transitionKinds.find(({ id }) => id === this.kind);
    const { type = null } = entry;
    this.#apply({ values: kind?.values ?? { type }, length: transitionLength(entry) }, true);
  }

  /** @param length Seconds. */
  setLength(length: number): void {
    if (this.entry) this.#apply({ length }, this.open?.all === true);
  }

  remove(): void {
    if (this.entry) this.#apply({ values: null }, this.open?.all === true);
  }

  /** Takes the transition of a clip away, without its panel. */
  removeFrom(path: string): void {
    this.show(path);
    this.remove();
    this.open = null;
  }

  #apply(wish: Wish, all: boolean): void {
    const { document, timeline, preview } = this.#editor;
    document.settle();
    const { source, text } = document;
    const path = this.open?.path;
    if (!source || path === undefined || !document.readable) return;
    const make = all ? withAllTransitions : withTransition;
    const made = make({ source, lengths: preview.lengths }, path, wish, timeline.frame);
    if ('why' in made) {
      this.onRefused?.(made);
      return;
    }
    const name = say(all ? 'editor.transition.step.all' : 'editor.transition.step');
    timeline.apply(text, textAfter(text, made.changes), undefined, name);
  }
}
