/**
 * THE RULE of outgoing addresses: which ones media and webhooks may connect to. Documents and webhook addresses may
 * come from strangers, and could name this program's own API, a service on this computer, a device in its network, or a
 * cloud's metadata service. Pure except for the list of this computer's addresses; used by server and engine.
 *
 * The rule checks the numeric address of the connection, never the name: names can point anywhere, and their answer can
 * change between check and use. It can't control what a public server does with the request.
 */
import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';

/** The current rule. */
export interface AddressRule {
  /** True allows connections to this computer and its local network. */
  readonly allowPrivateAddresses: boolean;
  /** Ports that this program listens on; always refused on this computer. */
  readonly ownPorts: readonly number[];
}

/** Never allowed: link-local, multicast, unspecified, reserved, and the metadata services of clouds. */
const neverAllowed = blockList([
  ['0.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['224.0.0.0', 4, 'ipv4'],
  ['240.0.0.0', 4, 'ipv4'],
  ['100.100.100.200', 32, 'ipv4'],
  ['168.63.129.16', 32, 'ipv4'],
  ['192.0.0.192', 32, 'ipv4'],
  ['::', 128, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
  ['ff00::', 8, 'ipv6'],
  ['fd00:ec2::', 64, 'ipv6'],
  ['fd20:ce::254', 128, 'ipv6'],
  ['fd00:42::42', 128, 'ipv6'],
]);

/** Only with `allowPrivateAddresses`: this computer and its local network. */
const privateAddresses = blockList([
  ['10.0.0.0', 8, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['192.0.0.0', 24, 'ipv4'],
  ['198.18.0.0', 15, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  ['::1', 128, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
  ['fec0::', 10, 'ipv6'],
]);

const loopback = blockList([
  ['127.0.0.0', 8, 'ipv4'],
  ['::1', 128, 'ipv6'],
]);

type Family = 'ipv4' | 'ipv6';

function blockList(ranges: readonly (readonly [string, number, Family])[]): BlockList {
  const list = new BlockList();
  for (const [address, bits, family] of ranges) list.addSubnet(address, bits, family);
  return list;
}

/**
 * Why an address is refused. `never`: link-local, multicast, reserved, metadata of clouds, or no address; `own`: this
 * program listens there; `private`: it belongs to this computer or its network, which a setting may allow.
 */
export type AddressRefusal = 'never' | 'own' | 'private';

/** How whoever runs the server allows private addresses. */
export const toAllowPrivate =
  'To allow it, start the server and its workers with --local-addresses always, or choose Always for "Media and webhooks may use local addresses" under Settings ▸ Network';

/** Why, in words that follow the address and a colon, without a full stop. */
export const refusalWords: Readonly<Record<AddressRefusal, string>> = {
  never:
    'link-local, multicast and reserved addresses and the metadata of clouds are never reached',
  own: 'Framewright itself listens there',
  private: `it belongs to this computer or its network. ${toAllowPrivate}`,
};

/** True when a numeric address (IPv4 or IPv6, any spelling that `isIP` knows) may be connected to at a port. */
export function isAddressAllowed(address: string, port: number, rule: AddressRule): boolean {
  return addressRefusal(address, port, rule) === null;
}

/** Why a numeric address may not be connected to at a port; null: it may. */
export function addressRefusal(
  address: string,
  port: number,
  rule: AddressRule,
): AddressRefusal | null {
  const meant = addressesMeantBy(address);
  if (meant.length === 0) return 'never';
  const refusals = meant.map((one) => refusalOf(one, port, rule));
  // What no setting allows comes first.
  return (['never', 'own', 'private'] as const).find((one) => refusals.includes(one)) ?? null;
}

function refusalOf(address: string, port: number, rule: AddressRule): AddressRefusal | null {
  const family = familyOf(address);
  if (neverAllowed.check(address, family)) return 'never';
  if (rule.ownPorts.includes(port) && isThisComputer(address, family)) return 'own';
  if (rule.allowPrivateAddresses) return null;
  // Its own public address also leads to this computer.
  const isPrivate = privateAddresses.check(address, family) || isThisComputer(address, family);
  return isPrivate ? 'private' : null;
}

/** True for loopback addresses, and for this computer's current network addresses. */
function isThisComputer(address: string, family: Family): boolean {
  if (loopback.check(address, family)) return true;
  const own = new BlockList();
  for (const { address: one } of Object.values(networkInterfaces()).flatMap((list) => list ?? []))
    own.addAddress(plain(one), familyOf(one));
  return own.check(address, family);
}

function familyOf(address: string): Family {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}

/** Without the zone, e.g. of `fe80::1%eth0`. */
function plain(address: string): string {
  return address.split('%')[0] ?? '';
}

/**
 * The addresses that a connection may end at: the address itself, or the IPv4 addresses embedded in some forms of IPv6.
 * Empty for anything that is no address.
 */
function addressesMeantBy(address: string): readonly string[] {
  switch (isIP(address)) {
    case 4:
      return [address];
    case 6: {
      const bytes = bytesOf(plain(address));
      const inner = embeddedIpv4(bytes);
      return inner.length > 0 ? inner : [plain(address)];
    }
    default:
      return [];
  }
}

/** The sixteen bytes of an IPv6 address without a zone that `isIP` has accepted. */
function bytesOf(address: string): readonly number[] {
  const hexadecimal = address.replace(
    /(\d+)\.(\d+)\.(\d+)\.(\d+)$/,
    (_, a: string, b: string, c: string, d: string) =>
      `${(Number(a) * 256 + Number(b)).toString(16)}:${(Number(c) * 256 + Number(d)).toString(16)}`,
  );
  const [head = '', tail] = hexadecimal.split('::');
  const read = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((group) => parseInt(group, 16));
  const first = read(head);
  const last = tail === undefined ? [] : read(tail);
  const gap = Array<number>(8 - first.length - last.length).fill(0);
  return [...first, ...gap, ...last].flatMap((group) => [group >> 8, group & 255]);
}

/** The position of the IPv4 address in a translated one, by prefix length (RFC 6052). Byte 8 is reserved. */
const translatedPlaces = [
  [6, 7, 9, 10],
  [7, 9, 10, 11],
  [9, 10, 11, 12],
  [12, 13, 14, 15],
] as const;

/** The IPv4 addresses inside an IPv6 address; none in real IPv6 addresses. */
function embeddedIpv4(bytes: readonly number[]): readonly string[] {
  const startsWith = (...start: number[]): boolean =>
    start.every((byte, index) => bytes[index] === byte);
  const zeros = (count: number): number[] => Array<number>(count).fill(0);
  const at = (...places: readonly number[]): string =>
    places.map((place) => bytes[place] ?? 0).join('.');
  const last = at(12, 13, 14, 15);
  // Mapped, translated, and (except :: and ::1) the old compatible form.
  if (startsWith(...zeros(10), 255, 255) || startsWith(...zeros(8), 255, 255, 0, 0)) return [last];
  if (startsWith(...zeros(12)) && !startsWith(...zeros(15))) return [last];
  // NAT64 with the well-known prefix.
  if (startsWith(0, 0x64, 0xff, 0x9b, ...zeros(8))) return [last];
  // NAT64 with a local prefix, whose length is unknown: check every possible position.
  if (startsWith(0, 0x64, 0xff, 0x9b, 0, 1)) {
    const held = translatedPlaces.map((places) => at(...places));
    const likely = held.filter((one) => !one.startsWith('0.'));
    return likely.length > 0 ? likely : held;
  }
  // 6to4.
  if (startsWith(0x20, 0x02)) return [at(2, 3, 4, 5)];
  // Teredo: its server, and the client behind it with inverted bits.
  if (startsWith(0x20, 0x01, 0, 0)) {
    const client = [12, 13, 14, 15].map((place) => 255 - (bytes[place] ?? 0)).join('.');
    return [at(4, 5, 6, 7), client];
  }
  // ISATAP, in any network.
  const isIsatap = (bytes[8] === 0 || bytes[8] === 2) && bytes[9] === 0;
  if (isIsatap && bytes[10] === 0x5e && bytes[11] === 0xfe) return [last];
  return [];
}
