/** The default names of commands. Pure. */
import type { CommandId } from '../../../shared/commands.ts';
import { say } from '../../ui/say.ts';

/** The default name of a command. */
export function nameOfCommand(id: CommandId): string {
  // These texts have no placeholders, which the type can't express.
  return (say as (key: `command.${CommandId}`) => string)(`command.${id}`);
}
