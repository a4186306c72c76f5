/**
 * What a route of the API is: one row with method, path, schemas, words for the help, and the handlers that answer. The
 * rows are in the files of their resources; operations.ts lists them all.
 */
import type { Request, RequestHandler, Response } from 'express';
import type { z } from 'zod';
import type { ErrorCode } from '../../shared/errors.ts';
import { parseParameters, parseQuery } from '../system/parameters.ts';
import { sendAnswer } from './answer.ts';
import { bodyOf, jsonBody } from './body.ts';
import type { ProjectServices } from './project.ts';
import type { FixedSetting } from '../../shared/api.ts';
import type { Work } from '../jobs/create-work.ts';
import type { EventBus } from '../jobs/events.ts';
import type { Library } from '../jobs/files/create-library.ts';
import type { EncoderTrials } from '../jobs/worker/encoder-trials.ts';
import type { Log } from '../system/log.ts';
import type { Store } from '../store/store.ts';
import type { ServerAddress } from './choices.ts';
import type { ApiControl } from './listener/api-control.ts';
import type { RateLimiter } from './rate-limit.ts';

/**
 * An answer other than a refusal. Its form: one object, an array of them, a stream of events, a picture, an archive, or
 * any file; null = no body.
 */
export interface AnswerRow {
  readonly status: number;
  readonly description: string;
  readonly content:
    | { readonly form: 'one' | 'many' | 'events'; readonly schema: z.ZodType }
    | { readonly form: 'picture' | 'archive' | 'file' }
    | null;
}

/** A header that a request may have. */
export interface HeaderRow {
  readonly name: string;
  readonly description: string;
}

/** What every route has. */
interface OperationFacts {
  /** A stable name, e.g. for generated clients. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** With `{id}` where an ID stands. */
  readonly path: string;
  /** The help page that describes it. */
  readonly topic:
    | 'renders'
    | 'previews'
    | 'templates'
    | 'media'
    | 'transcripts'
    | 'fonts'
    | 'feeds'
    | 'webhooks'
    | 'projects'
    | 'backups'
    | 'settings';
  readonly summary: string;
  readonly explanation?: string;
  readonly query?: z.ZodObject;
  /** In addition to those of every request. */
  readonly headers?: readonly HeaderRow[];
  readonly body?: z.ZodType;
  /** The body is one file, not JSON: an archive, or any as `server/api/uploads.ts` takes it. */
  readonly bodyForm?: 'archive' | 'file';
  readonly answers: readonly AnswerRow[];
  /** Its own refusals, in addition to `commonRefusals` and `bodyRefusals`. */
  readonly refusals: readonly ErrorCode[];
}

/** A route about what belongs to the key's project. */
interface ProjectOperation extends OperationFacts {
  readonly of?: undefined;
  /** The handlers for a project, in order; called once per project. */
  readonly serve: (services: ProjectServices) => readonly RequestHandler[];
}

/** A route about the server itself, which all projects share: only keys of the first project may use it. */
interface ServerOperation extends OperationFacts {
  readonly of: 'server';
  readonly serve: (server: WholeServer) => readonly RequestHandler[];
}

/** One route. */
export type Operation = ProjectOperation | ServerOperation;

/** The ID in a route's path, as it was written. */
export function idOf({ params }: Request): string {
  const { id } = params;
  if (typeof id !== 'string') throw new Error('the route has no {id} in its path');
  return id;
}

/** A request. Body and query are checked by the row's schemas when they are first looked at. */
interface Asked<Body, Query> {
  /** The ID in its path, as it was written. */
  readonly id: string;
  readonly body: Body extends z.ZodType ? z.infer<Body> : undefined;
  readonly query: Query extends z.ZodObject ? z.infer<Query> : undefined;
  readonly request: Request;
  /** Has the status of the row's first answer; for another one, and for answers that the handler sends itself. */
  readonly response: Response;
}

/** The words of a row, and what answers: with the object or list to send, or nothing. */
type Route<Services, Body, Query> = Omit<
  OperationFacts,
  'method' | 'path' | 'topic' | 'body' | 'query'
> & { readonly body?: Body; readonly query?: Query } & (
    | { readonly serve: (services: Services) => readonly RequestHandler[] }
    | {
        readonly answer: (services: Services, asked: Asked<Body, Query>) => unknown;
        /** What reads the body, if it is not a small one: see body.ts. */
        readonly reader?: (services: Services) => RequestHandler;
      }
  );

/** What makes the rows of a page of the help, e.g. `route('GET /v2/fonts', { … })`. */
type RouteMaker<Services> = <Body = undefined, Query = undefined>(
  call: `${OperationFacts['method']} /${string}`,
  route: Route<Services, Body, Query>,
) => Operation;

