/**
 * What the desk does, as plain functions: reading a body, preparing a document, reading a table and its rows. Small
 * tasks are called directly; large ones run on a thread (desk.ts), where they block nobody. Tasks and answers are data
 * that can be sent between threads.
 */
import type { TableChoice, TableLook } from '../../../shared/api.ts';
import type { FeedMapping } from '../../../shared/feed-mapping.ts';
import { ApiError } from '../../../shared/errors.ts';
import { deskLimits } from '../../../shared/limits.ts';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  type Source,
} from '../../../shared/renderscript/source.ts';
import type { FeedColumn, RowBytes } from '../../store/feeds.ts';
import { batchItems, draftText, readJsonBody } from './json-body.ts';
import { familiesIn } from '../../../shared/renderscript/same-name.ts';
import {
  batchLines,
  type BatchWish,
  feedTable,
  type FeedTable,
  type KnownTable,
  lastRows,
  mapColumns,
  type NamedInRows,
  rowFiles,
  rowQuality,
  sentRows,
} from '../feeds/feed-rows.ts';
import { checkRows, type CheckedRows, type RowCheck } from '../feeds/feed-check.ts';
import type { ReadSheet, SheetFacts } from '../feeds/feed-spreadsheet.ts';
import { lookAtTable, readTable } from '../feeds/feed-table.ts';
import {
  localFiles,
  readdress,
  withFonts,
  type NamedFile,
  type SharedFont,
} from '../share/document-files.ts';
import { plainText, givable, type TextContent } from '../../system/json-text.ts';
import {
  limitElements,
  prepareDocument,
  type DocumentOrder,
  type PreparedDocument,
} from './prepare-document.ts';
import { templateFields, type TemplateField } from './template-fields.ts';
import { elementLabel } from '../../../shared/renderscript/validate.ts';

/** What a route wants of a large body. */
export interface BodyWish {
  /** Fields to read. Long objects and lists stay text. */
  readonly names: readonly string[];
  /** Fields that may be long lists, of texts or of flat objects, with how many items each may have. */
  readonly lists?: Readonly<Record<string, number>>;
  /** Fields of which only the presence matters. */
  readonly present?: readonly string[];
  /** If this field is present, everything but `without` is wanted as one document. */
  readonly document?: { readonly when: string; readonly without: readonly string[] };
}

/** A large body, taken apart. */
export interface BodyParts {
  readonly fields: JsonObject;
  /** Objects as text, with how many keys they have. */
  readonly texts: Readonly<
    Record<string, { readonly content: TextContent; readonly keys: number }>
  >;
  readonly document?: TextContent;
  /** Names of the first few other fields. */
  readonly others: readonly string[];
}

/** What a shared template has instead of what is on this computer. */
export interface SharedParts {
  /** Other addresses for files. */
  readonly addresses: ReadonlyMap<string, string>;
  /** Fonts that it brings too. */
  readonly fonts: readonly SharedFont[];
}

/** A long message of the Model Context Protocol, taken apart. */
export interface MessageParts {
  /** Without its long arguments: `{}` stands for each. */
  readonly message: JsonObject;
  /** Those arguments as text, with how many keys they have. */
  readonly texts: BodyParts['texts'];
}

/** A file with a table; or the rows of a sheet as JSON, and which one it is. */
export interface TableBytes {
  readonly bytes: Uint8Array;
  readonly sheet?: SheetFacts;
}

/** A task for the desk. */
export type DeskTask =
  | { readonly kind: 'body'; readonly bytes: Uint8Array; readonly wish: BodyWish }
  | { readonly kind: 'renders'; readonly bytes: Uint8Array; readonly wish: BodyWish }
  | { readonly kind: 'message'; readonly bytes: Uint8Array }
  | { readonly kind: 'document'; readonly order: DocumentOrder<TextContent> }
  | { readonly kind: 'element'; readonly source: TextContent; readonly path: string }
  | { readonly kind: 'limits'; readonly source: TextContent }
  | { readonly kind: 'fields'; readonly source: TextContent }
  | { readonly kind: 'files'; readonly source: TextContent }
  | { readonly kind: 'families'; readonly source: TextContent }
  | {
      readonly kind: 'share';
      readonly source: TextContent;
      readonly facts: { readonly name: string; readonly tags: readonly string[] };
      readonly parts: SharedParts;
    }
  | {
      readonly kind: 'columns';
      readonly source: TextContent;
      readonly columns: readonly FeedColumn[];
    }
  | { readonly kind: 'draft'; readonly bytes: Uint8Array; readonly savedAt: number }
  | (TableBytes & {
      readonly kind: 'table';
      readonly choice: TableChoice;
      readonly known: KnownTable;
    })
  | (TableBytes & { readonly kind: 'look'; readonly choice: TableChoice })
  | { readonly kind: 'rows'; readonly bytes: Uint8Array; readonly stored: Uint8Array }
  | { readonly kind: 'last rows'; readonly bytes: Uint8Array; readonly count: number }
  | {
      readonly kind: 'row files';
      readonly bytes: Uint8Array;
      readonly mapping: FeedMapping;
      readonly source: TextContent;
    }
  | {
      readonly kind: 'batch';
      readonly bytes: Uint8Array;
      readonly wish: BatchWish;
      readonly source: TextContent | null;
    }
  | { readonly kind: 'check'; readonly check: RowCheck };

