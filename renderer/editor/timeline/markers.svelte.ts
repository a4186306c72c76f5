/**
 * The markers of one editor's timeline: which one is chosen, and the drag under way. They are the template's, not the
 * document's, but their changes are steps of the same history. Window only.
 */
import { markerLimits } from '../../../shared/limits.ts';
import type { Marker, MarkerColor } from '../../../shared/markers.ts';
import { clipsOf } from './clips.ts';
import { atFrame, tidySeconds } from './seconds.ts';
import { momentsBeside, snapTo } from './snap.ts';
import { say } from '../../ui/say.ts';
import type { CanvasEditor } from '../canvas/canvas-editor.svelte.ts';
import type { CanvasState } from '../canvas/canvas.svelte.ts';
import type { TimelineState } from './timeline-state.svelte.ts';

/** What they are in; a `TemplateEditor` is one. */
interface MarkersEditor extends CanvasEditor {
  readonly canvas: Pick<CanvasState, 'selection' | 'clear'>;
  readonly timeline: TimelineState;
}

/** Screen pixels within which a marker keeps to moments. */
const reach = 7;

export class TimelineMarkers {
  readonly #editor: MarkersEditor;
  #chosen = $state.raw<Marker | null>(null);
  /** The one that is dragged, where it would be. */
  #draft = $state.raw<{ readonly of: Marker; readonly at: Marker } | null>(null);
  #drag: {
    readonly of: Marker;
    readonly from: number;
    readonly moments: readonly number[];
  } | null = null;
  /** The colour of the next one: that of the last. */
  color: MarkerColor = 'blue';
  /** Puts the focus into the name of the chosen one; called once it is chosen. */
  onName: (() => void) | null = null;

  /** In order of time, as the document has them. */
  readonly list = $derived.by(() => this.#editor.document.code.markers);
  /** Where they are shown. */
  readonly shown = $derived.by((): readonly { readonly key: Marker; readonly marker: Marker }[] => {
    const draft = this.#draft;
    return this.list.map((key) => ({ key, marker: draft?.of === key ? draft.at : key }));
  });
  /** The one that keys are about; null while an element is selected, or none is chosen. */
  readonly chosen = $derived.by((): Marker | null => {
    const { canvas } = this.#editor;
    if (!this.#chosen || canvas.selection.length > 0) return null;
    return this.list.includes(this.#chosen) ? this.#chosen : null;
  });

  constructor(editor: MarkersEditor) {
    this.#editor = editor;
  }

  get busy(): boolean {
    return this.#draft !== null;
  }

  get isFull(): boolean {
    return this.list.length >= markerLimits.count;
  }

  /** Makes one the chosen one, instead of elements; null: none. */
  choose(marker: Marker | null): void {
    if (marker) this.#editor.canvas.clear();
    this.#chosen = marker;
  }

  /** Chooses one and shows its moment. */
  goTo(marker: Marker): void {
    this.choose(marker);
    this.#editor.preview.seek(marker.time);
  }

  /** Adds one at the playhead; where there is one already, that is chosen to be named. */
  add(): void {
    const { preview, timeline } = this.#editor;
    const found = markerAt(this.list, preview.time, timeline.frame);
    if (found) {
      this.choose(found);
      this.onName?.();
      return;
    }
    if (this.isFull) return;
    const marker: Marker = { time: markerTime(preview.time), name: '', color: this.color };
    this.#put(inTime([...this.list, marker]), say('editor.marker.step.add'));
  }

  /** Gives one another name or colour; a step of its own. */
  change(marker: Marker, part: Partial<Pick<Marker, 'name' | 'color'>>): void {
    const next = { ...marker, ...part };
    if (next.name === marker.name && next.color === marker.color) return;
    this.color = next.color;
    this.#replace(marker, next, say('editor.marker.step.change'));
  }

  nudge(marker: Marker, frames: number): void {
    const { timeline, preview } = this.#editor;
    const time = atFrame(marker.time, preview.frameRate) + frames * timeline.frame;
    this.#move(marker, markerTime(time), `marker ${this.list.indexOf(marker)}`);
    preview.seek(this.chosen?.time ?? preview.time);
  }

  remove(marker: Marker): void {
    const beside = this.list[this.list.indexOf(marker) + 1] ?? null;
    this.#put(withMarker(this.list, marker, null), say('editor.marker.step.remove'));
    this.choose(beside ?? this.list.at(-1) ?? null);
  }

  /** The playhead to the next marker, or to the one before. */
  step(way: 1 | -1): void {
    const { preview, timeline } = this.#editor;
    const found = markerBeside(this.list, preview.time, way, timeline.frame);
    if (found) preview.seek(found.time);
  }

  /** The marker beside the chosen one. @returns false at an end. */
  walk(way: 1 | -1): boolean {
    const next = this.chosen && this.list[this.list.indexOf(this.chosen) + way];
    if (next) this.goTo(next);
    return Boolean(next);
  }

  /** Starts to drag one. @param from Seconds where the pointer is. */
  begin(marker: Marker, from: number): void {
    const { timeline, preview, document } = this.#editor;
    const clips = timeline.clips ?? (document.source && clipsOf(document.source, preview.lengths));
    const others = this.list.filter((one) => one !== marker).map(({ time }) => time);
    const moments = clips
      ? momentsBeside(clips, [], preview.time, (clip) => timeline.beatsOf(clip), others)
      : others;
    this.#drag = { of: marker, from, moments };
  }

  /** The pointer is there now. @param isFree It keeps to nothing but frames. */
  drag(to: number, isFree: boolean): void {
    if (!this.#drag) return;
    const { of, from, moments } = this.#drag;
    const { timeline, preview } = this.#editor;
    const wanted = of.time + to - from;
    const found = isFree ? null : snapTo([wanted], moments, reach / timeline.scale);
    timeline.guide = found?.at ?? null;
    const time = markerTime(found?.at ?? atFrame(Math.max(0, wanted), preview.frameRate));
    this.#draft = { of, at: { ...of, time } };
  }

  end(): void {
    const draft = this.#draft;
    this.cancel();
    if (draft) this.#move(draft.of, draft.at.time);
  }

  /** @returns whether something was dragged. */
  cancel(): boolean {
    const wasDragged = this.#draft !== null;
    this.#drag = null;
    this.#draft = null;
    if (wasDragged) this.#editor.timeline.guide = null;
    return wasDragged;
  }

  /** @param run See `EditedDocument.namedStep`. */
  #move(marker: Marker, time: number, run = ''): void {
    if (time === marker.time) return;
    this.#replace(marker, { ...marker, time }, say('editor.marker.step.move'), run);
  }

  #replace(old: Marker, next: Marker, name: string, run = ''): void {
    const wasChosen = this.#chosen === old;
    this.#put(withMarker(this.list, old, next), name, run);
    if (wasChosen) this.#chosen = next;
  }

  #put(markers: readonly Marker[], name: string, run = ''): void {
    this.#editor.document.putMarkers(markers, name, run);
  }
}

