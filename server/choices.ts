/** The current value of options that are also settings: named at the start, else stored, else the start's default. */
import type { FixedSetting } from '../shared/api.ts';
import { isLoopback } from '../shared/listen-address.ts';
import { loopbackAddresses, toldAddress } from './api-address.ts';
import type { EngineSettings } from './jobs/attempt.ts';
import type { AddressRule } from './system/address-rule.ts';
import { fontFolder } from './paths.ts';
import type { ServerOptions } from './options.ts';
import type { ServerSettings } from './store/settings.ts';
import { downloadFolder } from './system/download-cache.ts';

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
  /** Extra names that the API answers to. */
  allowedHosts(): readonly string[];
  /** The address of the API when no request names one. @param port The port that it listens on. */
  apiUrl(port: number): string;
  /**
   * Where media may come from and webhooks may go. This computer and its network are allowed while only this computer
   * reaches the API: then the user writes the documents. Anyone from elsewhere must not look around in here.
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
  const allowedHosts = (): readonly string[] => [
    ...(options.allowedHosts ?? []),
    ...store.values.allowedHosts,
  ];
  return {
    port: () => choose('port') ?? options.port,
    host,
    allowedHosts,
    apiUrl: (port) => toldAddress(host(), port, allowedHosts()),
    addressRule: (ownPorts) => ({
      allowPrivateAddresses:
        options.allowPrivateAddresses ?? store.values.allowPrivateAddresses ?? isLoopback(host()),
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
