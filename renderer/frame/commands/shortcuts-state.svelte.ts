/**
 * The keys of each command: the usual ones (shared/commands.ts), or those that the person chose, which are stored with
 * the preferences. Window only.
 */
import {
  commandIds,
  commandTable,
  fixedKeys,
  placesMeet,
  type ChangedKeys,
  type CommandId,
  type FixedKeyId,
} from '../../../shared/commands.ts';
import { readKeys } from '../../../shared/keys.ts';
import { keysOf, readerKeys, shownKeys, type KeyPress } from './keys.ts';
import type { Preferences } from '../preferences.svelte.ts';

/** The name under which they are kept. */
const kept = 'keys';

/** The present keys of all commands. */
export class Shortcuts {
  readonly isMac = navigator.platform.startsWith('Mac');
  /** New keys are being pressed for a command: no command answers meanwhile. */
  recording = $state(false);

  readonly #preferences: Preferences;

  /** Only the commands whose keys are not the usual ones. */
  readonly changed: ChangedKeys = $derived.by(() => {
    const lists = this.#preferences.lists(kept);
    return Object.fromEntries(
      commandIds.flatMap((id) => {
        const keys = lists[id]?.filter((one) => readKeys(one) !== null);
        return keys ? [[id, keys] as const] : [];
      }),
    );
  });

  constructor(preferences: Preferences) {
    this.#preferences = preferences;
  }

  /** The keys of a command; none, one or several. */
  of(id: CommandId): readonly string[] {
    return this.changed[id] ?? commandTable[id].keys;
  }

  /** The first keys of a command as people read them; undefined when it has none. */
  shown(id: CommandId): string | undefined {
    const [first] = this.of(id);
    return first === undefined ? undefined : this.print(first);
  }

  /** As `shown`, for keys that can't be changed. */
  shownFixed(id: FixedKeyId): string {
    return this.print(fixedKeys[id].keys[0] ?? '');
  }

  /** The first keys of a command as `aria-keyshortcuts` wants them. */
  forReaders(id: CommandId): string | undefined {
    const [first] = this.of(id);
    return first === undefined ? undefined : readerKeys(first, this.isMac);
  }

  /** Keys as people read them. */
  print(keys: string): string {
    return shownKeys(keys, this.isMac);
  }

  /** Which of these commands has the event's keys. */
  find<Id extends CommandId>(event: KeyPress, ids: readonly Id[]): Id | undefined {
    const pressed = keysOf(event, this.isMac);
    for (const keys of pressed) {
      const found = ids.find((id) => this.of(id).includes(keys));
      if (found) return found;
    }
    return undefined;
  }

  /** Which of some keys that can't be changed were pressed. */
  findFixed(event: KeyPress): FixedKeyId | undefined {
    const pressed = keysOf(event, this.isMac);
    // Object.keys only knows strings; these are the keys of the table.
    return (Object.keys(fixedKeys) as FixedKeyId[]).find((id) =>
      fixedKeys[id].keys.some((keys) => pressed.includes(keys)),
    );
  }

  /** Other commands that have these keys in the same place. */
  sharing(id: CommandId, keys: string): readonly CommandId[] {
    const { where } = commandTable[id];
    return commandIds.filter(
      (other) =>
        other !== id &&
        this.of(other).includes(keys) &&
        placesMeet(where, commandTable[other].where),
    );
  }

  /** Gives a command other keys; none: an empty list. */
  set(id: CommandId, keys: readonly string[]): void {
    const isUsual = keys.join('\n') === commandTable[id].keys.join('\n');
    const others = Object.entries(this.changed).filter(([other]) => other !== id);
    this.#keep(Object.fromEntries(isUsual ? others : [...others, [id, keys]]));
  }

  /** Gives a command its usual keys. */
  reset(id: CommandId): void {
    this.set(id, commandTable[id].keys);
  }

  /** Gives all commands their usual keys. */
  resetAll(): void {
    this.#keep({});
  }

  #keep(changed: ChangedKeys): void {
    this.#preferences.set(
      kept,
      Object.fromEntries(Object.entries(changed).map(([id, keys]) => [id, [...keys]])),
    );
  }
}
