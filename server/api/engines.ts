/** What workers are told; follows settings and ports while the server runs. */
import { engineLimits } from '../../shared/limits.ts';
import type { AddressRule } from '../system/address-rule.ts';
import type { Store } from '../store/store.ts';
import type { Choices, Engine } from './choices.ts';

/** Each message is made of one of these. */
export interface Engines {
  readonly forRenders: Engine & AddressRule;
  /** For all else, with limits. */
  readonly forPictures: Engine & AddressRule & { readonly limits: typeof engineLimits };
  /** Takes over the settings of now. */
  readonly refresh: () => void;
}

/** @param rule Read for each message: ports move. */
export function createEngines(
  choices: Choices,
  { media, fonts }: Pick<Store, 'media' | 'fonts'>,
  rule: () => AddressRule,
): Engines {
  const now = (): Engine => choices.engine(media.contentFolder, fonts.forRenders());
  const forRenders = withRule(now(), rule);
  const forPictures = withRule({ ...forRenders, limits: engineLimits }, rule);
  return {
    forRenders,
    forPictures,
    refresh: () => {
      const engine = now();
      for (const told of [forRenders, forPictures]) {
        delete told.ffmpegPath;
        delete told.paintingThreads;
        Object.assign(told, engine);
      }
    },
  };
}

/** Workers' settings with the current address rule in each message made of them. */
function withRule<Settings extends object>(
  settings: Settings,
  rule: () => AddressRule,
): Settings & AddressRule {
  return Object.defineProperties(settings, {
    allowPrivateAddresses: { enumerable: true, get: () => rule().allowPrivateAddresses },
    ownPorts: { enumerable: true, get: () => rule().ownPorts },
  }) as Settings & AddressRule; // what has just been defined
}
