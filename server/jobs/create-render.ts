/**
 * Turns a request into a stored render in the queue: template, modifications, validation, record. Knows no HTTP;
 * refuses with codes of shared/errors.ts.
 */
import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { ApiError } from '../../shared/errors.ts';
import type { CheckReport } from '../../shared/findings.ts';
import type { OutputFormat } from '../../shared/renderscript/formats.ts';
import { documentLimits } from '../../shared/renderscript/limits.ts';
import {
  problemSentence,
  type JsonObject,
  type Problem,
} from '../../shared/renderscript/source.ts';
import type { Clock } from '../system/clock.ts';
import type { JsonText } from '../system/json-text.ts';
import type {
  NewRender,
  RenderRequest,
  StoredRender,
  ToldNotices,
} from '../store/render-record.ts';
import type { ProjectRenders } from '../store/renders.ts';
import type { StoredTemplate } from '../store/template-record.ts';
import type { ProjectTemplates } from '../store/templates.ts';
import type { Credits } from './credits.ts';
import type { Desk, PreparedText } from './desk/desk.ts';
import type { EventBus } from './events.ts';
import type { RenderQueue } from './queue.ts';
import type { CheckQuestion } from './worker/checks.ts';

/** What a render is made from. */
export type Origin =
  | { readonly templateId: string }
  | { readonly template: StoredTemplate }
  | { readonly source: JsonObject | JsonText };

/** A requested render. */
export interface RenderOrder {
  readonly origin: Origin;
  /** Everything that is stored with the render. */
  readonly request: Omit<RenderRequest, 'template' | 'title'>;
  /** The next two replace the document's own (older requests name them beside the document). */
  readonly outputFormat?: OutputFormat;
  readonly frameRate?: number;
  /** Subtitles by the name of the spoken element. */
  readonly transcripts?: JsonObject | JsonText;
  /** True turns names that the language does not know into errors. */
  readonly strict?: boolean;
  /** Warnings about the request itself. */
  readonly notices?: readonly string[];
}

