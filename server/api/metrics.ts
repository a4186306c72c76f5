/**
 * What Prometheus reads. The library prom-client is loaded with the first question and counts from then on: who never
 * asks need not have it, and pays nothing.
 */
import { type RequestHandler, Router } from 'express';
import type { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { isFinal } from '../../shared/api.ts';
import { ApiError } from '../../shared/errors.ts';
import type { EventBus } from '../jobs/events.ts';
import type { RenderQueue } from '../jobs/queue.ts';
import { errorCode } from '../system/files.ts';
import type { OutputFiles } from '../jobs/files/output-files.ts';
import type { Store } from '../store/store.ts';

/** Borders of the times of requests and of renders, in seconds. */
const requestBorders = [0.005, 0.02, 0.1, 0.5, 2, 10];
const renderBorders = [0.1, 0.5, 2, 10, 60, 300, 1_800, 7_200];

/** What the numbers are of. */
export interface MeteredServices extends ReadyParts {
  readonly queue: Pick<RenderQueue, 'state' | 'machines' | 'builds'>;
  readonly events: EventBus;
  /** The program's version. */
  readonly version: string;
}

/** The numbers, once somebody has asked. */
interface Instruments {
  readonly registry: Registry;
  readonly requests: Histogram<'method' | 'status'>;
}

/** Counts what happens from the first question on. */
export class Metrics {
  readonly #services: MeteredServices;
  #opening: Promise<Instruments> | null = null;
  #instruments: Instruments | null = null;
  #unfollow: (() => void) | null = null;

  constructor(services: MeteredServices) {
    this.#services = services;
  }

  /** Measures every request; goes first. */
  readonly watch: RequestHandler = (request, response, next) => {
    const instruments = this.#instruments;
    if (instruments) {
      const stop = instruments.requests.startTimer();
      // What was refused before its route has the status that says so.
      response.once('finish', () => {
        stop({ method: request.method, status: String(response.statusCode) });
      });
    }
    next();
  };

  /** Answers with the numbers, as Prometheus reads them. */
  readonly answer: RequestHandler = async (_request, response) => {
    const { registry } = await (this.#opening ??= this.#open().catch((error: unknown) => {
      this.#opening = null;
      throw error;
    }));
    response.set('Content-Type', registry.contentType).send(await registry.metrics());
  };

  /** Counts no more. */
  close(): void {
    this.#unfollow?.();
    this.#instruments?.registry.clear();
    this.#instruments = null;
  }

  async #open(): Promise<Instruments> {
    const prometheus = await import('prom-client').catch((error: unknown) => {
      if (errorCode(error) !== 'ERR_MODULE_NOT_FOUND') throw error;
      throw new ApiError('metrics_missing');
    });
    const registry = new prometheus.Registry();
    const registers = [registry];
    prometheus.collectDefaultMetrics({ register: registry });
    const { queue, store, files, events, version } = this.#services;
    const gauge = (name: string, help: string, read: () => number | Promise<number>): Gauge =>
      new prometheus.Gauge({
        name: `framewright_${name}`,
        help,
        registers,
        async collect() {
          this.set(await read());
        },
      });
    gauge('queue_waiting', 'Renders that wait.', () => queue.state.queue.waiting);
    gauge('queue_running', 'Renders that this server works on.', () => queue.state.queue.running);
    gauge('queue_paused', '1 while a person keeps the queue from starting renders.', () =>
      Number(queue.state.queue.paused),
    );
    gauge('queue_held', '1 while something else does: no encoder, no room, no storage.', () =>
      Number((queue.state.queue.heldBy ?? []).length > 0),
    );
    if (queue.machines) {
      gauge('machines', 'Machines that work on the renders of this database.', () => {
        const { machines = [] } = queue;
        return machines.filter(({ silentSince }) => silentSince === undefined).length;
      });
      gauge(
        'machine_builds',
        'Different builds of programs and fonts among them; those of one build make films together.',
        () => queue.builds ?? 0,
      );
    }
    gauge('ready', '1 while the server is ready: see /readyz.', async () =>
      Number((await problemsOf({ store, files })).length === 0),
    );
    new prometheus.Gauge({
      name: 'framewright_info',
      help: 'The version that runs; always 1.',
      labelNames: ['version'],
      registers,
    }).set({ version }, 1);
    const ended: Counter<'status' | 'format'> = new prometheus.Counter({
      name: 'framewright_renders_ended_total',
      help: 'Renders that have ended, as this server heard of it.',
      labelNames: ['status', 'format'],
      registers,
    });
    const times = new prometheus.Histogram({
      name: 'framewright_render_seconds',
      help: 'From the start of the last attempt to the end, of renders that succeeded.',
      labelNames: ['format'],
      buckets: renderBorders,
      registers,
    });
    this.#unfollow = events.subscribe((happening) => {
      if (happening.type !== 'render.updated' || !isFinal(happening.render.status)) return;
      const { status, outputFormat: format, startedAt, finishedAt } = happening.render;
      ended.inc({ status, format });
      if (status !== 'succeeded' || startedAt === undefined || finishedAt === undefined) return;
      times.observe({ format }, Math.max(0, finishedAt - startedAt) / 1_000);
    });
    const requests = new prometheus.Histogram({
      name: 'framewright_http_request_seconds',
      help: 'Time to answer requests to the API.',
      labelNames: ['method', 'status'] as const,
      buckets: requestBorders,
      registers,
    });
    this.#instruments = { registry, requests };
    return this.#instruments;
  }
}

// `GET /healthz`: the program runs. `GET /readyz`: it can also do its work. For whoever restarts it or sends it
// requests: Docker, Kubernetes, a load balancer. Neither needs a key, and neither tells more than a word.

/** What readiness is asked of. */
interface ReadyParts {
  readonly store: Pick<Store, 'health'>;
  readonly files: Pick<OutputFiles, 'storage'>;
}

/** What may keep a server from its work. */
type ReadyProblem = 'records' | 'storage';

/** What keeps it now; empty: it is ready. Asks the storage; of the records the last try is known. */
async function problemsOf({ store, files }: ReadyParts): Promise<ReadyProblem[]> {
  const problems: ReadyProblem[] = [];
  if (store.health.problem !== null) problems.push('records');
  if (files.storage && !(await files.storage.answers())) problems.push('storage');
  return problems;
}

/** See above. */
export function healthRoutes(parts: ReadyParts): Router {
  const routes = Router({ caseSensitive: true });
  routes.get('/healthz', (_request, response) => {
    response.json({ status: 'ok' });
  });
  routes.get('/readyz', async (_request, response) => {
    const problems = await problemsOf(parts);
    const isReady = problems.length === 0;
    response.status(isReady ? 200 : 503).json({ status: isReady ? 'ok' : 'not ready', problems });
  });
  return routes;
}
