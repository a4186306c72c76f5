/** Which templates the Templates page shows, and in which order. Pure. */
import type { WindowRender, WindowTemplate } from '../../shared/api.ts';
import { pixelSize } from './format.ts';

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
  const words = wanted.search.trim().toLowerCase();
  return list
    .filter(({ project }) => wanted.project === undefined || project === wanted.project)
    .filter(({ tags }) => wanted.tags.length === 0 || tags.some((tag) => wanted.tags.includes(tag)))
    .filter(({ name, id, tags }) =>
      [name, id, ...tags].some((text) => text.toLowerCase().includes(words)),
    )
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

/** Format and size: `mp4 · 1080×1080`. */
export function templateFacts({ outputFormat, width, height }: WindowTemplate): string {
  const size = width === undefined || height === undefined ? '' : pixelSize(width, height);
  return [outputFormat ?? '', size].filter((fact) => fact !== '').join(' · ');
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

/** Tags as a person types them: `promo, #ad` → `promo`, `ad`; each once. */
export function readTags(text: string): readonly string[] {
  const words = text.split(',').map((word) => word.trim().replace(/^#/, ''));
  return [...new Set(words.filter((word) => word !== ''))];
}
