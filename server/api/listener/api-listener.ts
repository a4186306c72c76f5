/**
 * Where the public API listens: on one port at a time, or nowhere when the port is taken or the user has stopped it.
 * The address is this computer's alone, or one that others can reach. The rest of the program runs without it; the user
 * can open it later or elsewhere. Made once by start.ts.
 */
import express, { type Express } from 'express';
import type { ApiProblem, ApiState, PortTest } from '../../../shared/api.ts';
import { loopbackAddresses } from '../../system/api-address.ts';
import { listen, PortError, type Listener, type ListenOptions } from './listen.ts';

/** How many ports above a taken one to try. */
const portsTried = 20;

/** What it works with. */
export interface ApiListenerOptions {
  /** Called each time a port is opened. */
  readonly app: () => Express;
  /** Headers for answers that the application never sees. */
  readonly headers?: () => Readonly<Record<string, string>>;
  /** See ListenOptions. */
  readonly publicUrl?: () => string | null;
  /** See ListenOptions. */
  readonly held?: ListenOptions['held'];
  /** `state`, `port` or `problem` have changed. */
  readonly onChange: () => void;
}

/** The listener that can be moved, stopped and started. Calls run one after the other. */
export class ApiListener {
  readonly #options: ApiListenerOptions;
  #listener: Listener | null = null;
  #wanted = 0;
  #host: string = loopbackAddresses[0];
  #problem: ApiProblem | null = null;
  #isStarting = false;
  /** The last call; it always resolves, even when the call failed. */
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

  /** The address that it listens at now or will next. */
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
   * Moves to a port. Opens the new one first: when that fails, the old one stays open.
   *
   * @param port 0 = any free one.
   * @param host An IP address. Default: the current one, initially `127.0.0.1`.
   * @throws PortError with a sentence for people. If nothing listened before, `port` is then the wanted one.
   */
  open(port: number, host: string = this.#host): Promise<void> {
    return this.#inTurn(() => this.#open(port, host));
  }

  /**
   * Sets port and address: now, or for the next start while it is stopped.
   *
   * @throws PortError; the old ones then stay.
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

  /** Checks whether a port could be opened, without keeping it. */
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

  /** Sets the port and address for the first start, without listening. */
  want(port: number, host: string): void {
    this.#wanted = port;
    this.#host = host;
  }

  /** Takes no more requests. Those under way get a moment to end; this does not wait for them. */
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
    // On the same port, the old addresses would keep the new ones from opening.
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
    const { app, headers, publicUrl, held } = this.#options;
    const told = { ...(headers && { headers }), ...(publicUrl && { publicUrl }) };
    return listen(app(), { port, host, bothLoopbacks: true, held, ...told });
  }

  #probe(port: number, host: string): Promise<Listener> {
    return listen(express(), { port, host, bothLoopbacks: true });
  }

  /** Opens and closes ports until one works: there is no other way to know. Null when no nearby port is free. */
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
