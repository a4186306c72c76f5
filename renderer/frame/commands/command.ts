/**
 * A command in its current state: its texts, whether it can run, what it does. Those of every page are in
 * window-commands.svelte.ts. Window only.
 */
import { type CommandId, commandTable } from '../../../shared/commands.ts';
import type { IconName } from '../../ui/icons.ts';
import type { MenuItem } from '../../ui/menu.ts';
import { say } from '../../ui/say.ts';

export interface Command {
  readonly id: CommandId;
  readonly label: string;
  readonly icon: IconName;
  /** It can run now. */
  readonly enabled: boolean;
  /** Why it can't, if that is not obvious. */
  readonly reason?: string | undefined;
  /** Whether the switch is on; absent for others. */
  readonly ticked?: boolean;
  /** Begins a group of a menu. */
  readonly line?: boolean;
  /** Takes something away. */
  readonly danger?: boolean;
  readonly run: () => void;
}

/** A runnable command with its default name; `more` overrides parts of it. */
export function command(
  id: CommandId,
  icon: IconName,
  run: () => void,
  more: Partial<Omit<Command, 'id' | 'icon' | 'run'>> = {},
): Command {
  return { id, icon, run, label: nameOfCommand(id), enabled: more.reason === undefined, ...more };
}

/** The same, but commands that store something can't run while nothing can be saved. */
export function whileSaving<One extends Command>(
  { readOnly }: { readonly readOnly: string | undefined },
  commands: readonly One[],
): readonly One[] {
  if (readOnly === undefined) return commands;
  return commands.map((one) =>
    commandTable[one.id].writes ? { ...one, enabled: false, reason: readOnly } : one,
  );
}

/** A command as a menu item. @param shortcuts Returns a command's keys for people. */
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

/** The default name of a command. */
export function nameOfCommand(id: CommandId): string {
  // These texts have no placeholders, which the type can't express.
  return (say as (key: `command.${CommandId}`) => string)(`command.${id}`);
}
