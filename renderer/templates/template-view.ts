/** Which templates the Templates page shows, and in which order. Pure. */
import type { WindowRender, WindowTemplate } from '../../shared/api.ts';
import { requestLimits as limits } from '../../shared/limits.ts';
import { daysSince, filmLength, pixelSize, relativeTime } from '../ui/format.ts';
import { say } from '../ui/say.ts';
import { finder } from '../ui/search.ts';

/** How templates can be sorted. */
export const templateSortings = ['updated', 'name', 'created'] as const;
export type TemplateSorting = (typeof templateSortings)[number];

const orders: Record<TemplateSorting, (a: WindowTemplate, b: WindowTemplate) => number> = {
  updated: (a, b) => b.updatedAt - a.updatedAt,
  name: (a, b) => a.name.localeCompare(b.name),
  created: (a, b) => b.createdAt - a.createdAt,
};

/** Those of a project that match the words and carry any of the tags; no tags wanted: all. */
export function shownTemplates<T extends WindowTemplate>(
  list: readonly T[],
  wanted: {
    readonly project: string | undefined;
    readonly search: string;
    readonly tags: readonly string[];
    readonly sorting: TemplateSorting;
  },
): readonly T[] {
  const isFound = finder(wanted.search);
  return list
    .filter(({ project }) => wanted.project === undefined || project === wanted.project)
    .filter(({ tags }) => wanted.tags.length === 0 || tags.some((tag) => wanted.tags.includes(tag)))
    .filter(({ name, id, tags }) => isFound(name, id, ...tags))
    .sort(orders[wanted.sorting]);
}

/** All tags of templates, the most used first. */
export function tagsOf(list: readonly WindowTemplate[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const tag of list.flatMap(({ tags }) => tags)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts]
    .sort(([a, first], [b, second]) => second - first || a.localeCompare(b))
    .map(([tag]) => tag);
}

/** Size in pixels and length, each '' where the document does not tell it: `1080×1080`, `15 s`. */
export function templateSize(template: WindowTemplate): { size: string; length: string } {
  const { width, height, duration } = template;
  return {
    size: width === undefined || height === undefined ? '' : pixelSize(width, height),
    length: duration === undefined ? '' : filmLength(duration),
  };
}

/** Format, size and length, as far as the document tells them: `mp4 · 1280×720 · 15 s`, `png · 800×420`. */
export function templateFacts(template: WindowTemplate): string {
  const { size, length } = templateSize(template);
  const facts = [template.outputFormat ?? '', size, length];
  return facts.filter((fact) => fact !== '').join(' · ');
}

/**
 * Letters of a line of tags in a card at its smallest, and in a row; each tag takes some more for its `#` and its
 * edges.
 */
const tagLine = { card: 26, row: 20, edges: 3.5 };

/** How many tags, from the first, find room in a row (one line) or in a card; what is left is told as a number. */
export function tagsThatFit(tags: readonly string[], lines: 1 | 2): number {
  const letters = lines === 1 ? tagLine.row : tagLine.card;
  let left = 0;
  let line = 0;
  for (const [index, tag] of tags.entries()) {
    const wide = Math.min(tag.length + tagLine.edges, letters);
    if (wide > left) {
      line++;
      left = letters;
    }
    // In the last line there must be room for the number.
    const spare = line === lines && index < tags.length - 1 ? 6 : 0;
    if (line > lines || wide + spare > left) return Math.max(1, index);
    left -= wide;
  }
  return tags.length;
}

/** How many renders each template has, of those that are kept (30 days), by its ID. */
export function renderCounts(
  renders: readonly WindowRender[],
): Readonly<Partial<Record<string, number>>> {
  const counts: Partial<Record<string, number>> = {};
  for (const { record } of renders) {
    const id = record.template_id;
    if (id !== undefined) counts[id] = (counts[id] ?? 0) + 1;
  }
  return counts;
}

/** What is wrong with tags as they are typed; '' when they can be stored. */
export function tagsProblem(text: string): string {
  const tags = readTags(text);
  const long = tags.find((tag) => tag.length > limits.tagLength);
  if (tags.length > limits.tags) {
    return say('templates.tags.many', { count: tags.length, most: limits.tags });
  }
  if (long === undefined) return '';
  const told = { tag: `${long.slice(0, 20)}…`, count: long.length, most: limits.tagLength };
  return say('templates.tags.long', told);
}

/** Tags as a person types them: `promo, #ad` → `promo`, `ad`; each once. */
export function readTags(text: string): readonly string[] {
  const words = text.split(',').map((word) => word.trim().replace(/^#/, ''));
  return [...new Set(words.filter((word) => word !== ''))];
}

/**
 * How long ago a template was deleted, in days however many: beside it stands how many are left. Both in ms since 1970.
 */
export function timeInTrash(deletedAt: number, now: number): string {
  const count = daysSince(deletedAt, now);
  return count === 0 ? relativeTime(deletedAt, now) : say('time.daysAgo', { count });
}
