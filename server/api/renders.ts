/**
 * Renders over HTTP: create (v2: one object, v1: an array) and read. Knows requests and answers; the work is in jobs/,
 * the records are in store/.
 */
import { Router, type Request, type RequestHandler, type Response } from 'express';
import type { CreatedRender } from '../../shared/api.ts';
import { ApiError } from '../../shared/errors.ts';
import type { JsonObject } from '../../shared/renderscript/source.ts';
import {
  createRender,
  createRenders,
  dryRun,
  dryRuns,
  type Created,
  type RenderOrder,
} from '../jobs/create-render.ts';
import type { Desk } from '../jobs/desk.ts';
import type { BodyWish } from '../jobs/desk-tasks.ts';
import { isWebhookAddress } from '../jobs/webhook-call.ts';
import { parseParameters } from '../parameters.ts';
import type { Services } from '../services.ts';
import { sendAnswer } from './answer.ts';
import { baseUrlOf } from './base-url.ts';
import { bodyOf, documentOf, largeJsonBody, otherNames } from './body.ts';
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
import { renderRecord, type WireRender } from './serialize.ts';

/** What is looked at in a large body, of either version. */
const wish: BodyWish = {
  names: [...renderOptionNames, 'source', 'tags', 'transcripts', 'output_format', 'frame_rate'],
  present: ['elements'],
  document: { when: 'elements', without: [...renderOptionNames] },
};

/** Names that are no surprise. */
const parameterNames: ReadonlySet<string> = new Set([...wish.names, ...(wish.present ?? [])]);

/** Reads the body of a request that creates. */
export function createBody(desk: Desk): RequestHandler {
  return largeJsonBody(desk, wish);
}

/** Routes below `/v2/renders`. */
export function renderRoutes(services: Services): Router {
  const routes = Router({ caseSensitive: true });

  routes.post('/', createBody(services.desk), async (request, response) => {
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
    sendAnswer(response, await dryRun(services, order));
    return;
  }
  const created = createdRecord(await createRender(services, order), url);
  sendAnswer(response.status(202), created);
}

/** Routes below `/v1/renders`: the same with an array as answer, and with `tags`. */
export function olderRenderRoutes(services: Services): Router {
  const routes = Router({ caseSensitive: true });
  const urlFor = (request: Request): string => baseUrlOf(request, services.apiUrl());

  routes.post('/', createBody(services.desk), async (request, response) => {
    const body = bodyOf(request);
    const own = parseParameters(renderOptionParameters, body);
    const { transcripts } = parseParameters(transcriptParameters, body);
    const orders = readOrders(body, own, services).map((order) => ({
      ...order,
      ...(transcripts !== undefined && { transcripts }),
    }));
    if (own.dry_run === true) {
      sendAnswer(response, await dryRuns(services, orders));
      return;
    }
    const created = await createRenders(services, orders);
    const records = created.map((one) => createdRecord(one, urlFor(request)));
    sendAnswer(response.status(202), records);
  });

  readRoute(routes, services);
  return routes;
}

function readRoute(routes: Router, { renders, queue, apiUrl }: Services): void {
  routes.get('/:id', async (request, response) => {
    const { id } = request.params;
    const render = renders.find(id.toLowerCase());
    if (!render) throw new ApiError('render_not_found', { id });
    const record = renderRecord(await renders.withRequest(render), baseUrlOf(request, apiUrl()));
    const reason = queue.offReason;
    const told =
      reason !== null && render.status === 'planned' ? waitingRecord(record, reason) : record;
    sendAnswer(response, told);
  });
}

/** A render that no worker can take: clients poll on, and who looks finds out why. Nothing of it is stored. */
function waitingRecord(record: WireRender, reason: string): WireRender {
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
  const common = commonOrder(body, own, services, 'tags');
  return templates.map((template) => ({ ...common, origin: { template } }));
}

function readOrder(body: JsonObject, own: RenderOptions, services: Services): RenderOrder {
  const { strict } = own;
  const templateId = own.template_id?.toLowerCase();
  if (templateId !== undefined) {
    return { ...commonOrder(body, own, services, 'template_id'), origin: { templateId } };
  }
  if (body.elements !== undefined) {
    return {
      origin: { source: documentOf(body, renderOptionNames) },
      request: keptRequest(own, services),
      ...(strict !== undefined && { strict }),
    };
  }
  if (body.source === undefined) throw new ApiError('nothing_to_render');
  const { source } = parseParameters(wrappedSourceParameters, body);
  return { ...commonOrder(body, own, services, 'source'), origin: { source } };
}

/** What an order has whose document is not the body itself: RenderScript beside it is not used, and that is said. */
function commonOrder(
  body: JsonObject,
  own: RenderOptions,
  services: Services,
  origin: 'template_id' | 'source' | 'tags',
): Omit<RenderOrder, 'origin'> {
  const beside = ['elements', 'source', 'tags'].filter(
    (name) => body[name] !== undefined && (origin === 'template_id' || name === 'elements'),
  );
  const others = otherNames(body, parameterNames).slice(0, 20);
  const notices = [...beside, ...others].map(
    (name) => `'${name.slice(0, 100)}' has no effect beside '${origin}'`,
  );
  return {
    request: keptRequest(own, services),
    ...besideDocument(body),
    ...(own.strict !== undefined && { strict: own.strict }),
    ...(notices.length > 0 && { notices }),
  };
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

function createdRecord(
  { render, errors, warnings }: Created,
  url: string,
): WireRender & Pick<CreatedRender, 'errors' | 'warnings'> {
  return {
    ...renderRecord(render, url),
    ...(errors.length > 0 && { errors }),
    ...(warnings.length > 0 && { warnings }),
  };
}
