/**
 * Outgoing HTTP by the rule of address-rule.ts, for media and webhooks alike: checks numeric hosts at once, and names
 * when they are resolved.
 */
import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import http, { type ClientRequest, type OutgoingHttpHeaders } from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import {
  addressRefusal,
  type AddressRefusal,
  type AddressRule,
  isAddressAllowed,
  refusalWords,
} from './address-rule.ts';

/** Resolves a name to all its addresses; node:dns by default, another one in tests. */
export type ResolveName = (
  hostname: string,
  done: (error: NodeJS.ErrnoException | null, addresses: readonly LookupAddress[]) => void,
) => void;

/** The address rule refused the connection. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
  /** The numeric address, or the name without one. */
  readonly address: string;
  readonly refusal: AddressRefusal;

  constructor(address: string, refusal: AddressRefusal) {
    super(`This address is not allowed (${address}): ${refusalWords[refusal]}`);
    this.address = address;
    this.refusal = refusal;
  }
}

/** What callers may set; this file decides how to connect. */
export interface CheckedOptions {
  readonly method?: 'GET' | 'POST';
  readonly headers: OutgoingHttpHeaders;
  readonly signal: AbortSignal;
}

/**
 * Opens a request to an http or https address on a new connection: the other side may have closed a pooled one. The
 * caller ends it; redirects are not followed.
 *
 * @throws AddressRefused for a refused numeric host; with a refused name the request fails with it.
 */
export function openRequest(
  url: URL,
  rule: AddressRule,
  { headers, ...options }: CheckedOptions,
  resolve: ResolveName = resolveName,
): ClientRequest {
  refuseNumericHost(url, rule);
  const { request } = url.protocol === 'https:' ? https : http;
  return request(url, {
    ...options,
    headers: { 'user-agent': 'Framewright', ...headers },
    agent: false,
    lookup: checkedLookup(portOf(url), rule, resolve),
  });
}

/** The port of an http or https address. */
export function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}

/**
 * Refuses an address whose numeric host is not allowed. (`URL` normalises every spelling, e.g. `0x7f000001` and
 * `127.1`.) `checkedLookup` checks names.
 *
 * @throws AddressRefused
 */
export function refuseNumericHost(url: URL, rule: AddressRule): void {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const refusal = isIP(host) === 0 ? null : addressRefusal(host, portOf(url), rule);
  if (refusal !== null) throw new AddressRefused(host, refusal);
}

/**
 * A `lookup` for node:http that resolves a name and returns only allowed addresses, so that the connection goes to a
 * checked address. Fails with AddressRefused if none is allowed. Node does not call it for numeric hosts.
 */
export function checkedLookup(
  port: number,
  rule: AddressRule,
  resolve: ResolveName,
): LookupFunction {
  return (hostname, options, done) => {
    resolve(hostname, (error, addresses) => {
      const allowed = addresses.filter(({ address }) => isAddressAllowed(address, port, rule));
      const [first] = allowed;
      if (error) done(error, '', 0);
      else if (!first) {
        const { address = hostname } = addresses[0] ?? {};
        done(new AddressRefused(address, addressRefusal(address, port, rule) ?? 'never'), '', 0);
      } else if (options.all) done(null, allowed);
      else done(null, first.address, first.family);
    });
  };
}

function resolveName(
  hostname: string,
  done: (error: NodeJS.ErrnoException | null, addresses: readonly LookupAddress[]) => void,
): void {
  systemLookup(hostname, { all: true, order: 'verbatim' }, (error, addresses) =>
    done(error, error ? [] : addresses),
  );
}

/** Milliseconds to wait from `now` (wall time), at least one second; null if the header is not usable. */
export function retryAfterOf(header: string | undefined, now: number): number | null {
  if (header === undefined) return null;
  const text = header.trim();
  if (/^\d+$/.test(text)) return Math.max(1_000, Number(text) * 1_000);
  // Only the form of HTTP dates: Date.parse would also accept "-5".
  if (!/^[A-Za-z]{3,9},? /.test(text)) return null;
  const date = Date.parse(text);
  return Number.isNaN(date) || date <= now ? null : Math.max(1_000, date - now);
}
