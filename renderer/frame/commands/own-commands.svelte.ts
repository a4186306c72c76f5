/** The commands of what is shown now, besides those of every page. Window only. */
import type { Command } from './command.ts';

/** A list is empty while its part is not shown. */
export class OwnCommands {
  /** Of the open editor. */
  editor = $state.raw<readonly Command[]>([]);
  /** Of the element that is chosen in the editor's outline. */
  outline = $state.raw<readonly Command[]>([]);
  /** Of the page. */
  page = $state.raw<readonly Command[]>([]);
  /** Those that sort and filter the list of the page. */
  list = $state.raw<readonly Command[]>([]);
  /** Has the page take over what it was not told yet; called before a key is looked up. */
  settle: () => void = () => undefined;
}
