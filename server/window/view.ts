/** Stored things as the window shows them (camelCase, with more than the public API has). */
import path from 'node:path';
import type {
  ListedRecord,
  ServerNotice,
  ServerState,
  WindowRender,
  WindowTemplate,
} from '../../shared/api.ts';
import { formats, isFilm } from '../../shared/renderscript/formats.ts';
import { renderRecord } from '../api/serialize.ts';
import { systemFreeBytes } from '../jobs/files/output-watch.ts';
import type { ServerServices } from '../services.ts';
import { expiryOf, placeOf, type StoredRender } from '../store/render-record.ts';
import type { StoreNotice } from '../store/repair.ts';
import type { StoredTemplate } from '../store/template-record.ts';
import { JsonText } from '../system/json-text.ts';
import { factsOf } from './template-facts.ts';

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
  const quality = qualityOf(render);
  if (quality !== undefined) made.quality = quality;
  if (render.rendererStops !== undefined) made.rendererStops = render.rendererStops;
  if (status === 'failed') {
    if (errorPath !== undefined && errorElement !== undefined)
      made.errorElement = { path: errorPath, name: errorElement };
    if (library.lastFrames.has(id)) made.hasLastFrame = true;
  } else if (status === 'succeeded') {
    const filePath = `/renders/${id}.${outputFormat}`;
    if (facts) made.filePath = filePath;
    const picturePath = picturePathOf(render, filePath);
    if (picturePath !== null) made.picturePath = picturePath;
  } else {
    const progress = work.queue.progressOf(id);
    if (progress) made.progress = progress;
  }
  return made;
}

/** Long modifications are in a file of their own, and not read for it. */
function qualityOf({ request, outputFormat }: StoredRender): string | undefined {
  const { modifications = {} } = request;
  const { quality } = formats[outputFormat];
  const isText = modifications instanceof JsonText;
  if (!quality || (isText && !modifications.isShort)) return undefined;
  const { [quality.property]: value } = isText ? modifications.value : modifications;
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
  if (!isFilm(outputFormat)) return filePath;
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
