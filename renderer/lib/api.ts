/**
 * The window's requests to the server's private listener. Window only.
 * The token comes with the page's address (`#token=…`), stays in memory and goes along as a header: a cookie would be sent
 * by other pages, too. Loaded values are trusted in form: the same program of the same version sends them.
 */
import {
  windowTokenHeader,
  type RenderList,
  type ServerState,
  type TemplateList,
  type WindowRender,
} from '../../shared/api.ts';
import { say } from './say.ts';

/** Why a request came to nothing, with a sentence to show. */
export class RequestProblem extends Error {
  override readonly name = 'RequestProblem';
  /** The answer's HTTP status; undefined when there was no answer. */
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}

const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? '';

/**
 * Sends one request with the token and gives back the answer, whatever its status.
 * @throws {RequestProblem} when the server can't be reached
 */
export async function request(path: string, options: RequestInit = {}): Promise<Response> {
  const headers = new Headers(options.headers);
  headers.set(windowTokenHeader, token);
  try {
    return await fetch(path, { ...options, headers });
  } catch (reason) {
    if (options.signal?.aborted) throw reason;
    throw new RequestProblem(say('problem.connection'));
  }
}

/** Sends a request and reads its JSON answer; a refusal is thrown with the server's own sentence. */
async function ask(path: string, options?: RequestInit): Promise<unknown> {
  const response = await request(path, options);
  let body: unknown;
  try {
    const text = await response.text();
    body = text === '' ? undefined : JSON.parse(text);
  } catch {
    throw new RequestProblem(say('problem.answer'), response.status);
  }
  if (!response.ok) throw new RequestProblem(hintOf(body), response.status);
  return body;
}

/** The sentence of a refusal, `{ hint, documentation }`. */
function hintOf(body: unknown): string {
  const isRefusal = typeof body === 'object' && body !== null && 'hint' in body;
  return isRefusal && typeof body.hint === 'string' ? body.hint : say('problem.answer');
}

/** `Title/1` → `Title%2F1`: IDs come from the server, but a path is made of them. */
const part = encodeURIComponent;

// The `as` below name the form that shared/api.ts promises for each address.

/** All renders, and the number of the newest event they contain. */
export const loadRenders = async (): Promise<RenderList> =>
  (await ask('/api/renders')) as RenderList;

/** All templates. */
export const loadTemplates = async (): Promise<TemplateList> =>
  (await ask('/api/templates')) as TemplateList;

/** Addresses, key, renderer, disk. */
export const loadState = async (): Promise<ServerState> => (await ask('/api/state')) as ServerState;

/** Stops a queued or running render; what becomes of it arrives as an event. */
export async function cancelRender(id: string): Promise<void> {
  await ask(`/api/renders/${part(id)}/cancel`, { method: 'POST' });
}

/** Makes a new render from the stored request of one. */
export const renderAgain = async (id: string): Promise<WindowRender> =>
  (await ask(`/api/renders/${part(id)}/again`, { method: 'POST' })) as WindowRender;

/** Starts the renderer again after it has given up. */
export async function startRenderer(): Promise<void> {
  await ask('/api/renderer/start', { method: 'POST' });
}

/** Queues a template as it is. */
export const renderTemplate = async (id: string): Promise<WindowRender> =>
  (await ask(`/api/templates/${part(id)}/render`, { method: 'POST' })) as WindowRender;
