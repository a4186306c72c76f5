/**
 * Commands that sort and filter a page's list, as its chips and menus do. Pure; the page runs them.
 */
import type { CommandId } from '../../../shared/commands.ts';
import type { IconName } from '../../ui/icons.ts';
import { command, type Command } from './command.ts';
import {
  isFiltering,
  noFilter,
  sortings,
  toggledStage,
  type QueueFilter,
  type Sorting,
} from '../../queue/queue-view.ts';
import { templateSortings, type TemplateSorting } from '../../templates/template-view.ts';

/** How a list is shown, and functions to change that. */
interface ListView<Order> {
  readonly sorting: Order;
  readonly search: string;
  readonly onsort: (sorting: Order) => void;
  /** Shows everything again. */
  readonly onclear: () => void;
}

/** The chips of the queue, without the one for all. */
const chips = ['active', 'queued', 'done', 'failed', 'cancelled'] as const;

export function renderListCommands({
  filter,
  onfilter,
  sorting,
  search,
  onsort,
  onclear,
}: ListView<Sorting> & {
  readonly filter: QueueFilter;
  readonly onfilter: (filter: QueueFilter) => void;
}): readonly Command[] {
  const { stages } = filter;
  const all = { ...filter, stages: noFilter.stages };
  return [
    choice('show-renders-all', 'filter', stages.length === 0, () => onfilter(all)),
    ...chips.map((stage) =>
      choice(`show-renders-${stage}`, 'filter', stages.includes(stage), () =>
        onfilter(toggledStage(filter, stage)),
      ),
    ),
    ...sortings.map((one) =>
      choice(`sort-renders-${one}`, 'sort', one === sorting, () => onsort(one)),
    ),
    clearing(isFiltering(filter) || search !== '', onclear),
  ];
}

/** For the list of templates. @param tags Those that are wanted. */
export function templateListCommands({
  tags,
  sorting,
  search,
  onsort,
  onclear,
}: ListView<TemplateSorting> & { readonly tags: readonly string[] }): readonly Command[] {
  return [
    ...templateSortings.map((one) =>
      choice(`sort-templates-${one}`, 'sort', one === sorting, () => onsort(one)),
    ),
    clearing(tags.length > 0 || search !== '', onclear),
  ];
}

/** What is on has a tick in the palette, too. */
function choice(id: CommandId, icon: IconName, ticked: boolean, run: () => void): Command {
  return command(id, ticked ? 'tick' : icon, run, { ticked });
}

function clearing(enabled: boolean, onclear: () => void): Command {
  return command('clear-filter', 'close', onclear, { enabled });
}
