/** Connecting by the rule of address-rule.ts: what can be seen in an address itself, and the names in it as they are resolved. */
import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { isAddressAllowed, type AddressRule } from './address-rule.ts';

/** Resolves a name to all its addresses; node:dns by default, another one in tests. */
export type ResolveName = (
  hostname: string,
  done: (error: NodeJS.ErrnoException | null, addresses: readonly LookupAddress[]) => void,
) => void;

/** Nothing was connected to. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
  /** The numeric address, or the name that has none. */
  readonly address: string;

  constructor(address: string) {
    super(`This address is not allowed (${address})`);
    this.address = address;
  }
}

/** The port that an http or https address leads to. */
export function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}

/**
 * Refuses an address whose host is a number that is not allowed. (`URL` has brought every spelling of a number into one form,
 * e.g. `0x7f000001` and `127.1`.) Names are left to `checkedLookup`.
 *
 * @throws AddressRefused
 */
export function refuseNumericHost(url: URL, rule: AddressRule): void {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !isAddressAllowed(host, portOf(url), rule))
    throw new AddressRefused(host);
}

/**
 * A `lookup` for node:http that resolves a name and hands on allowed addresses only, so that the connection goes to the very
 * address that was checked. Fails with AddressRefused when none is allowed. Node does not call it for numeric hosts.
 */
export function checkedLookup(
  port: number,
  rule: AddressRule,
  resolve: ResolveName = resolveName,
): LookupFunction {
  return (hostname, options, done) => {
    resolve(hostname, (error, addresses) => {
      const allowed = addresses.filter(({ address }) => isAddressAllowed(address, port, rule));
      const [first] = allowed;
      if (error) done(error, '', 0);
      else if (!first) done(new AddressRefused(addresses[0]?.address ?? hostname), '', 0);
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
