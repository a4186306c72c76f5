/**
 * Renders over HTTP: create (v2: one object, v1: an array) and read. Knows requests and answers; the work is in jobs/,
 * the records are in store/.
 */
import { Router, type Request, type Response } from 'express';
import type { CreatedRender, DryRun, RenderRecord } from '../../shared/api.ts';
import { ApiError } from '../../shared/errors.ts';
import type { JsonObject, Source } from '../../shared/renderscript/source.ts';
import {
  createRender,
  createRenders,
  dryRun,
  type Created,
  type RenderOrder,
} from '../jobs/create-render.ts';
import { isWebhookAddress } from '../jobs/webhook-call.ts';
import type { Services } from '../services.ts';
import { baseUrlOf } from './base-url.ts';
import { bodyOf, jsonBody, parseParameters } from './body.ts';
import {
  documentOptionParameters,
  renderOptionNames,
  renderOptionParameters,
  tagParameters,
  transcriptParameters,
  webhookWords,
  wrappedSourceParameters,
  type RenderOptions,
} from './schemas.ts';
import { renderRecord } from './serialize.ts';

/** Routes below `/v2/renders`. */
export function renderRoutes(services: Services): Router {
  const routes = Router({ caseSensitive: true });

  routes.post('/', jsonBody, async (request, response) => {
    const url = baseUrlOf(request, services.apiUrl());
    await answerCreate(services, bodyOf(request), url, response);
  });

  readRoute(routes, services);
  return routes;
}

/**
 * Creates the render that a body asks for, or says what creating it would say.
 *
 * @param url What links in the answer begin with.
 */
export async function answerCreate(
  services: Services,
  body: JsonObject,
  url: string,
  response: Response,
): Promise<void> {
  const own = parseParameters(renderOptionParameters, body);
  const order = readOrder(body, own, services);
  if (own.dry_run === true) {
    response.json(dryRun(services, order));
    return;
  }
  response.status(202).json(createdRecord(await createRender(services, order), url));
}

/** Routes below `/v1/renders`: the same with an array as answer, and with `tags`. */
export function olderRenderRoutes(services: Services): Router {
  const routes = Router({ caseSensitive: true });
  const urlFor = (request: Request): string => baseUrlOf(request, services.apiUrl());

  routes.post('/', jsonBody, async (request, response) => {
    const body = bodyOf(request);
    const own = parseParameters(renderOptionParameters, body);
    const { transcripts } = parseParameters(transcriptParameters, body);
    const orders = readOrders(body, own, services).map((order) => ({
      ...order,
      ...(transcripts !== undefined && { transcripts }),
    }));
    if (own.dry_run === true) {
      const answers: DryRun[] = orders.map((order) => dryRun(services, order));
      response.json(answers);
      return;
    }
    const created = await createRenders(services, orders);
    const records: CreatedRender[] = created.map((one) => createdRecord(one, urlFor(request)));
    response.status(202).json(records);
  });

  readRoute(routes, services);
  return routes;
}

function readRoute(routes: Router, { renders, queue, apiUrl }: Services): void {
  routes.get('/:id', (request, response) => {
    const { id } = request.params;
    const render = renders.find(id.toLowerCase());
    if (!render) throw new ApiError('render_not_found', { id });
    const record = renderRecord(render, baseUrlOf(request, apiUrl()));
    const reason = queue.offReason;
    response.json(
      reason !== null && render.status === 'planned' ? waitingRecord(record, reason) : record,
    );
  });
}

/** A render that no worker can take: clients poll on, and who looks finds out why. Nothing of it is stored. */
function waitingRecord(record: RenderRecord, reason: string): RenderRecord {
  const sentence = `The renderer does not work (${reason}); it is tried again by itself`;
  return { ...record, status: 'waiting', waiting_reason: sentence };
}

/** One order for a request with a template or a document; with `tags`, one for every template that carries one of them. */
function readOrders(body: JsonObject, own: RenderOptions, services: Services): RenderOrder[] {
  if (body.tags === undefined || own.template_id !== undefined || body.source !== undefined) {
    return [readOrder(body, own, services)];
  }
  const { tags: wanted } = parseParameters(tagParameters, body);
  const templates = wanted.length === 0 ? [] : services.templates.list(wanted);
  const request = keptRequest(own, services);
  return templates.map((template) => ({ origin: { template }, request, ...besideDocument(body) }));
}

function readOrder(body: JsonObject, own: RenderOptions, services: Services): RenderOrder {
  const request = keptRequest(own, services);
  const templateId = own.template_id?.toLowerCase();
  if (templateId !== undefined) {
    return { origin: { templateId }, request, ...besideDocument(body) };
  }
  if (body.elements !== undefined) return { origin: { source: documentOf(body) }, request };
  if (body.source === undefined) throw new ApiError('nothing_to_render');
  const { source } = parseParameters(wrappedSourceParameters, body);
  return { origin: { source }, request, ...besideDocument(body) };
}

/** What is kept with the render. @throws ApiError `invalid_parameter`. */
function keptRequest(own: RenderOptions, { addressRule }: Services): RenderOrder['request'] {
  const { webhook_url: webhookUrl } = own;
  if (webhookUrl !== undefined && !isWebhookAddress(webhookUrl, addressRule())) {
    throw new ApiError('invalid_parameter', { name: 'webhook_url', what: webhookWords });
  }
  return {
    ...(own.modifications !== undefined && { modifications: own.modifications }),
    ...(own.render_scale !== undefined && { renderScale: own.render_scale }),
    ...(own.max_width !== undefined && { maxWidth: own.max_width }),
    ...(own.max_height !== undefined && { maxHeight: own.max_height }),
    ...(webhookUrl !== undefined && { webhookUrl }),
    ...(own.metadata !== undefined && { metadata: own.metadata }),
  };
}

function besideDocument(body: JsonObject): Pick<RenderOrder, 'outputFormat' | 'frameRate'> {
  const { output_format: outputFormat, frame_rate: frameRate } = parseParameters(
    documentOptionParameters,
    body,
  );
  return {
    ...(outputFormat !== undefined && { outputFormat }),
    ...(frameRate !== undefined && { frameRate }),
  };
}

/** The RenderScript of a body that has it at its top level. Built from entries, so that no key can be a setter. */
function documentOf(body: JsonObject): Source {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !renderOptionNames.has(name)));
}

function createdRecord({ render, errors, warnings }: Created, url: string): CreatedRender {
  return {
    ...renderRecord(render, url),
    ...(errors.length > 0 && { errors }),
    ...(warnings.length > 0 && { warnings }),
  };
}
