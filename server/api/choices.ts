/** The current value of options that are also settings: named at the start, else stored, else the start's default. */
import type { FixedSetting } from '../../shared/api.ts';
import { isLoopback } from '../../shared/listen-address.ts';
import { isLoopbackName, loopbackAddresses, toldAddress } from '../system/api-address.ts';
import type { EngineSettings } from '../jobs/attempt.ts';
import type { AddressRule } from '../system/address-rule.ts';
import { fontFolder } from '../system/paths.ts';
import type { ServerOptions } from '../options.ts';
import type { ServerSettings } from '../store/settings.ts';
import { downloadFolder } from '../system/download-cache.ts';
import { engineLimits } from '../../shared/limits.ts';
import type { Store } from '../store/store.ts';
import { voiceSetting } from '../jobs/worker/voices.ts';

/** What every worker is told, whatever its task, except the address rule; changes with the settings. */
export type Engine = {
  -readonly [
    Name in keyof EngineSettings as Exclude<Name, keyof AddressRule>
  ]: EngineSettings[Name];
};

/** Each call reads the current value. */
export interface Choices {
  port(): number;
  /** The address that the API listens at. */
  host(): string;
  /** Names that the API answers to beside its own: those that the user allowed, and that of the public address. */
  allowedHosts(): readonly string[];
  /** The address that all links begin with; null: the one that a request used. */
  publicUrl(): string | null;
  /** Whether a proxy's headers say which address a request used. */
  trustsProxy(): boolean;
  /**
   * True if others reach the API through a proxy, which looks like a program on this computer: it has a public address,
   * or trusts one.
   */
  isProxied(): boolean;
  /** The address of the API for programs on this computer. @param port The port that it listens on. */
  ownUrl(port: number): string;
  /**
   * Where media may come from and webhooks may go. This computer and its network are allowed while only this computer
   * reaches the API, as far as is known: then the user writes the documents. Anyone from elsewhere must not look around
   * in here.
   */
  addressRule(ownPorts: readonly number[]): AddressRule;
  outputFolder(): string;
  rateLimit(): boolean;
  /** Renders at the same time. */
  concurrency(): number;
  /**
   * @param library Content folder of the media library: `media:ID` is looked up in the media folders.
   * @param addedFonts Fonts that people added.
   */
  engine(library: string, addedFonts: Required<EngineSettings>['addedFonts']): Engine;
}

/** @param store Its `values` are read at each call. */
export function createChoices(
  options: ServerOptions,
  store: { readonly values: ServerSettings },
): Choices {
  const { fixedSettings = [] } = options;
  const choose = <Name extends FixedSetting>(name: Name): ServerSettings[Name] =>
    fixedSettings.includes(name) ? null : store.values[name];
  const { sampleFolder, mediaFolders = [] } = options;
  const host = (): string => choose('host') ?? options.host ?? loopbackAddresses[0];
  const names = (): readonly string[] => [
    ...(options.allowedHosts ?? []),
    ...store.values.allowedHosts,
  ];
  const publicUrl = (): string | null => choose('publicUrl') ?? options.publicUrl ?? null;
  const trustsProxy = (): boolean => choose('trustProxy') ?? options.trustProxy ?? false;
  const isProxied = (): boolean => {
    const url = publicUrl();
    return trustsProxy() || (url !== null && !isLoopbackName(new URL(url).hostname));
  };
  return {
    port: () => choose('port') ?? options.port,
    host,
    allowedHosts: () => {
      const url = publicUrl();
      return url === null ? names() : [new URL(url).hostname, ...names()];
    },
    publicUrl,
    trustsProxy,
    isProxied,
    ownUrl: (port) => toldAddress(host(), port, names()),
    addressRule: (ownPorts) => ({
      allowPrivateAddresses:
        choose('allowPrivateAddresses') ??
        options.allowPrivateAddresses ??
        (isLoopback(host()) && !isProxied()),
      ownPorts: [...ownPorts],
    }),
    outputFolder: () => choose('outputFolder') ?? options.outputFolder,
    rateLimit: () => choose('rateLimit') ?? options.rateLimit,
    concurrency: () => choose('concurrency') ?? options.concurrency ?? 1,
    engine: (library, addedFonts) => {
      const { cacheLimit, piecesLimit, paintingThreads, encodeWith } = store.values;
      const ffmpegPath = choose('ffmpegPath') ?? options.ffmpegPath;
      // The samples name their media as `media/…`.
      const samples = sampleFolder === undefined ? [] : [sampleFolder];
      return {
        cacheFolder: downloadFolder(options.dataFolder),
        cacheLimit,
        piecesLimit,
        voices: voiceSetting(store.values),
        ...(paintingThreads !== null && { paintingThreads }),
        mediaFolders: [...mediaFolders, ...store.values.mediaFolders, ...samples, library],
        fontFolder: fontFolder(),
        addedFonts,
        ...(ffmpegPath !== undefined && { ffmpegPath }),
        // Workers of a farm are other computers, each with its own option.
        ...(encodeWith !== 'software' && options.database === undefined && { encodeWith }),
      };
    },
  };
}

// What workers are told; follows settings and ports while the server runs.

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
        delete told.encodeWith;
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

// Where the server is reached, and whom it may reach; each call reads the settings of that moment.

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
