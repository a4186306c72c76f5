/** Turns thrown errors into the answer `{hint, documentation}`: the only place that writes refusals. */
import { randomBytes } from 'node:crypto';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import type { ErrorRecord } from './answer-schemas.ts';
import { ApiError, documentationPath } from '../../shared/errors.ts';
import { describeError, type Log } from '../system/log.ts';
import { StorageError } from '../store/storage.ts';
import { baseUrlOf } from './answer.ts';
import { isJsonObject, type JsonObject } from '../../shared/renderscript/source.ts';

/** The body of a refusal. */
export function errorRecord(error: ApiError, apiUrl: string): ErrorRecord {
  return { hint: error.message, documentation: `${apiUrl}${documentationPath(error.code)}` };
}

/** Refuses requests that match no route. @param methodsAt What a path takes; nothing if it is unknown. */
export function unknownRoute(
  methodsAt: (path: string) => readonly string[] = () => [],
): RequestHandler {
  return (request, response) => {
    const path = request.originalUrl.split('?')[0] ?? '';
    const refusal = new ApiError('route_not_found', { method: request.method, path });
    const methods = methodsAt(path);
    if (methods.length === 0) throw refusal.withAdvice(adviceOnPath(path));
    response.set('Allow', methods.join(', '));
    throw refusal.withAdvice(`This path takes ${methods.join(', ')}.`);
  };
}

/** The last handler. */
export function answerErrors(apiUrl: () => string, log: Log): ErrorRequestHandler {
  // Express recognises error handlers by their four parameters.
  return (error: unknown, request, response, next) => {
    const refusal = asRefusal(error, request.method, request.originalUrl, log);
    if (response.headersSent) {
      // Too late for our own answer; Express ends the connection.
      next(error);
      return;
    }
    if (refusal.code === 'cannot_save' || refusal.code === 'storage_unavailable')
      response.set('Retry-After', '30');
    if (refusal.code === 'post_only') response.set('Allow', 'POST');
    if (refusal.code === 'idempotency_key_in_use') response.set('Retry-After', '1');
    if (refusal.code === 'busy' || refusal.code === 'too_many_streams')
      response.set('Retry-After', '5');
    // The rest of its body is only discarded.
    if (!request.complete) response.set('Connection', 'close').removeHeader('Keep-Alive');
    if (refusal.status === 401) response.set('WWW-Authenticate', 'Bearer');
    // A route may have set the type of its intended answer.
    response.type('json');
    response.status(refusal.status).json(errorRecord(refusal, baseUrlOf(request, apiUrl())));
  };
}

/** Any error as a refusal; a bug is logged with a reference that the answer names. @param url For the log. */
export function asRefusal(error: unknown, method: string, url: string, log: Log): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof StorageError) {
    log('warning', 'api', `${method} ${url.split('?')[0] ?? ''}: ${error.message}`);
    return new ApiError('storage_unavailable', { reason: error.reason });
  }
  // Express could not decode the path.
  const path = url.split('?')[0] ?? '';
  if (error instanceof URIError) return new ApiError('route_not_found', { method, path });
  const reference = randomBytes(4).toString('hex');
  log('error', 'api', `${reference} ${method} ${path}: ${describeError(error)}`);
  return new ApiError('internal_error', { reference });
}

// What other services call things: advice for requests that are meant for them.

/** Other names of fields of a request for renders. */
const otherFields = new Map(
  Object.entries({
    source: ['render_script', 'renderScript', 'script', 'document', 'composition', 'edit', 'json'],
    template_id: ['template', 'templateId', 'templateID'],
    modifications: ['data', 'values', 'variables', 'merge', 'merge_fields', 'substitutions'],
    webhook_url: ['webhook', 'webhookUrl', 'callback', 'callback_url'],
    render_scale: ['renderScale', 'scale'],
  }).flatMap(([name, others]) => others.map((other) => [other, name] as const)),
);

/** What to write instead of a field that has no effect; null without a good guess. @param value If it is at hand. */
export function adviceOnField(name: string, value?: unknown): string | null {
  const isWrapper = isJsonObject(value) && (value.template_id ?? value.source) !== undefined;
  if (isWrapper) return `Send what is in '${name}' as the body itself.`;
  const isDocument = isJsonObject(value) && Array.isArray(value.elements);
  const meant = isDocument ? 'source' : otherFields.get(name);
  return meant === undefined ? null : `'${name}' is called '${meant}' here.`;
}

/** The first good advice on fields of a body without anything to render; null if there is none. */
export function adviceOnBody(body: JsonObject, names: readonly string[]): string | null {
  for (const name of names.slice(0, 20)) {
    const advice = adviceOnField(name, body[name]);
    if (advice !== null) return advice;
  }
  return null;
}

/** Where requests go that other services take at another address, by the end of the path. */
const otherRoutes: readonly (readonly [pattern: RegExp, route: string])[] = [
  [/\/(uploads?|files?|assets?|media|ingest)\/?$/i, 'Files are sent to POST /v2/media.'],
  [/\/(render|videos?|images?|movies?|create)\/?$/i, 'Renders are created with POST /v2/renders.'],
];

/** Where a request to an unknown path belongs; null without a good guess. */
function adviceOnPath(path: string): string | null {
  if (path.length > 100) return null;
  return otherRoutes.find(([pattern]) => pattern.test(path))?.[1] ?? null;
}
