/**
 * The open connections of a listener, up to a bound; beyond it, the least missed are closed. Holding connections
 * without asking for anything, or without a key, keeps nobody out. Closing waits a moment: in the middle of a flood
 * nobody can tell who is about to ask. A request that arrives while there are too many is answered all the same: with
 * its connection's last answer, or with a refusal that says when to try again.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** How little a connection is missed, least first; the last rank is never closed. */
type Rank = 'waiting' | 'untrusted' | 'resting' | 'working';
const ranks: readonly Exclude<Rank, 'working'>[] = ['waiting', 'untrusted', 'resting'];

interface Connection {
  readonly socket: Socket;
  /** The answers under way on it; requests of one connection are answered one after the other. */
  readonly answering: Set<ServerResponse>;
  /** The value of a counter of all connections at its last use: the lowest was quiet for longest. */
  lastUse: number;
}

/** Until then, at most this many times the bound are open. */
const overflow = 5;

/** Connections whose requests came with a valid key or token. */
const trusted = new WeakSet<Socket>();
/** Connections whose request was refused and only waits for its answer. */
const delayed = new WeakSet<Socket>();

/** Marks the connection of a request that was let in: from now on it gives way last. */
export function trustConnection({ socket }: IncomingMessage): void {
  trusted.add(socket);
}

/**
 * Marks the connection of an answer that is held back on purpose: until then it gives way to any other. @returns a
 * function that removes the mark.
 */
export function delayConnection({ socket }: IncomingMessage): () => void {
  delayed.add(socket);
  return () => void delayed.delete(socket);
}

/** The connections of one listener. */
export class Connections {
  readonly #most: number;
  readonly #settling: number;
  readonly #open = new Map<Duplex, Connection>();
  /** Those over the overflow; their requests are refused. */
  readonly #refused = new Set<Duplex>();
  #uses = 0;
  /** What was used later has not had its moment. */
  #settled = 0;
  /** True while surplus connections are about to be closed. */
  #isThinning = false;

  /**
   * @param most How many may be open at the same time, except for moments.
   * @param settling Milliseconds that each has to ask for something before it may be closed.
   */
  constructor(most: number, settling: number) {
    this.#most = most;
    this.#settling = settling;
  }

  /**
   * Adds a new one. Far beyond the bound, another one is closed at once, or this one is refused if all others are
   * working or new.
   */
  add(socket: Socket): void {
    if (this.#open.size >= this.#most * overflow && !this.#giveUp(1)) {
      this.#refuse(socket);
      return;
    }
    this.#open.set(socket, { socket, answering: new Set(), lastUse: ++this.#uses });
    socket.once('close', () => this.#open.delete(socket));
    if (this.#open.size > this.#most) this.#thinOutSoon();
  }

  /** True if a request on it must be refused, and its connection ended. */
  isRefused(socket: Duplex): boolean {
    return this.#refused.has(socket);
  }

  /** True while there are more than should stay: an answer should be the last one of its connection. */
  get areTooMany(): boolean {
    return this.#open.size > this.#most;
  }

  /** A request came in; its connection is working until it is answered. */
  work(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.#open.get(request.socket);
    if (!connection) return;
    connection.answering.add(response);
    connection.lastUse = ++this.#uses;
    response.once('close', () => {
      connection.answering.delete(response);
      connection.lastUse = ++this.#uses;
    });
  }

  /** True while an answer on this connection is under way: nothing else may be written into it. */
  isInAnswer(socket: Duplex): boolean {
    const answers = this.#open.get(socket)?.answering ?? [];
    return [...answers].some((response) => response.headersSent);
  }

  /** Lets one over the overflow ask, so that it hears why. */
  #refuse(socket: Socket): void {
    if (this.#refused.size >= this.#most * overflow) {
      socket.destroy();
      return;
    }
    this.#refused.add(socket);
    const timer = setTimeout(() => socket.destroy(), this.#settling * overflow).unref();
    socket.once('close', () => {
      this.#refused.delete(socket);
      clearTimeout(timer);
    });
  }

  #thinOutSoon(): void {
    if (this.#isThinning) return;
    this.#isThinning = true;
    const until = this.#uses;
    const thin = (): void => {
      this.#isThinning = false;
      this.#settled = until;
      this.#giveUp(this.#open.size - this.#most);
      // Some have not had their moment.
      if (this.areTooMany) this.#thinOutSoon();
    };
    // First read what has arrived by then.
    setTimeout(() => setImmediate(thin), this.#settling).unref();
  }

  /**
   * Closes `count` connections, lowest rank first; within a rank, the one quiet for longest of the address with most.
   * @returns false when none was left.
   */
  #giveUp(count: number): boolean {
    let left = count;
    for (const rank of ranks) {
      const candidates = [...this.#open.values()].filter(
        (one) => one.lastUse <= this.#settled && rankOf(one) === rank,
      );
      candidates.sort((one, other) => other.lastUse - one.lastUse);
      const byAddress = new Map<string, Connection[]>();
      for (const one of candidates) {
        const address = one.socket.remoteAddress ?? '';
        const list = byAddress.get(address);
        if (list) list.push(one);
        else byAddress.set(address, [one]);
      }
      const lists = [...byAddress.values()];
      for (; left > 0 && lists.length > 0; left--) {
        const longest = lists.reduce((one, other) => (other.length > one.length ? other : one));
        const leaving = longest.pop();
        if (!leaving) break;
        this.#open.delete(leaving.socket);
        leaving.socket.destroy();
      }
    }
    return left < count;
  }
}

function rankOf({ socket, answering }: Connection): Rank {
  const isTrusted = trusted.has(socket);
  if (delayed.has(socket)) return 'waiting';
  if (answering.size === 0) return isTrusted ? 'resting' : 'waiting';
  return isTrusted ? 'working' : 'untrusted';
}
