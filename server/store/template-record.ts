/** The record of a template: its form, and the template that is read from it. */
import { z } from 'zod';
import type { Marker } from '../../shared/markers.ts';
import { outputFormats } from '../../shared/renderscript/formats.ts';
import { JsonText } from '../system/json-text.ts';
import { markerList } from '../../shared/markers.ts';
import type { DocumentFile } from './template-files.ts';

const seenFacts = z.object({
  /** The version of the program that found them. */
  by: z.string(),
  outputFormat: z.enum(outputFormats).optional(),
  width: z.number().optional(),
  height: z.number().optional(),
  duration: z.number().optional(),
  hasErrors: z.literal(true).optional(),
});

/** What lists show about a long document, so that they need not read it. */
export type SeenFacts = z.infer<typeof seenFacts>;

/** See above. */
export const templateDoc = z
  .object({
    _id: z.string(),
    /** The ID of the project that it belongs to. */
    project: z.string(),
    name: z.string(),
    tags: z.array(z.string()),
    /** Absent: none. */
    markers: z.optional(markerList),
    /** Times in ms since 1970. */
    createdAt: z.number(),
    updatedAt: z.number(),
    /** Only in the Trash. */
    deletedAt: z.number().optional(),
    /** JSON text of the document; absent if it is a file. */
    source: z.string().optional(),
    /** That file: a new one for each version, so that a crash leaves the old or the new. */
    file: z.object({ name: z.string(), bytes: z.number() }).optional(),
    /** Facts about a document that is a file. */
    seen: seenFacts.optional(),
  })
  .refine(({ source, file }) => source !== undefined || file !== undefined);

/** See above. */
export type TemplateDoc = z.infer<typeof templateDoc>;

/** A stored template without its document. */
export interface TemplateFacts {
  readonly id: string;
  readonly project: string;
  readonly name: string;
  readonly tags: readonly string[];
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** The name of a template's picture: another one for each change. */
export const pictureName = ({ id, updatedAt }: TemplateFacts): string => `${id}-${updatedAt}`;

/** A stored template. */
export interface StoredTemplate extends TemplateFacts {
  /** Its document, or the file of it; `readDocument` returns it in either case. */
  readonly document: JsonText | DocumentFile;
  /** See SeenFacts. */
  readonly seen?: SeenFacts;
  readonly markers: readonly Marker[];
  /** The document is unsaved; never set in the store. */
  readonly isDraft?: true;
}

/** Each tag once, in the order given. */
export const unique = (tags: readonly string[]): string[] => [...new Set(tags)];

/** Records are never changed in place, so each is read once. */
const read = new WeakMap<TemplateDoc, StoredTemplate>();

/** The template of a record. */
export function fromDoc(doc: TemplateDoc): StoredTemplate {
  const known = read.get(doc);
  if (known) return known;
  const { _id, project, name, tags, markers = [], createdAt, updatedAt, source, file, seen } = doc;
  // One of the two is present; insert() and change() wrote the text from a checked object.
  const document = file ?? new JsonText(source ?? '{}');
  // Earlier versions may have stored duplicates.
  const template = {
    id: _id,
    project,
    name,
    tags: unique(tags),
    createdAt,
    updatedAt,
    document,
    markers,
    ...(seen && { seen }),
  };
  read.set(doc, template);
  return template;
}
