/** The usual names of commands. Pure. */
import type { CommandId } from '../../../shared/commands.ts';
import { say } from '../say.ts';

/** The usual name of a command. */
export function nameOfCommand(id: CommandId): string {
  // These words have no holes, which the type of a chosen key can't tell.
  return (say as (key: `command.${CommandId}`) => string)(`command.${id}`);
}
