/** Who reaches a listener, by the address it listens at. */

/** True if only this computer can reach a listener at this IP address. */
export function isLoopback(host: string): boolean {
  return host === '::1' || /^127\./.test(host);
}

/** True for the addresses that mean all of a computer's own. */
export function isAnyAddress(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}
