/**
 * Notifies receivers that a render has ended, at least once, even if the program ends in between: the render's last
 * change names the event, the delivery is stored, and the next start checks both.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { DeliveryCall, RenderRecord } from '../../../shared/api.ts';
import { ApiError } from '../../../shared/errors.ts';
import { webhookLimits } from '../../../shared/limits.ts';
import type { Clock } from '../../system/clock.ts';
import { describeError, type Log } from '../../system/log.ts';
import type { AddressRule } from '../../system/address-rule.ts';
import type { Delivery, DeliveryStore } from '../../store/deliveries.ts';
import type { StoredRender } from '../../store/render-record.ts';
import type { RenderStore } from '../../store/renders.ts';
import { CallPlan, type PlannedCall } from './call-plan.ts';
import { callReceiver, type CallResult } from './webhook-call.ts';

/** What sending needs. */
export interface WebhookOptions {
  readonly renders: RenderStore;
  readonly deliveries: DeliveryStore;
  /** The secrets of a project, each of which signs. */
  readonly secretsOf: (project: string) => readonly string[];
  /** The body: exactly what the API answers for the render. */
  readonly bodyOf: (render: StoredRender) => Promise<string>;
  /** Where calls may go; asked before each. */
  readonly rule: () => AddressRule;
  readonly clock: Clock;
  readonly log: Log;
  /** Pauses before the second and later tries, ms. */
  readonly pauses?: readonly number[];
  /** Limit for one call, ms. */
  readonly timeout?: number;
  /** Called after each change of a delivery. Default: nobody. */
  readonly onChange?: () => void;
  /**
   * Whether this one of several servers makes the calls. When that begins, call `recover` and `start`. Default: always.
   */
  readonly leads?: () => boolean;
}

/** The event of a render that ends, to be stored with its last change. */
export function newEvent(url: string): { readonly id: string; readonly url: string } {
  return { id: `msg_${randomUUID()}`, url };
}

/** At most a few calls at a time, and one for each receiver, so that a slow one delays nobody else. */
export class Webhooks {
  readonly #options: WebhookOptions;
  readonly #plan = new CallPlan(webhookLimits.atOnce);
  #timer: NodeJS.Timeout | undefined;
  #started = false;
  readonly #closing = new AbortController();
  readonly #working = new Set<Promise<void>>();

  constructor(options: WebhookOptions) {
    this.#options = options;
  }

  /**
   * Recovers what an earlier run left: waiting deliveries, and events stored with a render but not yet planned. Overdue
   * ones are sent first, a little apart. Call once, at the start.
   */
  async recover(): Promise<void> {
    const { renders, deliveries, clock, log } = this.#options;
    for (const render of renders.listWithEvents()) {
      if (render.event && !deliveries.find(render.event.id)) this.plan(render);
    }
    let overdue = 0;
    const oldestFirst = deliveries.list().sort((a, b) => a.dueAt - b.dueAt);
    for (const delivery of oldestFirst) {
      // A delivery that expired under a wrong clock must not be sent again once the clock is right.
      if (!renders.has(delivery.render)) {
        await deliveries.remove(delivery.id).catch((error: unknown) => {
          log('error', 'webhooks', describeError(error));
        });
      } else if (delivery.state === 'waiting') {
        // Never longer than planned, even if the clock was set back.
        const left = Math.min(delivery.dueAt - clock.now(), delivery.pause);
        const wait = left > 0 ? left : overdue++ * webhookLimits.catchUpPause;
        this.#plan.remove(delivery.id);
        this.#enqueue(delivery, wait);
      }
    }
  }

  /** Starts calling. */
  start(): void {
    this.#started = true;
    this.#pump();
  }

