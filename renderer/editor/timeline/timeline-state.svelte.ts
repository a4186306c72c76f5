/**
 * The timeline of one editor: its scale, its rows, and the current gesture. As on the picture, a gesture changes
 * nothing in the document until it ends; meanwhile timeline and picture show the document as it would be. Window only.
 */
import { SvelteSet } from 'svelte/reactivity';
import type { Marker } from '../../../shared/markers.ts';
import { PatchedText } from '../source/patch.ts';
import {
  changedSource,
  changedText,
  isNone,
  noChange,
  pathAfter,
  plainPatch,
  type Change,
} from './change.ts';
import { beatsOfClip } from './file-time.ts';
import { clipsOf, endOf, type Clip, type Clips } from './clips.ts';
import { edgesOf, tried, type ClipGesture, type Tried } from './gestures.ts';
import { KeySelection } from './key-selection.svelte.ts';
import type { Target } from './move.ts';
import { boundScale } from './ruler.ts';
import { endToEnd, timelineRows, type TimelineRow } from './rows.ts';
import { atFrame } from './seconds.ts';
import { hasSound } from './sound.ts';
import { momentsBeside, snapTo } from './snap.ts';
import { mediaObstacleOf, obstacleOf, type Obstacle } from './wishes.ts';
import { elementAt } from '../outline/elements.ts';
import { parentOf } from '../canvas/hits.ts';
import type { Modifiers } from '../canvas/gesture.ts';
import type { Peaks } from '../../engine/footage.ts';
import { differenceOf } from '../../engine/text-change.ts';
import type { CanvasEditor } from '../canvas/canvas-editor.svelte.ts';
import type { CanvasState } from '../canvas/canvas.svelte.ts';
import type { TimelineFootage } from './footage.svelte.ts';

/** What it edits; a `TemplateEditor` is one. */
interface TimelineEditor extends CanvasEditor {
  readonly canvas: CanvasState;
  readonly footage: Pick<TimelineFootage, 'of'>;
  readonly markers: { readonly list: readonly Marker[] };
}

interface Gesture {
  readonly what: ClipGesture;
  readonly held: readonly Clip[];
  readonly clips: Clips;
  readonly rows: readonly TimelineRow[];
  /** Seconds where the pointer took hold. */
  readonly from: number;
  readonly text: string;
  readonly patched: PatchedText;
  readonly moments: readonly number[];
  change: Change;
  result: string;
  keys: readonly number[];
}

/** A clip where it is shown; `key` is its path before the gesture. */
export interface ShownClip {
  readonly key: string;
  readonly clip: Clip;
}
/** A row where it is shown. */
export interface ShownRow extends Omit<TimelineRow, 'clips'> {
  readonly clips: readonly ShownClip[];
}

/** Screen pixels within which edges keep to moments. */
const reach = 7;
/** Pixels beside the last moment when all is in sight. */
const margin = 24;

export class TimelineState {
  readonly #editor: TimelineEditor;
  #gesture: Gesture | null = null;
  /** The last document that could be placed. */
  #last: Clips | null = null;
  /** Pixels for a second; null: all of it in sight. */
  #scale = $state<number | null>(null);
  /** Pixels that there are for time. */
  width = $state(600);
  /** Edges keep to others. */
  snaps = $state(true);
  /** What follows on a track closes up; Alt turns it round. */
  ripples = $state(false);
  /** Compositions whose rows are shown. */
  readonly unfolded = new SvelteSet<string>();
  /** The document as the gesture would have it. */
  #draft = $state.raw<{ readonly clips: Clips; readonly change: Change } | null>(null);
  #held = $state.raw<readonly string[]>([]);
  /** Of the beginning of the gesture: its document may be longer or shorter. */
  #frozenScale = $state<number | null>(null);
  #frozen = $state.raw<readonly TimelineRow[] | null>(null);
  /** Where the held clips would go, other than their own row. */
  target = $state.raw<Target | null>(null);
  /** The moment that an edge keeps to; null for none. */
  guide = $state<number | null>(null);
  /** The gesture's result in words; '' for none. */
  readout = $state('');

