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
      const { cacheLimit, paintingThreads } = store.values;
      const ffmpegPath = choose('ffmpegPath') ?? options.ffmpegPath;
      // The samples name their media as `media/…`.
      const samples = sampleFolder === undefined ? [] : [sampleFolder];
      return {
        cacheFolder: downloadFolder(options.dataFolder),
        cacheLimit,
        ...(paintingThreads !== null && { paintingThreads }),
        mediaFolders: [...mediaFolders, ...store.values.mediaFolders, ...samples, library],
        fontFolder: fontFolder(),
        addedFonts,
        ...(ffmpegPath !== undefined && { ffmpegPath }),
      };
    },
  };
}
