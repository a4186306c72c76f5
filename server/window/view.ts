/** Stored things as the window shows them (camelCase, with what the public API does not tell). */
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type {
  ListedRecord,
  ServerNotice,
  ServerState,
  WindowRender,
  WindowTemplate,
} from '../../shared/api.ts';
import { deskLimits, retention as kept } from '../../shared/limits.ts';
import { validate } from '../../shared/renderscript/validate.ts';
import { renderRecord, type WireRender } from '../api/serialize.ts';
import type { Desk } from '../jobs/desk.ts';
import { systemFreeBytes } from '../jobs/output-watch.ts';
import { shownOf, type PreparedDocument } from '../jobs/prepare-document.ts';
import type { JsonText } from '../json-text.ts';
import type { ServerServices } from '../services.ts';
import { placeOf, type StoredRender } from '../store/renders.ts';
import type { StoreNotice } from '../store/repair.ts';
import type { StoredTemplate } from '../store/templates.ts';

/** A render with its progress, if it is being worked on. */
export function windowRender(
  render: StoredRender,
  { queue, lastFrames, apiUrl }: ServerServices,
): WindowRender {
  const { id, request, outputFormat, facts, errorPath, errorElement, rendererStops } = render;
  const done = render.status === 'succeeded';
  const progress = queue.progressOf(id);
  const filePath = `/renders/${id}.${outputFormat}`;
  const picturePath = picturePathOf(render, filePath);
  return {
    id,
    project: render.project,
    record: listedRecord(renderRecord(render, apiUrl())),
    ...(request.template && { name: request.template.name }),
    ...(request.template?.isDraft && { isDraft: true }),
    ...(request.title !== undefined && { title: request.title }),
    createdAt: render.createdAt,
    ...(render.startedAt !== undefined && { startedAt: render.startedAt }),
    ...(render.finishedAt !== undefined && { finishedAt: render.finishedAt }),
    expiresAt: render.createdAt + kept.renders,
    attempts: render.attempts,
    cancelled: render.cancelled === true,
    ...(progress && { progress }),
    order: placeOf(render),
    ...(render.status === 'failed' &&
      errorPath !== undefined &&
      errorElement !== undefined && { errorElement: { path: errorPath, name: errorElement } }),
    ...(rendererStops !== undefined && { rendererStops }),
    ...(render.status === 'failed' && lastFrames.has(id) && { hasLastFrame: true }),
    ...(done && facts && { filePath }),
    ...(done && picturePath !== null && { picturePath }),
    ...(request.batch && { batch: request.batch }),
  };
}

/** Characters of an `error_message` that lists have. */
const listedErrorLength = 300;

/** Without what would make a list of many renders long. */
function listedRecord(whole: WireRender): ListedRecord {
  const record: ListedRecord & { modifications?: unknown } = { ...whole };
  delete record.modifications;
  const { error_message: error } = record;
  if (error === undefined || error.length <= listedErrorLength) return record;
  // A half of a pair of surrogates is nothing.
  const cut = error.slice(0, listedErrorLength - 1).replace(/[\uD800-\uDBFF]$/, '');
  return { ...record, error_message: `${cut}…` };
}

function picturePathOf({ id, outputFormat, facts }: StoredRender, filePath: string): string | null {
  if (outputFormat !== 'mp4') return filePath;
  return facts?.snapshot === true ? `/snapshots/${id}.jpg` : null;
}

/** A template with what its document says about the file. */
export function windowTemplate(template: StoredTemplate): WindowTemplate {
  const { id, project, name, tags, createdAt, updatedAt } = template;
  return { id, project, name, tags, createdAt, updatedAt, ...factsOf(template) };
}

type SourceFacts = Pick<
  WindowTemplate,
  'outputFormat' | 'width' | 'height' | 'duration' | 'hasErrors'
>;

/** Milliseconds of looking through documents before others have their turn. */
const slice = 10;

/**
 * Looks through documents that were not looked through yet, a few at a time: for hundreds it takes a second. Large ones are
 * looked through on the desk.
 */
export async function learnFacts(templates: readonly StoredTemplate[], desk: Desk): Promise<void> {
  let begun = performance.now();
  for (const template of templates) {
    const { document } = template;
    if (known.has(document)) continue;
    if (isLarge(document)) {
      // One that can't be prepared has errors, whatever they are.
      const prepared = await desk.prepare({ source: document, scaling: {} }).catch(() => null);
      known.set(document, prepared === null ? { hasErrors: true } : factsIn(prepared));
    } else {
      factsOf(template);
    }
    if (performance.now() - begun < slice) continue;
    await setImmediate();
    begun = performance.now();
  }
}

/** Documents are never changed in place, so each is looked through once. */
const known = new WeakMap<JsonText, SourceFacts>();

/** Those of a large document are there once `learnFacts` has looked through it. */
function factsOf({ document }: StoredTemplate): SourceFacts {
  const before = known.get(document);
  if (before) return before;
  if (isLarge(document)) return {};
  const { value } = document;
  const facts = factsIn({ shown: shownOf(value), problems: validate(value) });
  known.set(document, facts);
  return facts;
}

function isLarge({ text }: JsonText): boolean {
  return text.length > deskLimits.inlineCharacters;
}

function factsIn({ shown, problems }: Pick<PreparedDocument, 'shown' | 'problems'>): SourceFacts {
  const hasErrors = problems.some(({ severity }) => severity === 'error');
  return { ...shown, ...(hasErrors && { hasErrors }) };
}

/** The state of the whole server. */
export async function serverState(services: ServerServices): Promise<ServerState> {
  const { apiUrl, apiKey, version, queue, files, store, retention } = services;
  const { lowPercent } = services.power;
  const freeBytes = await systemFreeBytes(files.folder);
  const { state, problem } = services.api;
  return {
    version,
    api: { state, url: apiUrl(), key: apiKey, ...(problem && { problem }) },
    ...queue.state,
    ...(lowPercent !== null && { lowBattery: lowPercent }),
    ...(freeBytes !== null && { freeBytes }),
    outputFolder: files.folder,
    ...(store.health.problem !== null && { storeProblem: store.health.problem }),
    recovered: services.recovered,
    notices: noticesOf(store.notices, retention.notice),
  };
}

/** What was taken out of the data comes first. The window is given names of files, never paths. */
function noticesOf(notices: readonly StoreNotice[], ofRetention: string | null): ServerNotice[] {
  const aside = notices.flatMap(({ text, setAside }) =>
    setAside ? [{ text, setAside: { ...setAside, file: path.basename(setAside.file) } }] : [],
  );
  const others = notices.filter(({ setAside }) => !setAside);
  return [...aside, ...others, ...(ofRetention === null ? [] : [{ text: ofRetention }])];
}
