/**
 * The open connections of a listener, a bounded number of them: when it is reached, the one that is missed least gives way to
 * a new one. Whoever holds connections without asking for anything, or without a key, keeps nobody out.
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
  readonly #open = new Map<Duplex, Connection>();
  #uses = 0;

  /** @param most Open at the same time. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Takes a new one; when there are too many, another one is closed, or this one where all others are at work. */
  add(socket: Socket): void {
    const connection = { socket, answering: new Set<ServerResponse>(), lastUse: ++this.#uses };
    if (this.#open.size >= this.#most) {
      const leaving = this.#leastMissed();
      if (!leaving) {
        socket.destroy();
        return;
      }
      this.#open.delete(leaving.socket);
      leaving.socket.destroy();
    }
    this.#open.set(socket, connection);
    socket.once('close', () => this.#open.delete(socket));
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

  /** Of the lowest rank there is: of the address with most connections of that rank, the one that was quiet for longest. */
  #leastMissed(): Connection | null {
    const all = [...this.#open.values()];
    for (const rank of ranks) {
      const candidates = all.filter((one) => rankOf(one) === rank);
      if (candidates.length === 0) continue;
      const counts = new Map<string, number>();
      const addressOf = ({ socket }: Connection): string => socket.remoteAddress ?? '';
      for (const one of candidates)
        counts.set(addressOf(one), (counts.get(addressOf(one)) ?? 0) + 1);
      const most = Math.max(...counts.values());
      const [quietest] = candidates
        .filter((one) => counts.get(addressOf(one)) === most)
        .sort((one, other) => one.lastUse - other.lastUse);
      return quietest ?? null;
    }
    return null;
  }
}

function rankOf({ socket, answering }: Connection): Rank {
  const isTrusted = trusted.has(socket);
  if (delayed.has(socket)) return 'waiting';
  if (answering.size === 0) return isTrusted ? 'resting' : 'waiting';
  return isTrusted ? 'working' : 'untrusted';
}
