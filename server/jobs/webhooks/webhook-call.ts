/** One call of a receiver: address check (by the rule in server/system), signature, answer. */
import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { ApiError } from '../../../shared/errors.ts';
import {
  addressRefusal,
  toAllowPrivate,
  type AddressRefusal,
  type AddressRule,
} from '../../system/address-rule.ts';
import {
  AddressRefused,
  openRequest,
  portOf,
  refuseNumericHost,
  retryAfterOf,
} from '../../system/connect.ts';

/** How many bytes of an answer to read; the rest is dropped. */
const answerBytes = 4_096;
/** Characters of an answer that are kept. */
const shownCharacters = 200;

/** Names that mean this computer without being resolved. */
const ownNames = /^localhost$|\.localhost$/;

/**
 * Why a text is no address that webhooks may call, judging by the address alone: host names are checked when resolved.
 * `form`: it is no http or https address without user name and password. Null: it is one.
 */
function webhookFault(text: string, rule: AddressRule): AddressRefusal | 'form' | null {
  if (!URL.canParse(text)) return 'form';
  const url = new URL(text);
  const { protocol, username, password, hostname } = url;
  if (!['http:', 'https:'].includes(protocol) || username !== '' || password !== '') return 'form';
  if (ownNames.test(hostname)) return addressRefusal('127.0.0.1', portOf(url), rule);
  try {
    refuseNumericHost(url, rule);
    return null;
  } catch (error) {
    return error instanceof AddressRefused ? error.refusal : 'form';
  }
}

/** What an address has to be that the rule refuses. */
const faultWords: Readonly<Record<AddressRefusal, string>> = {
  never:
    'an address that may be called: link-local, multicast and reserved ones and the metadata of clouds never are',
  own: 'the address of another program than this one',
  private: `an address outside of this computer and its network. ${toAllowPrivate}`,
};

/** True for an address that webhooks may call. */
export function isWebhookAddress(text: string, rule: AddressRule): boolean {
  return webhookFault(text, rule) === null;
}

/** @param form What the parameter should be, by its form. @throws ApiError `invalid_parameter` with the real cause. */
export function checkWebhookAddress(
  name: string,
  text: string,
  rule: AddressRule,
  form: string,
): void {
  const fault = webhookFault(text, rule);
  if (fault === null) return;
  throw new ApiError('invalid_parameter', {
    name,
    what: fault === 'form' ? form : faultWords[fault],
  });
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
