/** Which renders the Queue page shows, in which order, and which batches are folded. Pure. */
import type { OutputFormat } from '../../shared/renderscript/formats.ts';
import type { WindowRender } from '../../shared/api.ts';
import { nameOf, stageOf, type Stage } from './display.ts';
import { finder } from '../ui/search.ts';

export const origins = ['template', 'direct', 'feed'] as const;
export type Origin = (typeof origins)[number];

/** How the list can be sorted; `queue` is the order of work. */
export const sortings = ['queue', 'newest', 'oldest', 'name', 'longest'] as const;
export type Sorting = (typeof sortings)[number];

/** What to show; empty lists show everything. */
export interface QueueFilter {
  /** Stages; `cancelled` counts as failed only when it is named. */
  readonly stages: readonly Stage[];
  readonly projects: readonly string[];
  readonly formats: readonly OutputFormat[];
  readonly origins: readonly Origin[];
  readonly search: string;
}

export const noFilter: QueueFilter = {
  stages: [],
  projects: [],
  formats: [],
  origins: [],
  search: '',
};

export function originOfRender({ batch, record }: WindowRender): Origin {
  if (batch) return 'feed';
  return record.template_id === undefined ? 'direct' : 'template';
}

/** The filter with a stage switched on or off. Cancelled renders are shown only together with failed ones. */
export function toggledStage(filter: QueueFilter, stage: Stage): QueueFilter {
  const { stages } = filter;
  const without = (...gone: readonly Stage[]): readonly Stage[] =>
    stages.filter((one) => !gone.includes(one));
  if (stages.includes(stage)) {
    return {
      ...filter,
      stages: stage === 'failed' ? without('failed', 'cancelled') : without(stage),
    };
  }
  const added = stage === 'cancelled' ? (['failed', 'cancelled'] as const) : [stage];
  return { ...filter, stages: [...without(...added), ...added] };
}

/** Whether a filter may hide something, apart from the search. */
export function isFiltering({ stages, projects, formats, origins }: QueueFilter): boolean {
  return [stages, projects, formats, origins].some((wanted) => wanted.length > 0);
}

const allows = <T>(wanted: readonly T[], value: T): boolean =>
  wanted.length === 0 || wanted.includes(value);

/** The renders that a filter lets through, in the order given. */
export function filtered(
  renders: readonly WindowRender[],
  filter: QueueFilter,
): readonly WindowRender[] {
  const isFound = finder(filter.search);
  return renders.filter(
    (render) =>
      allows(filter.stages, stageOf(render)) &&
      allows(filter.projects, render.project) &&
      allows(filter.formats, render.record.output_format) &&
      allows(filter.origins, originOfRender(render)) &&
      isFound(...textsOf(render)),
  );
}

function textsOf(render: WindowRender): readonly (string | null | undefined)[] {
  const { error_message: error, template_tags: tags, metadata } = render.record;
  return [nameOf(render), render.id, error, metadata, render.batch?.name, ...(tags ?? [])];
}

const workTime = ({ startedAt, finishedAt }: WindowRender): number =>
  startedAt === undefined || finishedAt === undefined ? 0 : finishedAt - startedAt;

const orders: Record<Exclude<Sorting, 'queue'>, (a: WindowRender, b: WindowRender) => number> = {
  newest: (a, b) => b.createdAt - a.createdAt,
  oldest: (a, b) => a.createdAt - b.createdAt,
  name: (a, b) => nameOf(a).localeCompare(nameOf(b)) || b.createdAt - a.createdAt,
  longest: (a, b) => workTime(b) - workTime(a),
};

/** Sorted; the order of the queue is the one given. */
export function sorted(
  renders: readonly WindowRender[],
  sorting: Sorting,
): readonly WindowRender[] {
  return sorting === 'queue' ? renders : [...renders].sort(orders[sorting]);
}

/** The renders that a search through everything looks at: the first ones, and of the others those that it names. */
export function rendersToFind(
  renders: readonly WindowRender[],
  search: string,
  most: number,
): readonly WindowRender[] {
  const found = [...renders.slice(0, most)];
  if (search.trim() === '') return found;
  const isFound = finder(search);
  for (const render of renders.slice(most)) {
    if (found.length >= 2 * most) break;
    if (isFound(nameOf(render), render.id)) found.push(render);
  }
  return found;
}

/** A line of the list: a render, or the head of a feed batch. */
export type ListLine =
  | { readonly kind: 'render'; readonly id: string; readonly isInBatch: boolean }
  | { readonly kind: 'batch'; readonly id: string; readonly members: readonly string[] };

