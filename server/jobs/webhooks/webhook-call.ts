/** One call of a receiver: address check (by the rule in server/system), signature, answer. */
import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isAddressAllowed, type AddressRule } from '../../system/address-rule.ts';
import { openRequest, portOf, refuseNumericHost } from '../../system/connect.ts';
import { retryAfterOf } from '../../system/retry-after.ts';

/** How many bytes of an answer to read; the rest is dropped. */
const answerBytes = 4_096;
/** Characters of an answer that are kept. */
const shownCharacters = 200;

/** Names that mean this computer without being resolved. */
const ownNames = /^localhost$|\.localhost$/;

/**
 * True for an http or https address without user name and password that may be called, judging by the address alone: host
 * names are checked when resolved.
 */
export function isWebhookAddress(text: string, rule: AddressRule): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  const { protocol, username, password, hostname } = url;
  if (!['http:', 'https:'].includes(protocol) || username !== '' || password !== '') return false;
  if (ownNames.test(hostname)) return isAddressAllowed('127.0.0.1', portOf(url), rule);
  try {
    refuseNumericHost(url, rule);
    return true;
  } catch {
    return false;
  }
}

/** What is sent. */
export interface WebhookCall {
  /** The same for all tries of one event. */
  readonly id: string;
  readonly url: string;
  readonly body: string;
  /** One signature each. */
  readonly secrets: readonly string[];
  /** Wall time, ms. */
  readonly now: number;
  /** For the whole call, ms. */
  readonly timeout: number;
  readonly signal: AbortSignal;
  /** Where calls may go now. */
  readonly rule: AddressRule;
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
function post(call: WebhookCall, signal: AbortSignal): Promise<IncomingMessage> {
  const { id, url, body, secrets, now, rule } = call;
  const timestamp = String(Math.floor(now / 1000));
  const signatures = secrets.map((secret) => signatureOf(secret, `${id}.${timestamp}.${body}`));
  return new Promise((resolve, reject) => {
    const sent = openRequest(new URL(url), rule, {
      method: 'POST',
      signal,
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
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
export function signatureOf(secret: string, content: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
}

/** Reads the beginning of an answer as one line, and ends the connection. */
async function beginningOf(response: IncomingMessage): Promise<string> {
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
    // What arrived before the connection broke is enough: the status says all that matters.
  }
  response.destroy();
  const text = Buffer.concat(parts).toString('utf8').replace(/\s+/g, ' ').trim();
  return text.slice(0, shownCharacters);
}
