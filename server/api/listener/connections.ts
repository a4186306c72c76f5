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

// Gives up requests whose body arrives too slowly, those that nothing answers, and what still arrives after the
// answer. Node's own `requestTimeout` is one time for every size, so that it would either end the upload of a film
// over a slow network, or let a few bytes hold a connection for as long as that film takes.

/** Bounds of a request's body. */
interface BodyLimits {
  /** Milliseconds that any body may take. */
  readonly requestTime: number;
  /** Bytes of body that earn it one more second. */
  readonly bodyRate: number;
}

/**
 * Watches one request until its body is complete or its connection is gone.
 *
 * @param giveUp Called at most once, when the body has used up its time; ends the connection.
 */
export function watchBody(
  request: IncomingMessage,
  { requestTime, bodyRate }: BodyLimits,
  giveUp: () => void,
): void {
  const { socket } = request;
  const started = performance.now();
  const before = socket.bytesRead;
  const look = (): void => {
    if (request.complete) return;
    const earned = ((socket.bytesRead - before) / bodyRate) * 1000;
    const left = started + requestTime + earned - performance.now();
    if (left <= 0) giveUp();
    else timer = setTimeout(look, Math.ceil(left)).unref();
  };
  let timer = setTimeout(look, requestTime).unref();
  request.once('end', () => clearTimeout(timer));
  request.once('close', () => clearTimeout(timer));
}

/**
 * Watches one request until its answer begins: whatever a handler waits for, the client hears something.
 *
 * @param giveUp Called at most once, when nothing came or went for `answerTime`.
 */
export function watchAnswer(
  { socket }: IncomingMessage,
  response: ServerResponse,
  { answerTime }: { readonly answerTime: number },
  giveUp: () => void,
): void {
  let before = socket.bytesRead;
  const timer = setInterval(() => {
    const isBegun = response.headersSent || response.destroyed;
    const hasArrived = socket.bytesRead !== before;
    before = socket.bytesRead;
    if (!isBegun && hasArrived) return;
    clearInterval(timer);
    if (!isBegun) giveUp();
  }, answerTime).unref();
  response.once('close', () => clearInterval(timer));
}

/** Bounds of what arrives after the answer. */
interface RestLimits {
  /** Milliseconds that the rest of a body may take. */
  readonly restTime: number;
  /** Milliseconds that it may pause. */
  readonly restPause: number;
  readonly restBytes: number;
}

/** How often the rest of a body is looked at, in milliseconds. */
const restLook = 50;

/**
 * Reads on and discards what is left of a body when its answer is written: a client that is still sending would lose
 * its answer to the reset of a closed connection. At one of the bounds the connection ends.
 */
export function discardRest(
  request: IncomingMessage,
  response: ServerResponse,
  { restTime, restPause, restBytes }: RestLimits,
): void {
  const { socket } = request;
  const begin = (): void => {
    if (request.complete || socket.destroyed) return;
    // After an answer with `Connection: close`, Node calls it.
    let isLast = false;
    socket.destroySoon = () => {
      isLast = true;
      socket.end();
    };
    request.unpipe();
    request.resume();
    const started = performance.now();
    const before = socket.bytesRead;
    let [seen, seenAt] = [before, started];
    const look = setInterval(() => {
      const now = performance.now();
      if (socket.bytesRead !== seen) [seen, seenAt] = [socket.bytesRead, now];
      const isOver = now - started > restTime || now - seenAt > restPause;
      if (isOver || seen - before > restBytes) socket.destroy();
    }, restLook).unref();
    const end = (): void => {
      clearInterval(look);
      Reflect.deleteProperty(socket, 'destroySoon');
      if (isLast) socket.destroySoon();
    };
    request.once('end', end);
    socket.once('close', () => clearInterval(look));
  };
  // Before Node's own listener, which closes the connection.
  response.prependOnceListener('finish', begin);
}

/**
 * Has a client that waits for it (`Expect: 100-continue`) send its body once someone reads it: a refusal comes without.
 */
export function askForBody(request: IncomingMessage, response: ServerResponse): void {
  const ask = (event: string | symbol): void => {
    if (event !== 'data' && event !== 'readable') return;
    request.off('newListener', ask);
    if (!response.headersSent) response.writeContinue();
  };
  request.on('newListener', ask);
}
