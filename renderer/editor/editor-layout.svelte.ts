/** How the editor's page is laid out: its panes, the tab of each, and the grid they stand in. Window only. */
import { MediaQuery } from 'svelte/reactivity';
import { hiddenPanes, readPanes, shownPanes, type PaneName } from './panes.ts';
import { say } from '../ui/say.ts';
import type { Preferences } from '../frame/preferences.svelte.ts';
import { StageView } from './preview/stage-view.svelte.ts';

/** A tab of the left pane; in a window without room for three panes it has those of the right one, too. */
export type LeftTab = 'add' | 'fields' | 'outline' | 'captions' | RightTab;
export type RightTab = 'inspector' | 'source' | 'problems';

/** Tabs that are never in the right pane. */
const leftOnly: readonly LeftTab[] = ['add', 'fields', 'outline', 'captions'];

/** Names under which the panes are remembered. */
const remembered = {
  widths: 'editorPaneWidths',
  hidden: 'editorPanesHidden',
  timeline: 'editorTimelineHeight',
  inspects: 'editorInspects',
};
/** Heights of the timeline in pixels; the usual one also for low windows, where the picture needs the room. */
const timelineHeights = { least: 110, usual: 200, usualLow: 170, most: 640 } as const;

/** The panes of one editor; widths and hidden ones are remembered. */
export class EditorLayout {
  readonly #preferences: Preferences;
  readonly panes = $derived.by(() =>
    readPanes(
      this.#preferences.numbers(remembered.widths),
      this.#preferences.texts(remembered.hidden, []),
    ),
  );
  /** Panes that were hidden before all others were, too. */
  #hiddenBefore: readonly PaneName[] = [];
  #looksAtProblems = $state(false);
  /** The chosen tab of the right pane. Whether that is the inspector or the source is remembered. */
  readonly right = $derived.by((): RightTab => {
    if (this.#looksAtProblems) return 'problems';
    return this.#preferences.flag(remembered.inspects, true) ? 'inspector' : 'source';
  });
  /** How the picture of the preview is looked at. */
  readonly view: StageView;
  /** The chosen tab of the left pane. */
  left = $state<LeftTab>('fields');

  readonly #wide = new MediaQuery('min-width: 1200px');
  readonly #narrow = new MediaQuery('max-width: 759px');
  readonly #low = new MediaQuery('max-height: 799px');
  /** As narrow as a phone. */
  readonly #slim = new MediaQuery('max-width: 559px');
  /** There, the timeline was asked for: until then the picture and the tabs below have the room. */
  #timelineWanted = $state(false);

  readonly shown = $derived.by(() => {
    const shown = shownPanes(this.panes, this.#wide.current);
    return this.#slim.current
      ? { ...shown, timeline: shown.preview && this.#timelineWanted }
      : shown;
  });
  /** The tab of the left pane that is seen. */
  readonly shownLeft = $derived(
    this.#wide.current && !leftOnly.includes(this.left) ? 'fields' : this.left,
  );
  /** Something stands beside the left pane. */
  readonly hasRest = $derived(this.shown.preview || (this.#wide.current && this.shown.source));
  readonly columns = $derived.by(() => {
    if (this.#narrow.current) return 'minmax(0, 1fr)';
    const { shown, hasRest } = this;
    const wide = this.#wide.current;
    const rest = 'minmax(0, 1fr)';
    const side = wide ? 'min(var(--left), 32%)' : 'max(336px, min(var(--left), 48%))';
    const source = wide && shown.source;
    return [
      shown.left && (hasRest ? side : rest),
      shown.left && hasRest && 'auto',
      shown.preview && rest,
      source && shown.preview && 'auto',
      source && (shown.preview ? 'min(var(--right), 42%)' : rest),
    ]
      .filter((part) => part !== false)
      .join(' ');
  });
  readonly rows = $derived(
    this.#narrow.current && this.shown.preview && this.shown.left
      ? 'minmax(min(300px, 100%), auto) minmax(320px, 1fr)'
      : 'minmax(0, 1fr)',
  );

  constructor(preferences: Preferences) {
    this.#preferences = preferences;
    this.view = new StageView(preferences);
  }

  /** There is room for three panes beside each other. */
  get wide(): boolean {
    return this.#wide.current;
  }

  /** The panes stand one below the other. */
  get narrow(): boolean {
    return this.#narrow.current;
  }

  /** The panes that can be shown and hidden. */
  get names(): readonly PaneName[] {
    return this.wide ? ['left', 'preview', 'source', 'timeline'] : ['left', 'preview', 'timeline'];
  }

  nameOf(pane: PaneName): string {
    if (pane === 'preview') return say('editor.preview');
    if (pane === 'source') return say('editor.source');
    if (pane === 'timeline') return say('editor.timeline');
    return say(this.wide ? 'editor.pane.left' : 'editor.pane.all');
  }

  /** False for the only pane that is shown, and for the timeline without a picture above it. */
  canToggle(pane: PaneName): boolean {
    if (pane === 'timeline') return this.shown.preview;
    const isOther = (name: string): boolean =>
      name !== pane &&
      name !== 'timeline' &&
      (this.wide || name === 'preview' || pane === 'preview');
    return (
      !this.shown[pane] || Object.entries(this.shown).some(([name, is]) => is && isOther(name))
    );
  }

  show(pane: PaneName, is = true): void {
    if (pane === 'timeline' && this.#slim.current) this.#timelineWanted = is;
    else
      this.#preferences.set(remembered.hidden, [...hiddenPanes(this.panes, pane, is, this.wide)]);
  }

  /** Only the picture is shown. */
  get isBare(): boolean {
    const { left, source, timeline } = this.shown;
    return !left && !source && !timeline;
  }

  /** Leaves the picture alone; again: brings back the panes that stood around it. */
  togglePanels(): void {
    const { hidden } = this.panes;
    const around = ['left', 'source', 'timeline'] as const;
    if (this.isBare) {
      this.#preferences.set(remembered.hidden, [...this.#hiddenBefore]);
      return;
    }
    this.#hiddenBefore = around.filter((pane) => hidden[pane]);
    this.#preferences.set(remembered.hidden, [...around]);
  }

  readonly timelineBounds = timelineHeights;

  /** Of the timeline, in pixels. */
  get timelineHeight(): number {
    const { least, usual, usualLow, most } = timelineHeights;
    const standard = this.#low.current ? usualLow : usual;
    const height = this.#preferences.number(remembered.timeline, standard);
    return Math.min(most, Math.max(least, height));
  }

  resizeTimeline(height: number): void {
    this.#preferences.set(remembered.timeline, height);
  }

  /** Gives one of the outer panes a width in pixels. */
  resize(side: 'left' | 'right', size: number): void {
    const { left, right } = this.panes;
    this.#preferences.set(remembered.widths, { left, right, [side]: size });
  }

  /** Brings the source into sight, wherever it stands. */
  showSource(): void {
    this.showTab('source');
  }

  /** Brings a tab of the right pane into sight, wherever it stands. */
  showTab(tab: RightTab): void {
    if (!this.shown.source) this.show('source');
    if (this.wide) this.chooseRight(tab);
    else this.left = tab;
  }

  chooseRight(tab: RightTab): void {
    this.#looksAtProblems = tab === 'problems';
    if (tab !== 'problems') this.#preferences.set(remembered.inspects, tab === 'inspector');
  }
}