  /** The document in time; null before it can be read. */
  readonly clips = $derived.by((): Clips | null => {
    const { source } = this.#editor.document;
    const made = source && clipsOf(source, this.#editor.preview.lengths);
    if (made) this.#last = made;
    return made ?? this.#last;
  });
  readonly #plainRows = $derived(this.clips ? timelineRows(this.clips.top, this.unfolded) : []);
  readonly rows = $derived.by((): readonly ShownRow[] => {
    const draft = this.#draft;
    if (!draft)
      return this.#plainRows.map((row) => ({
        ...row,
        clips: row.clips.map((clip) => ({ key: clip.path, clip })),
      }));
    return this.#draftRows(this.#frozen ?? [], draft);
  });

  readonly keys: KeySelection;

  constructor(editor: TimelineEditor) {
    this.#editor = editor;
    const clips = (): Clips | null => this.clips;
    this.keys = new KeySelection({
      get selected() {
        return editor.selected;
      },
      get clips() {
        return clips();
      },
    });
  }

  /** Seconds that are shown. */
  get duration(): number {
    return Math.max(0.001, this.clips?.duration ?? 0, this.#draft?.clips.duration ?? 0);
  }

  /** The end of the last clip or of the document, or the last marker, whichever is later. */
  get furthest(): number {
    const ends = (this.#draft?.clips ?? this.clips)?.top.map(endOf) ?? [];
    const lastMarker = this.#editor.markers.list.at(-1)?.time ?? 0;
    return ends.reduce((most, end) => Math.max(most, end), Math.max(this.duration, lastMarker));
  }

  get fits(): boolean {
    return this.#scale === null;
  }

  /** Pixels for a second. */
  get scale(): number {
    if (this.#frozenScale !== null) return this.#frozenScale;
    const fitting = Math.max(40, this.width - margin) / Math.max(this.duration, 0.001);
    return boundScale(this.#scale ?? fitting);
  }

  set scale(scale: number) {
    this.#scale = boundScale(scale);
  }

  fit(): void {
    this.#scale = null;
  }

  get busy(): boolean {
    return this.#draft !== null;
  }

  get frame(): number {
    return 1 / this.#editor.preview.frameRate;
  }

  isHeld(path: string): boolean {
    return this.#held.includes(path);
  }

  isSelected(path: string): boolean {
    return this.#editor.selected === path || this.#editor.canvas.also.has(path);
  }

  canUnfold(path: string): boolean {
    return (this.clips?.byPath.get(path)?.children.length ?? 0) > 0;
  }

  /** Shows or hides the rows of a composition. */
  toggle(path: string): void {
    if (!this.unfolded.delete(path)) this.unfolded.add(path);
  }

  /** The rows of before the gesture, with the clips where they would be. */
  #draftRows(
    rows: readonly TimelineRow[],
    { clips, change }: { readonly clips: Clips; readonly change: Change },
  ): readonly ShownRow[] {
    const before = this.clips?.byPath;
    const shown = (path: string): ShownClip[] => {
      const clip = clips.byPath.get(pathAfter(path, change));
      const old = before?.get(path);
      // What stays where it is stays the same object: nothing of it is drawn again.
      return clip ? [{ key: path, clip: old && isSame(old, clip) ? old : clip }] : [];
    };
    const { target } = this;
    const goal = target?.kind === 'track' ? target.track : null;
    const [first = ''] = this.#held;
    const list = first.slice(0, first.lastIndexOf('['));
    return rows.map((row) => {
      const isGoal = goal !== null && row.list === list && row.track === goal;
      const own = row.clips.filter(({ path }) => goal === null || !this.#held.includes(path));
      const paths = [...own.map(({ path }) => path), ...(isGoal ? this.#held : [])];
      return { ...row, clips: paths.flatMap(shown) };
    });
  }

  /** Selects without showing another moment: it may be the beginning of a drag. */
  pick(path: string): void {
    this.keys.choose(null);
    this.#editor.canvas.selectAll([path]);
  }

  /** Chooses the keyframes of a clip at a moment, and shows that. */
  goToKeys(path: string, at: number): void {
    const clip = this.clips?.byPath.get(path);
    if (!clip) return;
    if (!this.isSelected(path)) this.pick(path);
    this.keys.choose({ path, at: [at] });
    this.#editor.preview.seek(clip.start + at);
  }

  /** Why a clip can't be changed so; null: it can. */
  obstacle(clip: Clip, what: ClipGesture): Obstacle | null {
    const isCut = what.kind === 'trim' && what.edge === 'start';
    return obstacleOf(clip, this.isLocked(clip.path)) ?? (isCut ? mediaObstacleOf(clip) : null);
  }

  /** True if it, or a composition around it, is locked. */
  isLocked(path: string): boolean {
    const { source } = this.#editor.document;
    for (let at = path; at !== '' && source; at = parentOf(at)) {
      if (elementAt(source, at)?.locked === true) return true;
    }
    return false;
  }

  /**
   * Starts a gesture with a clip, and with all that is selected beside it in the same composition.
   *
   * @param from Seconds on the document's clock where the pointer is.
   * @returns why not, if so.
   */
  begin(what: ClipGesture, path: string, from: number): Obstacle | null {
    const editor = this.#editor;
    editor.document.settle();
    const { clips } = this;
    const clip = clips?.byPath.get(path);
    const { source, text } = editor.document;
    if (!clip || !clips || !source || !editor.document.readable) return null;
    const why = this.obstacle(clip, what);
    if (why) return why;
    const others = what.kind === 'move' ? editor.canvas.selection : [];
    const held = [path, ...others.filter((one) => one !== path)].flatMap((one) => {
      const found = clips.byPath.get(one);
      return found?.parent === clip.parent && !this.obstacle(found, what) ? [found] : [];
    });
    this.#gesture = {
      what,
      held: held.sort((a, b) => a.index - b.index),
      clips,
      rows: this.#plainRows,
      from,
      text,
      patched: new PatchedText(text, editor.document.currentTree),
      moments: momentsBeside(
        clips,
        held.map((one) => one.path),
        editor.preview.time,
        (one) => this.beatsOf(one),
        editor.markers.list.map(({ time }) => time),
      ),
      change: noChange,
      result: text,
      keys: [],
    };
    return null;
  }

  /**
   * The pointer is there now.
   *
   * @param to Seconds on the document's clock.
   * @param target The row it is on, if another one than that of the clip.
   * @param rise How far up from where it took hold, as a share of a clip's height.
   */
  drag(to: number, target: Target | null, modifiers: Modifiers, rise = 0): void {
    const gesture = this.#gesture;
    if (!gesture) return;
    const { what, held, clips } = gesture;
    const isFree = modifiers.ctrl === this.snaps;
    const by = this.#snapped(gesture, to - gesture.from, isFree, edgesOf(what, held));
    const isOneRow = held.every(({ track }) => track !== null && track === held[0]?.track);
    this.target = what.kind === 'move' && (held.length === 1 || isOneRow) ? target : null;
    const [first] = held;
    const closes = what.kind === 'trim' && first !== undefined && endToEnd(clips).includes(first);
    const ripples = (this.ripples || closes) !== modifiers.alt;
    const { shift: rolls } = modifiers;
    const asked = { by, rise, target: this.target, ripples, rolls, frame: this.frame };
    this.#show(gesture, tried(what, clips, held, asked));
  }

  /** The beats of a clip that are known, in seconds of the document's clock. */
  beatsOf(clip: Clip): readonly number[] {
    const peaks = clip.type === 'audio' ? this.peaksOf(clip) : null;
    return peaks ? beatsOfClip(clip, peaks.beats) : [];
  }

  /** The sound of a clip's file, as far as it is known. */
  peaksOf({ media }: Clip): Peaks | null {
    const footage = media && this.#editor.footage.of(media.source, 'audio');
    return footage?.kind === 'peaks' ? footage : null;
  }

  /** The selected clips that may be heard. */
  readonly chosenSounds = $derived.by((): readonly Clip[] =>
    this.#editor.canvas.selection.flatMap((path) => {
      const clip = this.clips?.byPath.get(path);
      return clip && hasSound(clip) ? [clip] : [];
    }),
  );

  /** The way so that an edge keeps to a moment near it, else to the beginning of a frame. */
  #snapped(gesture: Gesture, by: number, isFree: boolean, edges: readonly number[]): number {
    const moved = edges.map((edge) => edge + by);
    const found = isFree ? null : snapTo(moved, gesture.moments, reach / this.scale);
    this.guide = found?.at ?? null;
    if (found) return by + found.by;
    const [first = 0] = edges;
    return atFrame(first + by, this.#editor.preview.frameRate) - first;
  }

  #show(gesture: Gesture, { change, readout, keys = [] }: Tried): void {
    const { document, preview, canvas } = this.#editor;
    const { source } = document;
    if (!source) return;
    this.readout = readout;
    if (JSON.stringify(change) === JSON.stringify(gesture.change) && this.#draft) return;
    gesture.change = change;
    gesture.keys = keys;
    const clips = clipsOf(changedSource(source, change), preview.lengths);
    if (!clips) return;
    const patch = plainPatch(change);
    gesture.result = isNone(change)
      ? gesture.text
      : patch
        ? gesture.patched.with(patch)
        : changedText(gesture.text, change);
    this.#frozenScale = this.scale;
    this.#held = gesture.held.map(({ path }) => path);
    this.#frozen = gesture.rows;
    this.#draft = { clips, change };
    // Places in the picture would be those of other elements while their order changes.
    canvas.gesture.areas = [];
    preview.type({ length: gesture.result.length, text: gesture.result });
  }

  /** Ends the gesture; its result is one change of the document. @returns whether it led anywhere. */
  end(): boolean {
    const gesture = this.#take();
    if (!gesture) return false;
    if (this.apply(gesture.text, gesture.result, gesture.change)) {
      const [path = ''] = gesture.held.map((clip) => clip.path);
      // They stay chosen: the next key means them, not their clip.
      if (gesture.keys.length > 0) this.keys.choose({ path, at: gesture.keys });
      return true;
    }
    // It came back to where it began: the picture of before is drawn again, by the server, too.
    if (gesture.change !== noChange) this.#editor.document.check();
    return false;
  }

  /**
   * Makes a text the document's; one step. The selection stays with its elements.
   *
   * @param name Of the step. Default: none.
   * @param run See `EditedDocument.namedStep`.
   * @returns whether it is another text.
   */
  apply(before: string, after: string, change: Change = noChange, name = '', run = ''): boolean {
    this.keys.choose(null);
    const { document, canvas } = this.#editor;
    const changes = differenceOf(before, after);
    // Where someone typed meanwhile, what was shown is not what the text would become.
    if (changes.length === 0 || document.text !== before) return false;
    const selection = canvas.selection.map((path) => pathAfter(path, change));
    if (name === '') document.step(changes);
    else document.namedStep(changes, name, run);
    canvas.selectAll(selection);
    return true;
  }

  /** Cancels the gesture. @returns whether there was one that showed something. */
  cancel(): boolean {
    const gesture = this.#take();
    if (!gesture) return false;
    if (gesture.change === noChange) return false;
    // Draws it as it is.
    this.#editor.document.check();
    return true;
  }

  #take(): Gesture | null {
    const gesture = this.#gesture;
    this.#gesture = null;
    if (this.#draft) this.#editor.canvas.gesture.areas = null;
    this.#draft = null;
    this.#frozen = null;
    this.#held = [];
    this.#frozenScale = null;
    this.target = null;
    this.guide = null;
    this.readout = '';
    return gesture;
  }
}

/** They look the same on the timeline. */
function isSame(one: Clip, other: Clip): boolean {
  return (
    one.element === other.element &&
    one.path === other.path &&
    one.start === other.start &&
    one.duration === other.duration &&
    one.overlap === other.overlap
  );
}
