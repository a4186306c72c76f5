/** The window's requests about templates. Window only. */
import { editorRows } from '../../../shared/api/editor.ts';
import type { RequestFor } from '../../../shared/api/row.ts';
import {
  templateRows,
  templateShareRows,
  trashRows,
  versionRows,
  type ImportedTemplate,
  type NewTemplate,
  type SharedTemplateFile,
  type TemplateList,
  type TrashedTemplate,
  type WindowTemplate,
  type WindowVersion,
} from '../../../shared/api/templates.ts';
import type { JsonObject, Source } from '../../../shared/renderscript/source.ts';
import { addressOf, call, loadPictureOf, parsed } from './call.ts';
import { uploadFile } from './uploads.ts';

/** All templates. */
export const loadTemplates = (): Promise<TemplateList> => call(templateRows.list);

/** Stores a new template. */
export const createTemplate = (body: NewTemplate): Promise<WindowTemplate> =>
  call(templateRows.create, { body });

/** Stores a copy under another name. */
export const duplicateTemplate = (id: string, name: string): Promise<WindowTemplate> =>
  call(templateRows.duplicate, { params: { id }, body: { name } });

/** Changes name or tags. */
export async function changeTemplate(
  id: string,
  body: RequestFor<typeof templateRows.change>['body'],
): Promise<void> {
  await call(templateRows.change, { params: { id }, body });
}

/** Puts a template into the Trash. */
export const trashTemplate = (id: string): Promise<undefined> =>
  call(templateRows.remove, { params: { id } });

/** The samples that the program brings, as beginnings of new templates. */
export const loadSamples = (): Promise<readonly Omit<NewTemplate, 'project'>[]> =>
  call(templateRows.samples);

/** Looks for the files of a template. @returns what its file will contain, and where to fetch it once */
export const shareTemplate = (id: string): Promise<SharedTemplateFile> =>
  call(templateShareRows.share, { params: { id } });

/**
 * Adds a template from its file.
 *
 * @param onSent told how many bytes have been sent
 */
export async function importTemplate(
  project: string,
  file: File,
  signal: AbortSignal,
  onSent: (bytes: number) => void,
): Promise<ImportedTemplate> {
  const path = addressOf(templateShareRows.import, { query: { project } });
  return parsed(templateShareRows.import, await uploadFile(path, file, signal, onSent));
}

/** What is in the Trash, newest first. */
export const loadTrash = (): Promise<readonly TrashedTemplate[]> => call(trashRows.list);

/** Takes a template out of the Trash. */
export const restoreTemplate = (id: string): Promise<WindowTemplate> =>
  call(trashRows.restore, { params: { id } });

/** Permanently deletes a template in the Trash. */
export const purgeTemplate = (id: string): Promise<undefined> =>
  call(trashRows.purge, { params: { id } });

/** Its document. */
export const loadSource = async (id: string): Promise<JsonObject> =>
  (await call(editorRows.open, { params: { id } })).source;

/** A picture drawn by the engine, as an address for an image; null when there is none. Release it when done. */
export const loadPicture = (id: string, signal: AbortSignal): Promise<string | null> =>
  loadPictureOf(templateRows.picture, { params: { id }, signal });

/** The earlier versions of a template, newest first. */
export const loadVersions = async (id: string): Promise<readonly WindowVersion[]> =>
  (await call(versionRows.list, { params: { id } })).versions;

/** The document of one of them. */
export const loadVersion = (id: string, version: string, signal: AbortSignal): Promise<Source> =>
  call(versionRows.document, { params: { id, version }, signal });

/** Names a version; null takes its name away. */
export const renameVersion = (
  id: string,
  version: string,
  name: string | null,
): Promise<WindowVersion> => call(versionRows.rename, { params: { id, version }, body: { name } });

/** Deletes a version for good. */
export const removeVersion = (id: string, version: string): Promise<undefined> =>
  call(versionRows.remove, { params: { id, version } });