/** Its answer, by kind. */
export interface DeskAnswers {
  readonly body: BodyParts;
  /** The items of a batch by their index; an object, whose buffers can be transferred. */
  readonly renders: Readonly<Record<string, BodyParts>>;
  readonly message: MessageParts;
  readonly document: PreparedDocument<TextContent>;
  /** The name of an element. */
  readonly element: string | undefined;
  /** Nothing: a document beyond them is refused. */
  readonly limits: null;
  /** What can be changed in a template. */
  readonly fields: readonly TemplateField[];
  /** The addresses of a document that may lead to local files. */
  readonly files: readonly NamedFile[];
  /** The font families that a document names: in lower case → as written. */
  readonly families: ReadonlyMap<string, string>;
  /** A template as a shared file has it, as JSON. */
  readonly share: Uint8Array;
  /** The columns of a feed, mapped to a template. */
  readonly columns: readonly FeedColumn[];
  /** What is kept of a draft, as JSON. */
  readonly draft: Uint8Array;
  readonly table: FeedTable;
  readonly look: TableLook;
  readonly rows: RowBytes;
  /** As they were stored. */
  readonly 'last rows': readonly Json[];
  /** What rows write where a template names files. */
  readonly 'row files': NamedInRows;
  readonly batch: RowBytes;
  readonly check: CheckedRows;
}

/** Runs a task. @throws ApiError with the reason for the person who sent it. */
export async function doTask(task: DeskTask): Promise<DeskAnswers[DeskTask['kind']]> {
  switch (task.kind) {
    case 'body':
      return takeApart(readJsonBody(task.bytes), task.wish);
    case 'renders': {
      const items = batchItems(readJsonBody(task.bytes));
      return Object.fromEntries(items.map((item, index) => [index, takeApart(item, task.wish)]));
    }
    case 'message':
      return messageParts(readJsonBody(task.bytes));
    case 'document':
      return sent(prepareDocument(fromTexts(task.order)));
    case 'element':
      return elementNameAt(objectOf(task.source), task.path);
    case 'limits':
      limitElements(objectOf(task.source));
      return null;
    case 'fields':
      return templateFields(objectOf(task.source));
    case 'files':
      return localFiles(objectOf(task.source));
    case 'families':
      return familiesIn(plainText(task.source));
    case 'share': {
      const { addresses, fonts } = task.parts;
      const read = objectOf(task.source);
      readdress(read, addresses);
      const source = withFonts(read, fonts);
      return new TextEncoder().encode(JSON.stringify({ ...task.facts, source }));
    }
    case 'columns':
      return mapColumns(task.columns, objectOf(task.source));
    case 'draft':
      return draftText(task.bytes, task.savedAt);
    case 'table':
      return feedTable(await readTable(tableOf(task), task.choice), task.known);
    case 'look':
      return lookAtTable(tableOf(task), task.choice);
    case 'rows':
      return sentRows(task.bytes, task.stored);
    case 'last rows':
      return lastRows(task.bytes, task.count);
    case 'row files':
      return rowFiles(task.bytes, task.mapping, objectOf(task.source));
    case 'batch':
      return batchLines(
        task.bytes,
        task.source === null
          ? task.wish
          : { ...task.wish, standard: rowQuality(objectOf(task.source)) },
      );
    case 'check':
      return checkRows(task.check);
  }
}

/**
 * The buffers in an answer, to transfer with it: copying would cost the receiving thread as much as the task, and
 * transferred memory counts as its own, so it is freed in time.
 */
export function wholeBuffers(answer: unknown): ArrayBuffer[] {
  if (answer instanceof Uint8Array) {
    const { buffer, byteLength } = answer;
    // Short ones share their memory with others.
    return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
  }
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return [];
  return Object.values(answer).flatMap(wholeBuffers);
}

