/**
 * One template being edited: its document, its relation to the stored version, its preview, and the selected element.
 * Window only.
 */
import { untrack } from 'svelte';
import { SvelteSet } from 'svelte/reactivity';
import type { Brand } from '../../shared/api.ts';
import { noBrand } from './making/brand.ts';
import { previewSide } from '../../shared/preview.ts';
import { type ElementType, isMediaKind, type MediaKind } from '../../shared/renderscript/source.ts';
import { withDrawn, type EditorProblem } from './source/check.ts';
import { fieldsOf, newElement, outlineOf } from './outline/elements.ts';
import { followed } from './preview/followed.ts';
import { momentOf, openingMoment } from '../../shared/good-moment.ts';
import { parseSeconds } from '../../shared/renderscript/units.ts';
import { insertItem, parsePath, rangeOf } from './source/json-text.ts';
import { withFollowing } from './captions/following.ts';
import { foundProblems } from './check/found.ts';
import { FullCheck } from './check/full-check.svelte.ts';
import { Adding, type Voicing } from './making/adding.svelte.ts';
import { CanvasState } from './canvas/canvas.svelte.ts';
import { EditedDocument, quiet } from './source/edited-document.svelte.ts';
import { TimelineFootage } from './timeline/footage.svelte.ts';
import { TimelineMarkers } from './timeline/markers.svelte.ts';
import { TimelineTransitions } from './timeline/timeline-transitions.svelte.ts';
import { TimelineState } from './timeline/timeline-state.svelte.ts';
import { PreviewState, quiet as drawQuiet } from './preview/preview-state.svelte.ts';
import { VoiceList } from './voices/voice-list.svelte.ts';
import { StoredTemplate } from './versions/stored-template.svelte.ts';

/** A template in the editor. Call `stored.open()` once, `close()` at the end. */
export class TemplateEditor {
  readonly id: string;
  readonly document: EditedDocument = new EditedDocument({
    // Its paths may have moved, and which ones is known once it is checked.
    onText: () => {
      if (this.hidden.size === 0) this.preview.type(this.document.code);
    },
    follow: (before, after) => withFollowing(before, after, this.preview.lengths),
    onMarkers: () => this.stored.draft.touch(),
    onTyped: () => this.stored.draft.touch(),
    onChecked: (apply) => this.#checked(apply),
  });
  readonly stored: StoredTemplate;
  readonly preview = new PreviewState(previewSide, drawQuiet - quiet.small, 'sound');
  /** The element whose file is being chosen; null: none is. */
  choosing = $state.raw<{
    readonly path: string;
    readonly kind: MediaKind;
    /** Its file so far. */
    readonly current?: string;
    /** It was added from the panel a moment ago: without a file it goes again. */
    readonly isNew?: boolean;
  } | null>(null);
  /** The voice that is being made; null: none is. */
  voicing = $state.raw<Voicing | null>(null);
  /** Who can speak its texts. */
  readonly voices = new VoiceList();
  /** Path of the element that is selected in the outline. */
  selected = $state('');
  /** What its project looks like. */
  brand = $state.raw<Brand>(noBrand);
  /** The add panel's work. */
  readonly adding: Adding = new Adding(this);
  /** Direct editing of the picture. */
  readonly canvas: CanvasState = new CanvasState(this);
  /** Direct editing of times. */
  readonly timeline: TimelineState = new TimelineState(this);
  readonly transitions: TimelineTransitions = new TimelineTransitions(this);
  readonly markers: TimelineMarkers = new TimelineMarkers(this);
  /** What is in its files. */
  readonly footage: TimelineFootage = new TimelineFootage(this.preview.live);
  /** Paths of the elements that the preview leaves out. */
  readonly hidden = new SvelteSet<string>();
  /** The first picture has said where to open the film. */
  #isPlaced = false;

