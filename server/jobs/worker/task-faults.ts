/** Why a task gave no output, and the one way to say it. */
import type { Log } from '../../system/log.ts';
import { tookMemory, type WorkFailure } from './protocol.ts';
import { tasks, type TaskName, type TaskOutput, type TaskWords } from './tasks.ts';
import { overdueReasons, type Overdue } from './vitals.ts';

/** Why there is no output. */
export type TaskFault =
  /** The worker says so. */
  | ({ readonly kind: 'failed' } & WorkFailure)
  /** The process was ended by force. */
  | { readonly kind: 'overdue'; readonly why: Overdue }
  /** It ended before answering; `how` is its signal or code. */
  | { readonly kind: 'ended'; readonly how: string };

/** The outcome of a task; never a rejection. */
export type TaskOutcome<Name extends TaskName> =
  { readonly kind: 'done'; readonly output: TaskOutput<Name> } | TaskFault;

/** How a process ended that its caller stopped. */
export const stopped = 'stopped by the caller';

/** A task with words of its own. */
export type WordedTask = {
  [Name in TaskName]: (typeof tasks)[Name]['words'] extends null ? never : Name;
}[TaskName];

/** Whether something is wrong with the program; all other failures say themselves what to do. */
export function isBug({ code }: WorkFailure): boolean {
  return code === 'internal_error';
}

/** No answer in time. */
export function isLate(fault: TaskFault): boolean {
  return fault.kind === 'overdue' && fault.why === 'overtime';
}

/** How the process ended without an answer. */
export function howEnded(fault: Exclude<TaskFault, { kind: 'failed' }>): string {
  if (fault.kind === 'ended') return fault.how;
  return fault.why === 'memory' ? tookMemory : overdueReasons[fault.why];
}

/** What a person is told of a fault; the log gets the rest. */
export function explain(name: WordedTask, fault: TaskFault, log: Log): string {
  const words: TaskWords = tasks[name].words;
  if (isLate(fault)) return words.late;
  if (fault.kind === 'failed') {
    if (fault.details !== undefined) log(isBug(fault) ? 'error' : 'info', words.log, fault.details);
    return (isBug(fault) ? words.bug : undefined) ?? fault.message;
  }
  const how = howEnded(fault);
  if (words.ended === undefined) return `it ended (${how})`;
  log('error', words.log, `the worker ended (${how})`);
  return words.ended;
}
