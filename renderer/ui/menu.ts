/** What a menu is made of; see Menu.svelte. */
import type { IconName } from './icons.ts';

/** One line of a menu. `line` draws a rule above it, `heading` a word. */
export interface MenuItem {
  readonly label: string;
  readonly run: () => void;
  readonly icon?: IconName;
  /** Why it can't be chosen; it stays visible. */
  readonly reason?: string | undefined;
  /** It can't be chosen, for an obvious reason. */
  readonly disabled?: boolean;
  /** It is one of several that can be ticked. */
  readonly checked?: boolean;
  /** It is one of several of which one is in force: true for that one. Such lines stand together. */
  readonly chosen?: boolean;
  /** The menu stays, because it is often chosen more than once. */
  readonly stays?: boolean;
  readonly line?: boolean;
  readonly heading?: string;
  readonly danger?: boolean;
  readonly keys?: string;
}

/** The lines of groups, with a rule between those that have any. */
export function inGroups(groups: readonly (readonly MenuItem[])[]): readonly MenuItem[] {
  return groups
    .filter((lines) => lines.length > 0)
    .flatMap((lines, place) =>
      lines.map((line, index) => (index === 0 && place > 0 ? { ...line, line: true } : line)),
    );
}

export interface Place {
  readonly x: number;
  readonly y: number;
}

/** Lines of a menu that are in the page at first, and that come in addition when the last is near. */
export const menuLinesAtOnce = 60;

/**
 * How many lines must be in the page for a key to lead where it should: to the end, or to a line that begins with what
 * was typed.
 *
 * @param made That are in it already; enough where one of them is the answer, or none at all is.
 */
export function linesToReach(
  labels: readonly string[],
  made: number,
  goal: 'end' | { readonly words: string },
): number {
  if (goal === 'end') return labels.length;
  if (goal.words === '') return made;
  const place = labels.findIndex((label) => label.toLowerCase().startsWith(goal.words));
  return place < made ? made : place + menuLinesAtOnce;
}
