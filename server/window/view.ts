/** Stored things as the window shows them (camelCase, with more than the public API has). */
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type {
  ListedRecord,
  ServerNotice,
  ServerState,
  WindowRender,
  WindowTemplate,
} from '../../shared/api.ts';
import { fileEnding, formats, hasCodecs, isPicture } from '../../shared/renderscript/formats.ts';
import { renderRecord } from '../api/serialize.ts';
import { systemFreeBytes } from '../jobs/files/output-watch.ts';
import type { ServerServices } from '../services.ts';
import { expiryOf, placeOf, type StoredRender } from '../store/render-record.ts';
import type { StoreNotice } from '../store/repair.ts';
import type { StoredTemplate } from '../store/template-record.ts';
import { JsonText } from '../system/json-text.ts';
import packageFile from '../../package.json' with { type: 'json' };
import { validate } from '../../shared/renderscript/validate.ts';
import type { Desk } from '../jobs/desk/desk.ts';
import { type PreparedDocument, shownOf } from '../jobs/desk/prepare-document.ts';
import type { TemplateStore } from '../store/templates.ts';

/** What a render is shown with. */
interface RenderView {
  readonly work: Pick<ServerServices['work'], 'queue'>;
  readonly library: Pick<ServerServices['library'], 'lastFrames'>;
  readonly address: Pick<ServerServices['address'], 'apiUrl'>;
}

/** A render, with its progress while it runs. Its fields are set one by one, as in `renderRecord`. */
export function windowRender(
  render: StoredRender,
  { work, library, address }: RenderView,
): WindowRender {
  const { id, status, request, outputFormat, facts, errorPath, errorElement } = render;
  const made: { -readonly [Name in keyof WindowRender]: WindowRender[Name] } = {
    id,
    project: render.project,
    record: listedRecord(render, address.apiUrl()),
    createdAt: render.createdAt,
    expiresAt: expiryOf({ createdAt: render.createdAt, freedAt: render.freedAt }),
    attempts: render.attempts,
    cancelled: render.cancelled === true,
    order: placeOf(render),
  };
  if (request.template) made.name = request.template.name;
  if (request.template?.isDraft) made.isDraft = true;
  if (request.title !== undefined) made.title = request.title;
  if (render.startedAt !== undefined) made.startedAt = render.startedAt;
  if (render.finishedAt !== undefined) made.finishedAt = render.finishedAt;
  if (render.kept) made.kept = true;
  if (request.batch) made.batch = request.batch;
  if (request.fromApi) made.fromApi = true;
  const quality = askedOf(render, formats[outputFormat].quality?.property);
  if (quality !== undefined) made.quality = quality;
  const codec = askedOf(render, hasCodecs(outputFormat) ? 'video_codec' : undefined);
  if (codec !== undefined) made.codec = codec;
  if (render.rendererStops !== undefined) made.rendererStops = render.rendererStops;
  if (status === 'failed') {
    if (errorPath !== undefined && errorElement !== undefined)
      made.errorElement = { path: errorPath, name: errorElement };
    if (library.lastFrames.has(id)) made.hasLastFrame = true;
  } else if (status === 'succeeded') {
    const filePath = `/renders/${id}.${fileEnding(outputFormat)}`;
    if (facts) made.filePath = filePath;
    if (facts?.reused !== undefined) made.reused = facts.reused;
    if (facts?.encoder !== undefined) made.encoder = facts.encoder;
    if (facts?.hardwareFault) made.hardwareFault = facts.hardwareFault;
    const picturePath = picturePathOf(render, filePath);
    if (picturePath !== null) made.picturePath = picturePath;
  } else {
    const progress = work.queue.progressOf(id);
    if (progress) made.progress = progress;
  }
  return made;
}

