/**
 * Phase 1: which network addresses may be fetched from. A document comes from somebody else, and fetching an address
 * that somebody else chose could reach this computer's own services, its neighbours or a cloud's metadata service.
 *
 * The decision is made on the numeric address that is connected to, never on the name: names can point anywhere and
 * change their answer between check and use. Left over: what a public server does with the request.
 */
import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { RenderError } from '../errors.ts';

/** Resolves a name to all its addresses; node:dns by default, another one in tests. */
export type ResolveName = (
  hostname: string,
  done: (error: NodeJS.ErrnoException | null, addresses: readonly LookupAddress[]) => void,
) => void;

/** Never allowed: link-local (cloud metadata), multicast, unspecified, reserved. */
const neverAllowed = blockList([
  ['0.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['224.0.0.0', 4, 'ipv4'],
  ['240.0.0.0', 4, 'ipv4'],
  ['fe80::', 10, 'ipv6'],
  ['ff00::', 8, 'ipv6'],
]);

/** Allowed by a setting only: this computer and its local network. */
const privateAddresses = blockList([
  ['127.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['192.0.0.0', 24, 'ipv4'],
  ['198.18.0.0', 15, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['fc00::', 7, 'ipv6'],
  ['fec0::', 10, 'ipv6'],
]);

function blockList(ranges: readonly (readonly [string, number, 'ipv4' | 'ipv6'])[]): BlockList {
  const list = new BlockList();
  for (const [address, bits, family] of ranges) list.addSubnet(address, bits, family);
  return list;
}

/** True when a numeric address (IPv4 or IPv6, any spelling of it) may be connected to. */
export function isAddressAllowed(address: string, allowPrivate: boolean): boolean {
  const family = isIP(address);
  if (family === 0) return false;
  if (family === 4) return isPublic(address, 'ipv4', allowPrivate);
  const groups = expandIpv6(address);
  const inner = embeddedIpv4(groups);
  if (inner !== null) return isPublic(inner, 'ipv4', allowPrivate);
  if (groups.every((group) => group === 0)) return false;
  if (groups.slice(0, 7).every((group) => group === 0)) return groups[7] === 1 && allowPrivate;
  return isPublic(groups.map((group) => group.toString(16)).join(':'), 'ipv6', allowPrivate);
}

function isPublic(address: string, family: 'ipv4' | 'ipv6', allowPrivate: boolean): boolean {
  if (neverAllowed.check(address, family)) return false;
  return allowPrivate || !privateAddresses.check(address, family);
}

/** The eight 16-bit groups of an IPv6 address that `isIP` has accepted. */
function expandIpv6(address: string): number[] {
  const plain = (address.split('%')[0] ?? '').replace(
    /(\d+)\.(\d+)\.(\d+)\.(\d+)$/,
    (_, a: string, b: string, c: string, d: string) =>
      `${(Number(a) * 256 + Number(b)).toString(16)}:${(Number(c) * 256 + Number(d)).toString(16)}`,
  );
  const [head = '', tail] = plain.split('::');
  const read = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((group) => parseInt(group, 16));
  const first = read(head);
  if (tail === undefined) return first;
  const last = read(tail);
  return [...first, ...Array<number>(Math.max(0, 8 - first.length - last.length)).fill(0), ...last];
}

/** The IPv4 address inside the forms that lead to one: mapped, NAT64, 6to4. Null for real IPv6 addresses. */
function embeddedIpv4(groups: readonly number[]): string | null {
  const dotted = (high = 0, low = 0): string =>
    [high >> 8, high & 255, low >> 8, low & 255].join('.');
  const startsWith = (...start: number[]): boolean =>
    start.every((group, index) => groups[index] === group);
  if (startsWith(0, 0, 0, 0, 0, 0xffff) || startsWith(0, 0, 0, 0, 0xffff, 0))
    return dotted(groups[6], groups[7]);
  if (startsWith(0x64, 0xff9b)) return dotted(groups[6], groups[7]);
  if (startsWith(0x2002)) return dotted(groups[1], groups[2]);
  return null;
}

/** The refusal of an address, e.g. `This address is not allowed (127.0.0.1)`. Callers add the element. */
export function addressRefused(address: string): RenderError {
  return new RenderError('media_refused', `This address is not allowed (${address})`);
}

/**
 * A `lookup` for node:http that resolves a name and hands on allowed addresses only, so that the connection goes to the
 * very address that was checked. Fails with the refusal when none is allowed.
 *
 * Not called by Node for numeric hosts: check those with {@link isAddressAllowed} first.
 */
export function checkedLookup(
  allowPrivate: boolean,
  resolve: ResolveName = resolveName,
): LookupFunction {
  return (hostname, options, done) => {
    resolve(hostname, (error, addresses) => {
      const allowed = addresses.filter(({ address }) => isAddressAllowed(address, allowPrivate));
      const [first] = allowed;
      if (error) done(error, '', 0);
      else if (!first) done(addressRefused(addresses[0]?.address ?? hostname), '', 0);
      else if (options.all) done(null, allowed);
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