/** IDs of the renders of each feed batch, in the order given. */
export function batchMembers(
  renders: readonly WindowRender[],
): ReadonlyMap<string, readonly string[]> {
  const members = new Map<string, string[]>();
  for (const { id, batch } of renders) {
    if (!batch) continue;
    const list = members.get(batch.id);
    if (list) list.push(id);
    else members.set(batch.id, [id]);
  }
  return members;
}

/**
 * The lines: the renders of a batch stand together below its head, at the place of the first of them; of a folded one
 * only the head is there.
 */
export function linesOf(
  renders: readonly WindowRender[],
  isUnfolded: (batch: string) => boolean,
): readonly ListLine[] {
  const members = batchMembers(renders);
  const lines: ListLine[] = [];
  const placed = new Set<string>();
  for (const { id, batch } of renders) {
    if (!batch) {
      lines.push({ kind: 'render', id, isInBatch: false });
      continue;
    }
    if (placed.has(batch.id)) continue;
    placed.add(batch.id);
    const ids = members.get(batch.id) ?? [];
    lines.push({ kind: 'batch', id: batch.id, members: ids });
    if (!isUnfolded(batch.id)) continue;
    for (const one of ids) lines.push({ kind: 'render', id: one, isInBatch: true });
  }
  return lines;
}

/** The queued render to move one in front of; null: to the end; undefined: it stays where it is. */
export function moveTarget(
  waiting: readonly string[],
  id: string,
  where: 'moveTop' | 'moveUp' | 'moveDown' | 'moveBottom',
): string | null | undefined {
  const index = waiting.indexOf(id);
  const last = waiting.length - 1;
  if (index < 0) return undefined;
  switch (where) {
    case 'moveTop':
      return index === 0 ? undefined : waiting[0];
    case 'moveUp':
      return index === 0 ? undefined : waiting[index - 1];
    case 'moveDown':
      return index === last ? undefined : (waiting[index + 2] ?? null);
    case 'moveBottom':
      return index === last ? undefined : null;
  }
}

/** The shortest name that is cut in the middle, and how many letters of its end stay: whole words, where they fit. */
const cutFrom = 16;
const endLength = { usual: 10, most: 14 };
const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/**
 * A name in two parts, of which only the first is cut when there is no room, so that its end stays visible. Null for a
 * short one.
 */
export function nameParts(name: string): { readonly start: string; readonly end: string } | null {
  if (name.length < cutFrom) return null;
  const all = [...letters.segment(name)].map(({ segment }) => segment);
  if (all.length < cutFrom) return null;
  const space = all.indexOf(' ', all.length - endLength.most);
  const from = space < 0 ? all.length - endLength.usual : space + 1;
  return { start: all.slice(0, from).join(''), end: all.slice(from).join('') };
}

/** Where a dragged render goes when it is dropped on the upper or lower half of another one; null: to the end. */
export function dropTarget(
  waiting: readonly string[],
  over: string,
  isLowerHalf: boolean,
): string | null {
  return isLowerHalf ? (waiting[waiting.indexOf(over) + 1] ?? null) : over;
}

/** The progress of a feed batch: renders in each stage, the share of work done, and the time left. */
export interface BatchStanding {
  readonly counts: Readonly<Record<Stage, number>>;
  /** 0 to 100. */
  readonly percent: number;
  /** Absent while no render of the batch is done. */
  readonly secondsLeft?: number;
}

/**
 * Adds up a batch. Its time left is the average work of those that are done, for each that waits and for the rest of
 * those that are worked on, divided by how many are worked on at a time.
 */
export function batchStanding(members: readonly WindowRender[]): BatchStanding {
  const counts = { active: 0, queued: 0, done: 0, failed: 0, cancelled: 0 };
  let begun = 0;
  let worked = 0;
  for (const render of members) {
    const stage = stageOf(render);
    counts[stage] += 1;
    if (stage === 'active') begun += (render.progress?.percent ?? 0) / 100;
    if (stage === 'done') worked += workTime(render) / 1000;
  }
  const ended = counts.done + counts.failed + counts.cancelled;
  const left = counts.queued + counts.active - begun;
  return {
    counts,
    percent: members.length === 0 ? 0 : ((ended + begun) / members.length) * 100,
    ...(counts.done > 0 &&
      left > 0 && { secondsLeft: ((worked / counts.done) * left) / Math.max(1, counts.active) }),
  };
}
