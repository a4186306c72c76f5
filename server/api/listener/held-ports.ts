/**
 * Ports that stay open while what answers at them is closed and opened again: requests wait meanwhile, instead of being
 * refused. Made by who starts the server (serve.ts), so that it outlives one.
 */
import type { Server, ServerResponse } from 'node:http';

/** The servers of one port, and what answers there now. */
export class HeldPort<Served> {
  readonly servers: Server[] = [];
  #served: Served | null;
  #waiting: ((served: Served) => void)[] = [];
  readonly #open = new Set<ServerResponse>();

  constructor(served: Served) {
    this.#served = served;
  }

  /** Gives a request to what answers: now, or once something does. */
  enter(response: ServerResponse, work: (served: Served) => void): void {
    if (!this.#served) {
      this.#waiting.push((served) => this.enter(response, () => work(served)));
      return;
    }
    // Whoever waited may have gone.
    if (response.destroyed) return;
    this.#open.add(response);
    response.once('close', () => this.#open.delete(response));
    work(this.#served);
  }

  /** Has requests answered by this from now on, also those that waited. */
  serve(served: Served): void {
    this.#served = served;
    for (const go of this.#waiting.splice(0)) go(served);
  }

  /**
   * Lets new requests wait. Resolves when those under way have ended, or were cut off.
   * @param patience Milliseconds for that.
   */
  async hold(patience: number): Promise<void> {
    this.#served = null;
    const until = performance.now() + patience;
    while (this.#open.size > 0 && performance.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    for (const response of this.#open) response.destroy();
  }
}

/** See above. One for a program; what listens is given it. */
export class HeldPorts<Served> {
  readonly #ports = new Map<string, HeldPort<Served>>();
  /** True while what closes is opened again: then ports stay. */
  isHolding = false;

  keep(port: number, host: string, held: HeldPort<Served>): void {
    this.#ports.set(`${host} ${port}`, held);
  }

  /** The open one; undefined if none was kept. */
  take(port: number, host: string): HeldPort<Served> | undefined {
    const name = `${host} ${port}`;
    const held = this.#ports.get(name);
    this.#ports.delete(name);
    return held;
  }

  /** What closes from now on closes its port, too; ports that nothing listens at any more are closed. */
  release(): void {
    this.isHolding = false;
    for (const { servers } of this.#ports.values()) {
      for (const server of servers) {
        server.close();
        server.closeAllConnections();
      }
    }
    this.#ports.clear();
  }
}
