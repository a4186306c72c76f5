/**
 * What every collection of records offers, wherever they are kept: synchronous reads of acknowledged records, and
 * changes that are kept once they are answered. `database.ts` keeps them in files, `postgres/` in PostgreSQL.
 */
import type { z } from 'zod';
import type { StoreNotice } from './repair.ts';

/** Every record has an ID that we made. */
export interface Identified {
  readonly _id: string;
}

/** The collections of a store. An installation has all of them, perhaps empty. */
export const collectionNames = [
  'renders',
  'templates',
  'template-versions',
  'projects',
  'keys',
  'deliveries',
  'feeds',
  'batches',
  'settings',
  'media',
  'fonts',
  'transcripts',
] as const;

/** The name of a collection. */
export type CollectionName = (typeof collectionNames)[number];

/**
 * Records of one kind. Reads come from memory and show acknowledged records only; a record is shared with all readers
 * and never changed in place. Changes happen one after the other.
 */
export interface Records<Doc extends Identified> {
  /** What had to be repaired or left out at opening. */
  readonly notices: StoreNotice[];
  /** Grows with each change that readers see: what was worked out from all records holds while it stays. */
  readonly changes: number;
  /** The record, or null. */
  find(id: string): Doc | null;
  /** All records, in no particular order. */
  all(): Doc[];
  /**
   * Stores a record, replacing one with the same ID.
   * @throws ApiError `cannot_save`; the records then stay as before.
   */
  write(doc: Doc): Promise<Doc>;
  /**
   * Replaces a record with the result of `make`; null leaves it as it is. `make` may be called more than once.
   *
   * @returns the new record, or null if there is none or `make` returned null.
   * @throws ApiError `cannot_save`, and what `make` throws; the record then stays as it was.
   */
  change(id: string, make: (doc: Doc) => Doc | null): Promise<Doc | null>;
  /** The same, but without a record `make` gets null. */
  put(id: string, make: (doc: Doc | null) => Doc | null): Promise<Doc | null>;
  /** @returns false if there was no such record. @throws ApiError `cannot_save`. */
  remove(id: string): Promise<boolean>;
  /** Waits for the changes under way. */
  close(): Promise<void>;
}

/** What a change made of a record. */
export interface RecordChange {
  readonly collection: CollectionName;
  readonly id: string;
  /** What it was before; null: it is new. */
  readonly before: Identified | null;
  /** What it is now; null: it was removed. */
  readonly after: Identified | null;
}

/** Where the collections of a store are kept. */
export interface RecordKeeper {
  /** Opens a collection. @param schema The form of a record: others are not taken in, and no change creates one. */
  open<Doc extends Identified>(name: CollectionName, schema: z.ZodType<Doc>): Promise<Records<Doc>>;
  /**
   * True if nothing was ever kept under this name, so that what belongs to its records has lost them. Ask before
   * opening.
   */
  isMissing(name: CollectionName): Promise<boolean>;
  /**
   * Calls for each record that another process has changed, as soon as readers see it; absent: no other process can.
   */
  readonly follow?: (listener: (change: RecordChange) => void) => void;
  /** Ends it, after its collections. */
  close(): Promise<void>;
}

/** What a change does; a null record removes it. */
export interface Outcome<Doc> {
  readonly id: string;
  readonly doc: Doc | null;
}

/**
 * Computes a change from the acknowledged records and the changes before it; null: no change. Its errors fail only this
 * change.
 */
export type Edit<Doc> = (current: (id: string) => Doc | null) => Outcome<Doc> | null;

/**
 * Computes a change after those before it (`next`, which gets it), and checks the record's form: one of another form
 * would not be taken in at the next start. @throws what the edit throws, or what is wrong with the record.
 */
export function workOut<Doc>(
  edit: Edit<Doc>,
  schema: z.ZodType<Doc>,
  next: Map<string, Doc | null>,
  find: (id: string) => Doc | null,
): Outcome<Doc> | null {
  const done = edit((id) => next.get(id) ?? (next.has(id) ? null : find(id)));
  if (!done) return null;
  const doc = done.doc && schema.parse(done.doc);
  next.set(done.id, doc);
  return { id: done.id, doc };
}

/** The changes of `Records`, made of one function that applies an edit. */
export abstract class EditedRecords<Doc extends Identified> {
  /** Applies an edit after those before it. @throws ApiError `cannot_save`, and what the edit throws. */
  protected abstract apply(edit: Edit<Doc>): Promise<Outcome<Doc> | null>;

  /** See Records. */
  async write(doc: Doc): Promise<Doc> {
    const done = await this.apply(() => ({ id: doc._id, doc }));
    return done?.doc ?? doc;
  }

  /** See Records. */
  async change(id: string, make: (doc: Doc) => Doc | null): Promise<Doc | null> {
    const done = await this.apply((current) => {
      const doc = current(id);
      const changed = doc && make(doc);
      return changed && { id, doc: changed };
    });
    return done?.doc ?? null;
  }

  /** See Records. */
  async put(id: string, make: (doc: Doc | null) => Doc | null): Promise<Doc | null> {
    const done = await this.apply((current) => {
      const doc = make(current(id));
      return doc && { id, doc };
    });
    return done?.doc ?? null;
  }

  /** See Records. */
  async remove(id: string): Promise<boolean> {
    const done = await this.apply((current) => current(id) && { id, doc: null });
    return done !== null;
  }
}

/** Any thrown value as an error. */
export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/**
 * Records as JSON text for PostgreSQL, whose `jsonb` refuses two things that JavaScript's texts may contain: the
 * character U+0000 and halves of surrogate pairs. They are written as U+001A with four digits, and U+001A itself
 * likewise.
 */

const mark = '\u001a';
/** What JSON text has for any of them; perhaps also for a backslash before such letters, which costs a second look. */
const suspicious = /\\u(?:0000|001a|d[89a-f])/;
const refused =
  // eslint-disable-next-line no-control-regex -- these characters are the point
  /[\u0000\u001a]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
// eslint-disable-next-line no-control-regex -- as above
const marked = /\u001a([\da-f]{4})/g;

/** The text of a record. */
export function recordText(record: object): string {
  const text = JSON.stringify(record);
  return suspicious.test(text) ? JSON.stringify(mapTexts(record, mask)) : text;
}

/** The record of a text. @throws if it is no JSON. */
export function textRecord(text: string): unknown {
  const record: unknown = JSON.parse(text);
  return text.includes('\\u001a') ? mapTexts(record, unmask) : record;
}

const mask = (text: string): string =>
  text.replace(refused, (unit) => mark + unit.charCodeAt(0).toString(16).padStart(4, '0'));
const unmask = (text: string): string =>
  text.replace(marked, (_, digits: string) => String.fromCharCode(parseInt(digits, 16)));

/** The same value with all texts changed, names included. Records are shallow: users' documents are texts in them. */
function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((part) => mapTexts(part, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [change(name), mapTexts(part, change)]),
  );
}
