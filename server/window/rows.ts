/** Serves rows of the window's private path (shared/api/): what was sent is checked, and answered, by the row. */
import {
  Router,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import type * as z from 'zod/mini';
import type { AnswerOf, Of, ParamsOf, Row, Rows } from '../../shared/api/row.ts';
import { bodyOf, jsonBody } from '../api/body.ts';
import { parseParameters } from '../system/parameters.ts';

/** A request for a row, checked. */
interface Asked<R extends Row> {
  readonly params: ParamsOf<R>;
  readonly query: R extends { readonly query: infer S extends z.ZodMiniType } ? Of<S> : undefined;
  readonly body: R extends { readonly unread: true }
    ? undefined
    : R extends { readonly body: infer S extends z.ZodMiniType }
      ? Of<S>
      : undefined;
  readonly request: Request;
  /** For a status that depends, and for answers that the handler sends. */
  readonly response: Response;
  /** There is no such thing: the route doesn't exist. */
  readonly next: NextFunction;
}

/** What a handler returns that has sent the answer itself, e.g. since parts of it are long. */
export const sent = { isSent: true } as const;

type Handler<R extends Row> = (
  asked: Asked<R>,
) => R['answer'] extends z.ZodMiniType
  ? AnswerOf<R> | typeof sent | Promise<AnswerOf<R> | typeof sent>
  : unknown;

/** What answers each row of an area. */
export type Handlers<T extends Rows> = { readonly [Name in keyof T]: Handler<T[Name]> };

/** Routes below `/api`. @param readers What reads the bodies that are not short JSON, by the rows' names. */
export function serveRows<T extends Rows>(
  rows: T,
  handlers: Handlers<T>,
  readers: { readonly [Name in keyof T]?: RequestHandler } = {},
): Router {
  const routes = Router({ caseSensitive: true });
  for (const name of Object.keys(rows)) {
    const row = rows[name];
    // The key is one of the table's.
    const handler = handlers[name] as ((asked: Asked<Row>) => unknown) | undefined;
    if (!row || !handler) continue;
    const reader = readers[name] ?? (row.body ? jsonBody : null);
    const path = routes.route(row.path);
    const method = row.method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';
    if (reader) path[method](reader);
    path[method](async (request, response, next) => {
      const answer: unknown = await handler({
        params: request.params,
        query: row.query && parseParameters(row.query, request.query),
        body: row.body && !row.unread && parseParameters(row.body, bodyOf(request)),
        request,
        response,
        next,
      } as Asked<Row>);
      if (answer === sent || row.answer === 'file') return;
      if (row.status !== undefined) response.status(row.status);
      if (row.answer) response.json(answer);
      else response.status(row.status ?? 204).end();
    });
  }
  return routes;
}
