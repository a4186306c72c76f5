/** Stored things as the window shows them (camelCase, with what the public API does not tell). */
import { statfs } from 'node:fs/promises';
import type { ServerState, WindowRender, WindowTemplate } from '../../shared/api.ts';
import { retention as kept } from '../../shared/limits.ts';
import { outputFormats } from '../../shared/renderscript/source.ts';
import { renderRecord } from '../api/serialize.ts';
import type { ServerServices } from '../services.ts';
import { placeOf, type StoredRender } from '../store/renders.ts';
import type { StoredTemplate } from '../store/templates.ts';

/** A render with its progress, if it is being worked on. */
export function windowRender(
  render: StoredRender,
  { queue, apiUrl }: ServerServices,
): WindowRender {
  const { id, request, outputFormat, facts, errorPath, errorElement } = render;
  const done = render.status === 'succeeded';
  const progress = queue.progressOf(id);
  const filePath = `/renders/${id}.${outputFormat}`;
  const picturePath = picturePathOf(render, filePath);
  return {
    id,
    project: render.project,
    record: renderRecord(render, apiUrl()),
    ...(request.template && { name: request.template.name }),
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
  const outputFormat = outputFormats.find((format) => format === source.output_format);
  const { width, height } = source;
  return {
    id,
    project,
    name,
    tags,
    createdAt,
    updatedAt,
    ...(outputFormat && { outputFormat }),
    ...(typeof width === 'number' && { width }),
    ...(typeof height === 'number' && { height }),
  };
}

/** The state of the whole server. */
export async function serverState(services: ServerServices): Promise<ServerState> {
  const { apiUrl, apiKey, version, queue, files, store, retention } = services;
  const { notice: retentionNotice } = retention;
  const freeBytes = await freeBytesOf(files.folder);
  const problem = services.apiProblem();
  return {
    version,
    api: { url: apiUrl(), key: apiKey, ...(problem && { problem }) },
    ...queue.state,
    ...(freeBytes !== null && { freeBytes }),
    outputFolder: files.folder,
    notices: [...store.notices, ...(retentionNotice === null ? [] : [retentionNotice])],
  };
}

/** Null for a folder that is missing, and on systems that don't tell. */
async function freeBytesOf(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return null;
  }
}
