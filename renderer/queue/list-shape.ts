/** The measures of the list of renders that both its script and its styles need. Pure. */
import type { ColumnName } from './columns.ts';

/** Height of a row in pixels; --row of styles/tokens.css says the same. */
export const rowHeights = { comfortable: 56, compact: 36 } as const;

/** Pixels of a row that are outside of its cells: margins and padding at both sides. */
export const rowMargins = 28;

/**
 * Pixels of the list from which rows are a table; below they are cards. A window of 700 px leaves the list that width.
 */
export const tableFrom = 640;

/** Pixels of a card with name and status, and of each line of facts below them. */
const cardHeights = { comfortable: 74, compact: 62 } as const;
const factLine = 19;

/** Pixels of the list from which a card has room for two facts of any kind side by side. */
const twoFactsFrom = 520;

/** How many facts a line of a card has. */
export function factsPerLine(facts: readonly ColumnName[], width: number): 1 | 2 {
  // These two are short in any case.
  const areShort = facts.every((name) => name === 'output' || name === 'created');
  return width < twoFactsFrom && !areShort ? 1 : 2;
}

/** Height of all cards in pixels: the facts of the chosen columns stand below name and status. */
export function cardHeight(
  shown: readonly ColumnName[],
  width: number,
  isCompact: boolean,
): number {
  const facts = shown.filter(isFact);
  const lines = Math.ceil(facts.length / factsPerLine(facts, width));
  return cardHeights[isCompact ? 'compact' : 'comfortable'] + lines * factLine;
}

/** In a card everything but picture, name and status is a fact. */
export function isFact(name: ColumnName): boolean {
  return name !== 'preview' && name !== 'name' && name !== 'status';
}
