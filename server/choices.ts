/** What holds now of the options that settings repeat: what the start names, else the stored setting, else the start's default. */
import path from 'node:path';
import type { FixedSetting } from '../shared/api.ts';
import type { EngineSettings } from './jobs/attempt.ts';
import { fontFolder } from './paths.ts';
import type { ServerOptions } from './options.ts';
import type { ServerSettings } from './store/settings.ts';

/** What every worker is told, whatever it has to do; changes with the settings. */
export type Engine = { -readonly [Name in keyof EngineSettings]: EngineSettings[Name] };

/** Asked anew each time. */
export interface Choices {
  port(): number;
  outputFolder(): string;
  rateLimit(): boolean;
  /** @param library Content of the media library: `media:ID` is looked up in the media folders. */
  engine(library: string): Engine;
}

/** @param store Its `values` are read when a choice is asked for. */
export function createChoices(
  options: ServerOptions,
  store: { readonly values: ServerSettings },
): Choices {
  const { fixedSettings = [] } = options;
  const choose = <Name extends FixedSetting>(name: Name): ServerSettings[Name] =>
    fixedSettings.includes(name) ? null : store.values[name];
  const { sampleFolder, mediaFolders = [], allowPrivateAddresses = true } = options;
  return {
    port: () => choose('port') ?? options.port,
    outputFolder: () => choose('outputFolder') ?? options.outputFolder,
    rateLimit: () => choose('rateLimit') ?? options.rateLimit,
    engine: (library) => {
      const ffmpegPath = choose('ffmpegPath') ?? options.ffmpegPath;
      // The samples name their media as `media/…`.
      const samples = sampleFolder === undefined ? [] : [sampleFolder];
      return {
        cacheFolder: path.join(options.dataFolder, 'cache'),
        mediaFolders: [...mediaFolders, ...store.values.mediaFolders, ...samples, library],
        fontFolder: fontFolder(),
        ...(ffmpegPath !== undefined && { ffmpegPath }),
        allowPrivateAddresses,
      };
    },
  };
}
