/**
 * The open connections of a listener, a bounded number of them: beyond it, those that are missed least are closed. Whoever holds
 * connections without asking for anything, or without a key, keeps nobody out. It is done a moment later: in the middle of a
 * flood nobody can tell yet who is going to ask.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** How little a connection is missed; the last is never given up. */
type Rank = 'waiting' | 'untrusted' | 'resting' | 'working';
const ranks: readonly Exclude<Rank, 'working'>[] = ['waiting', 'untrusted', 'resting'];

interface Connection {
  readonly socket: Socket;
  /** What is being answered on it; requests of one connection are answered one after the other. */
  readonly answering: Set<ServerResponse>;
  /** Counts up with what happens on any connection, so that it tells which was quiet for longest. */
  lastUse: number;
}

/** So many times the bound are open meanwhile at most. */
const overflow = 2;

/** Connections whose requests came with a key or a token that was right. */
const trusted = new WeakSet<Socket>();
/** Connections whose request was refused and only waits for its answer. */
const delayed = new WeakSet<Socket>();

/** The request that came on this connection was let in: it gives way last from now on. */
export function trustConnection({ socket }: IncomingMessage): void {
  trusted.add(socket);
}

/** The answer is held back on purpose: the connection gives way to any other meanwhile. @returns what ends that. */
export function delayConnection({ socket }: IncomingMessage): () => void {
  delayed.add(socket);
  return () => void delayed.delete(socket);
}

/** Those of one listener. */
export class Connections {
  readonly #most: number;
  readonly #settling: number;
  readonly #open = new Map<Duplex, Connection>();
  #uses = 0;
  /** Those that are too many are closed soon. */
  #isThinning = false;

  /**
   * @param most Open at the same time, but for moments.
   * @param settling Milliseconds that new ones have to ask for something before the bound is kept.
   */
  constructor(most: number, settling: number) {
    this.#most = most;
    this.#settling = settling;
  }

  /** Takes a new one. Far beyond the bound one is closed for it at once, or this one where all others are at work. */
  add(socket: Socket): void {
    if (this.#open.size >= this.#most * overflow && !this.#giveUp(1)) {
      socket.destroy();
      return;
    }
    this.#open.set(socket, { socket, answering: new Set(), lastUse: ++this.#uses });
    socket.once('close', () => this.#open.delete(socket));
    if (this.#open.size > this.#most) this.#thinOutSoon();
  }

  /** A request came in; its connection is at work until it is answered. */
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

  /** True when an answer on this connection has begun and not ended: nothing else may be written between. */
  isInAnswer(socket: Duplex): boolean {
    const answers = this.#open.get(socket)?.answering ?? [];
    return [...answers].some((response) => response.headersSent);
  }

  #thinOutSoon(): void {
    if (this.#isThinning) return;
    this.#isThinning = true;
    const thin = (): void => {
      this.#isThinning = false;
      this.#giveUp(this.#open.size - this.#most);
    };
    // What has arrived by then is read first.
    setTimeout(() => setImmediate(thin), this.#settling).unref();
  }

  /**
   * Closes so many, those of the lowest rank first: of the address with most connections of that rank, the one that was quiet for
   * longest. @returns false where there was none.
   */
  #giveUp(count: number): boolean {
    let left = count;
    for (const rank of ranks) {
      const candidates = [...this.#open.values()].filter((one) => rankOf(one) === rank);
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
