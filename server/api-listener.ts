/**
 * Where the public API listens: on one port at a time, which may be taken. The rest of the program runs without it, and
 * a person opens it later or elsewhere. Made once by start.ts.
 */
import express, { type Express } from 'express';
import type { ApiProblem } from '../shared/api.ts';
import { listen, PortError, type Listener } from './listen.ts';

/** Ports above a taken one that are looked at for a free one. */
const portsTried = 20;

/** The listener that can be moved, and can be missing. */
export class ApiListener {
  readonly #app: () => Express;
  #listener: Listener | null = null;
  #wanted = 0;
  #problem: ApiProblem | null = null;

  /** @param app Asked for each time that a port is opened. */
  constructor(app: () => Express) {
    this.#app = app;
  }

  /** The open port, or the one that could not be opened. */
  get port(): number {
    return this.#listener?.port ?? this.#wanted;
  }

  /** Why nothing listens; null while something does. */
  get problem(): ApiProblem | null {
    return this.#problem;
  }

  /**
   * Listens on a port, and on the one before no more. First the new one: when it can't be had, the old one stays.
   *
   * @param port 0 = any free one.
   * @throws PortError with a sentence for people. Where nothing listened before, `port` is then the wanted one.
   */
  async open(port: number): Promise<void> {
    const before = this.#listener;
    if (before?.port === port) return;
    try {
      this.#listener = await listen(this.#app(), port);
      this.#problem = null;
    } catch (error) {
      if (error instanceof PortError && !before) {
        this.#wanted = port;
        const freePort = await freePortAfter(port);
        this.#problem = { port, reason: error.reason, ...(freePort !== null && { freePort }) };
      }
      throw error;
    }
    // Not awaited: it waits for requests under way.
    void before?.close();
  }

  async close(): Promise<void> {
    await this.#listener?.close();
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
