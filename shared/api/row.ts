/**
 * What a route of the window's private path is: a row with method, path and the schemas of what is sent and answered.
 * The server serves the rows (server/window/rows.ts), the window's client is typed by them and parses the answers.
 */
import * as z from 'zod/mini';
import { isJsonObject, type JsonObject } from '../renderscript/source.ts';

// A page may not make code of text, which zod would try with each schema.
if ('document' in globalThis) z.config({ jitless: true });

/** A route. What is sent and answered is JSON, unless said otherwise. */
export interface Row {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/api`, with `:name` where something is named. */
  readonly path: string;
  readonly query?: z.ZodMiniType;
  readonly body?: z.ZodMiniType;
  /** The handler reads the body, with words of its own or on another thread. */
  readonly unread?: true;
  /** Null: an answer without a body. `file`: bytes or lines, which the handler sends. */
  readonly answer: z.ZodMiniType | 'file' | null;
  /** Of an answer that is no refusal. Default: 200, without a body 204. */
  readonly status?: number;
}

/** The routes of an area, by what they do. */
export type Rows = Readonly<Record<string, Row>>;

/** The same, and nothing of it can be written. JSON of any form is so already. */
export type Immutable<T> = T extends (...args: never[]) => unknown
  ? T
  : [JsonObject, string] extends [T, keyof T]
    ? T
    : T extends readonly unknown[] | object
      ? { readonly [Name in keyof T]: Immutable<T[Name]> }
      : T;

/** What a schema lets through. */
export type Of<S extends z.ZodMiniType> = Immutable<z.output<S>>;

/** `/projects/:id/keys` → `id`. */
type NameIn<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NameIn<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** What stands in a path, by name. */
export type ParamsOf<R extends Row> = Readonly<Record<NameIn<R['path']>, string>>;

/** What a row's answer is. */
export type AnswerOf<R extends Row> = R['answer'] extends z.ZodMiniType
  ? Of<R['answer']>
  : undefined;

/** What a request for a row consists of. */
export type RequestFor<R extends Row> = ([NameIn<R['path']>] extends [never]
  ? unknown
  : { readonly params: ParamsOf<R> }) &
  (R extends { readonly query: infer S extends z.ZodMiniType }
    ? { readonly query: Immutable<z.input<S>> }
    : unknown) &
  (R extends { readonly body: infer S extends z.ZodMiniType }
    ? { readonly body: Immutable<z.input<S>> }
    : unknown);

/** A document, or another object whose parts the row doesn't say. @param words What it should be. */
export const anyObject = (words?: string): z.ZodMiniType<JsonObject> =>
  z.custom<JsonObject>(isJsonObject, words);

/** Items that are parsed of a long list: of 50,000 renders all would take a second. */
const parsedItems = 100;

/** A list that may be very long. Its first items are parsed; the same lines of the server have made the others. */
export function longList<S extends z.ZodMiniType>(item: S): z.ZodMiniType<z.output<S>[]> {
  const beginning = z.array(item);
  const list = z.custom<z.output<S>[]>((value) => Array.isArray(value));
  return z.pipe(
    list,
    z.transform((items, { issues }) => {
      const { data, error } = z.safeParse(beginning, items.slice(0, parsedItems));
      if (data) return items.length <= parsedItems ? data : [...data, ...items.slice(parsedItems)];
      issues.push({ code: 'custom', input: items, message: error.message });
      return z.NEVER;
    }),
  );
}
