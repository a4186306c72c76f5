/**
 * A command as it stands now: its words, whether it can be carried out, what it does. Those of every page are in
 * state/frame/window-commands.ts.
 * Window only.
 */
import { commandTable, type CommandId } from '../../../shared/commands.ts';
import type { IconName } from '../icons.ts';
import type { MenuItem } from '../menu.ts';
import { nameOfCommand } from './command-names.ts';

/** A command as it stands now. */
export interface Command {
  readonly id: CommandId;
  readonly label: string;
  readonly icon: IconName;
  /** It can be carried out now. */
  readonly enabled: boolean;
  /** Why it can't, where that is not plain to see. */
  readonly reason?: string | undefined;
  /** It switches something, which is on or off. */
  readonly ticked?: boolean;
  /** Begins a group of a menu. */
  readonly line?: boolean;
  /** Takes something away. */
  readonly danger?: boolean;
  readonly run: () => void;
}

/** A command that can be carried out, by its usual name; `more` says what is special about it. */
export function command(
  id: CommandId,
  icon: IconName,
  run: () => void,
  more: Partial<Omit<Command, 'id' | 'icon' | 'run'>> = {},
): Command {
  return { id, icon, run, label: nameOfCommand(id), enabled: more.reason === undefined, ...more };
}

/** The same, where those that store something can't be carried out while nothing can be saved. */
export function whileSaving<One extends Command>(
  { readOnly }: { readonly readOnly: string | undefined },
  commands: readonly One[],
): readonly One[] {
  if (readOnly === undefined) return commands;
  return commands.map((one) =>
    commandTable[one.id].writes ? { ...one, enabled: false, reason: readOnly } : one,
  );
}

/** A command as a line of a menu. @param shortcuts tells the keys of a command as people read them */
export function menuLine(
  one: Command,
  shortcuts: { shown(id: CommandId): string | undefined },
): MenuItem {
  const { id, label, icon, run, enabled, reason, ticked, line, danger } = one;
  const keys = shortcuts.shown(id);
  return {
    label,
    icon,
    run,
    reason,
    ...(!enabled && reason === undefined && { disabled: true }),
    ...(keys !== undefined && { keys }),
    ...(ticked !== undefined && { checked: ticked }),
    ...(line && { line }),
    ...(danger && { danger }),
  };
}