/** For an answer that goes to another thread. */
function sent(prepared: PreparedDocument): PreparedDocument<TextContent> {
  return { ...prepared, text: givable(prepared.text) };
}

function tableOf({ bytes, sheet }: TableBytes): Buffer | ReadSheet {
  const content = bufferOf(bytes);
  // Our own process wrote them.
  return sheet ? { ...sheet, rows: JSON.parse(content.toString()) as string[][] } : content;
}

function bufferOf({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length);
}

/** How many unknown fields are named. */
const fewOthers = 20;

function takeApart(
  body: JsonObject,
  { names, lists = {}, present = [], document }: BodyWish,
): BodyParts {
  const fields: [string, Json][] = [];
  const texts: [string, { content: TextContent; keys: number }][] = [];
  for (const name of names) {
    const value = Object.hasOwn(body, name) ? body[name] : undefined;
    if (value === undefined) continue;
    const text = typeof value === 'object' ? JSON.stringify(value) : '';
    if (typeof value === 'string') {
      fields.push([name, value.slice(0, deskLimits.inlineCharacters)]);
    } else if (isJsonObject(value) && text.length > deskLimits.inlineDocument) {
      texts.push([name, { content: givable(text), keys: Object.keys(value).length }]);
    } else if (text.length <= deskLimits.inlineCharacters) fields.push([name, value]);
    else if (Array.isArray(value) && isPlainList(value, lists[name])) fields.push([name, value]);
    // No other parameter may be a list this long; an item that none may have makes sure that it is refused.
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
      document: givable(
        JSON.stringify(
          Object.fromEntries(Object.entries(body).filter(([name]) => !without.has(name))),
        ),
      ),
    }),
  };
}

/** Arguments of tools that may be long. */
const longArguments = ['source', 'modifications'];

/** @throws ApiError `asks_too_much` if anything else is long. */
function messageParts(message: JsonObject): MessageParts {
  const { params } = message;
  // Parsed here, so nobody else has it.
  const given: Record<string, Json | undefined> =
    isJsonObject(params) && isJsonObject(params.arguments) ? params.arguments : {};
  const texts: [string, { content: TextContent; keys: number }][] = [];
  for (const name of longArguments) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (!isJsonObject(value)) continue;
    const content = givable(JSON.stringify(value));
    texts.push([name, { content, keys: Object.keys(value).length }]);
    given[name] = {};
  }
  const most = deskLimits.inlineCharacters;
  if (JSON.stringify(message).length > most) {
    const reason = `beside ${longArguments.join(' and ')}, at most ${most / 1000} kB`;
    throw new ApiError('asks_too_much', { name: 'params', reason });
  }
  return { message, texts: Object.fromEntries(texts) };
}

/** True for a list that may be long and contains nothing slow to transfer. */
function isPlainList(list: readonly Json[], most: number | undefined): boolean {
  if (most === undefined || list.length > most) return false;
  return list.every(
    (item) =>
      typeof item === 'string' ||
      (isJsonObject(item) &&
        Object.keys(item).length <= plainFields &&
        Object.values(item).every((value) => typeof value === 'string')),
  );
}

/** Fields of an object in such a list. */
const plainFields = 4;

/** The object of a text that JSON.stringify wrote. */
function objectOf(content: TextContent): JsonObject {
  return JSON.parse(plainText(content)) as JsonObject;
}

function fromTexts({
  source,
  modifications,
  transcripts,
  ...rest
}: DocumentOrder<TextContent>): DocumentOrder {
  return {
    ...rest,
    source: objectOf(source),
    ...(modifications !== undefined && { modifications: objectOf(modifications) }),
    ...(transcripts !== undefined && { transcripts: objectOf(transcripts) }),
  };
}

/** The innermost element on a path, e.g. `Video 1` for `elements[2].source`; undefined for places outside elements. */
export function elementNameAt(source: Source, path: string): string | undefined {
  let name: string | undefined;
  let parent: unknown = source;
  for (const [, digits] of path.matchAll(/elements\[(\d+)\]/g)) {
    const elements = isJsonObject(parent) ? parent.elements : undefined;
    if (!Array.isArray(elements)) return name;
    // Array.isArray widens read-only lists to any[].
    const siblings: readonly unknown[] = elements;
    const index = Number(digits);
    const element = siblings[index];
    if (!isJsonObject(element)) return name;
    name = elementLabel(element, siblings, index);
    parent = element;
  }
  return name;
}
