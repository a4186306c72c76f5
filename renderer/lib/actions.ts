/**
 * What can be done with a render, and why not when it can't: one table for the row menu, the selection, the details and the
 * shortcuts. Pure; AppState carries it out.
 */
import type { WindowRender } from '../../shared/api.ts';
import type { IconName } from '../components/icons.ts';
import { canCancel, stageOf } from './display.ts';
import { say, type MessageKey } from './say.ts';

/** Names of the actions. */
export type RenderAction =
  | 'open'
  | 'show'
  | 'download'
  | 'saveCopy'
  | 'again'
  | 'againWith'
  | 'cancel'
  | 'moveUp'
  | 'moveDown'
  | 'moveTop'
  | 'moveBottom'
  | 'openTemplate'
  | 'copyId'
  | 'copyUrl'
  | 'copyError'
  | 'copyCurl'
  | 'saveLog'
  | 'remove';

/** An action as a menu shows it. */
export interface OfferedAction {
  readonly name: RenderAction;
  readonly label: string;
  readonly icon: IconName;
  /** Why it can't be done now. */
  readonly reason?: string;
  readonly keys?: string;
  /** Begins a group of the menu. */
  readonly line?: boolean;
  readonly danger?: boolean;
}

/** What the answer depends on beyond the render. */
export interface ActionContext {
  /** The program runs in its own window, not in a browser. */
  readonly isDesktop: boolean;
  /** Place in the queue from 1, and how many wait. */
  readonly place: number | undefined;
  readonly queued: number;
  /** Its template is still there. */
  readonly hasTemplate: boolean;
}

interface Row {
  readonly name: RenderAction;
  readonly label: MessageKey & `action.${string}`;
  readonly icon: IconName;
  readonly keys?: string;
  readonly line?: boolean;
  readonly danger?: boolean;
  /** Left out altogether. */
  readonly absent?: (render: WindowRender, context: ActionContext) => boolean;
  /** What must be the case, and the sentence for when it is not. */
  readonly needs?: readonly [
    (render: WindowRender, context: ActionContext) => boolean,
    MessageKey & `reason.${string}`,
  ];
}

const isDone = (render: WindowRender): boolean => stageOf(render) === 'done';
const isQueued = (render: WindowRender): boolean => stageOf(render) === 'queued';

const rows: readonly Row[] = [
  {
    ...{ name: 'open', label: 'action.open', icon: 'open', keys: 'Ctrl Shift O' },
    needs: [isDone, 'reason.notDone'],
  },
  {
    ...{ name: 'show', label: 'action.show', icon: 'folder', keys: 'Ctrl Shift E' },
    absent: (_render, { isDesktop }) => !isDesktop,
    needs: [isDone, 'reason.notDone'],
  },
  {
    ...{ name: 'download', label: 'action.download', icon: 'download' },
    absent: (_render, { isDesktop }) => isDesktop,
    needs: [isDone, 'reason.notDone'],
  },
  {
    ...{ name: 'saveCopy', label: 'action.saveCopy', icon: 'download' },
    absent: (_render, { isDesktop }) => !isDesktop,
    needs: [isDone, 'reason.notDone'],
  },
  {
    ...{ name: 'again', label: 'action.again', icon: 'again', keys: 'Ctrl Shift Enter' },
    line: true,
  },
  {
    ...{ name: 'againWith', label: 'action.againWith', icon: 'rename' },
    needs: [(_render, { hasTemplate }) => hasTemplate, 'reason.noTemplate'],
  },
  {
    ...{ name: 'openTemplate', label: 'action.openTemplate', icon: 'templates' },
    needs: [(_render, { hasTemplate }) => hasTemplate, 'reason.noTemplate'],
  },
  {
    ...{ name: 'moveTop', label: 'action.moveTop', icon: 'moveTop', keys: 'Alt Home', line: true },
    absent: (render) => !isQueued(render),
    needs: [(_render, { place }) => place !== 1, 'reason.first'],
  },
  {
    ...{ name: 'moveUp', label: 'action.moveUp', icon: 'moveUp', keys: 'Alt ↑' },
    absent: (render) => !isQueued(render),
    needs: [(_render, { place }) => place !== 1, 'reason.first'],
  },
  {
    ...{ name: 'moveDown', label: 'action.moveDown', icon: 'moveDown', keys: 'Alt ↓' },
    absent: (render) => !isQueued(render),
    needs: [(_render, { place, queued }) => place !== queued, 'reason.last'],
  },
  {
    ...{ name: 'moveBottom', label: 'action.moveBottom', icon: 'moveBottom', keys: 'Alt End' },
    absent: (render) => !isQueued(render),
    needs: [(_render, { place, queued }) => place !== queued, 'reason.last'],
  },
  { name: 'copyId', label: 'action.copyId', icon: 'copy', keys: 'Ctrl C', line: true },
  {
    ...{ name: 'copyUrl', label: 'action.copyUrl', icon: 'copy' },
    needs: [isDone, 'reason.notDone'],
  },
  {
    ...{ name: 'copyError', label: 'action.copyError', icon: 'copy' },
    absent: (render) => stageOf(render) !== 'failed',
  },
  { name: 'copyCurl', label: 'action.copyCurl', icon: 'copy', keys: 'Ctrl Shift C' },
  {
    ...{ name: 'saveLog', label: 'action.saveLog', icon: 'download' },
    needs: [({ attempts }) => attempts > 0, 'reason.notStarted'],
  },
  {
    ...{ name: 'cancel', label: 'action.cancel', icon: 'slashed', keys: 'Delete' },
    ...{ line: true, danger: true },
    absent: (render) => !canCancel(render),
  },
  {
    ...{ name: 'remove', label: 'action.remove', icon: 'trash', keys: 'Delete' },
    ...{ line: true, danger: true },
    absent: canCancel,
  },
];

/** The actions of one render, in the order of the menu. */
export function actionsOf(render: WindowRender, context: ActionContext): readonly OfferedAction[] {
  return rows
    .filter(({ absent }) => absent?.(render, context) !== true)
    .map(({ name, label, icon, keys, line, danger, needs }) => ({
      name,
      label: textOf(label),
      icon,
      ...(keys !== undefined && { keys }),
      ...(line && { line }),
      ...(danger && { danger }),
      ...(needs && !needs[0](render, context) && { reason: textOf(needs[1]) }),
    }));
}

// These words have no holes, which the type of a chosen key can't tell.
const textOf = say as (key: Row['label'] | `reason.${string}`) => string;
