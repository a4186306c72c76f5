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
import type { NewRender, RenderRequest, RenderStore, StoredRender } from '../store/renders.ts';
import type { StoredTemplate, TemplateStore } from '../store/templates.ts';
import type { EventBus } from './events.ts';
import type { Queue } from './queue.ts';

/** What a render is made from. */
export type Origin =
  | { readonly templateId: string }
  | { readonly template: StoredTemplate }
  | { readonly source: Source };

/** A render as asked for. */
export interface RenderOrder {
  readonly origin: Origin;
  /** Everything that is kept with the render. */
  readonly request: Omit<RenderRequest, 'template'>;
  /** The next two replace the document's own (older requests name them beside the document). */
  readonly outputFormat?: OutputFormat;
  readonly frameRate?: number;
}

/** A render that is stored, with what is wrong or worth knowing about its document. */
export interface Created {
  readonly render: StoredRender;
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

/** What creating needs. */
export interface CreateContext {
  readonly renders: RenderStore;
  readonly templates: TemplateStore;
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
 * @throws ApiError `template_not_found`, `too_many_elements`, `cannot_save`.
 */
export async function createRender(context: CreateContext, order: RenderOrder): Promise<Created> {
  const { source, template, problems } = prepare(context, order);
  const request: RenderRequest = {
    ...order.request,
    ...(template && { template: { id: template.id, name: template.name, tags: template.tags } }),
  };
  const render = await store(context, { source, request, problems });
  return { render, ...sentences(problems) };
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
  return { render: await store(context, { source, request, problems }), ...sentences(problems) };
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
  const source: Source = {
    ...modified.source,
    ...(order.outputFormat !== undefined && { output_format: order.outputFormat }),
    ...(order.frameRate !== undefined && { frame_rate: order.frameRate }),
  };
  const count = countElements(source);
  if (count > documentLimits.elements) {
    throw new ApiError('too_many_elements', { count, limit: documentLimits.elements });
  }
  return { source, template, problems: [...validate(source, order.request), ...modified.problems] };
}

function findTemplate(templates: TemplateStore, origin: Origin): StoredTemplate | null {
  if ('source' in origin) return null;
  if ('template' in origin) return origin.template;
  const template = templates.find(origin.templateId);
  if (!template) throw new ApiError('template_not_found', { id: origin.templateId });
  return template;
}

async function store(
  { renders, queue, events, clock }: CreateContext,
  {
    source,
    request,
    problems,
  }: { source: Source; request: RenderRequest; problems: readonly Problem[] },
): Promise<StoredRender> {
  const error = problems.find(({ severity }) => severity === 'error');
  const scale = scaleOf(source, request);
  const render: NewRender = {
    id: randomUUID(),
    status: 'planned',
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
