/** Stored things as the window shows them (camelCase, with what the public API does not tell). */
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { ServerNotice, ServerState, WindowRender, WindowTemplate } from '../../shared/api.ts';
import { retention as kept } from '../../shared/limits.ts';
import { outputFormats, type Source } from '../../shared/renderscript/source.ts';
import { validate } from '../../shared/renderscript/validate.ts';
import { renderRecord } from '../api/serialize.ts';
import { systemFreeBytes } from '../jobs/output-watch.ts';
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
    record: renderRecord(render, apiUrl()),
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

function picturePathOf({ id, outputFormat, facts }: StoredRender, filePath: string): string | null {
  if (outputFormat !== 'mp4') return filePath;
  return facts?.snapshot === true ? `/snapshots/${id}.jpg` : null;
}

/** A template with what its document says about the file. */
export function windowTemplate(template: StoredTemplate): WindowTemplate {
  const { id, project, name, tags, createdAt, updatedAt, source } = template;
  return { id, project, name, tags, createdAt, updatedAt, ...factsOf(source) };
}

type SourceFacts = Pick<
  WindowTemplate,
  'outputFormat' | 'width' | 'height' | 'duration' | 'hasErrors'
>;

/** Milliseconds of looking through documents before others have their turn. */
const slice = 10;

/** Looks through documents that were not looked through yet, a few at a time: for hundreds it takes a second. */
export async function learnFacts(templates: readonly StoredTemplate[]): Promise<void> {
  let begun = performance.now();
  for (const { source } of templates) {
    factsOf(source);
    if (performance.now() - begun < slice) continue;
    await setImmediate();
    begun = performance.now();
  }
}

/** Documents are never changed in place, so each is looked through once. */
const known = new WeakMap<Source, SourceFacts>();

function factsOf(source: Source): SourceFacts {
  const before = known.get(source);
  if (before) return before;
  const outputFormat = outputFormats.find((format) => format === source.output_format);
  const { width, height, duration } = source;
  const isFilm = outputFormat === 'mp4' || outputFormat === 'gif';
  const hasErrors = validate(source).some(({ severity }) => severity === 'error');
  const facts: SourceFacts = {
    ...(outputFormat && { outputFormat }),
    ...(typeof width === 'number' && { width }),
    ...(typeof height === 'number' && { height }),
    ...(isFilm && typeof duration === 'number' && duration > 0 && { duration }),
    ...(hasErrors && { hasErrors }),
  };
  known.set(source, facts);
  return facts;
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