/** What a request says of a property. Long modifications are in a file of their own, and not read for it. */
function askedOf({ request }: StoredRender, property: string | undefined): string | undefined {
  const { modifications = {} } = request;
  const isText = modifications instanceof JsonText;
  if (property === undefined || (isText && !modifications.isShort)) return undefined;
  const { [property]: value } = isText ? modifications.value : modifications;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** Characters of an `error_message` that lists have. */
const listedErrorLength = 300;

/** Without the parts that would make a long list huge. */
function listedRecord(render: StoredRender, baseUrl: string): ListedRecord {
  // It has no modifications: those are what lists leave out.
  const record = renderRecord(render, baseUrl, true) as ListedRecord;
  const { error_message: error } = record;
  if (error === undefined || error.length <= listedErrorLength) return record;
  // Drop half a surrogate pair.
  const cut = error.slice(0, listedErrorLength - 1).replace(/[\uD800-\uDBFF]$/, '');
  return { ...record, error_message: `${cut}…` };
}

function picturePathOf({ id, outputFormat, facts }: StoredRender, filePath: string): string | null {
  if (isPicture(outputFormat)) return filePath;
  return facts?.snapshot === true ? `/snapshots/${id}.jpg` : null;
}

/** A template with what its document says about the file. */
export function windowTemplate(template: StoredTemplate): WindowTemplate {
  const { id, project, name, tags, createdAt, updatedAt } = template;
  return { id, project, name, tags, createdAt, updatedAt, ...factsOf(template) };
}

/** The state of the whole server. */
export async function serverState(services: ServerServices): Promise<ServerState> {
  const { run, address, work, store } = services;
  const { files, retention } = services.library;
  const { lowPercent } = work.power;
  const freeBytes = await systemFreeBytes(files.folder);
  const { state, problem } = services.listener.api;
  return {
    version: run.version,
    api: { state, url: address.apiUrl(), key: run.apiKey, ...(problem && { problem }) },
    ...work.queue.state,
    ...(lowPercent !== null && { lowBattery: lowPercent }),
    ...(freeBytes !== null && { freeBytes }),
    outputFolder: files.folder,
    ...(store.health.problem !== null && { storeProblem: store.health.problem }),
    recovered: run.recovered,
    notices: noticesOf(
      [...store.notices, ...run.startNotices.map((text) => ({ text }))],
      retention.notice,
    ),
  };
}

/** Notices about removed data come first. The window gets names of files, never paths. */
function noticesOf(notices: readonly StoreNotice[], ofRetention: string | null): ServerNotice[] {
  const aside = notices.flatMap(({ text, setAside }) =>
    setAside ? [{ text, setAside: { ...setAside, file: path.basename(setAside.file) } }] : [],
  );
  const others = notices.filter(({ setAside }) => !setAside);
  return [...aside, ...others, ...(ofRetention === null ? [] : [{ text: ofRetention }])];
}

// What lists of templates show about their documents. Short ones are examined when first listed; the facts of a long
// one are stored with its record.

type SourceFacts = Pick<
  WindowTemplate,
  'outputFormat' | 'width' | 'height' | 'duration' | 'hasErrors'
>;

/** Milliseconds of examining documents before others get their turn. */
const slice = 10;

/** Short documents never change in place, so each is examined once. */
const known = new WeakMap<JsonText, SourceFacts>();

/** Examines short documents that have not been examined yet, a few at a time: hundreds take a second. */
export async function learnShort(templates: readonly StoredTemplate[]): Promise<void> {
  let begun = performance.now();
  for (const template of templates) {
    factsOf(template);
    if (performance.now() - begun < slice) continue;
    await setImmediate();
    begun = performance.now();
  }
}

/**
 * Examines long documents that this version has not examined, one after the other, and stores the facts.
 *
 * @param onLearned Called with each template and its facts.
 */
export async function learnLong(
  templates: TemplateStore,
  desk: Desk,
  onLearned: (template: StoredTemplate) => void,
): Promise<void> {
  for (const { id } of templates.list()) {
    const template = templates.find(id);
    if (!template || template.document instanceof JsonText || isSeen(template)) continue;
    // One that can't be prepared has errors.
    const prepared = await templates
      .readDocument(template)
      .then((source) => desk.prepare({ source, scaling: {} }))
      .catch(() => null);
    const facts = prepared === null ? { hasErrors: true as const } : factsIn(prepared);
    const learned = await templates.noteFacts(template, { by: packageFile.version, ...facts });
    if (learned) onLearned(learned);
  }
}

/** For a long document, available once `learnLong` has examined it. */
function factsOf(template: StoredTemplate): SourceFacts {
  const { document, seen } = template;
  if (!(document instanceof JsonText)) {
    const { outputFormat, width, height, duration, hasErrors } = seen ?? {};
    return {
      ...(outputFormat && { outputFormat }),
      ...(width !== undefined && { width }),
      ...(height !== undefined && { height }),
      ...(duration !== undefined && { duration }),
      ...(hasErrors && { hasErrors }),
    };
  }
  const before = known.get(document);
  if (before) return before;
  const { value } = document;
  const facts = factsIn({ shown: shownOf(value), problems: validate(value) });
  known.set(document, facts);
  return facts;
}

function isSeen({ seen }: StoredTemplate): boolean {
  return seen?.by === packageFile.version;
}

function factsIn({ shown, problems }: Pick<PreparedDocument, 'shown' | 'problems'>): SourceFacts {
  const hasErrors = problems.some(({ severity }) => severity === 'error');
  return { ...shown, ...(hasErrors && { hasErrors }) };
}
