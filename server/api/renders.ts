/**
 * Renders over HTTP: create (v2: one object, v1: an array) and read. Knows requests and answers; the work is in jobs/,
 * the records are in store/.
 */
import type { Request, RequestHandler, Response } from 'express';
import { isFinal, type CreatedRender } from '../../shared/api.ts';
import { receiptSchema } from '../../shared/api/receipt.ts';
import { ApiError, type ErrorCode } from '../../shared/errors.ts';
import { requestLimits, retention } from '../../shared/limits.ts';
import type { JsonObject } from '../../shared/renderscript/source.ts';
import {
  createRender,
  createRenders,
  createRendersOnce,
  dryRun,
  dryRuns,
  type CheckOne,
  type Created,
  type RenderOrder,
} from '../jobs/create-render.ts';
import type { Desk } from '../jobs/desk/desk.ts';
import type { BodyWish } from '../jobs/desk/desk-tasks.ts';
import { checkWebhookAddress } from '../jobs/webhooks/webhook-call.ts';
import { parseParameters } from '../system/parameters.ts';
import type { StoredRender } from '../store/render-record.ts';
import { baseUrlOf, sendAnswer } from './answer.ts';
import { bodyOf, documentOf, largeJsonBody, otherNames } from './body.ts';
import { adviceOnBody, adviceOnField } from './errors.ts';
import {
  idempotencyHeader,
  onceKeyOf,
  preferHeader,
  readOnceKey,
  waitAsPreferred,
} from './request-headers.ts';
import { idOf, many, one, type HeaderRow, type Operation, projectRoutes } from './operation.ts';
import type { ProjectServices } from './project.ts';
import { createdRenderAnswer, dryRunAnswer, renderAnswer } from './answer-schemas.ts';
import {
  createRenderBody,
  createRendersBody,
  documentOptionParameters,
  renderOptionNames,
  renderOptionParameters,
  tagParameters,
  transcriptParameters,
  webhookWords,
  wrappedSourceParameters,
  type RenderOptions,
} from './request-schemas.ts';
import { renderRecord, type WireRender } from './serialize.ts';

const route = projectRoutes('renders');

/** The fields read from a large body, in either version. */
export const createWish: BodyWish = {
  names: [...renderOptionNames, 'source', 'tags', 'transcripts', 'output_format', 'frame_rate'],
  present: ['elements'],
  document: { when: 'elements', without: [...renderOptionNames] },
};

/** Known names. */
const parameterNames: ReadonlySet<string> = new Set([
  ...createWish.names,
  ...(createWish.present ?? []),
]);

/** Reads the body of the window's create request. */
export function createBody(desk: Desk): RequestHandler {
  return largeJsonBody(desk, createWish);
}

/**
 * Creates the render that the window's request asks for, or answers a dry run.
 *
 * @param url What links in the answer begin with.
 */
export async function answerCreate(
  services: ProjectServices,
  body: JsonObject,
  url: string,
  response: Response,
): Promise<void> {
  const own = parseParameters(renderOptionParameters, body);
  const order = readOrder(body, own, services);
  if (own.dry_run === true) {
    sendAnswer(response, await dryRun(services, order, checkOf(services, own, response)));
    return;
  }
  const created = createdRecord(await createRender(services, order), url);
  sendAnswer(response.status(202), created);
}

/**
 * What both versions do: create once per key, wait if preferred, answer.
 *
 * @param read Reads the orders from a body. @param shown The version's answer, made from records or trials.
 */
function create(
  services: ProjectServices,
  read: (body: JsonObject, own: RenderOptions) => readonly RenderOrder[],
  shown: (records: readonly object[]) => object,
): readonly RequestHandler[] {
  const answer: RequestHandler = async (request, response) => {
    const body = bodyOf(request);
    const own = parseParameters(renderOptionParameters, body);
    const orders = read(body, own).map(asRequested);
    if (own.dry_run === true) {
      const check = checkOf(services, own, response);
      sendAnswer(response, shown(await dryRuns(services, orders, check)));
      return;
    }
    const key = onceKeyOf(request);
    const { created, isReplay } = key
      ? await createRendersOnce(services, orders, key)
      : { created: await createRenders(services, orders), isReplay: false };
    if (isReplay) response.set('Idempotent-Replayed', 'true');
    const ids = created.map(({ render }) => render.id);
    const hasWaited = await waitAsPreferred(request, response, ids, services.pending.waits);
    const told = hasWaited
      ? await Promise.all(created.map((one) => asNow(services, one)))
      : created;
    const isEnded = hasWaited && told.every(({ render }) => isFinal(render.status));
    const url = baseUrlOf(request, services.address.apiUrl());
    const records = told.map((render) => createdRecord(render, url));
    sendAnswer(response.status(isEnded && ids.length > 0 ? 201 : 202), shown(records));
  };
  return [largeJsonBody(services.desk, createWish, readOnceKey), answer];
}

/** What looks at the media of a dry run, if that is wanted; it stops when nobody waits any more. */
export function checkOf(
  { pending: { checks }, project }: ProjectServices,
  { check }: RenderOptions,
  response: Response,
): CheckOne | undefined {
  if (check !== 'media') return undefined;
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return (question) => checks.check(question, project.id, gone.signal);
}

