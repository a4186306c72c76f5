/**
 * Renders over HTTP: create (v2: one object, v1: an array) and read. Knows requests and answers; the work is in jobs/,
 * the records are in store/.
 */
import { Router } from 'express';
import { z } from 'zod';
import type { CreatedRender } from '../../shared/api.ts';
import { ApiError } from '../../shared/errors.ts';
import { requestLimits } from '../../shared/limits.ts';
import { documentLimits } from '../../shared/renderscript/limits.ts';
import {
  isJsonObject,
  outputFormats,
  type JsonObject,
  type Source,
} from '../../shared/renderscript/source.ts';
import { createRender, dryRun, type Created, type RenderOrder } from '../jobs/create-render.ts';
import type { Services } from '../services.ts';
import { bodyOf, jsonBody, parseParameters } from './body.ts';
import { renderRecord } from './serialize.ts';

const { renderScale, modifications, metadataLength, webhookUrlLength, tags, tagLength } =
  requestLimits;

const words = {
  modifications: `an object with at most ${modifications} keys`,
  scale: `a number from ${renderScale.min} to ${renderScale.max}`,
  pixels: 'a number of pixels that is at least 1',
  webhook: `an http or https address without a name and password, at most ${webhookUrlLength} characters long, and not this API itself`,
  metadata: `a string of at most ${metadataLength} characters`,
  format: `one of these values: ${outputFormats.join(', ')}`,
  frameRate: `a number from 1 to ${documentLimits.videoFrameRate}`,
  tags: `an array of at most ${tags} strings`,
};

/** Fields that belong to the request; everything else of a v2 body is RenderScript. */
const ownFields = {
  template_id: z.guid('a valid template ID').exactOptional(),
  modifications: z
    .custom<JsonObject>(isJsonObject, words.modifications)
    .refine((value) => Object.keys(value).length <= modifications, words.modifications)
    .exactOptional(),
  render_scale: z
    .number(words.scale)
    .min(renderScale.min, words.scale)
    .max(renderScale.max, words.scale)
    .exactOptional(),
  max_width: z.number(words.pixels).min(1, words.pixels).exactOptional(),
  max_height: z.number(words.pixels).min(1, words.pixels).exactOptional(),
  webhook_url: z.string(words.webhook).max(webhookUrlLength, words.webhook).exactOptional(),
  metadata: z.string(words.metadata).max(metadataLength, words.metadata).exactOptional(),
  dry_run: z.boolean('true or false').exactOptional(),
};
const ownParameters = z.object(ownFields);
type OwnParameters = z.infer<typeof ownParameters>;

/** Fields that stand beside `template_id`, `source` or `tags`, and replace the document's own. */
const besideParameters = z.object({
  output_format: z.enum(outputFormats, words.format).exactOptional(),
  frame_rate: z
    .number(words.frameRate)
    .min(1, words.frameRate)
    .max(documentLimits.videoFrameRate, words.frameRate)
    .exactOptional(),
});

const wrappedSource = z.object({
  source: z.custom<Source>(isJsonObject, 'an object with RenderScript'),
});

const tagParameters = z.object({
  tags: z.array(z.string(words.tags).max(tagLength, words.tags), words.tags).max(tags, words.tags),
});

/** Routes below `/v2/renders`. */
export function renderRoutes(services: Services): Router {
  const routes = Router({ caseSensitive: true });

  routes.post('/', jsonBody, async (request, response) => {
    const body = bodyOf(request);
    const own = parseParameters(ownParameters, body);
    const order = readOrder(body, own, services);
    if (own.dry_run === true) {
      response.json(dryRun(services, order));
      return;
    }
    response.status(202).json(createdRecord(await createRender(services, order), services));
  });

  readRoute(routes, services);
  return routes;
}

/** Routes below `/v1/renders`: the same with an array as answer, and with `tags`. */
export function olderRenderRoutes(services: Services): Router {
  const routes = Router({ caseSensitive: true });

  routes.post('/', jsonBody, async (request, response) => {
    const body = bodyOf(request);
    const own = parseParameters(ownParameters, body);
    const records: CreatedRender[] = [];
    for (const order of readOrders(body, own, services)) {
      records.push(createdRecord(await createRender(services, order), services));
    }
    response.status(202).json(records);
  });

  readRoute(routes, services);
  return routes;
}

function readRoute(routes: Router, { renders, apiUrl }: Services): void {
  routes.get('/:id', (request, response) => {
    const { id } = request.params;
    const render = renders.find(id);
    if (!render) throw new ApiError('render_not_found', { id });
    response.json(renderRecord(render, apiUrl()));
  });
}

/** One order for a request with a template or a document; with `tags`, one for every template that carries one of them. */
function readOrders(body: JsonObject, own: OwnParameters, services: Services): RenderOrder[] {
  if (body.tags === undefined || own.template_id !== undefined || body.source !== undefined) {
    return [readOrder(body, own, services)];
  }
  const { tags: wanted } = parseParameters(tagParameters, body);
  const templates = wanted.length === 0 ? [] : services.templates.list(wanted);
  const request = keptRequest(own, services);
  return templates.map((template) => ({ origin: { template }, request, ...besideDocument(body) }));
}

function readOrder(body: JsonObject, own: OwnParameters, services: Services): RenderOrder {
  const request = keptRequest(own, services);
  const { template_id: templateId } = own;
  if (templateId !== undefined) {
    return { origin: { templateId }, request, ...besideDocument(body) };
  }
  if (body.elements !== undefined) return { origin: { source: documentOf(body) }, request };
  if (body.source === undefined) throw new ApiError('nothing_to_render');
  const { source } = parseParameters(wrappedSource, body);
  return { origin: { source }, request, ...besideDocument(body) };
}

/** What is kept with the render. @throws ApiError `invalid_parameter`. */
function keptRequest(own: OwnParameters, { apiUrl }: Services): RenderOrder['request'] {
  const { webhook_url: webhookUrl } = own;
  if (webhookUrl !== undefined && !isWebhookAddress(webhookUrl, apiUrl())) {
    throw new ApiError('invalid_parameter', { name: 'webhook_url', what: words.webhook });
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
    besideParameters,
    body,
  );
  return {
    ...(outputFormat !== undefined && { outputFormat }),
    ...(frameRate !== undefined && { frameRate }),
  };
}

/** The RenderScript of a body that has it at its top level. Built from entries, so that no key can be a setter. */
function documentOf(body: JsonObject): Source {
  return Object.fromEntries(
    Object.entries(body).filter(([name]) => !Object.hasOwn(ownFields, name)),
  );
}

/** Addresses that may be called: people's own computers are allowed, this API is not (it would call itself). */
function isWebhookAddress(text: string, apiUrl: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, hostname, port } = new URL(text);
  if (!['http:', 'https:'].includes(protocol) || username !== '' || password !== '') return false;
  const own = /^(127\.\d+\.\d+\.\d+|localhost|\[::1\]|0\.0\.0\.0)$/.test(hostname);
  return !(own && port === new URL(apiUrl).port);
}

function createdRecord({ render, errors, warnings }: Created, { apiUrl }: Services): CreatedRender {
  return {
    ...renderRecord(render, apiUrl()),
    ...(errors.length > 0 && { errors }),
    ...(warnings.length > 0 && { warnings }),
  };
}
