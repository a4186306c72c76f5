/** The window's requests about settings, and about what it remembers. Window only. */
import {
  preferenceRows,
  settingRows,
  type FfmpegTest,
  type PortTest,
  type Preferences,
  type SettingsRecord,
} from '../../../shared/api/settings.ts';
import { call } from './call.ts';

/** The settings in force. */
export const loadSettings = (): Promise<SettingsRecord> => call(settingRows.all);

/** Changes settings; unusable values are refused with a sentence, and nothing changes. */
export async function changeSettings(body: object): Promise<void> {
  await call(settingRows.change, { body });
}

/** Puts all settings back to how they were at first; when one is refused, nothing changes. */
export async function resetSettings(): Promise<void> {
  await call(settingRows.reset);
}

/** Checks whether a program is a working ffmpeg; '' for the one that the system finds. */
export const testFfmpeg = (path: string): Promise<FfmpegTest> =>
  call(settingRows.testFfmpeg, { body: { path } });

/** Checks whether the API could use a port. @param port A whole number from 1024 to 65535, or it is refused. */
export const testPort = async (port: number | string): Promise<PortTest['found']> =>
  (await call(settingRows.testPort, { body: { port } })).found;

/** What the window remembers. */
export const loadPreferences = (): Promise<Preferences> => call(preferenceRows.load);

/** Remembers it. */
export const savePreferences = (body: Preferences): Promise<undefined> =>
  call(preferenceRows.save, { body });
