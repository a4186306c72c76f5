/**
 * What a program of the command line does after an error that nobody caught: closes what it runs, whose state is in
 * doubt, and has it opened again, at once at first, later after longer and longer pauses.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { watchUncaught } from '../api/listener/last-defence.ts';
import { describeError, type Log } from '../system/log.ts';

/** Milliseconds that it gets to close in order. */
const closingTime = 5_000;
/**
 * Pauses before it is opened again, in ms: after the first fault, the second … within `calm` of each other; the last
 * one repeats.
 */
const faultPauses = [0, 1_000, 5_000, 15_000, 60_000];
const calm = 10 * 60_000;

/** Watches from its making on. */
export class LastResort {
  readonly #log: Log;
  readonly #called: string;
  #doubt: () => void = () => undefined;
  #faults = 0;
  #lastFault = -Infinity;

  /** @param called What runs, at the beginning of a sentence. */
  constructor(called: string, log: Log) {
    this.#called = called;
    this.#log = log;
    watchUncaught(log, () => this.#doubt());
  }

  /** Resolves at the next error that leaves what runs in doubt. */
  fault(): Promise<'fault'> {
    return new Promise((resolve) => (this.#doubt = () => resolve('fault')));
  }

  /**
   * Closes what runs; what waits is stored, and what renders goes back into the queue, as at any end.
   *
   * @param told Resolves when the program is to end.
   * @returns the exit status if the process must end; null when it is to be opened again.
   */
  async close(running: { close(): Promise<void> }, told: Promise<void>): Promise<number | null> {
    if (!(await this.#closed(running))) return 1;
    const now = performance.now();
    this.#faults = now - this.#lastFault < calm ? this.#faults + 1 : 0;
    this.#lastFault = now;
    const pause = faultPauses[Math.min(this.#faults, faultPauses.length - 1)];
    if ((await Promise.race([told, wait(pause, 'over')])) !== 'over') return 0;
    const words = `${this.#called} was started again after an error that nobody caught.`;
    this.#log('warning', 'server', words);
    return null;
  }

  /** @returns whether it could: otherwise only the end of the process lets go of its folder. */
  async #closed(running: { close(): Promise<void> }): Promise<boolean> {
    const end = running.close().then(
      () => 'closed' as const,
      (error: unknown) => describeError(error),
    );
    const how = await Promise.race([end, wait(closingTime, `not within ${closingTime / 1000} s`)]);
    if (how === 'closed') return true;
    this.#log('error', 'server', `${this.#called} could not be closed after an error: ${how}`);
    return false;
  }
}
