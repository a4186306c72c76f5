/**
 * Where the public API listens: on one port at a time, which may be taken, or nowhere, when a person has stopped it. The
 * rest of the program runs without it, and a person opens it later or elsewhere. Made once by start.ts.
 */
import express, { type Express } from 'express';
import type { ApiProblem, ApiState, PortTest } from '../shared/api.ts';
import { listen, PortError, type Listener } from './listen.ts';

/** Ports above a taken one that are looked at for a free one. */
const portsTried = 20;

/** What it works with. */
export interface ApiListenerOptions {
  /** Asked for each time that a port is opened. */
  readonly app: () => Express;
  /** `state`, `port` or `problem` have changed. */
  readonly onChange: () => void;
}

/** The listener that can be moved, stopped and started. What is asked of it is done one after the other. */
export class ApiListener {
  readonly #options: ApiListenerOptions;
  #listener: Listener | null = null;
  #wanted = 0;
  #problem: ApiProblem | null = null;
  #isStarting = false;
  /** The last of what was asked; settles whatever came of it. */
  #turn: Promise<unknown> = Promise.resolve();
  /** Listeners that let their last requests end. */
  readonly #closing = new Set<Promise<void>>();

  constructor(options: ApiListenerOptions) {
    this.#options = options;
  }

  /** The open port, or the one that is opened next. */
  get port(): number {
    return this.#listener?.port ?? this.#wanted;
  }

  /** Why nothing listens although it should; null while something does, and while it is stopped. */
  get problem(): ApiProblem | null {
    return this.#problem;
  }

  /** `off`: stopped, or without its port. */
  get state(): ApiState {
    if (this.#listener) return 'on';
    return this.#isStarting ? 'starting' : 'off';
  }

  /**
   * Listens on a port, and on the one before no more. First the new one: when it can't be had, the old one stays.
   *
   * @param port 0 = any free one.
   * @throws PortError with a sentence for people. Where nothing listened before, `port` is then the wanted one.
   */
  open(port: number): Promise<void> {
    return this.#inTurn(() => this.#open(port));
  }

  /** Takes a port for now or, while it is stopped, for the next start. @throws PortError; the port before then stays. */
  move(port: number): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#listener || this.#problem) {
        await this.#open(port);
      } else {
        const probe = await listen(express(), port);
        await probe.close();
        this.#wanted = probe.port;
        this.#options.onChange();
      }
    });
  }

  /** Looks whether a port could be opened, without keeping it. */
  async test(port: number): Promise<PortTest['found']> {
    if (this.#listener?.port === port) return 'own';
    try {
      const probe = await listen(express(), port);
      await probe.close();
      return 'free';
    } catch (error) {
      if (error instanceof PortError) return error.reason;
      throw error;
    }
  }

  /** Names the port of the first start, without listening. */
  want(port: number): void {
    this.#wanted = port;
  }

  /** Takes no more requests. Those under way have a moment to end, which is not waited for. */
  stop(): Promise<void> {
    return this.#inTurn(() => {
      if (this.#listener) this.#wanted = this.#listener.port;
      this.#end(this.#listener);
      this.#listener = null;
      this.#problem = null;
      this.#options.onChange();
    });
  }

  async close(): Promise<void> {
    await this.#turn;
    this.#end(this.#listener);
    await Promise.all(this.#closing);
  }

  async #open(port: number): Promise<void> {
    const before = this.#listener;
    if (before?.port === port) return;
    if (!before) {
      this.#isStarting = true;
      this.#options.onChange();
    }
    try {
      this.#listener = await listen(this.#options.app(), port);
      this.#problem = null;
    } catch (error) {
      if (error instanceof PortError && !before) {
        this.#wanted = port;
        const freePort = await freePortAfter(port);
        this.#problem = { port, reason: error.reason, ...(freePort !== null && { freePort }) };
      }
      throw error;
    } finally {
      this.#isStarting = false;
      this.#options.onChange();
    }
    this.#end(before);
  }

  /** Closes a listener without waiting for its last requests. */
  #end(listener: Listener | null): void {
    if (!listener) return;
    const closing = listener.close().finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }

  #inTurn(work: () => Promise<void> | void): Promise<void> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => undefined);
    return result;
  }
}

/** Opens and closes ports until one works: nothing else tells whether it may be had. Null when there is none near. */
async function freePortAfter(port: number): Promise<number | null> {
  for (let tried = port + 1; tried <= Math.min(port + portsTried, 65_535); tried++) {
    const listener = await listen(express(), tried).catch(() => null);
    if (!listener) continue;
    await listener.close();
    return tried;
  }
  return null;
}
