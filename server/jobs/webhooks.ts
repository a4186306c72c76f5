/**
 * Tells receivers that a render ended: POST with the Render object, tried again with growing pauses. Deliveries are kept in
 * memory; a receiver that was down when the program ended is not called again.
 */
import { randomUUID } from 'node:crypto';
import { webhookLimits } from '../../shared/limits.ts';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { StoredRender } from '../store/renders.ts';

/** What sending needs. */
export interface WebhookOptions {
  /** The body: exactly what the API answers for the render. */
  readonly bodyOf: (render: StoredRender) => unknown;
  readonly clock: Clock;
  readonly log: Log;
  /** Pauses before the second and later tries, ms. */
  readonly pauses?: readonly number[];
}

/** One call that has to arrive. */
interface Delivery {
  /** The same for all tries, so that a receiver can tell repetitions. */
  readonly id: string;
  readonly url: string;
  readonly host: string;
  readonly body: string;
  readonly renderId: string;
  tries: number;
  /** Steady time. */
  dueAt: number;
}

type Result = 'delivered' | 'failed' | 'gone';

/** At most a few calls at a time, and one for each receiver, so that a slow one delays nobody else. */
export class Webhooks {
  readonly #options: WebhookOptions;
  #waiting: Delivery[] = [];
  readonly #busyHosts = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  readonly #closing = new AbortController();

  constructor(options: WebhookOptions) {
    this.#options = options;
  }

  /** Plans the call for a render that ended; nothing if none was asked for. */
  send(render: StoredRender): void {
    const { webhookUrl } = render.request;
    if (webhookUrl === undefined || this.#closing.signal.aborted) return;
    this.#waiting.push({
      id: `msg_${randomUUID()}`,
      url: webhookUrl,
      host: new URL(webhookUrl).host,
      body: JSON.stringify(this.#options.bodyOf(render)),
      renderId: render.id,
      tries: 0,
      dueAt: this.#options.clock.steady(),
    });
    this.#pump();
  }

  /** Ends calls under way and forgets the planned ones. */
  close(): void {
    this.#closing.abort();
    clearTimeout(this.#timer);
    this.#waiting = [];
  }

  #pump(): void {
    if (this.#closing.signal.aborted) return;
    const now = this.#options.clock.steady();
    for (const delivery of [...this.#waiting]) {
      if (this.#busyHosts.size >= webhookLimits.atOnce) break;
      if (delivery.dueAt > now || this.#busyHosts.has(delivery.host)) continue;
      this.#waiting = this.#waiting.filter((other) => other !== delivery);
      void this.#deliver(delivery);
    }
    clearTimeout(this.#timer);
    const next = Math.min(
      ...this.#waiting.filter(({ dueAt }) => dueAt > now).map(({ dueAt }) => dueAt),
    );
    if (Number.isFinite(next)) this.#timer = setTimeout(() => this.#pump(), next - now).unref();
  }

  async #deliver(delivery: Delivery): Promise<void> {
    const { clock, log, pauses = webhookLimits.pauses } = this.#options;
    this.#busyHosts.add(delivery.host);
    const result = await this.#call(delivery);
    this.#busyHosts.delete(delivery.host);
    const pause = pauses[delivery.tries];
    delivery.tries++;
    if (result === 'failed' && pause !== undefined) {
      const spread = 1 + (Math.random() * 2 - 1) * webhookLimits.spread;
      delivery.dueAt = clock.steady() + pause * spread;
      this.#waiting.push(delivery);
    } else if (result !== 'delivered') {
      log('warning', 'webhooks', `render ${delivery.renderId}: given up on ${delivery.host}`);
    }
    this.#pump();
  }

  /** One try. Any 2xx in time is a success; redirects are not followed. */
  async #call({ id, url, body, renderId, host }: Delivery): Promise<Result> {
    const { log } = this.#options;
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'user-agent': 'Framewright',
          'webhook-id': id,
          'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
        },
        body,
        redirect: 'manual',
        signal: AbortSignal.any([AbortSignal.timeout(webhookLimits.timeout), this.#closing.signal]),
      });
      // The answer's content means nothing to us, however long it is.
      await response.body?.cancel();
      if (response.ok) return 'delivered';
      log('info', 'webhooks', `render ${renderId}: ${host} answered ${response.status}`);
      return response.status === 410 ? 'gone' : 'failed';
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      log('info', 'webhooks', `render ${renderId}: ${host} not reached (${String(cause)})`);
      return 'failed';
    }
  }
}
