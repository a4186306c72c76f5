/**
 * Addresses of a document that no render of this server may read, told before it fails. Asks no other computer, nor for
 * names.
 */
import { isIP } from 'node:net';
import type { LocalAddress } from '../../shared/renderscript/hints.ts';
import type { Problem } from '../../shared/renderscript/source.ts';
import { addressRefusal, type AddressRule } from '../system/address-rule.ts';
import { AddressRefused } from '../system/connect.ts';
import { findLocal, localRefusal, type HiddenMedia } from '../system/media-folders.ts';

/** What decides. */
export interface AddressSettings {
  readonly rule: () => AddressRule;
  readonly mediaFolders: () => readonly string[];
  /** What the document must not see; absent: of which project it is isn't known, and no file is told missing. */
  readonly hidden?: HiddenMedia | undefined;
}

/** A warning for each that is refused, in the words of the render's failure. */
export async function refusedAddresses(
  local: readonly LocalAddress[],
  settings: AddressSettings,
): Promise<readonly Problem[]> {
  const problems: Problem[] = [];
  for (const { address, ...place } of local) {
    const reason = /^\s*http/i.test(address)
      ? networkRefusal(address.trim(), settings.rule())
      : await fileRefusal(address, settings);
    if (reason === null) continue;
    const message = `The render fails: ${reason.charAt(0).toLowerCase()}${reason.slice(1)}`;
    problems.push({ ...place, severity: 'warning', code: 'not_found', message });
  }
  return problems;
}

function networkRefusal(address: string, rule: AddressRule): string | null {
  if (!URL.canParse(address)) return null;
  const { hostname, port, protocol } = new URL(address);
  const host = hostname.replace(/^\[|\]$/g, '');
  const isHere = /(?:^|\.)localhost\.?$/i.test(host);
  if (!isHere && isIP(host) === 0) return null;
  const usual = protocol === 'https:' ? 443 : 80;
  const numeric = isHere ? '127.0.0.1' : host;
  const refusal = addressRefusal(numeric, port === '' ? usual : Number(port), rule);
  return refusal === null ? null : new AddressRefused(host, refusal).message;
}

async function fileRefusal(
  address: string,
  { mediaFolders, hidden }: AddressSettings,
): Promise<string | null> {
  const found = await findLocal(address, mediaFolders(), hidden);
  if (found === null || found.kind === 'file') return null;
  const isTold = found.kind === 'outside' || hidden !== undefined;
  return isTold ? `${localRefusal(found)} (${address.trim()})` : null;
}