/* Markers of the timeline as lists, which are always in order of time. */

/** A list of markers in order of time; those of one moment in the order given. */
const inTime = (markers: readonly Marker[]): readonly Marker[] =>
  [...markers].sort((a, b) => a.time - b.time);

/** A list with a marker in place of another one; null: without it. */
function withMarker(
  markers: readonly Marker[],
  old: Marker,
  next: Marker | null,
): readonly Marker[] {
  return inTime(markers.flatMap((one) => (one !== old ? [one] : next ? [next] : [])));
}

/** A moment that a marker can have: within bounds, and never after the frame meant. */
function markerTime(seconds: number): number {
  return Math.min(markerLimits.latest, tidySeconds(Math.max(0, seconds)));
}

/** The marker at a moment; null where there is none within half a frame. */
function markerAt(markers: readonly Marker[], seconds: number, frame: number): Marker | null {
  return markers.find(({ time }) => Math.abs(time - seconds) < frame / 2) ?? null;
}

/** The next marker after a moment (1), or the last one before it (-1); null without one. */
function markerBeside(
  markers: readonly Marker[],
  seconds: number,
  way: 1 | -1,
  frame: number,
): Marker | null {
  const ahead = markers.filter(({ time }) => (time - seconds) * way >= frame / 2);
  return (way > 0 ? ahead[0] : ahead.at(-1)) ?? null;
}
