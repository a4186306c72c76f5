/**
 * The actions of a render, and why one is unavailable: one table for the row menu, the details, the palette and the
 * shortcuts. Pure; RenderTasks runs them.
 */
import type { WindowRender } from '../../shared/api.ts';
import type { CommandId } from '../../shared/commands.ts';
import type { IconName } from '../ui/icons.ts';
import { canCancel, isMoving, stageOf } from './display.ts';
import { say, type MessageKey } from '../ui/say.ts';

export type RenderAction =
  | 'open'
  | 'play'
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
  | 'keep'
  | 'letExpire'
  | 'remove';

export interface OfferedAction {
  readonly name: RenderAction;
  /** Its keys are this command's. */
  readonly command: CommandId;
  readonly label: string;
  readonly icon: IconName;
  /** Why it can't be done now. */
  readonly reason?: string;
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
  readonly command: CommandId;
  readonly label: MessageKey & `action.${string}`;
  readonly icon: IconName;
  readonly line?: boolean;
  readonly danger?: boolean;
  readonly absent?: (render: WindowRender, context: ActionContext) => boolean;
  /** Conditions, each with the sentence for when it does not hold; the first failing one is shown. */
  readonly needs?: readonly Need[];
}

type Need = readonly [
  (render: WindowRender, context: ActionContext) => boolean,
  MessageKey & `reason.${string}`,
];

const isDone = (render: WindowRender): boolean => stageOf(render) === 'done';
/** True if its file, or a frame of it, exists. */
const canBeSeen = (render: WindowRender): boolean =>
  isDone(render) || (render.progress?.phase === 'rendering' && isMoving(render));
const isQueued = (render: WindowRender): boolean => stageOf(render) === 'queued';

const movesUp: readonly Need[] = [
  [isQueued, 'reason.notQueued'],
  [(_render, { place }) => place !== 1, 'reason.first'],
];
const movesDown: readonly Need[] = [
  [isQueued, 'reason.notQueued'],
  [(_render, { place, queued }) => place !== queued, 'reason.last'],
];

const rows: readonly Row[] = [
  {
    name: 'open',
    command: 'open-file',
    label: 'action.open',
    icon: 'open',
    needs: [[isDone, 'reason.notDone']],
  },
  {
    name: 'play',
    command: 'play-here',
    label: 'action.play',
    icon: 'play',
    needs: [[canBeSeen, 'reason.notSeen']],
  },
  {
    name: 'show',
    command: 'show-in-folder',
    label: 'action.show',
    icon: 'folder',
    absent: (_render, { isDesktop }) => !isDesktop,
    needs: [[isDone, 'reason.notDone']],
  },
  {
    name: 'download',
    command: 'download-file',
    label: 'action.download',
    icon: 'download',
    absent: (_render, { isDesktop }) => isDesktop,
    needs: [[isDone, 'reason.notDone']],
  },
  {
    name: 'saveCopy',
    command: 'save-copy',
    label: 'action.saveCopy',
    icon: 'download',
    absent: (_render, { isDesktop }) => !isDesktop,
    needs: [[isDone, 'reason.notDone']],
  },
  { name: 'again', command: 'render-again', label: 'action.again', icon: 'again', line: true },
  {
    name: 'againWith',
    command: 'render-again-changed',
    label: 'action.againWith',
    icon: 'rename',
    needs: [[(_render, { hasTemplate }) => hasTemplate, 'reason.noTemplate']],
  },
  {
    name: 'openTemplate',
    command: 'open-template',
    label: 'action.openTemplate',
    icon: 'templates',
    needs: [[(_render, { hasTemplate }) => hasTemplate, 'reason.noTemplate']],
  },
  {
    name: 'moveTop',
    command: 'move-to-top',
    label: 'action.moveTop',
    icon: 'moveTop',
    line: true,
    needs: movesUp,
  },
  { name: 'moveUp', command: 'move-up', label: 'action.moveUp', icon: 'moveUp', needs: movesUp },
  {
    name: 'moveDown',
    command: 'move-down',
    label: 'action.moveDown',
    icon: 'moveDown',
    needs: movesDown,
  },
  {
    name: 'moveBottom',
    command: 'move-to-bottom',
    label: 'action.moveBottom',
    icon: 'moveBottom',
    needs: movesDown,
  },
  { name: 'copyId', command: 'copy-id', label: 'action.copyId', icon: 'copy', line: true },
  {
    name: 'copyUrl',
    command: 'copy-url',
    label: 'action.copyUrl',
    icon: 'copy',
    needs: [[isDone, 'reason.notDone']],
  },
  {
    name: 'copyError',
    command: 'copy-error',
    label: 'action.copyError',
    icon: 'copy',
    absent: (render) => stageOf(render) !== 'failed',
  },
  { name: 'copyCurl', command: 'copy-curl', label: 'action.copyCurl', icon: 'copy' },
  {
    name: 'saveLog',
    command: 'save-log',
    label: 'action.saveLog',
    icon: 'download',
    needs: [[({ attempts }) => attempts > 0, 'reason.notStarted']],
  },
  {
    name: 'keep',
    command: 'keep-file',
    label: 'action.keep',
    icon: 'marker',
    absent: (render) => render.kept === true || !isDone(render),
  },
  {
    name: 'letExpire',
    command: 'keep-file',
    label: 'action.letExpire',
    icon: 'marker',
    absent: ({ kept }) => kept !== true,
  },
  {
    name: 'cancel',
    command: 'cancel-render',
    label: 'action.cancel',
    icon: 'slashed',
    line: true,
    danger: true,
    absent: (render) => !canCancel(render),
  },
  {
    name: 'remove',
    command: 'cancel-render',
    label: 'action.remove',
    icon: 'trash',
    line: true,
    danger: true,
    absent: canCancel,
  },
];

/** The actions of one render, in the order of the menu. */
export function actionsOf(render: WindowRender, context: ActionContext): readonly OfferedAction[] {
  return rows
    .filter(({ absent }) => absent?.(render, context) !== true)
    .map(({ name, command, label, icon, line, danger, needs }) => ({
      name,
      command,
      label: textOf(label),
      icon,
      ...(line && { line }),
      ...(danger && { danger }),
      ...reasonOf(needs, render, context),
    }));
}

function reasonOf(
  needs: readonly Need[] = [],
  render: WindowRender,
  context: ActionContext,
): Pick<OfferedAction, 'reason'> {
  const missing = needs.find(([holds]) => !holds(render, context));
  return missing ? { reason: textOf(missing[1]) } : {};
}

// These texts have no placeholders, which the type can't express.
const textOf = say as (key: Row['label'] | `reason.${string}`) => string;
