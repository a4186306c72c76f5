/**
 * One call of a receiver: the address that may be called, the signature, the answer. Loopback and private addresses are
 * allowed, because people test on their own computer; link-local ones (cloud metadata) and this API itself are not.
 */
import { createHmac } from 'node:crypto';
import { lookup } from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { retryAfterOf } from './retry-after.ts';

/** Bytes of an answer that are read; the rest is never taken. */
const answerBytes = 4_096;
/** Characters of an answer that are kept. */
const shownCharacters = 200;

const neverCalled = new BlockList();
for (const [address, bits] of [
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  neverCalled.addSubnet(address, bits, 'ipv4');
}
for (const [address, bits] of [
  ['fe80::', 10],
  ['ff00::', 8],
] as const) {
  neverCalled.addSubnet(address, bits, 'ipv6');
}
neverCalled.addAddress('::', 'ipv6');

/** True for an http or https address without name and password that is not this API and not of a kind never called. */
export function isWebhookAddress(text: string, apiUrl: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, hostname, port } = new URL(text);
  if (!['http:', 'https:'].includes(protocol) || username !== '' || password !== '') return false;
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !mayConnect(host)) return false;
  const own = /^(127\.\d+\.\d+\.\d+|localhost|::1|::ffff:7f[0-9a-f]{2}:[0-9a-f]+)$/.test(host);
  return !(own && port === new URL(apiUrl).port);
}

function mayConnect(address: string): boolean {
  return !neverCalled.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

/** Resolves names for the connection itself, so that what was checked is what is connected to. */
const checkedLookup: LookupFunction = (hostname, options, done) => {
  lookup(hostname, { all: true, order: 'verbatim' }, (error, found) => {
    const allowed = error ? [] : found.filter(({ address }) => mayConnect(address));
    const [first] = allowed;
    if (error) done(error, '', 0);
    else if (!first) done(new Error('this address is not allowed'), '', 0);
    else if (options.all) done(null, allowed);
    else done(null, first.address, first.family);
  });
};

/** What is sent. */
export interface WebhookCall {
  /** The same for all tries of one event. */
  readonly id: string;
  readonly url: string;
  readonly body: string;
  /** Each makes a signature. */
  readonly secrets: readonly string[];
  /** Wall time, ms. */
  readonly now: number;
  /** For the whole call, ms. */
  readonly timeout: number;
  readonly signal: AbortSignal;
}

/** How a call ended. */
export interface CallResult {
  readonly kind: 'delivered' | 'failed' | 'gone';
  /** For people. */
  readonly words: string;
  /** HTTP status of the answer; absent when there was none. */
  readonly status?: number;
  /** Milliseconds that the receiver asked to wait. */
  readonly retryAfter?: number;
}

/** Calls once. Any 2xx in time is a success, everything else is a failure; redirects are not followed. Never throws. */
export async function callReceiver(call: WebhookCall): Promise<CallResult> {
  const timeout = AbortSignal.timeout(call.timeout);
  const signal = AbortSignal.any([timeout, call.signal]);
  try {
    const response = await post(call, signal);
    const status = response.statusCode ?? 0;
    if (status >= 200 && status < 300) {
      response.destroy();
      return { kind: 'delivered', words: `Answered ${status}`, status };
    }
    const text = await beginningOf(response);
    const words = `Answered ${status}${text === '' ? '' : `: ${text}`}`;
    if (status === 410) return { kind: 'gone', words, status };
    const wait =
      status === 429 || status === 503
        ? retryAfterOf(response.headers['retry-after'], call.now)
        : null;
    return { kind: 'failed', words, status, ...(wait !== null && { retryAfter: wait }) };
  } catch (error) {
    if (timeout.aborted) return { kind: 'failed', words: `No answer in ${call.timeout / 1000} s` };
    const message = error instanceof Error ? error.message : String(error);
    return { kind: 'failed', words: `Not reached (${message})` };
  }
}

/** Sends the request. @returns the answer with its content not yet read. */
function post(call: WebhookCall, signal: AbortSignal): Promise<http.IncomingMessage> {
  const { id, url, body, secrets, now } = call;
  const address = new URL(url);
  const host = address.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !mayConnect(host)) throw new Error('this address is not allowed');
  const timestamp = String(Math.floor(now / 1000));
  const signatures = secrets.map((secret) => signatureOf(secret, `${id}.${timestamp}.${body}`));
  return new Promise((resolve, reject) => {
    const { request } = address.protocol === 'https:' ? https : http;
    const sent = request(address, {
      method: 'POST',
      // A connection of its own: a pooled one may have been closed by the receiver.
      agent: false,
      lookup: checkedLookup,
      signal,
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'Framewright',
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        ...(signatures.length > 0 && { 'webhook-signature': signatures.join(' ') }),
      },
    });
    sent.on('response', resolve);
    sent.on('error', reject);
    sent.end(body);
  });
}

/** The form of the Standard Webhooks: the key is what follows `whsec_`, decoded. */
function signatureOf(secret: string, content: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
}

/** Reads a little of an answer, in one line, and ends the connection. */
async function beginningOf(response: http.IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  try {
    for await (const part of response) {
      // Without an encoding set, a stream gives buffers.
      const bytes = part as Buffer;
      parts.push(bytes.subarray(0, answerBytes - length));
      length += bytes.length;
      if (length >= answerBytes) break;
    }
  } catch {
    // What arrived before the connection broke is enough: the status has told all that counts.
  }
  response.destroy();
  const text = Buffer.concat(parts).toString('utf8').replace(/\s+/g, ' ').trim();
  return text.slice(0, shownCharacters);
}
