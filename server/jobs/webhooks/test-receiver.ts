/**
 * A receiver of webhooks to try them with: its own listener on this computer, which keeps what arrives in memory and
 * checks its signature. It runs while the user wants it, at most until the program ends.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { ReceivedCall, ReceiverAnswer } from '../../../shared/api.ts';
import { receiverLimits } from '../../../shared/limits.ts';
import type { Clock } from '../../system/clock.ts';
import { signatureOf } from './webhook-call.ts';

/** What the receiver is made with. */
export interface TestReceiverOptions {
  /** The secrets of all projects; a call signed with any of them is ours. */
  readonly secrets: () => readonly string[];
  readonly clock: Clock;
  /** Called when it starts or stops, and after each call. */
  readonly onChange: () => void;
  /** The port to try first. Default: that of the limits. */
  readonly port?: number;
}

/** See above. */
export class TestReceiver {
  /** The status to answer with. */
  answer: ReceiverAnswer = 200;
  readonly #options: TestReceiverOptions;
  #server: Server | null = null;
  #calls: ReceivedCall[] = [];
  #number = 0;
  /** Starting and stopping take turns. */
  #turn: Promise<void> = Promise.resolve();

  constructor(options: TestReceiverOptions) {
    this.#options = options;
  }

  /** Where it listens; null while it does not. */
  get url(): string | null {
    const address = this.#server?.address();
    return address && typeof address === 'object' ? `http://127.0.0.1:${address.port}/` : null;
  }

  /** The newest calls, newest first. */
  get calls(): readonly ReceivedCall[] {
    return this.#calls;
  }

  /** Starts or stops it. Its usual port, or any free one. What arrived stays. */
  turn(on: boolean): Promise<void> {
    this.#turn = this.#turn.then(() => (on ? this.#open() : this.#close()));
    return this.#turn;
  }

  /** Forgets what arrived. */
  clear(): void {
    this.#calls = [];
    this.#options.onChange();
  }

  close(): Promise<void> {
    return this.turn(false);
  }

  async #open(): Promise<void> {
    if (this.#server) return;
    const { port = receiverLimits.port } = this.#options;
    this.#server = (await this.#listen(port)) ?? (await this.#listen(0));
    this.#options.onChange();
  }

  async #close(): Promise<void> {
    const server = this.#server;
    if (!server) return;
    this.#server = null;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    this.#options.onChange();
  }

  /** @returns null if the port is taken. */
  #listen(port: number): Promise<Server | null> {
    const { requestTime, connections } = receiverLimits;
    const server = createServer(
      { requestTimeout: requestTime, headersTimeout: requestTime },
      (request, response) => void this.#receive(request, response),
    );
    server.maxConnections = connections;
    return new Promise((resolve) => {
      server.once('error', () => resolve(null));
      server.listen(port, '127.0.0.1', () => {
        server.removeAllListeners('error');
        // A broken connection ends itself.
        server.on('error', () => undefined);
        resolve(server);
      });
    });
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const time = this.#options.clock.now();
    const { method = '', url = '', headers } = request;
    const content = await contentOf(request).catch(() => null);
    // Broken off before its end.
    if (!content) return;
    const answer = this.answer;
    const call: ReceivedCall = {
      number: ++this.#number,
      time,
      method,
      path: url,
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, String(value)]),
      ),
      body: content.text,
      ...(content.isCut && { bodyIsCut: true }),
      signature: this.#judge(request, content),
      answer,
    };
    this.#calls = [call, ...this.#calls].slice(0, receiverLimits.calls);
    const more = answer === 429 ? { 'retry-after': String(receiverLimits.retryAfter) } : {};
    response.writeHead(answer, { 'content-type': 'text/plain', ...more });
    response.end(answer === 200 ? 'received\n' : `answered ${answer}, as chosen\n`);
    this.#options.onChange();
  }

  #judge({ headers }: IncomingMessage, { text, isCut }: Content): ReceivedCall['signature'] {
    const given = headers['webhook-signature'];
    if (typeof given !== 'string') return 'none';
    if (isCut) return 'unknown';
    const content = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${text}`;
    const right = this.#options.secrets().map((secret) => signatureOf(secret, content));
    return given.split(' ').some((one) => right.includes(one)) ? 'right' : 'wrong';
  }
}

/** A body as text; of a long one only the beginning. */
interface Content {
  readonly text: string;
  readonly isCut: boolean;
}

async function contentOf(request: IncomingMessage): Promise<Content> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request) {
    // Without an encoding set, a stream gives buffers.
    const bytes = part as Buffer;
    if (length < receiverLimits.bodyBytes) parts.push(bytes);
    length += bytes.length;
  }
  const kept = Buffer.concat(parts).subarray(0, receiverLimits.bodyBytes);
  return { text: kept.toString('utf8'), isCut: length > kept.length };
}
