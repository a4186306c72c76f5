/** Why a task gave no output, and the one way to say it. */
import type { Log } from '../../system/log.ts';
import { tookMemory, type WorkFailure } from './protocol.ts';
import { type TaskName, type TaskOutput, tasks, type TaskWords } from './tasks.ts';
import { type Overdue, overdueReasons } from './vitals.ts';
import { workLimits } from '../../../shared/limits.ts';

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

// Counts the workers' own failures: starts that fail, and workers that can't draw the known picture. What goes wrong
// during a render is judged in verdict.ts and does not count here, so that no number of bad documents turns rendering
// off.

/** Failures in a row, of all worker processes together. */
export class OwnFaults {
  readonly #pauses: readonly number[];
  #count = 0;
  #nextTryAt: number | null = null;

  /** @param pauses ms before the next start after the first, second … failure; the last one repeats. */
  constructor(pauses: readonly number[] = workLimits.restartPauses) {
    this.#pauses = pauses;
  }

  /** Records one. @param now In ms since 1970. @returns ms before the next start. */
  add(now: number): number {
    const pause = this.#pauses[Math.min(this.#count, this.#pauses.length - 1)] ?? 0;
    this.#count += 1;
    this.#nextTryAt = now + pause;
    return pause;
  }

  /** A worker has started and can draw, or the user wants another try. */
  forget(): void {
    this.#count = 0;
    this.#nextTryAt = null;
  }

  /** True when no render may start until a worker does. Starts are still tried. */
  get areEnough(): boolean {
    return this.#count >= workLimits.offFrom;
  }

  /** How many in a row. */
  get count(): number {
    return this.#count;
  }

  /** When the next start is due, in ms since 1970; null without failures. */
  get nextTryAt(): number | null {
    return this.#nextTryAt;
  }
}
