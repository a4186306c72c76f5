/** Stored things as the window shows them (camelCase, with more than the public API has). */
import path from 'node:path';
import type {
  ListedRecord,
  ServerNotice,
  ServerState,
  WindowRender,
  WindowTemplate,
} from '../../shared/api.ts';
import { retention as kept } from '../../shared/limits.ts';
import { isFilm } from '../../shared/renderscript/formats.ts';
import { renderRecord, type WireRender } from '../api/serialize.ts';
import { systemFreeBytes } from '../jobs/files/output-watch.ts';
import type { ServerServices } from '../services.ts';
import { placeOf, type StoredRender } from '../store/render-record.ts';
import type { StoreNotice } from '../store/repair.ts';
import type { StoredTemplate } from '../store/template-record.ts';
import { factsOf } from './template-facts.ts';

/** A render, with its progress while it runs. */
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

/** Without the parts that would make a long list huge. */
function listedRecord(whole: WireRender): ListedRecord {
  const record: ListedRecord & { modifications?: unknown } = { ...whole };
  delete record.modifications;
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
  const { apiUrl, apiKey, version, queue, files, store, retention, startNotices } = services;
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
    notices: noticesOf(
      [...store.notices, ...startNotices.map((text) => ({ text }))],
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
