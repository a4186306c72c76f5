/**
 * What a `.framewright` file contains: `manifest.json`, the template as a request would create it, and its files. A kit
 * has several templates, which share the files. Everything in it is data; a program that reads it looks at nothing that
 * the manifest does not list.
 */
import path from 'node:path';
import { z } from 'zod';
import { projectBrand } from '../../../shared/api/projects.ts';
import { requestLimits, shareLimits } from '../../../shared/limits.ts';
import { cleanFileName } from '../../../shared/file-name.ts';
import { markerList } from '../../../shared/markers.ts';
import { refuseShare } from './zip-reader.ts';

/** Names of the two files that every archive has. */
export const [manifestName, templateName] = ['manifest.json', 'template.json'];

/** The formats of this program version, of one template and of a kit; later ones are refused. */
export const shareVersion = 1;
export const kitVersion = 2;

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

/** What every template has. */
const ofTemplate = {
  /** Addresses of files that could not be packed, with the reason: the document still names them. */
  missing: z
    .array(z.object({ source: z.string(), reason: z.string() }))
    .max(shareLimits.files)
    .default([]),
  /** Of the template's timeline. Earlier versions of the program wrote none, and leave them out. */
  markers: z._default(markerList, []),
};
const head = {
  format: z.literal('framewright-template'),
  files: z.array(file).max(shareLimits.files),
};

const manifest = z.object({ ...head, ...ofTemplate, version: z.literal(shareVersion) });

const kitManifest = z.object({
  ...head,
  version: z.literal(kitVersion),
  templates: z
    .array(
      z.object({
        ...ofTemplate,
        /** Its name in the archive. */
        path: z.string().regex(/^templates\//),
        name: z.string().min(1).max(requestLimits.nameLength),
        /** Names in the archive of the files that it needs. */
        files: z.array(z.string()).max(shareLimits.files),
        /** The same of its picture, which only the window looks at. */
        picture: z
          .string()
          .regex(/^pictures\//)
          .exactOptional(),
      }),
    )
    .min(1)
    .max(shareLimits.templates),
  /** Of the project that it comes from. */
  brand: z.exactOptional(projectBrand),
});

const anyVersion = z.object({ version: z.int().min(1) });

/** A file of the archive. */
export type SharedFile = z.infer<typeof file>;
/** The manifest of an archive with one template. */
export type Manifest = z.infer<typeof manifest>;
/** That of a kit. */
export type KitManifest = z.infer<typeof kitManifest>;

/** Either as a kit. @throws ApiError `share_refused`. */
export function readManifest(text: string): Omit<KitManifest, 'version'> & { isKit: boolean } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    refuseShare('its manifest is not JSON');
  }
  const { version = 0 } = anyVersion.safeParse(value).data ?? {};
  if (version > kitVersion) {
    refuseShare(`it has format ${version}; this version of Framewright reads ${kitVersion}`);
  }
  const isKit = version === kitVersion;
  const { data } = isKit ? kitManifest.safeParse(value) : manifest.safeParse(value);
  if (!data) refuseShare('its manifest is not that of a template');
  if ('templates' in data) return { ...data, isKit };
  const { format, files, missing, markers } = data;
  const only = { path: templateName, name: '', files: files.map((one) => one.path) };
  return { format, files, templates: [{ ...only, missing, markers }], isKit };
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
