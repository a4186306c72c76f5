/** The window's requests about renders. Window only. */
import type { DeliveryRecord } from '../../../shared/api/projects.ts';
import {
  archiveRows,
  renderRows,
  type LogLine,
  type PackedFiles,
  type RenderList,
  type StoredRequest,
  type WindowRender,
} from '../../../shared/api/renders.ts';
import type { RenderRecord } from '../../../shared/render-record.ts';
import { call, loadPictureOf } from './call.ts';

/** All renders, and the number of the newest event they contain. */
export const loadRenders = (): Promise<RenderList> => call(renderRows.list);

/** Queues a template as it is. */
export const renderTemplate = (id: string): Promise<WindowRender> =>
  call(renderRows.create, { params: { id } });

/** Stops a queued or running render. */
export const cancelRender = (id: string): Promise<WindowRender> =>
  call(renderRows.cancel, { params: { id } });

/** Makes a new render from the stored request of one. */
export const renderAgain = (id: string): Promise<WindowRender> =>
  call(renderRows.again, { params: { id } });

/** Puts a queued render in front of another one; null: at the end. */
export const moveRender = (id: string, before: string | null): Promise<WindowRender> =>
  call(renderRows.move, { params: { id }, body: { before } });

/** Keeps a finished render beyond its time, or gives it its time anew. */
export const keepRender = (id: string, kept: boolean): Promise<WindowRender> =>
  call(renderRows.keep, { params: { id }, body: { kept } });

/** Removes finished renders with their files. */
export const removeRenders = (
  ids: readonly string[],
): Promise<{ readonly removed: readonly string[] }> => call(renderRows.remove, { body: { ids } });

/** All that the API answers for a render. */
export const loadRecord = (id: string): Promise<RenderRecord> =>
  call(renderRows.record, { params: { id } });

/** The render's request. */
export const loadRequest = (id: string): Promise<StoredRequest> =>
  call(renderRows.request, { params: { id } });

/** Its log since the program's start, oldest first. */
export const loadLog = (id: string): Promise<readonly LogLine[]> =>
  call(renderRows.log, { params: { id } });

/** The webhooks of a render, newest first. */
export const loadDeliveries = (id: string): Promise<readonly DeliveryRecord[]> =>
  call(renderRows.deliveries, { params: { id } });

/** Puts the files of renders into one archive. @returns where to fetch it once, and how many files are gone */
export const packFiles = (
  files: readonly { readonly id: string; readonly name: string }[],
): Promise<PackedFiles> => call(archiveRows.pack, { body: { files } });

/** The frame drawn last, as an address for an image; null when there is none. Release it when done. */
export const loadRunningPicture = (id: string, signal: AbortSignal): Promise<string | null> =>
  loadPictureOf(renderRows.picture, { params: { id }, signal });
