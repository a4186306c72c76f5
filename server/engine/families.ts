/**
 * The font families that texts can use, by name. Runs in a worker process: only the drawing library knows the
 * computer's.
 */
import { shippedFamilies } from './assets/fonts/font-list.ts';
import { installedFamilies } from './assets/fonts/font-register.ts';

/** Families in alphabetical order; a shipped one is not repeated among the computer's. */
export interface KnownFamilies {
  readonly bundled: string[];
  readonly installed: string[];
}

/**
 * The shipped families of a folder, and this computer's.
 *
 * @throws Error when the folder has no list.
 */
export function knownFamilies(fontFolder: string): KnownFamilies {
  const shipped = shippedFamilies(fontFolder);
  // Names that begin with a dot are the system's own.
  const installed = Array.from(installedFamilies())
    .filter(([key, name]) => !shipped.has(key) && !name.startsWith('.'))
    .map(([, name]) => name);
  const { compare } = new Intl.Collator('en');
  return {
    bundled: Array.from(shipped.values(), ({ name }) => name).sort(compare),
    installed: installed.sort(compare),
  };
}
