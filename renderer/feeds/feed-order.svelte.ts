/**
 * The choices of the dialog that renders a feed: which rows, the check of all of them, a picture of one. Window only.
 */
import { untrack } from 'svelte';
import { call } from '../frame/connection/call.ts';
import { feedRows } from '../../shared/api/feeds.ts';
import type { FeedCheck, WindowFeed } from '../../shared/api.ts';
import { rowModifications, rowName, unknownNameHoles } from '../../shared/feed-mapping.ts';
import { goodMoment } from '../../shared/good-moment.ts';
import { formatOf, hasSound, usualQuality } from '../../shared/renderscript/formats.ts';
import type { Source } from '../../shared/renderscript/source.ts';
import { estimateOf } from '../editor/render/estimate.ts';
import type { CellRange } from './cell-range.ts';
import { placedProblems, problemsByRow, rowsAmong, rowsWithout } from './feed-rows.ts';
import type { AppState } from '../frame/app.svelte.ts';
import { PreviewState } from '../editor/preview/preview-state.svelte.ts';
import type { OpenFeed } from './open-feed.svelte.ts';

/** Longest side of the picture, pixels. */
const pictureSide = 480;

export type RowsWanted = 'all' | 'selected' | 'changed';

/** What is rendered. */
interface Subject {
  readonly feed: OpenFeed;
  readonly facts: WindowFeed;
  /** The template's document. */
  readonly source: Source;
  readonly range: CellRange;
}

export class FeedOrder {
  wanted = $state<RowsWanted>('all');
  leavesOut = $state(true);
  names = $state('');
  /** Place of the row whose picture is shown. */
  shown = $state(0);
  /** Null while it is being checked. */
  check = $state.raw<FeedCheck | null>(null);
  problem = $state('');
  sending = $state(false);
  readonly preview = new PreviewState(pictureSide);

  readonly #subject: Subject;
  readonly #app: AppState;
  readonly #life = new AbortController();
  #isPlaced = false;

  /** IDs of the rows of each choice. */
  readonly choices = $derived.by((): Readonly<Record<RowsWanted, readonly string[]>> => {
    const { feed, range } = this.#subject;
    const all = feed.rows.map(({ id }) => id);
    return {
      all,
      selected: all.slice(range.top, range.bottom + 1),
      changed: rowsAmong(all, this.check?.changed),
    };
  });
  readonly #chosen = $derived(this.choices[this.wanted]);
  readonly #fine = $derived(rowsWithout(this.#chosen, this.check?.wrong));
  /** How many of them would fail. */
  readonly wrongCount = $derived(this.#chosen.length - this.#fine.length);
  /** IDs of the rows that will be rendered. */
  readonly rows = $derived(this.leavesOut ? this.#fine : this.#chosen);
  /** Problems of the chosen rows, the first ones. */
  readonly problems = $derived(
    placedProblems(this.check?.problems ?? [], this.choices.all, this.#chosen),
  );
  /** Placeholders of the pattern that are unknown. */
  readonly unknownHoles = $derived.by(() => unknownNameHoles(this.names, this.#columns));
  /** The name of the shown row's file; '': named like those of other renders. */
  readonly fileName = $derived.by((): string => {
    const { feed, facts } = this.#subject;
    const values = feed.rows[this.shown]?.values;
    if (!values || this.names.trim() === '') return '';
    const named = { feed: facts.name, columns: this.#columns, values, number: this.shown + 1 };
    return rowName(this.names, named);
  });
  /** For all of them together; null where nothing like it was rendered yet. */
  readonly estimate = $derived.by(() => {
    const { facts, source } = { facts: this.preview.facts, source: this.#subject.source };
    if (!facts) return null;
    const one = estimateOf(this.#app.renders.ordered, {
      template: this.#subject.facts.template ?? '',
      format: formatOf(source),
      duration: facts.duration,
      frameRate: facts.frameRate,
      quality: usualQuality(source, formatOf(source)),
      codec: '',
      sounds: hasSound(formatOf(source)),
      width: facts.width / facts.scale,
      height: facts.height / facts.scale,
    });
    const count = this.rows.length;
    if (!one || one.seconds === null) return null;
    return { bytes: one.bytes * count, seconds: one.seconds * count };
  });

  get #columns(): OpenFeed['columns'] {
    return this.#subject.feed.columns;
  }

  constructor(subject: Subject, app: AppState) {
    this.#subject = subject;
    this.#app = app;
    const { range, facts, feed } = subject;
    const count = range.bottom - range.top + 1;
    if (count > 1 && count < feed.rows.length) this.wanted = 'selected';
    this.names = facts.names;
    this.shown = range.top;
  }

  /** Keeps the feed and has all rows checked. */
  async begin(): Promise<void> {
    const { feed } = this.#subject;
    try {
      await feed.save();
      if (feed.problem !== '') throw new Error(feed.problem);
      this.check = await call(feedRows.check, {
        params: { id: feed.id },
        signal: this.#life.signal,
      });
      feed.problems = problemsByRow(this.check.problems);
      const { length } = this.check.changed;
      if (this.wanted === 'all' && length > 0 && length < feed.rows.length) this.wanted = 'changed';
    } catch (reason) {
      if (!this.#life.signal.aborted) this.problem = sentenceOf(reason);
    }
  }

  /** Draws the shown row. An effect. */
  draw(): void {
    const { feed, source, facts } = this.#subject;
    const row = feed.rows[this.shown];
    if (!row) return;
    const mapping = { ...facts, columns: feed.columns, files: feed.media.files };
    const modifications = rowModifications(mapping, row.values);
    untrack(() => this.preview.show(source, { modifications }));
  }

  /** Goes to a moment that shows most of the film, once its clock is known. An effect. */
  place(): void {
    const { facts } = this.preview;
    if (this.#isPlaced || !facts) return;
    this.#isPlaced = true;
    const moment = goodMoment(facts);
    if (moment > 0) untrack(() => this.preview.seek(moment));
  }

  /** @returns how many renders will be made; null when that failed: `problem` says why */
  async send(): Promise<number | null> {
    const { feed, facts } = this.#subject;
    if (this.sending) return null;
    this.sending = true;
    this.problem = '';
    try {
      const names = this.names.trim();
      if (names !== facts.names) await feed.set({ names });
      return (await call(feedRows.render, { params: { id: feed.id }, body: { rows: this.rows } }))
        .rowCount;
    } catch (reason) {
      this.problem = sentenceOf(reason);
      return null;
    } finally {
      this.sending = false;
    }
  }

  close(): void {
    this.#life.abort();
    this.preview.close();
  }
}

function sentenceOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason);
}
