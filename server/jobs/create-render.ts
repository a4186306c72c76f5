/**
 * From what a request asks for to a stored render in the queue: template, modifications, validation, record. Knows no
 * HTTP; refuses with codes of the catalogue.
 */
import { randomUUID } from 'node:crypto';
import type { DryRun } from '../../shared/api.ts';
import { ApiError } from '../../shared/errors.ts';
import { documentLimits } from '../../shared/renderscript/limits.ts';
import { applyModifications } from '../../shared/renderscript/modifications.ts';
import { outputSize } from '../../shared/renderscript/output.ts';
import {
  isJsonObject,
  outputFormats,
  problemSentence,
  type JsonObject,
  type OutputFormat,
  type Problem,
  type Source,
} from '../../shared/renderscript/source.ts';
import { validate } from '../../shared/renderscript/validate.ts';
import type { Clock } from '../clock.ts';
import type { NewRender, ProjectRenders, RenderRequest, StoredRender } from '../store/renders.ts';
import type { ProjectTemplates, StoredTemplate } from '../store/templates.ts';
import { estimateCredits, isSubtitled, type Credits } from './credits.ts';
import type { EventBus } from './events.ts';
import type { Queue } from './queue.ts';
import { titleOf } from './render-title.ts';
import { applyTranscripts } from './transcripts.ts';

/** What a render is made from. */
export type Origin =
  | { readonly templateId: string }
  | { readonly template: StoredTemplate }
  | { readonly source: Source };

/** A render as asked for. */
export interface RenderOrder {
  readonly origin: Origin;
  /** Everything that is kept with the render. */
  readonly request: Omit<RenderRequest, 'template' | 'title'>;
  /** The next two replace the document's own (older requests name them beside the document). */
  readonly outputFormat?: OutputFormat;
  readonly frameRate?: number;
  /** Subtitles by the name of the spoken element. */
  readonly transcripts?: JsonObject;
}

