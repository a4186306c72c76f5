/**
 * THE RULE of outgoing addresses: which of them media and webhooks may connect to. Documents and addresses of receivers come
 * from somebody else, and what they name could be this program's own API, a service of this computer, a neighbour in its
 * network, or the metadata of a cloud. Pure but for the list of this computer's own addresses; used by server and engine.
 *
 * The decision is made on the numeric address that is connected to, never on the name: names can point anywhere and change
 * their answer between check and use. Left over: what a public server does with the request.
 */
import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';

/** What holds for this program now. */
export interface AddressRule {
  /** True lets connections go to this computer and its local network. */
  readonly allowPrivateAddresses: boolean;
  /** Ports that this program listens on; refused on this computer whatever the above says. */
  readonly ownPorts: readonly number[];
}

/** Never allowed: link-local, multicast, unspecified, reserved, and where clouds keep their metadata. */
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

/** True when a numeric address (IPv4 or IPv6, any spelling that `isIP` knows) may be connected to at a port. */
export function isAddressAllowed(address: string, port: number, rule: AddressRule): boolean {
  const meant = addressesMeantBy(address);
  return meant.length > 0 && meant.every((one) => isAllowed(one, port, rule));
}

function isAllowed(address: string, port: number, rule: AddressRule): boolean {
  const family = familyOf(address);
  if (neverAllowed.check(address, family)) return false;
  if (rule.ownPorts.includes(port) && isThisComputer(address, family)) return false;
  if (rule.allowPrivateAddresses) return true;
  // Its own public address leads to what listens here, too.
  return !privateAddresses.check(address, family) && !isThisComputer(address, family);
}

/** True for loopback addresses, and for those that this computer has in its networks now. */
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
 * The addresses that a connection may end at: the address itself, or the IPv4 addresses inside the forms of IPv6 that lead to
 * one. None for what is no address.
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

/** Where the IPv4 address stands in a translated one, by the length of the network's part (RFC 6052). Byte 8 is kept free. */
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
  // Mapped, translated, and (but for :: and ::1) the compatible form of old.
  if (startsWith(...zeros(10), 255, 255) || startsWith(...zeros(8), 255, 255, 0, 0)) return [last];
  if (startsWith(...zeros(12)) && !startsWith(...zeros(15))) return [last];
  // NAT64, the well-known network.
  if (startsWith(0, 0x64, 0xff, 0x9b, ...zeros(8))) return [last];
  // NAT64 of a local network, which decides itself where the address stands: every place that could hold one counts.
  if (startsWith(0, 0x64, 0xff, 0x9b, 0, 1)) {
    const held = translatedPlaces.map((places) => at(...places));
    const likely = held.filter((one) => !one.startsWith('0.'));
    return likely.length > 0 ? likely : held;
  }
  // 6to4.
  if (startsWith(0x20, 0x02)) return [at(2, 3, 4, 5)];
  // Teredo: its server, and the client behind it, whose bits are turned over.
  if (startsWith(0x20, 0x01, 0, 0)) {
    const client = [12, 13, 14, 15].map((place) => 255 - (bytes[place] ?? 0)).join('.');
    return [at(4, 5, 6, 7), client];
  }
  // ISATAP, in any network.
  const isIsatap = (bytes[8] === 0 || bytes[8] === 2) && bytes[9] === 0;
  if (isIsatap && bytes[10] === 0x5e && bytes[11] === 0xfe) return [last];
  return [];
}
