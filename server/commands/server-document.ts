/** A template of a running server as a document for commands that work without one, with its media. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { RefusedError, type Framewright } from '../../client/index.ts';
import type { Source } from '../../shared/renderscript/source.ts';
import { localFiles } from '../jobs/share/document-files.ts';
import type { Asked } from './document-file.ts';
import { foldersOf } from './document-problems.ts';
import { readTemplate, serverClient } from './running-server.ts';

/** Which template, of which server, and further folders of media. */
export interface TemplateChoice {
  readonly template?: string;
  readonly url?: string;
  readonly key?: string;
  readonly 'server-data'?: string;
  readonly media?: readonly string[];
}

/** The document, and the folders that its files lie in. */
export interface ServerDocument {
  readonly asked: Asked;
  readonly mediaFolders: readonly string[];
}

/** Reads a template from the server, with its media: of the library on this computer, or loaded from another one. */
export async function documentOfTemplate(
  options: TemplateChoice,
  folder: string,
): Promise<ServerDocument> {
  const { template = '', url, key, 'server-data': data, media } = options;
  const { client, dataFolder } = serverClient({
    ...(url !== undefined && { url }),
    ...(key !== undefined && { key }),
    ...(data !== undefined && { data }),
  });
  const { source } = await readTemplate(client, template);
  const document = source as Source; // JSON that the server checked
  const library =
    dataFolder === undefined
      ? await loadMedia(client, document, folder)
      : path.join(dataFolder, 'media', 'content');
  return {
    asked: { source: document, scaling: {}, within: '' },
    mediaFolders: [...foldersOf('-', media), library],
  };
}

/** Loads what a document names of a server's library into a folder. What is not there is reported by the render. */
async function loadMedia(client: Framewright, source: Source, within: string): Promise<string> {
  const folder = mkdtempSync(path.join(within, 'media-'));
  for (const { address } of localFiles(source)) {
    const [, id] = /^\s*media:\/*([0-9a-f]{32})\s*$/i.exec(address) ?? [];
    if (id === undefined) continue;
    try {
      writeFileSync(path.join(folder, id), await client.media.download(id));
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
    }
  }
  return folder;
}