/** A render that is stored, with what is wrong or worth knowing about its document. */
export interface Created {
  readonly render: StoredRender;
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

/** What creating needs. */
export interface CreateContext {
  /** Of the project for which it is done, like the next. */
  readonly renders: ProjectRenders;
  readonly templates: ProjectTemplates;
  readonly credits: Credits;
  readonly queue: Queue;
  readonly events: EventBus;
  readonly clock: Clock;
}

/** An order with its document resolved and checked. */
interface Prepared {
  readonly source: Source;
  readonly template: StoredTemplate | null;
  readonly problems: readonly Problem[];
}

/**
 * Stores a render and puts it into the queue. A document with errors is accepted too; its render ends with the first of
 * them.
 *
 * @throws ApiError `template_not_found`, `too_many_elements`, `out_of_credits`, `cannot_save`.
 */
export async function createRender(context: CreateContext, order: RenderOrder): Promise<Created> {
  const [created] = await createRenders(context, [order]);
  if (!created) throw new Error('unreachable: one order gives one render');
  return created;
}

/**
 * The same for several orders: when one of them can't be carried out, or the credits are not enough for all, none is.
 * (A disk that refuses in the middle keeps those before.)
 *
 * @throws ApiError as `createRender`.
 */
export async function createRenders(
  context: CreateContext,
  orders: readonly RenderOrder[],
): Promise<Created[]> {
  const planned = orders.map((order) => plan(context, order));
  const release = context.credits.reserve(planned.reduce((sum, { cost }) => sum + cost, 0));
  try {
    const created: Created[] = [];
    for (const one of planned) {
      created.push({ render: await store(context, one), ...sentences(one.problems) });
    }
    return created;
  } finally {
    release();
  }
}

/** What carrying out orders would cost, in credits. @throws ApiError as `createRender`. */
export function costOf(context: CreateContext, orders: readonly RenderOrder[]): number {
  return orders.reduce((sum, order) => sum + plan(context, order).cost, 0);
}

/**
 * One render of a batch whose credits were reserved as a whole. The ID is the batch's, so that a row that was created
 * before a crash is recognised after it.
 *
 * @throws ApiError as `createRender`, without `out_of_credits`.
 */
export async function createBatchRender(
  context: CreateContext,
  order: RenderOrder,
  id: string,
): Promise<StoredRender> {
  return store(context, { ...plan(context, order), id });
}

/** A render that only has to be stored. */
interface Planned {
  readonly id: string;
  readonly source: Source;
  readonly request: RenderRequest;
  readonly problems: readonly Problem[];
  /** Credits. */
  readonly cost: number;
}

function plan(context: CreateContext, order: RenderOrder): Planned {
  const { source, template, problems } = prepare(context, order);
  const title = titleOf(source);
  const request: RenderRequest = {
    ...order.request,
    ...(template && { template: snapshotOf(template) }),
    ...(title !== null && { title }),
  };
  return { id: randomUUID(), source, request, problems, cost: price(source, request, problems) };
}

function snapshotOf({
  id,
  name,
  tags,
  isDraft,
}: StoredTemplate): NonNullable<RenderRequest['template']> {
  return { id, name, tags, ...(isDraft && { isDraft }) };
}

/** A render that is known to fail costs nothing. */
function price(source: Source, request: RenderRequest, problems: readonly Problem[]): number {
  const fails = problems.some(({ severity }) => severity === 'error');
  return fails ? 0 : estimateCredits(source, formatOf(source), request);
}

/**
 * The same render again: same document, same options, a new place at the end of the queue.
 *
 * @throws ApiError `render_not_found`, `cannot_save`.
 */
export async function createRenderAgain(context: CreateContext, id: string): Promise<Created> {
  const render = context.renders.find(id);
  const source = render && (await context.renders.readSource(id));
  if (!render || !source) throw new ApiError('render_not_found', { id });
  const { request } = render;
  const problems = validate(source, request);
  const cost = price(source, request, problems);
  const release = context.credits.reserve(cost);
  try {
    const again = { id: randomUUID(), source, request, problems, cost };
    return { render: await store(context, again), ...sentences(problems) };
  } finally {
    release();
  }
}

/** What creating would say, without storing anything. @throws ApiError as `createRender`. */
export function dryRun(context: CreateContext, order: RenderOrder): DryRun {
  const { source, problems } = prepare(context, order);
  const { errors, warnings } = sentences(problems);
  return { valid: errors.length === 0, errors, warnings, source };
}

function prepare({ templates }: CreateContext, order: RenderOrder): Prepared {
  const template = findTemplate(templates, order.origin);
  const original = 'source' in order.origin ? order.origin.source : template?.source;
  if (!original) throw new Error('a render order has neither a template nor a source');
  const modified = applyModifications(original, order.request.modifications ?? {});
  const transcribed = applyTranscripts(modified.source, order.transcripts ?? {});
  const source: Source = {
    ...transcribed.source,
    ...(order.outputFormat !== undefined && { output_format: order.outputFormat }),
    ...(order.frameRate !== undefined && { frame_rate: order.frameRate }),
  };
  const count = countElements(source);
  if (count > documentLimits.elements) {
    throw new ApiError('too_many_elements', { count, limit: documentLimits.elements });
  }
  const problems = [
    ...validate(source, order.request),
    ...modified.problems,
    ...transcribed.unused.map(unusedTranscript),
  ];
  return { source, template, problems };
}

function unusedTranscript(key: string): Problem {
  const message = `No text follows the transcript '${key}'`;
  return {
    ...{ path: '', element: '', property: '' },
    ...{ severity: 'warning', code: 'unused_transcript', message },
  };
}

function findTemplate(templates: ProjectTemplates, origin: Origin): StoredTemplate | null {
  if ('source' in origin) return null;
  if ('template' in origin) return origin.template;
  const template = templates.find(origin.templateId);
  if (!template) throw new ApiError('template_not_found', { id: origin.templateId });
  return template;
}

async function store(
  { renders, queue, events, clock }: CreateContext,
  { id, source, request, problems, cost }: Planned,
): Promise<StoredRender> {
  const error = problems.find(({ severity }) => severity === 'error');
  const scale = scaleOf(source, request);
  const render: Omit<NewRender, 'project'> = {
    id,
    status: 'planned',
    credits: cost,
    ...(isSubtitled(source) && { subtitled: true }),
    outputFormat: formatOf(source),
    createdAt: clock.now(),
    attempts: 0,
    request,
    ...(scale !== null && { scale }),
    ...(error && {
      sourceError: `Source error: ${problemSentence(error)}`,
      errorPath: error.path,
      ...(error.element !== '' && { errorElement: error.element }),
    }),
  };
  const stored = await renders.insert(render, source);
  events.emit({ type: 'render.created', render: stored });
  queue.add(stored);
  return stored;
}

/** The document's format; that of a wrong or missing one is the language's default (the render then fails anyway). */
function formatOf({ output_format: format }: Source): OutputFormat {
  return outputFormats.find((known) => known === format) ?? 'jpg';
}

/** Scale of the file relative to its document; null when a maximum was given and the document's size is not known yet. */
function scaleOf(
  source: Source,
  { renderScale, maxWidth, maxHeight }: RenderRequest,
): number | null {
  if (maxWidth === undefined && maxHeight === undefined) return renderScale ?? 1;
  const { width, height } = source;
  if (typeof width !== 'number' || typeof height !== 'number' || width <= 0 || height <= 0)
    return null;
  return outputSize({ width, height, format: formatOf(source), maxWidth, maxHeight }).scale;
}

/** Elements on all levels. The body's nesting is limited, so this does not go deep. */
function countElements(parent: JsonObject): number {
  const { elements } = parent;
  if (!Array.isArray(elements)) return 0;
  let count = 0;
  // Array.isArray widens read-only lists to any[].
  for (const element of elements as readonly unknown[]) {
    count += 1 + (isJsonObject(element) ? countElements(element) : 0);
  }
  return count;
}

function sentences(problems: readonly Problem[]): { errors: string[]; warnings: string[] } {
  const of = (severity: Problem['severity']): string[] =>
    problems.filter((problem) => problem.severity === severity).map(problemSentence);
  return { errors: of('error'), warnings: of('warning') };
}
