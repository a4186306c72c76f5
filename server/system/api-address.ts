/**
 * Where the API listens and under which names it answers: this computer alone, unless the user chose otherwise. Only
 * the key guards a listener that others can reach, so it may do less; see `addressRule` in choices.ts.
 */
import { isIP } from 'node:net';
import { isAnyAddress, isLoopback } from '../../shared/listen-address.ts';

/** Addresses that mean this computer alone. The first is the one we print. */
export const loopbackAddresses = ['127.0.0.1', '::1'] as const;

/** Takes what `listen` can open: an IP address, or a name for loopback. @returns null for anything else. */
export function listenAddress(text: string): string | null {
  const plain = text
    .trim()
    .replace(/^\[(.*)\]$/, '$1')
    .toLowerCase();
  if (plain === 'localhost') return loopbackAddresses[0];
  return isIP(plain) === 0 ? null : plain;
}

/** True for a computer's names for itself, without a port. */
export function isLoopbackName(name: string): boolean {
  return /^(127\.0\.0\.1|localhost|\[::1\])$/i.test(name);
}

/** The longest public address, in characters. */
const publicUrlLength = 300;

/** A public address as it begins links, without a slash at its end. @returns null for anything else. */
export function publicAddress(text: string): string | null {
  const given = text.trim();
  if (given.length > publicUrlLength || !/^https?:\/\//i.test(given) || !URL.canParse(given))
    return null;
  const { origin, pathname, username, password } = new URL(given);
  if (username !== '' || password !== '' || /[?#]/.test(given)) return null;
  // It stands in commands and pages: nothing in it may need quoting there.
  if (!/^[\w.~%/-]*$/.test(pathname)) return null;
  return `${origin}${pathname.replace(/\/+$/, '')}`;
}

/** As it stands in an address: `[::1]`, `127.0.0.1`. */
export function bracketed(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}

/**
 * The address to show when no request names one: in webhooks, at the start, in the window.
 *
 * @param host The address that it listens at.
 * @param names Names that the user has allowed.
 */
export function toldAddress(host: string, port: number, names: readonly string[]): string {
  const [name] = names;
  if (!isLoopback(host) && name !== undefined) {
    return `http://${name.includes(':') ? name : `${name}:${port}`}`;
  }
  // Anyone on this computer can use it.
  const own = isAnyAddress(host) ? loopbackAddresses[0] : host;
  return `http://${bracketed(own)}:${port}`;
}
