/** Addresses and names of the API: who reaches a listener, and what others may call it. */

/** True if only this computer can reach a listener at this IP address. */
export function isLoopback(host: string): boolean {
  return host === '::1' || /^127\./.test(host);
}

/** True for the addresses that mean all of a computer's own. */
export function isAnyAddress(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}

/**
 * A name that others reach the API by, perhaps with a port: `server.lan`, `host.docker.internal`, `media.example:8080`.
 */
export const allowedHostForm = /^[a-z0-9]([a-z0-9._-]{0,251}[a-z0-9])?(:\d{1,5})?$/i;

/** What a public address has to be, after "Expected". */
export const publicUrlWords =
  'an address that others open, e.g. https://films.example.com or https://example.com/framewright, without a query or a user name';