/** A row whose handler takes what its own schemas give, which its type no longer says. */
interface AnyRoute<Services> extends Omit<OperationFacts, 'method' | 'path' | 'topic'> {
  readonly serve?: (services: Services) => readonly RequestHandler[];
  readonly answer?: (services: Services, asked: Asked<z.ZodType, z.ZodObject>) => unknown;
  readonly reader?: (services: Services) => RequestHandler;
}

function routesOf<Services>(
  make: (
    words: Omit<OperationFacts, 'topic'>,
    serve: (services: Services) => readonly RequestHandler[],
  ) => Operation,
): RouteMaker<Services> {
  return (call, route) => {
    const { answer, serve, reader, ...words } = route as unknown as AnyRoute<Services>; // see there
    const { body, query, answers } = words;
    const [{ status, content } = { status: 200, content: null }] = answers;
    const send =
      (services: Services): RequestHandler =>
      async (request, response) => {
        response.status(status);
        const found = await answer?.(services, {
          get id() {
            return idOf(request);
          },
          get body() {
            return body && parseParameters(body, bodyOf(request));
          },
          get query() {
            return query ? parseQuery(query, request.query) : {};
          },
          request,
          response,
        });
        // An object or a list, as the row's schema says.
        if (found !== undefined) sendAnswer(response, found as object);
        else if (content === null) response.end();
      };
    const read = reader ?? (body ? () => jsonBody : null);
    const [method, path] = call.split(' ') as [OperationFacts['method'], string];
    return make(
      { ...words, method, path },
      serve ?? ((services) => [...(read ? [read(services)] : []), send(services)]),
    );
  };
}

/** Rows about what belongs to the key's project. @param topic The page of the help that describes them. */
export function projectRoutes(topic: OperationFacts['topic']): RouteMaker<ProjectServices> {
  return routesOf((words, serve) => ({ ...words, topic, serve }));
}

/** The same about the server itself. */
export function serverRoutes(topic: OperationFacts['topic']): RouteMaker<WholeServer> {
  return routesOf((words, serve) => ({ ...words, topic, of: 'server', serve }));
}

/** Refusals that every route with a key may give. */
export const commonRefusals: readonly ErrorCode[] = [
  'malformed_request',
  'invalid_key',
  'wrong_host',
  'wrong_origin',
  'request_timeout',
  'rate_limit_exceeded',
  'too_many_connections',
  'headers_too_large',
  'internal_error',
];

/** Further refusals of routes that read a body. */
export const bodyRefusals: readonly ErrorCode[] = [
  'invalid_json',
  'invalid_encoding',
  'wrong_content_type',
  'not_an_object',
  'too_deep',
  'number_too_large',
  'incomplete_body',
  'invalid_parameter',
  'body_too_large',
  'cannot_save',
];

/** An answer of one object. */
export const one = (status: number, schema: z.ZodType, description: string): AnswerRow => ({
  status,
  description,
  content: { form: 'one', schema },
});
/** An answer of a list. */
export const many = (status: number, schema: z.ZodType, description: string): AnswerRow => ({
  status,
  description,
  content: { form: 'many', schema },
});
/** An answer of events; the schema is that of one. */
export const events = (schema: z.ZodType, description: string): AnswerRow => ({
  status: 200,
  description,
  content: { form: 'events', schema },
});

/** What a route refuses beyond what many do, its rights included. */
export function ownRefusalsOf({ refusals, of }: Operation): readonly ErrorCode[] {
  return of === 'server' ? ['first_project_only', ...refusals] : refusals;
}

/** Every code that a route may answer with, in the order of the table. */
export function refusalsOf(operation: Operation): readonly ErrorCode[] {
  const ofBody = operation.body ? bodyRefusals : [];
  return [...new Set([...commonRefusals, ...ofBody, ...ownRefusalsOf(operation)])];
}

/** The server; see ServerServices for what is not explained here. */
export interface WholeServer {
  readonly store: Pick<
    Store,
    'settings' | 'backups' | 'projects' | 'keys' | 'templates' | 'feeds' | 'renders' | 'fonts'
  >;
  readonly events: EventBus;
  readonly log: Log;
  readonly work: Pick<Work, 'queue'>;
  readonly library: Pick<Library, 'files' | 'fontLibrary'>;
  readonly requests: { readonly limiter: Pick<RateLimiter, 'limit'>; readonly sync: unknown };
  readonly pending: { readonly encoderTrials: Pick<EncoderTrials, 'find'> };
  readonly address: Pick<ServerAddress, 'publicUrl' | 'trustsProxy' | 'isProxied' | 'addressRule'>;
  readonly listener: Pick<ApiControl, 'api' | 'usePort' | 'useHost'>;
  readonly run: {
    readonly dataFolder: string;
    readonly startedConcurrency: number;
    readonly fixedSettings: readonly FixedSetting[];
    readonly useSettings: () => void;
    readonly restart: (() => void) | null;
  };
}
