/**
 * The window's requests to the server's private listener. Window only. The token comes with the page's address
 * (`#token=…`), stays in memory and is sent as a header: other pages would send a cookie, too.
 */
import {
  windowTokenHeader,
  proofPath,
  proofText,
  type ServerProof,
} from '../../../shared/window-proof.ts';
import { say } from '../../ui/say.ts';

/** Why a request failed, with a sentence to show. */
export class RequestProblem extends Error {
  override readonly name = 'RequestProblem';
  /** The answer's HTTP status; undefined when there was no answer. */
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}

const tokenInAddress = (): string => new URLSearchParams(location.hash.slice(1)).get('token') ?? '';
const token = tokenInAddress();

/** False if another window's address was put into the browser's bar, which does not reload the page. */
export const isOwnAddress = (): boolean => tokenInAddress() === token;

/** Headers for the drawing worker's requests; a server that has sent a kit has proved itself. */
export const tokenHeaders = (): Readonly<Record<string, string>> => ({
  [windowTokenHeader]: token,
});

/**
 * Adds the token to an XMLHttpRequest, the only kind that reports upload progress.
 * @throws {RequestProblem} if it is not this page's server that answers
 */
export async function authorize(upload: XMLHttpRequest): Promise<void> {
  const refusal = await proof();
  if (refusal) throw new RequestProblem(say('banner.token.title'), refusal.status);
  upload.setRequestHeader(windowTokenHeader, token);
}

/** @returns a refusal if another program answers, so that it does not get the token; else null */
async function proof(): Promise<Response | null> {
  // Without a token there is nothing to protect, and the server refuses by itself.
  if (token === '' || isProven()) return null;
  try {
    if (await proveServer(token)) return null;
  } catch {
    throw new RequestProblem(say('problem.connection'));
  }
  return Response.json({ hint: say('banner.token.title') }, { status: 401 });
}

/** True while the page closes: its last requests must outlive it. */
let isClosing = false;
addEventListener('pagehide', () => {
  isClosing = true;
});
addEventListener('pageshow', () => {
  isClosing = false;
});
/** Most bytes of a body that browsers send after a page is gone. */
const longestOutliving = 60_000;

function bytesOf(body: RequestInit['body']): number {
  return typeof body === 'string' ? new Blob([body]).size : 0;
}

/** Write requests under way. */
const writes = new Set<Promise<unknown>>();

/** Resolves when all writes have succeeded or been refused. */
export async function writesEnded(): Promise<void> {
  while (writes.size > 0) await Promise.allSettled(writes);
}

/**
 * Sends one request with the token and returns the answer with any status.
 * @throws {RequestProblem} when the server can't be reached
 */
export async function request(path: string, options: RequestInit = {}): Promise<Response> {
  // Don't wait if it is already known: a closing page has no time.
  const refusal = isProven() || (isClosing && wasProven()) ? null : await proof();
  if (refusal) return refusal;
  const headers = new Headers(options.headers);
  headers.set(windowTokenHeader, token);
  const keepalive = isClosing && bytesOf(options.body) < longestOutliving;
  const sent = fetch(path, { ...options, headers, keepalive });
  if ((options.method ?? 'GET') !== 'GET') {
    writes.add(sent);
    const forget = (): unknown => writes.delete(sent);
    sent.then(forget, forget);
  }
  try {
    return await sent;
  } catch (reason) {
    if (options.signal?.aborted) throw reason;
    forgetProof();
    throw new RequestProblem(say('problem.connection'));
  }
}

/** The JSON of an answer. @throws {RequestProblem} with the server's own sentence, for a refusal */
export async function answerOf(response: Response): Promise<unknown> {
  const body = await answerAs(response, (text): unknown =>
    text === '' ? undefined : JSON.parse(text),
  );
  if (!response.ok) throw new RequestProblem(hintOf(body), response.status);
  return body;
}

/** What `read` makes of the text of an answer. @throws {RequestProblem} where it can't be read */
export async function answerAs<T>(response: Response, read: (text: string) => T): Promise<T> {
  try {
    return read(await response.text());
  } catch {
    throw new RequestProblem(say('problem.answer'), response.status);
  }
}

/** The sentence of a refusal, `{ hint, documentation }`. */
function hintOf(body: unknown): string {
  const isRefusal = typeof body === 'object' && body !== null && 'hint' in body;
  return isRefusal && typeof body.hint === 'string' ? body.hint : say('problem.answer');
}

/*
 * Makes sure that this page's own server answers before the token is sent: while the server is not running, another
 * program may have its port. Window only.
 */

let proven = false;
let asked: Promise<boolean> | null = null;
/** Counts the times that a connection broke. */
let breaks = 0;

/** When a proved connection last broke, by the page's clock. */
let brokenAt = -Infinity;
/** Milliseconds between a browser breaking the connections of a closing page and telling it so. */
const closingTime = 1_000;

/** True while the last proof is valid. */
const isProven = (): boolean => proven;

/** The same for a closing page: closing broke the connection, and there is no time for another proof. */
const wasProven = (): boolean => proven || performance.now() - brokenAt < closingTime;

/** The connection broke: another program may answer next. */
export function forgetProof(): void {
  if (proven) brokenAt = performance.now();
  breaks += 1;
  proven = false;
  asked = null;
}

/**
 * Asks the server for its proof, once until it is forgotten.
 * @returns false if the answering program does not know the token
 * @throws TypeError if nothing answers
 */
async function proveServer(token: string): Promise<boolean> {
  if (proven) return true;
  const before = breaks;
  const question = (asked ??= askForProof(token));
  let answer = false;
  try {
    answer = await question;
  } finally {
    // The next try asks again.
    if (!answer && asked === question) asked = null;
  }
  // The answer belongs to a broken connection.
  if (before !== breaks) return proveServer(token);
  proven = answer;
  return answer;
}

async function askForProof(token: string): Promise<boolean> {
  const encode = new TextEncoder();
  const nonce = hexOf(crypto.getRandomValues(new Uint8Array(16)));
  const response = await fetch(`${proofPath}?nonce=${nonce}`);
  const answer = response.ok ? readProof(await response.text()) : null;
  if (!answer) return false;
  // While developing, the page comes from Vite, at a port of its own.
  if (!import.meta.env.DEV && answer.port !== Number(location.port || 80)) return false;
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encode.encode(token), algorithm, false, [
    'sign',
  ]);
  const text = encode.encode(proofText(nonce, answer.port));
  return hexOf(new Uint8Array(await crypto.subtle.sign('HMAC', key, text))) === answer.proof;
}

function readProof(text: string): ServerProof | null {
  try {
    const value: unknown = JSON.parse(text);
    const isProof =
      typeof value === 'object' &&
      value !== null &&
      'port' in value &&
      typeof value.port === 'number' &&
      'proof' in value &&
      typeof value.proof === 'string';
    return isProof ? { port: Number(value.port), proof: String(value.proof) } : null;
  } catch {
    return null;
  }
}

function hexOf(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
