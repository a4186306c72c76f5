/** The font families that texts can have, by name. Runs in a worker process: only the drawing library knows the computer's. */
import { shippedFamilies } from './assets/fonts/font-list.ts';
import { installedFamilies } from './assets/fonts/font-register.ts';

/** Families in alphabetical order; one that ships is not among those of the computer, which it comes before. */
export interface KnownFamilies {
  readonly bundled: string[];
  readonly installed: string[];
}

/**
 * What ships in a folder, and what this computer has.
 *
 * @throws Error when the folder has no list.
 */
export function knownFamilies(fontFolder: string): KnownFamilies {
  const shipped = shippedFamilies(fontFolder);
  // Names with a dot before them are the system's own and not meant to be chosen.
  const installed = Array.from(installedFamilies())
    .filter(([key, name]) => !shipped.has(key) && !name.startsWith('.'))
    .map(([, name]) => name);
  const { compare } = new Intl.Collator('en');
  return {
    bundled: Array.from(shipped.values(), ({ name }) => name).sort(compare),
    installed: installed.sort(compare),
  };
}
