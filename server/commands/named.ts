/** Finds what people name at the terminal, by name or ID. */
import { CommandError } from './option-rows.ts';

/** What has a name and an ID. */
interface Named {
  readonly id: string;
  readonly name: string;
}

/** How the things are called, and which command lists them. */
export interface NamedKind<Thing extends Named> {
  /** E.g. `feed`. */
  readonly kind: string;
  readonly listing: string;
  /** What tells things of one name apart, beside the ID. */
  readonly facts?: (thing: Thing) => string;
}

/** The only one with this ID or name. @throws CommandError if there is none, or several have the name. */
export function named<Thing extends Named>(
  all: readonly Thing[],
  word: string,
  { kind, listing, facts = () => '' }: NamedKind<Thing>,
): Thing {
  const found = all.filter((one) => one.name === word);
  const one = all.find(({ id }) => id === word) ?? found[0];
  if (!one) {
    throw new CommandError(
      `There is no ${kind} '${word}'. framewright ${listing} shows those that there are.`,
    );
  }
  if (one.id === word || found.length === 1) return one;
  const ids = found.map((thing) => `  ${thing.id}${facts(thing)}`);
  throw new CommandError(
    `${found.length} ${kind}s are named '${word}'. Name one by its ID:\n${ids.join('\n')}`,
  );
}

/** All of them, before anything is done with one: with a wrong name, nothing is. @throws CommandError as `named`. */
export function allNamed<Thing extends Named>(
  all: readonly Thing[],
  words: readonly string[],
  kind: NamedKind<Thing>,
): readonly Thing[] {
  return words.map((word) => named(all, word, kind));
}