/** An order as the public API stores it: the window begins with the queue for those who use it. */
export function asRequested(order: RenderOrder): RenderOrder {
  return { ...order, request: { ...order.request, fromApi: true } };
}

/** A render created earlier, with its current state. */
export async function asNow(
  { renders }: ProjectServices,
  { render, ...rest }: Created,
): Promise<Created> {
  const now = renders.find(render.id);
  return { render: now ? await renders.withRequest(now) : render, ...rest };
}

/** The render with an ID. @throws ApiError `render_not_found`. */
export function renderOf({ renders }: ProjectServices, id: string): StoredRender {
  const render = renders.find(id.toLowerCase());
  if (!render) throw new ApiError('render_not_found', { id });
  return render;
}

async function readOne(
  services: ProjectServices,
  { id, request, response }: { id: string; request: Request; response: Response },
): Promise<WireRender> {
  const render = renderOf(services, id);
  await waitAsPreferred(request, response, [render.id], services.pending.waits);
  return answeredRender(services, request);
}

/** The current state of the render that a request names. */
export function answeredRender(services: ProjectServices, request: Request): Promise<WireRender> {
  const url = baseUrlOf(request, services.address.apiUrl());
  return currentRecord(services, renderOf(services, idOf(request)), url);
}

/** The current state of a render as answers show it. @param url What links begin with. */
export async function currentRecord(
  { renders, queue }: ProjectServices,
  render: StoredRender,
  url: string,
): Promise<WireRender> {
  const record = renderRecord(await renders.withRequest(render), url);
  const reason = queue.offReason;
  return reason !== null && render.status === 'planned' ? waitingRecord(record, reason) : record;
}

/** A render that no worker can take: clients keep polling, and the answer says why. Not stored. */
function waitingRecord(record: WireRender, reason: string): WireRender {
  const sentence = `The renderer does not work (${reason}); it will be tried again automatically`;
  return { ...record, waiting_reason: sentence };
}

/** One order for a request with a template or a document; with `tags`, one for every template with one of them. */
function readOrders(
  body: JsonObject,
  own: RenderOptions,
  services: ProjectServices,
): RenderOrder[] {
  const { transcripts } = parseParameters(transcriptParameters, body);
  return taggedOrders(body, own, services).map((order) => ({
    ...order,
    ...(transcripts !== undefined && { transcripts }),
  }));
}

function taggedOrders(
  body: JsonObject,
  own: RenderOptions,
  services: ProjectServices,
): RenderOrder[] {
  if (!isGiven(body.tags) || own.template_id !== undefined || isGiven(body.source)) {
    return [readOrder(body, own, services)];
  }
  const { tags: wanted } = parseParameters(tagParameters, body);
  const templates = wanted.length === 0 ? [] : services.templates.list(wanted);
  const common = commonOrder(body, own, services, 'tags');
  return templates.map((template) => ({ ...common, origin: { template } }));
}

/** The order of a request with a template or a document. @throws ApiError `nothing_to_render`, `invalid_parameter`. */
export function readOrder(
  body: JsonObject,
  own: RenderOptions,
  services: ProjectServices,
): RenderOrder {
  const { strict } = own;
  const templateId = own.template_id?.toLowerCase();
  if (templateId !== undefined) {
    return { ...commonOrder(body, own, services, 'template_id'), origin: { templateId } };
  }
  if (isGiven(body.elements)) {
    return {
      origin: { source: documentOf(body, renderOptionNames) },
      request: keptRequest(own, services),
      ...(strict !== undefined && { strict }),
    };
  }
  if (!isGiven(body.source)) {
    const advice = adviceOnBody(body, otherNames(body, parameterNames));
    throw new ApiError('nothing_to_render').withAdvice(advice);
  }
  const { source } = parseParameters(wrappedSourceParameters, body);
  return { ...commonOrder(body, own, services, 'source'), origin: { source } };
}

/**
 * The common part of an order whose document is not the body itself: other RenderScript in the body is ignored, with a
 * warning.
 */
function commonOrder(
  body: JsonObject,
  own: RenderOptions,
  services: ProjectServices,
  origin: 'template_id' | 'source' | 'tags',
): Omit<RenderOrder, 'origin'> {
  const beside = ['elements', 'source', 'tags'].filter(
    (name) => isGiven(body[name]) && (origin === 'template_id' || name === 'elements'),
  );
  const others = otherNames(body, parameterNames).slice(0, 20);
  const notices = [...beside, ...others].map((name) => {
    const advice = adviceOnField(name);
    return `'${name.slice(0, 100)}' has no effect beside '${origin}'${advice === null ? '' : `. ${advice}`}`;
  });
  return {
    request: keptRequest(own, services),
    ...besideDocument(body),
    ...(own.strict !== undefined && { strict: own.strict }),
    ...(notices.length > 0 && { notices }),
  };
}

