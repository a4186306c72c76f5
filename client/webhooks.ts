/** Checks that a webhook call comes from the server and is not a replay. Uses WebCrypto alone. */
import type { Render } from './generated/api-types.ts';
import { FramewrightError } from './errors.ts';

/** The call is not genuine; do not use any of it. */
export class WebhookError extends FramewrightError {
  override name = 'WebhookError';
}

/** A received call. */
export interface WebhookCall {
  /** The project's secret, `whsec_…`. */
  readonly secret: string;
  /** The body exactly as it arrived: text or bytes, not parsed. */
  readonly body: string | Uint8Array;
  /** A Headers object, or lower-case names and values as in Node. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Seconds by which the clocks may differ. Default 300. */
  readonly tolerance?: number;
}

/**
 * Verifies a call and returns the render that it reports.
 *
 * @throws WebhookError if the signature is missing or wrong, or the time differs too much.
 */
export async function verifyWebhook(call: WebhookCall): Promise<Render> {
  const id = headerOf(call, 'webhook-id');
  const timestamp = headerOf(call, 'webhook-timestamp');
  const signatures = headerOf(call, 'webhook-signature').split(' ');
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!/^\d+$/.test(timestamp) || age > (call.tolerance ?? 300)) {
    throw new WebhookError('The call is too old, or a clock is wrong');
  }
  const { subtle } = globalThis.crypto;
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await subtle.importKey('raw', keyBytes(call.secret), algorithm, false, ['verify']);
  const encoder = new TextEncoder();
  const body = typeof call.body === 'string' ? encoder.encode(call.body) : call.body;
  const head = encoder.encode(`${id}.${timestamp}.`);
  const signed = new Uint8Array(head.length + body.length);
  signed.set(head);
  signed.set(body, head.length);
  for (const signature of signatures) {
    const [version, code = ''] = signature.split(',');
    const bytes = version === 'v1' ? fromBase64(code) : null;
    // The library compares in constant time.
    if (bytes && (await subtle.verify('HMAC', key, bytes, signed))) {
      return JSON.parse(new TextDecoder().decode(body)) as Render; // signed by the server
    }
  }
  throw new WebhookError('The signature is not that of this secret');
}

function headerOf({ headers }: WebhookCall, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new WebhookError(`The call has no header ${name}`);
}

function keyBytes(secret: string): Uint8Array<ArrayBuffer> {
  const bytes = secret.startsWith('whsec_') ? fromBase64(secret.slice(6)) : null;
  if (!bytes) throw new WebhookError('The secret should begin with whsec_, as the server shows it');
  return bytes;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}