/** A stored render, with the problems of its document. */
export interface Created {
  readonly render: StoredRender;
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

/** What identifies a repeated request. */
export interface OnceKey {
  /** The `Idempotency-Key`. */
  readonly key: string;
  /** Hash of path and body: a different one means a different request. */
  readonly print: string;
}

/** The same, with the number of renders that the request makes. */
type OnceMark = OnceKey & {
  readonly count: number;
  /** Which of a batch it is; not for requests that are accepted or refused as a whole. */
  readonly place?: number;
};

/** What creating needs. */
export interface CreateContext {
  /** Of the project that creates the render, like the next. */
  readonly renders: ProjectRenders;
  readonly templates: ProjectTemplates;
  readonly credits: Credits;
  readonly queue: RenderQueue;
  readonly events: EventBus;
  readonly clock: Clock;
  readonly desk: Desk;
}

/** The outcome of a dry run, with the modified document as JSON. */
export interface Trial {
  readonly valid: boolean;
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  readonly source: JsonText;
  /** With a check of its media. */
  readonly findings?: CheckReport['findings'];
  readonly more_findings?: number;
  readonly estimate?: CheckReport['estimate'];
}

/** Checks what a render would be made from; see CheckService. */
export type CheckOne = (question: CheckQuestion) => Promise<CheckReport>;

/**
 * Stores a render and puts it into the queue. A document with errors is accepted too; its render fails with the first
 * one.
 *
 * @throws ApiError `template_not_found`, `too_many_elements`, `out_of_credits`, `cannot_save`.
 */
export async function createRender(context: CreateContext, order: RenderOrder): Promise<Created> {
  const [created] = await createRenders(context, [order]);
  if (!created) throw new Error('unreachable: one order gives one render');
  return created;
}

/**
 * The same for several orders, all or none: one impossible order, or too few credits for all, refuses the request. (If
 * the disk fails in the middle, the earlier ones stay.)
 *
 * @throws ApiError as `createRender`.
 */
export async function createRenders(
  context: CreateContext,
  orders: readonly RenderOrder[],
  once?: OnceMark,
): Promise<Created[]> {
  const planned = await planAll(context, orders);
  const release = await context.credits.reserve(planned);
  try {
    const created: Created[] = [];
    for (const one of planned) {
      created.push({ render: await store(context, one, once), ...sentences(one) });
    }
    return created;
  } finally {
    release();
  }
}

/**
 * The same, once per key: a repeated request gets the renders of the first one, as they were then. Renders that the
 * first request did not reach, because the disk failed or the program ended, are created now.
 *
 * @returns the renders, and whether all of them existed before.
 * @throws ApiError `idempotency_key_in_use`, `idempotency_key_reused`, and as `createRender`.
 */
export async function createRendersOnce(
  context: CreateContext,
  orders: readonly RenderOrder[],
  { key, print }: OnceKey,
): Promise<{ readonly created: readonly Created[]; readonly isReplay: boolean }> {
  const { renders } = context;
  const release = renders.claim(key);
  if (!release) throw new ApiError('idempotency_key_in_use');
  try {
    const made = renders.madeWith(key);
    const [first] = made;
    if (first && first.once?.print !== print) throw new ApiError('idempotency_key_reused');
    const count = first?.once?.count ?? orders.length;
    const had = await Promise.all(made.map((render) => asCreated(context, render)));
    if (first && made.length >= count) return { created: had, isReplay: true };
    const templates = new Set(made.map(({ request }) => request.template?.id));
    const missing = orders.filter(
      ({ origin }) => !first || ('template' in origin && !templates.has(origin.template.id)),
    );
    const added = await createRenders(context, missing, { key, print, count });
    return { created: [...had, ...added], isReplay: first !== undefined && added.length === 0 };
  } finally {
    release();
  }
}

/** Creates the render of one item. @throws ApiError as `createRender`. */
export type MakeRender = (order: RenderOrder) => Promise<Created>;

/**
 * Does each work on its own: a refusal concerns only its item. With a key, renders that an earlier request made are
 * answered as they were then; missing ones, because they were refused or the program ended, are made now.
 *
 * @param works Each makes at most one render, with the function it is given; other results are passed on.
 * @param refusal The refusal of an item, from whatever was thrown.
 * @throws ApiError `idempotency_key_in_use`, `idempotency_key_reused`.
 */
export async function createEach<Other>(
  context: CreateContext,
  works: readonly ((make: MakeRender) => Promise<Created | Other>)[],
  once: OnceKey | null,
  refusal: (error: unknown) => ApiError,
): Promise<{ readonly outcomes: (Created | Other | ApiError)[]; readonly isReplay: boolean }> {
  const { renders } = context;
  const release = once ? renders.claim(once.key) : () => undefined;
  if (!release) throw new ApiError('idempotency_key_in_use');
  try {
    const made = once ? renders.madeWith(once.key) : [];
    if (made[0] && made[0].once?.print !== once?.print)
      throw new ApiError('idempotency_key_reused');
    const earlier = new Map(made.map((render) => [render.once?.place, render]));
    const count = works.length;
    const outcomes: (Created | Other | ApiError)[] = [];
    let created = 0;
    // One after the other: at most one document is prepared and in memory for the batch.
    for (const [place, work] of works.entries()) {
      const known = earlier.get(place);
      const make: MakeRender = async (order) => {
        if (known) return asCreated(context, known);
        const [one] = await createRenders(
          context,
          count > 1 ? [{ ...order, request: { ...order.request, isShared: true } }] : [order],
          once ? { ...once, count, place } : undefined,
        );
        if (!one) throw new Error('unreachable: one order gives one render');
        created += 1;
        return one;
      };
      try {
        outcomes.push(await work(make));
      } catch (error) {
        // It concerns all: another server has the key.
        if (error instanceof ApiError && error.code === 'idempotency_key_in_use') throw error;
        outcomes.push(refusal(error));
      }
      // A hundred small items must not keep other requests waiting.
      await setImmediate();
    }
    return { outcomes, isReplay: made.length > 0 && created === 0 };
  } finally {
    release();
  }
}

/** A render as its request's answer described it. */
async function asCreated({ renders }: CreateContext, render: StoredRender): Promise<Created> {
  const [whole, notices] = await Promise.all([renders.withRequest(render), renders.toldOf(render)]);
  return { render: { ...whole, status: 'planned' }, ...notices };
}

/** What the orders would cost, in credits. @throws ApiError as `createRender`. */
export async function costOf(
  context: CreateContext,
  orders: readonly RenderOrder[],
): Promise<number> {
  let cost = 0;
  for (const order of orders) {
    cost += (await plan(context, order)).cost;
    await setImmediate();
  }
  return cost;
}

/**
 * One render of a batch whose credits were reserved as a whole. The batch decides the ID, so that a row created before
 * a crash is recognised after it.
 *
 * @throws ApiError as `createRender`, without `out_of_credits`.
 */
export async function createBatchRender(
  context: CreateContext,
  order: RenderOrder,
  id: string,
): Promise<StoredRender> {
  return store(context, { ...(await plan(context, order)), id });
}

/** A render that only needs storing. */
interface Planned extends PreparedText {
  readonly id: string;
  readonly request: RenderRequest;
  readonly notices: readonly string[];
}

/** One after the other, so that many orders block nobody, and no more than memory holds. */
async function planAll(
  context: CreateContext,
  orders: readonly RenderOrder[],
): Promise<readonly Planned[]> {
  const planned: Planned[] = [];
  let characters = 0;
  for (const order of orders) {
    const one = await plan(context, order);
    planned.push(one);
    characters += one.text.length;
    if (characters > charactersAtOnce) {
      const reason = `its ${orders.length} documents have more than ${charactersAtOnce.toLocaleString('en-US')} characters`;
      throw new ApiError('asks_too_much', { name: 'tags', reason });
    }
    if (orders.length > 1) await setImmediate();
  }
  return planned;
}

/** For all documents of one request together; a single one may always reach the limit for one document. */
const charactersAtOnce = 5 * documentLimits.characters;

async function plan(context: CreateContext, order: RenderOrder): Promise<Planned> {
  const template = findTemplate(context.templates, order.origin);
  const source =
    'source' in order.origin
      ? order.origin.source
      : template && (await context.templates.readDocument(template));
  if (!source) throw new Error('a render order has neither a template nor a source');
  const { outputFormat, frameRate, transcripts, strict, request: asked } = order;
  const wanted = {
    source,
    ...(asked.modifications !== undefined && { modifications: asked.modifications }),
    ...(transcripts !== undefined && { transcripts }),
    ...(outputFormat !== undefined && { outputFormat }),
    ...(frameRate !== undefined && { frameRate }),
    scaling: scalingOf(asked),
    ...(strict !== undefined && { strict }),
  };
  const prepared = await context.desk.prepare(wanted, context.renders.project);
  const request: RenderRequest = {
    ...asked,
    ...(template && { template: snapshotOf(template) }),
    ...(prepared.title !== null && { title: prepared.title }),
  };
  return { id: randomUUID(), request, notices: order.notices ?? [], ...prepared };
}

function snapshotOf({
  id,
  name,
  tags,
  isDraft,
}: StoredTemplate): NonNullable<RenderRequest['template']> {
  return { id, name, tags, ...(isDraft && { isDraft }) };
}

function scalingOf({
  renderScale,
  maxWidth,
  maxHeight,
}: Omit<RenderRequest, 'template'>): CheckQuestion['scaling'] {
  return { renderScale, maxWidth, maxHeight };
}

/**
 * Repeats a render: same document, same options, a new place at the end of the queue.
 *
 * @throws ApiError `render_not_found`, `cannot_save`.
 */
export async function createRenderAgain(context: CreateContext, id: string): Promise<Created> {
  const render = context.renders.find(id);
  const source = render && (await context.renders.readSource(id));
  if (!render || !source) throw new ApiError('render_not_found', { id });
  const { request } = await context.renders.withRequest(render);
  // The document already contains its modifications.
  const wanted = { source, scaling: scalingOf(request) };
  const prepared = await context.desk.prepare(wanted, context.renders.project);
  const again = { id: randomUUID(), request, notices: [], ...prepared };
  const release = await context.credits.reserve([again]);
  try {
    return { render: await store(context, again), ...sentences(again) };
  } finally {
    release();
  }
}

/**
 * A dry run: what creating would say, without storing anything.
 *
 * @param check Looks at its media, too. Default: only the document is looked at.
 * @throws ApiError as `createRender`, and what `check` throws
 */
export async function dryRun(
  context: CreateContext,
  order: RenderOrder,
  check?: CheckOne,
): Promise<Trial> {
  const [trial] = await dryRuns(context, [order], check);
  if (!trial) throw new Error('unreachable: one order gives one trial');
  return trial;
}

/** The same for several orders. @throws ApiError as `createRender`. */
export async function dryRuns(
  context: CreateContext,
  orders: readonly RenderOrder[],
  check?: CheckOne,
): Promise<Trial[]> {
  const trials: Trial[] = [];
  for (const one of await planAll(context, orders)) {
    const { errors, warnings } = sentences(one);
    const trial = { valid: errors.length === 0, errors, warnings, source: one.text };
    trials.push(check ? await withFindings(trial, one, check) : trial);
  }
  return trials;
}

async function withFindings(
  trial: Trial,
  { text, problems, request }: Planned,
  check: CheckOne,
): Promise<Trial> {
  const scaling = scalingOf(request);
  const { findings, more, estimate } = await check({ source: text, problems, scaling });
  const valid = trial.valid && !findings.some(({ level }) => level === 'error');
  return { ...trial, valid, findings, more_findings: more, estimate };
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
  planned: Planned,
  once?: OnceMark,
): Promise<StoredRender> {
  const { id, text, format, scale, cost, subtitled, request, problems } = planned;
  const notices = sentences(planned);
  const error = problems.find(({ severity }) => severity === 'error');
  const render: Omit<NewRender, 'project'> = {
    id,
    status: 'planned',
    credits: cost,
    ...(subtitled && { subtitled }),
    outputFormat: format,
    createdAt: clock.now(),
    attempts: 0,
    request,
    ...(scale !== null && { scale }),
    ...(once && {
      once: { ...once, told: notices.errors.length + notices.warnings.length > 0 },
    }),
    ...(error && {
      sourceError: `Source error: ${problemSentence(error)}`,
      errorPath: error.path,
      ...(error.element !== '' && { errorElement: error.element }),
    }),
  };
  const stored = await renders.insert(render, text, notices);
  events.emit({ type: 'render.created', render: stored });
  queue.add(stored);
  // The answer has all of it.
  const whole = { ...stored, request };
  delete whole.modificationsBytes;
  return whole;
}

function sentences({
  problems,
  unlisted,
  notices,
}: Pick<Planned, 'problems' | 'unlisted' | 'notices'>): ToldNotices {
  const of = (severity: Problem['severity']): string[] => {
    const more = unlisted[severity];
    return [
      ...problems.filter((problem) => problem.severity === severity).map(problemSentence),
      // The last one says how many more there were.
      ...(more > 0 ? [`${more.toLocaleString('en-US')} more are not listed`] : []),
    ];
  };
  return { errors: of('error'), warnings: [...notices, ...of('warning')] };
}