/** False also for null, which many clients send for what they leave out. */
function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** What is stored with the render. @throws ApiError `invalid_parameter`. */
function keptRequest(own: RenderOptions, { address }: ProjectServices): RenderOrder['request'] {
  const { webhook_url: webhookUrl } = own;
  if (webhookUrl !== undefined)
    checkWebhookAddress('webhook_url', webhookUrl, address.addressRule(), webhookWords);
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

/** A new render as answers show it. */
export function createdRecord(
  { render, errors, warnings }: Created,
  url: string,
): WireRender & Pick<CreatedRender, 'errors' | 'warnings'> {
  return {
    ...renderRecord(render, url),
    ...(errors.length > 0 && { errors }),
    ...(warnings.length > 0 && { warnings }),
  };
}

const createRefusals: readonly ErrorCode[] = [
  'nothing_to_render',
  'too_many_elements',
  'asks_too_much',
  'template_not_found',
  'template_damaged',
  'out_of_credits',
  'idempotency_key_in_use',
  'idempotency_key_reused',
  'check_failed',
  'busy',
];

/** Headers that requests that create take. */
export const createHeaders: readonly HeaderRow[] = [
  {
    name: idempotencyHeader,
    description: `A key of your own, at most ${requestLimits.idempotencyKeyLength} characters: a request repeated with the same key and body gets the first answer again, with \`Idempotent-Replayed: true\`, and creates nothing. Valid for ${retention.idempotencyKeys / 3_600_000} hours, even after a restart.`,
  },
  {
    name: preferHeader,
    description: `\`wait=N\` holds the answer back until all renders have ended, for N seconds, ${requestLimits.wait} at most. The answer says \`Preference-Applied: wait=N\`; its status is 201 if all have ended, else 202.`,
  },
];

const readHeader: HeaderRow = {
  name: preferHeader,
  description: `\`wait=N\` holds the answer back until the render has ended, for N seconds, ${requestLimits.wait} at most. The answer says \`Preference-Applied: wait=N\`.`,
};

/** The routes of renders: v2, then the older form. */
export const renderOperations: readonly Operation[] = [
  route('POST /v2/renders', {
    id: 'createRender',
    summary: 'Create a render',
    explanation:
      'The render is stored and queued before the answer goes out. Wrong values inside the document do not refuse the request: they are listed under `errors`, and the render fails with the first one.',
    headers: createHeaders,
    body: createRenderBody,
    answers: [
      one(202, createdRenderAnswer, 'The render, planned.'),
      one(201, createdRenderAnswer, 'With `Prefer: wait`: the render, ended.'),
      one(200, dryRunAnswer, 'With `dry_run`: what was found; nothing is stored.'),
    ],
    refusals: createRefusals,
    serve: (services) =>
      create(
        services,
        (body, own) => [readOrder(body, own, services)],
        ([record = {}]) => record,
      ),
  }),
  route('GET /v2/renders/{id}', {
    id: 'readRender',
    summary: 'Read a render',
    explanation:
      'Ask every few seconds until the status is succeeded or failed; or use `Prefer: wait`, follow its events, or use a webhook.',
    headers: [readHeader],
    answers: [one(200, renderAnswer, 'The render as it is now.')],
    refusals: ['render_not_found'],
    answer: readOne,
  }),
  route('GET /v2/renders/{id}/receipt', {
    id: 'readReceipt',
    summary: 'Read the receipt of a render',
    explanation:
      'What its file was made from: the document, its inputs and fonts by SHA-256, versions, and the file itself. `framewright verify` renders again from it and compares. Kept as long as the file.',
    answers: [one(200, receiptSchema, 'The receipt.')],
    refusals: ['render_not_found', 'receipt_not_found'],
    answer: async (services, { id, response }) => {
      const render = renderOf(services, id);
      const isDone = render.status === 'succeeded';
      const receipt = isDone ? await services.library.files.readReceipt(render) : null;
      if (!receipt) throw new ApiError('receipt_not_found', { id });
      // As it was written: a document may be long.
      response.type('json').send(receipt);
    },
  }),
  route('POST /v1/renders', {
    id: 'createRenders',
    summary: 'Create one or many renders (older form)',
    explanation:
      'The document stands under `source`; `output_format` and `frame_rate` beside it replace its own. With `tags`, every template with one of them is rendered. The answer is an array, even for one render.',
    headers: createHeaders,
    body: createRendersBody,
    answers: [
      many(202, createdRenderAnswer, 'The renders, planned; empty when no template has the tags.'),
      many(201, createdRenderAnswer, 'With `Prefer: wait`: the renders, ended.'),
      many(200, dryRunAnswer, 'With `dry_run`: what was found in each.'),
    ],
    refusals: createRefusals,
    serve: (services) =>
      create(
        services,
        (body, own) => readOrders(body, own, services),
        (records) => records,
      ),
  }),
  route('GET /v1/renders/{id}', {
    id: 'readRenderOlder',
    summary: 'Read a render (older form)',
    headers: [readHeader],
    answers: [one(200, renderAnswer, 'The same as under /v2.')],
    refusals: ['render_not_found'],
    answer: readOne,
  }),
];
