/**
 * `POST /mcp`: the Model Context Protocol over HTTP, without sessions. One message for each request; the library is
 * loaded with the first.
 */
import {
  Router,
  type Request as Incoming,
  type RequestHandler,
  type Response as Outgoing,
} from 'express';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ApiError } from '../../../shared/errors.ts';
import type { Log } from '../../system/log.ts';
import { baseUrlOf } from '../answer.ts';
import { bodyOf, longArgumentsOf, messageBody } from '../body.ts';
import type { ProjectServices } from '../project.ts';

/** The route for a project. */
export function mcpRoutes(services: ProjectServices, log: Log): Router {
  const routes = Router({ caseSensitive: true });
  routes.post('/mcp', messageBody(services.desk), answer(services, log));
  routes.all('/mcp', () => {
    throw new ApiError('post_only');
  });
  return routes;
}

function answer(services: ProjectServices, log: Log): RequestHandler {
  return async (request, response) => {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const { answerMessage } = await import('./mcp-server.ts');
    const body = bodyOf(request);
    const url = baseUrlOf(request, services.address.apiUrl());
    const context = { services, log, url, longArguments: longArgumentsOf(body) };
    await send(await answerMessage(context, webRequest(request, gone.signal), body), response);
  };
}

/** The headers that the library reads; the body is parsed already. */
function webRequest({ headers, headersDistinct }: Incoming, signal: AbortSignal): Request {
  const read = Object.entries(headersDistinct)
    .filter(([name]) => /^(accept|content-type|mcp-.*)$/.test(name))
    .map(([name, values = []]): [string, string] => [name, values.join(', ')]);
  // The library wants both named; who names none takes any.
  const isOpen = ['*/*', undefined].includes(headers.accept);
  const accepts = isOpen ? { accept: 'application/json, text/event-stream' } : {};
  return new Request('http://127.0.0.1/mcp', {
    method: 'POST',
    headers: { ...Object.fromEntries(read), ...accepts },
    signal,
  });
}

async function send(made: Response, response: Outgoing): Promise<void> {
  response.status(made.status);
  response.removeHeader('Content-Type');
  for (const [name, value] of made.headers) {
    // Whether the connection stays is between Node and the client, who may have asked to close it.
    if (name !== 'connection') response.set(name, value);
  }
  if (!made.body) {
    response.end();
    return;
  }
  // Progress goes out as it comes.
  response.flushHeaders();
  const stream = Readable.fromWeb(made.body);
  await pipeline(stream, response).catch(() => {
    // The client is gone, and with it the library's own work.
  });
}
