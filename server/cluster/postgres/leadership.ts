/**
 * One of several processes on a database leads: it has a lock as long as its connection lasts, and then another one
 * has.
 */
import { lockNumbers } from './locks.ts';
import type { Session } from './session.ts';

/** Milliseconds between two looks whether the leader is gone. */
const leadPause = 1_000;

/** Whether this process leads. */
export class Leadership {
  readonly #inTurn: <Result>(work: (session: Session) => Promise<Result>) => Promise<Result>;
  /** Null: it does not want to. */
  #onChange: ((leads: boolean) => void) | null = null;
  #leads = false;
  #isClosed = false;
  #timer: NodeJS.Timeout | undefined;

  /** @param inTurn Does something on the connection; fails while there is none. */
  constructor(inTurn: <Result>(work: (session: Session) => Promise<Result>) => Promise<Result>) {
    this.#inTurn = inTurn;
  }

  /** Wants to lead. @param onChange Called with true when it does, with false when it does no longer. */
  want(onChange: (leads: boolean) => void): void {
    this.#onChange = onChange;
    void this.#try();
  }

  /** The connection is gone, and the lock with it. */
  lose(): void {
    if (!this.#leads) return;
    this.#leads = false;
    this.#onChange?.(false);
    void this.#try();
  }

  /** Wants it no longer. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  async #try(): Promise<void> {
    clearTimeout(this.#timer);
    if (this.#isClosed || this.#leads || !this.#onChange) return;
    const lock = `SELECT pg_try_advisory_lock(${lockNumbers.leader}) AS leads`;
    const hasIt = await this.#inTurn(async (session) => {
      const [row] = await session.query<{ leads: boolean }>(lock);
      return row?.leads === true && session.isOpen;
    }).catch(() => false);
    if (hasIt) {
      this.#leads = true;
      this.#onChange(true);
      return;
    }
    this.#timer = setTimeout(() => void this.#try(), leadPause).unref();
  }
}