  /** Plans the call for a render that has ended, if its end has an event. */
  plan(render: StoredRender): void {
    const { leads = () => true } = this.#options;
    if (render.event && !this.#closing.signal.aborted && leads()) this.#track(this.#store(render));
  }

  /** Another server has changed a delivery: someone may want it to be sent again. */
  hear(id: string): void {
    const { deliveries, clock, leads = () => true } = this.#options;
    const delivery = deliveries.find(id);
    if (delivery?.state !== 'waiting' || !leads()) return;
    this.#plan.remove(id);
    this.#enqueue(delivery, Math.max(0, delivery.dueAt - clock.now()));
    this.#pump();
  }

  /**
   * Calls an address once, at once, with a made-up Render object: nothing is stored or repeated.
   *
   * @param url Must be a webhook address by the rule; see `isWebhookAddress`.
   */
  async test(project: string, url: string, apiUrl: string): Promise<DeliveryCall> {
    const { secretsOf, clock, rule, timeout = webhookLimits.timeout } = this.#options;
    const [startedAt, startedSteady] = [clock.now(), clock.steady()];
    const { status, words } = await callReceiver({
      ...newEvent(url),
      body: JSON.stringify(testRender(url, apiUrl)),
      secrets: secretsOf(project),
      now: startedAt,
      timeout,
      signal: this.#closing.signal,
      rule: rule(),
    });
    return {
      time: new Date(startedAt).toISOString(),
      result: status ?? words,
      duration: Math.round(clock.steady() - startedSteady),
    };
  }

  /**
   * Sends a delivery now, whatever came of it before. @throws ApiError `delivery_not_found`,
   * `cannot_save`.
   */
  async retry(id: string): Promise<Delivery> {
    const { deliveries, clock } = this.#options;
    const changed = await deliveries.change(id, {
      state: 'waiting',
      tries: 0,
      dueAt: clock.now(),
      pause: 0,
    });
    if (!changed) throw new ApiError('delivery_not_found', { id });
    this.#plan.remove(id);
    this.#enqueue(changed, 0);
    this.#pump();
    this.#options.onChange?.();
    return changed;
  }

  /** Ends calls under way; their deliveries stay planned. */
  async close(): Promise<void> {
    this.#closing.abort();
    clearTimeout(this.#timer);
    await Promise.all(this.#working);
  }

  /** Stores the delivery of an event; repeats until the disk takes it or the program ends. */
  async #store({ id: render, project, event }: StoredRender): Promise<void> {
    if (!event) return;
    const { deliveries, clock, log } = this.#options;
    const now = clock.now();
    const delivery: Delivery = {
      ...event,
      project,
      render,
      createdAt: now,
      state: 'waiting',
      tries: 0,
      dueAt: now,
      pause: 0,
    };
    while (!this.#closing.signal.aborted) {
      try {
        if (!(await deliveries.insert(delivery))) return;
        this.#enqueue(delivery, 0);
        this.#pump();
        this.#options.onChange?.();
        return;
      } catch (error) {
        log('error', 'webhooks', `render ${render}: ${describeError(error)}`);
        const { signal } = this.#closing;
        await pause(webhookLimits.savePause, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  #enqueue({ id, url }: Delivery, wait: number): void {
    const host = new URL(url).host;
    this.#plan.add({ id, host, dueAt: this.#options.clock.steady() + wait });
  }

  /** Remembers work that `close` must wait for. */
  #track(work: Promise<void>): void {
    const kept = work
      .catch((error: unknown) => this.#options.log('error', 'webhooks', describeError(error)))
      .finally(() => this.#working.delete(kept));
    this.#working.add(kept);
  }

  /** Starts the calls that are due, and sets the timer for the next one. */
  #pump(): void {
    const { leads = () => true } = this.#options;
    if (!this.#started || this.#closing.signal.aborted || !leads()) return;
    const now = this.#options.clock.steady();
    for (let call = this.#plan.begin(now); call; call = this.#plan.begin(now))
      this.#track(this.#deliver(call));
    clearTimeout(this.#timer);
    const { nextAt } = this.#plan;
    if (Number.isFinite(nextAt)) this.#timer = setTimeout(() => this.#pump(), nextAt - now).unref();
  }

  async #deliver({ id, host }: PlannedCall): Promise<void> {
    try {
      await this.#try(id);
    } finally {
      this.#plan.end(host);
      this.#pump();
    }
  }

  async #try(id: string): Promise<void> {
    const { renders, deliveries, secretsOf, bodyOf, clock, log } = this.#options;
    const delivery = deliveries.find(id);
    const render = delivery && renders.find(delivery.render);
    // Meanwhile it has expired, or someone has sent it.
    if (!render || delivery.state !== 'waiting') return;
    const [startedAt, startedSteady] = [clock.now(), clock.steady()];
    const result = await callReceiver({
      id,
      url: delivery.url,
      body: await bodyOf(render),
      secrets: secretsOf(delivery.project),
      now: startedAt,
      timeout: this.#options.timeout ?? webhookLimits.timeout,
      signal: this.#closing.signal,
      rule: this.#options.rule(),
    });
    // We ended it: not the receiver's fault, and not counted. A delivery still counts.
    if (this.#closing.signal.aborted && result.kind !== 'delivered') return;
    const wait = this.#pauseAfter(result, delivery.tries);
    const tries = delivery.tries + 1;
    const { words } = result;
    if (wait !== null) this.#enqueue(delivery, wait);
    const place = `render ${render.id}`;
    if (result.kind !== 'delivered') log('info', 'webhooks', `${place}: try ${tries}: ${words}`);
    if (result.kind !== 'delivered' && wait === null) {
      log('warning', 'webhooks', `${place}: given up on ${new URL(delivery.url).host}`);
    }
    const now = clock.now();
    const call: DeliveryCall = {
      time: new Date(startedAt).toISOString(),
      result: result.status ?? words,
      duration: Math.round(clock.steady() - startedSteady),
    };
    await deliveries.change(id, ({ calls = [] }) => ({
      tries,
      result: words,
      calls: [...calls, call].slice(-webhookLimits.remembered),
      ...(wait === null
        ? { state: result.kind === 'delivered' ? 'delivered' : 'given-up', finishedAt: now }
        : { dueAt: now + wait, pause: wait }),
    }));
    this.#options.onChange?.();
  }

  /** Milliseconds to the next try; null when there is none. */
  #pauseAfter({ kind, retryAfter }: CallResult, tries: number): number | null {
    const { pauses = webhookLimits.pauses } = this.#options;
    const planned = pauses[tries];
    if (kind !== 'failed' || planned === undefined) return null;
    if (retryAfter !== undefined) return Math.min(retryAfter, webhookLimits.longestRetryAfter);
    return planned * (1 + (Math.random() * 2 - 1) * webhookLimits.spread);
  }
}

/** What a test sends: every field of a finished film's webhook. Its ID is that of no render. */
function testRender(url: string, apiUrl: string): RenderRecord {
  const id = randomUUID();
  return {
    id,
    status: 'succeeded',
    url: `${apiUrl}/renders/${id}.mp4`,
    output_format: 'mp4',
    render_scale: 1,
    width: 1280,
    height: 720,
    frame_rate: 30,
    duration: 3,
    file_size: 123_456,
    webhook_url: url,
    metadata: 'Test from Framewright',
  };
}
