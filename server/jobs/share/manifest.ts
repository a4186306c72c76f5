/**
 * What a `.framewright` file contains: `manifest.json`, the template as a request would create it, and its files.
 * Everything in it is data; a program that reads it looks at nothing that the manifest does not list.
 */
import path from 'node:path';
import { z } from 'zod';
import { shareLimits } from '../../../shared/limits.ts';
import { cleanFileName } from '../../../shared/file-name.ts';
import { markerList } from '../../../shared/markers.ts';
import { refuseShare } from './zip-reader.ts';

/** Names of the two files that every archive has. */
export const [manifestName, templateName] = ['manifest.json', 'template.json'];

/** The format of this program version; later ones are refused. */
export const shareVersion = 1;

const file = z.object({
  /** Its name in the archive. */
  path: z.string().regex(/^files\//),
  /** What it was called. */
  name: z.string().min(1).max(256),
  use: z.enum(['media', 'font', 'words', 'lut']),
  bytes: z.number().int().min(0).max(shareLimits.bytes),
  /** Of its content, in hexadecimal. The document names it as `media:` and the first 32 digits. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

const manifest = z.object({
  format: z.literal('framewright-template'),
  version: z.number().int().min(1),
  files: z.array(file).max(shareLimits.files),
  /** Addresses of files that could not be packed, with the reason: the document still names them. */
  missing: z
    .array(z.object({ source: z.string(), reason: z.string() }))
    .max(shareLimits.files)
    .default([]),
  /** Of the template's timeline. Earlier versions of the program wrote none, and leave them out. */
  markers: z._default(markerList, []),
});

/** A file of the archive. */
export type SharedFile = z.infer<typeof file>;
/** The manifest of an archive. */
export type Manifest = z.infer<typeof manifest>;

/** @throws ApiError `share_refused`. */
export function readManifest(text: string): Manifest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    refuseShare('its manifest is not JSON');
  }
  const { success, data } = manifest.safeParse(value);
  if (!success) refuseShare('its manifest is not that of a template');
  if (data.version > shareVersion) {
    refuseShare(`it has format ${data.version}; this version of Framewright reads ${shareVersion}`);
  }
  return data;
}

/** The ID that the media library gives to content. */
export function mediaIdOf(sha256: string): string {
  return sha256.slice(0, 32);
}

/** A name in the archive that every drive can have, and that no other file of the archive has. */
export function nameInArchive(index: number, name: string): string {
  const { name: stem, ext } = path.parse(name);
  const ending = /^\.[a-z0-9]{1,8}$/i.test(ext) ? ext.toLowerCase() : '';
  return `files/${index + 1}-${cleanFileName(stem).slice(0, 80) || 'file'}${ending}`;
}
