/** Asks the server for a row of the window's private path, and parses the answer. Window only. */
import * as z from 'zod/mini';
import type { AnswerOf, RequestFor, Row } from '../../../shared/api/row.ts';
import { say } from '../../ui/say.ts';
import { answerOf, request, RequestProblem } from './api.ts';

/** What every request may have. */
interface Options {
  readonly signal?: AbortSignal;
  /** The body, as it is. */
  readonly file?: File;
}

/** What a request may consist of, whatever its row says. */
interface Sent extends Options {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: unknown;
  readonly body?: unknown;
}

/** The address of a row. */
export function addressOf({ path }: Row, { params = {}, query }: Sent = {}): string {
  const named = path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  );
  const values = Object.entries(query ?? {}).map(([name, value]) => [name, String(value)]);
  const text = new URLSearchParams(values).toString();
  return `/api${named}${text === '' ? '' : `?${text}`}`;
}

/** Asks for a row, and returns its answer with any status. @throws {RequestProblem} where nothing answers */
export function ask<R extends Row>(row: R, ...sent: SentTo<R>): Promise<Response>;
export function ask(row: Row, sent: Sent = {}): Promise<Response> {
  const { body, file, signal } = sent;
  return request(addressOf(row, sent), {
    method: row.method,
    ...(body !== undefined && {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    }),
    ...(file && { body: file, headers: { 'content-type': 'application/octet-stream' } }),
    ...(signal && { signal }),
  });
}

/** What goes with a request for a row. */
export type SentTo<R extends Row> =
  unknown extends RequestFor<R> ? [Options?] : [RequestFor<R> & Options];

/**
 * Asks for a row.
 * @throws {RequestProblem} with the server's own sentence, for a refusal; where the answer is not the row's
 */
export async function call<R extends Row>(row: R, ...sent: SentTo<R>): Promise<AnswerOf<R>> {
  return parsed(row, await answerOf(await ask(row, ...sent)));
}

/**
 * A picture as an address of this page, to be revoked; null where there is none.
 * @throws {RequestProblem} where nothing answers
 */
export async function loadPictureOf<R extends Row>(
  row: R,
  ...sent: SentTo<R>
): Promise<string | null> {
  const response = await ask(row, ...sent);
  return response.status === 200 ? URL.createObjectURL(await response.blob()) : null;
}

/** The answer as the row has it. */
export function parsed<R extends Row>(row: R, answer: unknown): AnswerOf<R>;
export function parsed({ answer: schema, path }: Row, answer: unknown): unknown {
  if (!schema || schema === 'file') return undefined;
  const { data, error } = z.safeParse(schema, answer);
  if (!error) return data;
  console.error(`The answer of ${path} has another form.`, error.issues.slice(0, 3));
  throw new RequestProblem(say('problem.answer'));
}