  /** Problems from the checker, and from drawing. */
  readonly problems = $derived.by((): readonly EditorProblem[] => {
    const { checked, isDrawable, tree, code } = this.document;
    return isDrawable ? withDrawn(checked, this.preview.warnings, tree, code) : checked;
  });
  /** Everything that can go wrong with a render, once it was asked for. */
  readonly check: FullCheck;
  /** What that found and still holds. */
  readonly found = $derived.by((): readonly EditorProblem[] => {
    const { source, tree, code, text } = this.document;
    const { found } = this.check;
    if (!found || !source) return [];
    const shown = { text, source, tree, placeOf: (offset: number) => code.placeOf(offset) };
    return foundProblems(found.findings, found.source, shown, this.problems);
  });
  /** What the list of problems has. */
  readonly listed = $derived([...this.problems, ...this.found]);
  readonly outline = $derived(outlineOf(this.document.source, this.preview.elements));
  readonly fields = $derived(fieldsOf(this.document.source, this.outline));

  constructor(id: string) {
    this.id = id;
    this.stored = new StoredTemplate(id, this.document);
    this.check = new FullCheck(id);
  }

  close(): void {
    this.stored.close();
    this.document.close();
    this.preview.close();
    this.footage.close();
    this.check.close();
  }

  /** Looks for everything that can go wrong with a render of the document as it stands. */
  checkEverything(): void {
    this.document.settle();
    const { source, readable } = this.document;
    if (source && readable) void this.check.run(source);
  }

  /** Elements that are hidden stay so, wherever they stand in the text that was checked now. */
  #checked(apply: () => void): void {
    const before = this.hidden.size > 0 ? this.outline : [];
    apply();
    if (this.document.readable && before.length > 0) {
      const paths = followed(this.hidden, before, this.outline);
      this.hidden.clear();
      for (const path of paths) this.hidden.add(path);
    }
    this.#redraw();
  }

  #redraw(): void {
    const { isDrawable, source } = this.document;
    this.preview.show(isDrawable ? source : null, { hidden: [...this.hidden] });
  }

  /** Opens a film where there is something to see and to take hold of, once its first picture has come. An effect. */
  place(): void {
    const { facts, time } = this.preview;
    if (this.#isPlaced || !facts) return;
    this.#isPlaced = true;
    const snapshot = parseSeconds(untrack(() => this.document.source?.snapshot_time));
    const moment = time === 0 ? openingMoment(facts, snapshot) : time;
    if (moment !== time) untrack(() => this.preview.seek(moment));
  }

  /**
   * Selects an element here, in the outline and in the source, and shows a moment at which it can be seen.
   *
   * @param adds What is selected beside it stays so. Default false.
   */
  select(path: string, adds = false): void {
    if (!adds) this.canvas.also.clear();
    this.selected = path;
    this.document.code.goTo(rangeOf(this.document.tree, parsePath(path)), false);
    this.reveal(path);
  }

  /** Shows a moment at which an element can be seen. */
  reveal(path: string): void {
    const { preview } = this;
    const { drawn, type } = this.outline.find((item) => item.path === path) ?? {};
    if (!drawn || preview.playing) return;
    const { facts, time, frameRate } = preview;
    // Of a picture of another moment nothing is known; sounds, and what is hidden, are never seen.
    const isTold = facts?.frame === Math.round(time * frameRate);
    const isDrawn = type !== 'audio' && !this.hidden.has(path);
    const isSeen = !isTold || !isDrawn || path in facts.outlines;
    const moment = momentOf(drawn, time, frameRate, isSeen);
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
    this.document.change(insertItem(this.document.text, parsePath(into), { ...element, ...file }));
    this.document.check();
    const { group } = this.outline.find(({ list }) => list === into) ?? {};
    const path = `${into}[${(group?.siblings.length ?? 1) - 1}]`;
    this.select(path);
    if (isMediaKind(type) && source === undefined) this.choosing = { path, kind: type };
    return path;
  }

  /** No file was chosen: what was added for one is taken back. */
  leaveChoosing(): void {
    const isNew = this.choosing?.isNew === true;
    this.choosing = null;
    if (isNew) this.document.undo();
  }

  /** Leaves elements out of the preview. */
  hide(paths: readonly string[]): void {
    for (const path of paths) this.hidden.add(path);
    this.#redraw();
  }

  /** Shows all again. */
  showAll(): void {
    this.hidden.clear();
    this.#redraw();
  }

  toggleHidden(path: string): void {
    if (!this.hidden.delete(path)) this.hidden.add(path);
    this.#redraw();
  }
}
