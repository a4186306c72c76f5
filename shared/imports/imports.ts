/** Documents of other programs as documents of ours, with a list of what was lost. Window and command line; pure. */
import { isJsonObject, type Json, type JsonObject } from '../renderscript/source.ts';
import { fromEditly, withLayerDefaults } from './editly.ts';
import { isList, openForeign, type Foreign, type ImportNote } from './foreign.ts';
import { fromJson2Video } from './json2video.ts';
import { fromShotstack } from './shotstack.ts';

/** A program whose documents are read. */
interface ImportForm {
  /** As its makers write it. */
  readonly label: string;
  readonly recognises: (document: JsonObject) => boolean;
  /** What has to be done to the JSON before it is read. */
  readonly prepare?: (document: JsonObject) => JsonObject;
  readonly convert: (document: Foreign) => JsonObject;
}

/** THE TABLE of them. */
export const importForms = {
  shotstack: {
    label: 'Shotstack',
    recognises: ({ timeline }) => isJsonObject(timeline) && isList(timeline.tracks),
    prepare: withMergedFields,
    convert: fromShotstack,
  },
  json2video: {
    label: 'JSON2Video',
    recognises: ({ scenes }) => isList(scenes),
    convert: fromJson2Video,
  },
  editly: {
    label: 'editly',
    recognises: ({ clips }) =>
      isList(clips) && clips.some((clip) => isJsonObject(clip) && 'layers' in clip),
    prepare: withLayerDefaults,
    convert: fromEditly,
  },
} as const satisfies Readonly<Record<string, ImportForm>>;

/** The programs, as options name them. */
export type ImportName = keyof typeof importForms;
// Object.keys loses the type of its object's keys.
export const importNames = Object.keys(importForms) as readonly ImportName[];

/** A document that was read. */
export interface Imported {
  /** The program's name, as its makers write it. */
  readonly label: string;
  readonly source: JsonObject;
  readonly notes: readonly ImportNote[];
}

/** The program that a document is of; null if it is of none of them, e.g. one of ours. */
export function recogniseImport(document: Json): ImportName | null {
  if (!isJsonObject(document)) return null;
  const rows: Readonly<Record<ImportName, ImportForm>> = importForms;
  return importNames.find((name) => rows[name].recognises(document)) ?? null;
}

/** Converts a document of that program. */
export function importDocument(document: JsonObject, name: ImportName): Imported {
  const form: ImportForm = importForms[name];
  const notes: ImportNote[] = [];
  const prepared = form.prepare?.(document) ?? document;
  const foreign = openForeign(prepared, '', (path, message) => notes.push({ path, message }));
  const source = form.convert(foreign);
  foreign.finish();
  return { label: form.label, source, notes };
}

/** Letters that merge fields may add: a long one in many places would fill the memory. */
const mostMerged = 2_000_000;

/** Puts the values of Shotstack's merge fields in the place of `{{ NAME }}`. */
function withMergedFields(edit: JsonObject): JsonObject {
  const fields = new Map<string, Json>();
  for (const field of isList(edit.merge) ? edit.merge : []) {
    if (!isJsonObject(field) || typeof field.find !== 'string') continue;
    fields.set(field.find.trim(), field.replace ?? '');
  }
  if (fields.size === 0) return edit;
  let letters = mostMerged;
  const merged = (value: Json): Json => {
    if (isList(value)) return value.map(merged);
    if (isJsonObject(value)) {
      return Object.fromEntries(
        Object.entries(value).map(([key, entry]) => [
          key,
          entry === undefined ? entry : merged(entry),
        ]),
      );
    }
    if (typeof value !== 'string') return value;
    const whole = /^\{\{\s*([^{}]{1,200}?)\s*\}\}$/.exec(value)?.[1];
    if (whole !== undefined && fields.has(whole)) return fields.get(whole) ?? '';
    return value.replace(/\{\{\s*([^{}]{1,200}?)\s*\}\}/g, (found, name: string) => {
      const field = fields.get(name);
      if (field === undefined || field === null || typeof field === 'object') return found;
      const words = String(field);
      letters -= words.length;
      return letters < 0 ? found : words;
    });
  };
  const result = merged(edit);
  return isJsonObject(result) ? result : edit;
}
