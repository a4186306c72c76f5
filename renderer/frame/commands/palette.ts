/** What the command palette lists, what matches the typed words, and where its keys lead. Pure. */

/** What is known of a line here; palette-state.svelte.ts says what it does. */
export interface PaletteEntry {
  /** Compared with the words; unique. */
  readonly key: string;
  readonly note?: string | undefined;
  /** Keys that do the same. */
  readonly keys?: string | undefined;
  /** Shown, but can't be chosen now. */
  readonly disabled?: boolean;
}

/** Lines under one title. */
export interface PaletteGroup<Entry extends PaletteEntry> {
  readonly title: string;
  readonly entries: readonly Entry[];
}

/** How well a line fits some words, from 0 (not at all) up; `more` are words that count besides its own. */
export type PaletteScore = (key: string, words: string, more: string[]) => number;

/** Lines that PageUp and PageDown go over. */
export const palettePage = 10;

/** What fits the words, best first; everything in its own order without words. Groups without a line are left out. */
export function foundGroups<Entry extends PaletteEntry>(
  groups: readonly PaletteGroup<Entry>[],
  words: string,
  score: PaletteScore,
): readonly PaletteGroup<Entry>[] {
  if (words === '') return groups.filter(({ entries }) => entries.length > 0);
  const rated = groups.map(({ title, entries }) => {
    const scores = entries.map((entry) => {
      const more = [entry.note, entry.keys].filter((word) => word !== undefined);
      return { entry, score: score(entry.key, words, more) };
    });
    return { title, scores: scores.sort((a, b) => b.score - a.score) };
  });
  const bestOf = ({ scores }: (typeof rated)[number]): number => scores[0]?.score ?? 0;
  // Scattered letters don't count beside real word matches.
  const least = Math.max(0, ...rated.map(bestOf)) / 50;
  return rated
    .sort((a, b) => bestOf(b) - bestOf(a))
    .map(({ title, scores }) => {
      const fitting = scores.filter((one) => one.score > 0 && one.score >= least);
      return { title, entries: fitting.map(({ entry }) => entry) };
    })
    .filter(({ entries }) => entries.length > 0);
}

/** The first `most` lines with their places in the whole list, by group: only they are put into the page. */
export function firstLines<Entry extends PaletteEntry>(
  groups: readonly PaletteGroup<Entry>[],
  most: number,
): readonly {
  readonly title: string;
  readonly lines: readonly { readonly entry: Entry; readonly place: number }[];
}[] {
  let first = 0;
  return groups.flatMap(({ title, entries }) => {
    const lines = entries
      .slice(0, Math.max(0, most - first))
      .map((entry, index) => ({ entry, place: first + index }));
    first += entries.length;
    return lines.length === 0 ? [] : [{ title, lines }];
  });
}

/** The line that a key leads to, from the last one on to the first and back; undefined for other keys. */
export function goalEntry<Entry extends PaletteEntry>(
  entries: readonly Entry[],
  current: Entry | undefined,
  key: string,
): Entry | undefined {
  const open = entries.filter(({ disabled }) => !disabled);
  const at = current ? open.indexOf(current) : -1;
  const last = open.length - 1;
  const goals: Partial<Record<string, number>> = {
    ArrowDown: at === last ? 0 : at + 1,
    ArrowUp: at <= 0 ? last : at - 1,
    PageDown: Math.min(last, at + palettePage),
    PageUp: Math.max(0, at - palettePage),
    Home: 0,
    End: last,
  };
  return open[goals[key] ?? -1];
}
