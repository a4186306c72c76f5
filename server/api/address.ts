/** Where the server is reached, and whom it may reach; each call reads the settings of that moment. */
import type { AddressRule } from '../system/address-rule.ts';
import type { Choices } from './choices.ts';

/** Addresses of one server. */
export interface ServerAddress {
  /**
   * What links begin with when no request names an address: the public one, else `http://127.0.0.1:4820`. Known once
   * the API listens; while it is off, the address it would have.
   */
  readonly apiUrl: () => string;
  /** The same for programs on this computer, which need no proxy. */
  readonly ownUrl: () => string;
  /** The address that all links begin with; null: the one that a request used. */
  readonly publicUrl: () => string | null;
  /** Whether a proxy's headers say which address a request used. */
  readonly trustsProxy: () => boolean;
  /** See Choices. */
  readonly isProxied: () => boolean;
  /** Names that the API answers to beside its own. */
  readonly allowedHosts: () => readonly string[];
  /** Where media may come from and webhooks may go now. */
  readonly addressRule: () => AddressRule;
}

/**
 * @param api Where it listens, or would.
 * @param ownPorts Ports that this program listens on now.
 */
export function createAddress(
  choices: Choices,
  api: { readonly port: number },
  ownPorts: () => readonly number[],
): ServerAddress {
  const ownUrl = (): string => choices.ownUrl(api.port);
  const publicUrl = (): string | null => choices.publicUrl();
  return {
    ownUrl,
    publicUrl,
    apiUrl: () => publicUrl() ?? ownUrl(),
    trustsProxy: () => choices.trustsProxy(),
    isProxied: () => choices.isProxied(),
    allowedHosts: () => choices.allowedHosts(),
    addressRule: () => choices.addressRule(ownPorts()),
  };
}
