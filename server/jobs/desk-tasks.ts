/**
 * What the desk does, as plain functions: reading a body, preparing a document, reading a table. Small work is done by calling
 * them where one is; large work on a thread (desk.ts), where it holds up nobody. Questions and answers are data that can be
 * sent from one thread to another.
 */
import { isJsonObject, type Json, type JsonObject } from '../../shared/renderscript/source.ts';
import type { Table } from '../store/feeds.ts';
import { elementNameAt } from './element-name.ts';
import { readTable } from './feed-table.ts';
import { readJsonBody } from './json-body.ts';
import { prepareDocument, type DocumentOrder, type PreparedDocument } from './prepare-document.ts';

/** What a route wants of a large body. */
export interface BodyWish {
  /** Fields that are looked at. Objects and lists that are long stay text. */
  readonly names: readonly string[];
  /** Fields of which it is only asked whether they are there. */
  readonly present?: readonly string[];
  /** When this field is there, everything but `without` is wanted as one document. */
  readonly document?: { readonly when: string; readonly without: readonly string[] };
}

/** A large body, taken apart. */
export interface BodyParts {
  readonly fields: JsonObject;
  /** Objects as text, with how many keys they have; lists stay lists of nothing, because no long one is allowed. */
  readonly texts: Readonly<Record<string, { readonly text: string; readonly keys: number }>>;
  readonly document?: string;
  /** Names of other fields that are there, the first few. */
  readonly others: readonly string[];
}

/** A question to the desk. */
export type DeskTask =
  | { readonly kind: 'body'; readonly bytes: Uint8Array; readonly wish: BodyWish }
  | { readonly kind: 'document'; readonly order: DocumentOrder<string> }
  | { readonly kind: 'element'; readonly source: string; readonly path: string }
  | { readonly kind: 'rows'; readonly bytes: Uint8Array; readonly count: number }
  | { readonly kind: 'table'; readonly bytes: Uint8Array };

/** Its answer, by kind. */
export interface DeskAnswers {
  readonly body: BodyParts;
  readonly document: PreparedDocument;
  /** The name of an element. */
  readonly element: string | undefined;
  /** The last rows of a list, as they were stored. */
  readonly rows: readonly Json[];
  readonly table: Table;
}

/** Does a task. @throws ApiError with the reason for the person who sent it. */
export async function doTask(task: DeskTask): Promise<DeskAnswers[DeskTask['kind']]> {
  switch (task.kind) {
    case 'body':
      return takeApart(readJsonBody(task.bytes), task.wish);
    case 'document':
      return prepareDocument(fromTexts(task.order));
    case 'element':
      return elementNameAt(objectOf(task.source), task.path);
    case 'rows':
      return lastRows(task);
    case 'table':
      return readTable(Buffer.from(task.bytes.buffer, task.bytes.byteOffset, task.bytes.length));
  }
}

/** The last rows of a list of them in JSON. */
export function lastRows({ bytes, count }: Extract<DeskTask, { kind: 'rows' }>): readonly Json[] {
  // Who asked looks at what is in it.
  const rows = JSON.parse(new TextDecoder().decode(bytes)) as readonly Json[];
  return rows.slice(-count);
}

/** Characters of a list or an object that is still handed over as a value. */
const shortValue = 32_000;

/** Unknown fields that are named. */
const fewOthers = 20;

function takeApart(body: JsonObject, { names, present = [], document }: BodyWish): BodyParts {
  const fields: [string, Json][] = [];
  const texts: [string, { text: string; keys: number }][] = [];
  for (const name of names) {
    const value = Object.hasOwn(body, name) ? body[name] : undefined;
    if (value === undefined) continue;
    const text = typeof value === 'object' ? JSON.stringify(value) : '';
    if (text.length <= shortValue) fields.push([name, value]);
    else if (isJsonObject(value)) texts.push([name, { text, keys: Object.keys(value).length }]);
    // No parameter is a list of this length; an item that none may have keeps it from being taken for a good one.
    else fields.push([name, [null]]);
  }
  for (const name of present) if (Object.hasOwn(body, name)) fields.push([name, true]);
  const known = new Set([...names, ...present]);
  const others: string[] = [];
  for (const name in body) {
    if (others.length >= fewOthers) break;
    if (!known.has(name)) others.push(name.slice(0, 100));
  }
  const isDocument = document !== undefined && Object.hasOwn(body, document.when);
  const without = new Set(document?.without);
  return {
    fields: Object.fromEntries(fields),
    texts: Object.fromEntries(texts),
    others,
    ...(isDocument && {
      document: JSON.stringify(
        Object.fromEntries(Object.entries(body).filter(([name]) => !without.has(name))),
      ),
    }),
  };
}

/** Of a text that JSON.stringify wrote from an object. */
function objectOf(text: string): JsonObject {
  return JSON.parse(text) as JsonObject;
}

function fromTexts({
  source,
  modifications,
  transcripts,
  ...rest
}: DocumentOrder<string>): DocumentOrder {
  return {
    ...rest,
    source: objectOf(source),
    ...(modifications !== undefined && { modifications: objectOf(modifications) }),
    ...(transcripts !== undefined && { transcripts: objectOf(transcripts) }),
  };
}
