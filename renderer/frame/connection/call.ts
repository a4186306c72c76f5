/** Asks the server for a row of the window's private path, and parses the answer. Window only. */
import * as z from 'zod/mini';
import type { AnswerOf, RequestFor, Row } from '../../../shared/api/row.ts';
import { say } from '../../ui/say.ts';
import { answerOf, request, RequestProblem } from './api.ts';

/** What every request may have. */
interface Options {
  readonly signal?: AbortSignal;
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

/**
 * Asks for a row.
 * @throws {RequestProblem} with the server's own sentence, for a refusal; where the answer is not the row's
 */
export function call<R extends Row>(
  row: R,
  ...sent: unknown extends RequestFor<R> ? [Options?] : [RequestFor<R> & Options]
): Promise<AnswerOf<R>>;
export async function call(row: Row, sent: Sent = {}): Promise<unknown> {
  const { body, signal } = sent;
  const response = await request(addressOf(row, sent), {
    method: row.method,
    ...(body !== undefined && {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    }),
    ...(signal && { signal }),
  });
  // eslint-disable-next-line @typescript-eslint/no-confusing-void-expression -- some rows have no answer
  return parsed(row, await answerOf(response));
}

/** The answer as the row has it. */
export function parsed<R extends Row>(row: R, answer: unknown): AnswerOf<R>;
export function parsed({ answer: schema, path }: Row, answer: unknown): unknown {
  if (!schema) return undefined;
  const { data, error } = z.safeParse(schema, answer);
  if (!error) return data;
  console.error(`The answer of ${path} has another form.`, error.issues.slice(0, 3));
  throw new RequestProblem(say('problem.answer'));
}
