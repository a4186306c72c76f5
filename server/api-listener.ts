/**
 * Where the public API listens: on one port at a time, which may be taken, or nowhere, when a person has stopped it; at the
 * address of this computer alone, or at one that others reach, too. The
 * rest of the program runs without it, and a person opens it later or elsewhere. Made once by start.ts.
 */
import express, { type Express } from 'express';
import type { ApiProblem, ApiState, PortTest } from '../shared/api.ts';
import { loopbackAddresses } from './api-address.ts';
import { listen, PortError, type Listener } from './listen.ts';

/** Ports above a taken one that are looked at for a free one. */
const portsTried = 20;

/** What it works with. */
export interface ApiListenerOptions {
  /** Asked for each time that a port is opened. */
  readonly app: () => Express;
  /** Headers of answers that the application never sees. */
  readonly headers?: () => Readonly<Record<string, string>>;
  /** `state`, `port` or `problem` have changed. */
  readonly onChange: () => void;
}

/** The listener that can be moved, stopped and started. What is asked of it is done one after the other. */
export class ApiListener {
  readonly #options: ApiListenerOptions;
  #listener: Listener | null = null;
  #wanted = 0;
  #host: string = loopbackAddresses[0];
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

  /** The address that it listens at, or will. */
  get host(): string {
    return this.#host;
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
   * @param host An IP address. Default: the one before, at first `127.0.0.1`.
   * @throws PortError with a sentence for people. Where nothing listened before, `port` is then the wanted one.
   */
  open(port: number, host: string = this.#host): Promise<void> {
    return this.#inTurn(() => this.#open(port, host));
  }

  /**
   * Takes a port and an address for now or, while it is stopped, for the next start.
   *
   * @throws PortError; those before then stay.
   */
  move(port: number, host: string = this.#host): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#listener || this.#problem) {
        await this.#open(port, host);
      } else {
        const probe = await this.#probe(port, host);
        await probe.close();
        this.#wanted = probe.port;
        this.#host = host;
        this.#options.onChange();
      }
    });
  }

  /** Looks whether a port could be opened, without keeping it. */
  async test(port: number): Promise<PortTest['found']> {
    if (this.#listener?.port === port) return 'own';
    try {
      const probe = await this.#probe(port, this.#host);
      await probe.close();
      return 'free';
    } catch (error) {
      if (error instanceof PortError) return error.reason;
      throw error;
    }
  }

  /** Names the port and address of the first start, without listening. */
  want(port: number, host: string): void {
    this.#wanted = port;
    this.#host = host;
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

  async #open(port: number, host: string): Promise<void> {
    const before = this.#listener;
    if (before?.port === port && before.host === host) return;
    if (!before) {
      this.#isStarting = true;
      this.#options.onChange();
    }
    // At the same port, the addresses of one would keep those of the other from opening.
    const isInTheWay = before?.port === port;
    if (isInTheWay) this.#end(before);
    try {
      this.#listener = await this.#listen(port, host);
      this.#host = host;
      this.#problem = null;
    } catch (error) {
      if (isInTheWay) this.#listener = await this.#listen(port, before.host);
      if (error instanceof PortError && !before) {
        this.#wanted = port;
        this.#host = host;
        const freePort = await this.#freePortAfter(port);
        this.#problem = { port, reason: error.reason, ...(freePort !== null && { freePort }) };
      }
      throw error;
    } finally {
      this.#isStarting = false;
      this.#options.onChange();
    }
    if (!isInTheWay) this.#end(before);
  }

  #listen(port: number, host: string): Promise<Listener> {
    const { app, headers } = this.#options;
    return listen(app(), { port, host, bothLoopbacks: true, ...(headers && { headers }) });
  }

  #probe(port: number, host: string): Promise<Listener> {
    return listen(express(), { port, host, bothLoopbacks: true });
  }

  /** Opens and closes ports until one works: nothing else tells whether it may be had. Null when there is none near. */
  async #freePortAfter(port: number): Promise<number | null> {
    for (let tried = port + 1; tried <= Math.min(port + portsTried, 65_535); tried++) {
      const listener = await this.#probe(tried, this.#host).catch(() => null);
      if (!listener) continue;
      await listener.close();
      return tried;
    }
    return null;
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
