/** What a change of the server's settings does: checks, storing, effects. Their table is shared/settings.ts. */
import { access, constants, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { z } from 'zod';
import { ApiError } from '../../shared/errors.ts';
import {
  givenForms,
  hiddenSecret,
  type SettingName,
  settingNames,
  type SettingsInForce,
  type SettingValues,
  withoutSecrets,
} from '../../shared/settings.ts';
import type { EncodeChoice } from '../../shared/hardware.ts';
import type { Machine } from '../../shared/setting-forms.ts';
import { listenAddress, publicAddress } from '../system/api-address.ts';
import type { ServerSettings } from '../store/settings.ts';
import { downloadFolder, shrinkDownloads } from '../system/download-cache.ts';
import { pieceFolder, shrinkPieces } from '../system/kept-pieces.ts';
import type { WholeServer } from './operation.ts';
import type { FfmpegTest } from '../../shared/api.ts';
import { errorCode } from '../system/files.ts';

/** How many earlier output folders are still searched. */
const mostEarlierFolders = 100;

/** What only this computer can tell of a value. */
export const machine: Machine = {
  isWholePath: (text) => path.isAbsolute(text),
  isOrigin: (text) => /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text,
  listenAddress,
  publicAddress,
};
/** What each setting may be. */
export const settingForms = givenForms(machine);

/** Forms of which any may be left out. */
export function optional<Shape extends Readonly<Record<string, z.core.$ZodType>>>(
  shape: Shape,
): { [Name in keyof Shape]: z.ZodExactOptional<Shape[Name]> } {
  const entries = Object.entries(shape).map(([name, form]) => [name, z.exactOptional(form)]);
  // The same names.
  return Object.fromEntries(entries) as { [Name in keyof Shape]: z.ZodExactOptional<Shape[Name]> };
}

/** A change of some of them. */
export const settingsChange = z.object(optional(settingForms));
type SettingsChange = { readonly [Name in SettingName]?: SettingValues[Name] };

/** The name of a setting in the API: `output_folder`. */
export function wireName(name: SettingName): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** A value that a setting can't have. */
export class WrongSetting extends Error {
  override readonly name = 'WrongSetting';
  readonly setting: SettingName;
  /** After "should be". */
  readonly expected: string;
  readonly found: string;
  /** As the window says it, beside the field. */
  readonly inField: ApiError;

  constructor(setting: SettingName, expected: string, found: string, inField?: ApiError) {
    super(`${setting}: ${expected}, found ${found}`);
    this.setting = setting;
    this.expected = expected;
    this.found = found;
    this.inField =
      inField ?? new ApiError('invalid_setting', { what: `${expected}, found ${found}` });
  }
}

/** What a changed setting does beside being stored; others are read when they are used. */
interface Effect<Value> {
  /** @throws WrongSetting for what can't be used. */
  readonly check?: (value: Value, server: WholeServer) => Promise<void>;
  /** Before it is stored. @throws ApiError if it can't be. */
  readonly move?: (value: Value, server: WholeServer) => Promise<void>;
  /** Once it is stored. */
  readonly use?: (value: Value, server: WholeServer) => void | Promise<void>;
}

const effects: { readonly [Name in SettingName]?: Effect<SettingValues[Name]> } = {
  // If the port is taken, nothing may be stored.
  port: { move: (port, { listener }) => listener.usePort(port) },
  host: { move: (host, { listener }) => listener.useHost(host) },
  outputFolder: { check: (folder) => checkWritable('outputFolder', folder) },
  copyFolder: { check: (folder) => checkWritable('copyFolder', folder) },
  backupFolder: { check: (folder) => checkWritable('backupFolder', folder) },
  mediaFolders: { check: checkFolders },
  ffmpegPath: {
    check: checkFfmpeg,
    use: (_path, { work }) => void work.queue.lookForEncoder(),
  },
  encodeWith: { check: checkEncoder },
  concurrency: {
    use: (renders, { work, run }) => work.queue.setConcurrency(renders ?? run.startedConcurrency),
  },
  queuePaused: {
    use: (isPaused, { work: { queue } }) => {
      if (isPaused) queue.pause();
      else queue.resume();
    },
  },
  cacheLimit: {
    use: (bytes, { run }) => shrinkDownloads(downloadFolder(run.dataFolder), bytes),
  },
  piecesLimit: {
    use: (bytes, { run }) => shrinkPieces(pieceFolder(downloadFolder(run.dataFolder)), bytes),
  },
  transcriber: {
    check: (file) => checkFile('transcriber', file, constants.X_OK, 'a program that can be run'),
  },
  transcriberModel: {
    check: (file) => checkFile('transcriberModel', file, constants.R_OK, 'a file that can be read'),
  },
};

/** Does something of the effects of all changed settings, in the order of the table. */
async function each(
  step: keyof Effect<unknown>,
  given: SettingsChange,
  server: WholeServer,
): Promise<void> {
  const one = async <Name extends SettingName>(
    name: Name,
    value: SettingValues[Name] | undefined,
  ): Promise<void> => {
    if (value !== undefined) await effects[name]?.[step]?.(value, server);
  };
  for (const name of settingNames) await one(name, given[name]);
}

/**
 * Checks and stores settings, and uses them from now on.
 *
 * @returns all of them, without secrets. @throws WrongSetting or ApiError for the first that is refused; then nothing
 * has changed.
 */
export async function applySettings(
  asked: SettingsChange,
  server: WholeServer,
): Promise<ServerSettings> {
  const { store, events, library, run } = server;
  const given = Object.fromEntries(
    Object.entries(asked).filter(([, value]) => value !== hiddenSecret),
  ) as SettingsChange; // some of the same
  for (const name of run.fixedSettings) {
    if (given[name] !== undefined) throw new ApiError('setting_fixed', { name: wireName(name) });
  }
  await each('check', given, server);
  await each('move', given, server);
  const { folder: outputFolder } = library.files;
  // Inside the change: another change may have left a folder meanwhile.
  const settings = await store.settings.change(({ earlierOutputFolders: earlier }) => ({
    ...given,
    ...(given.outputFolder !== undefined && {
      earlierOutputFolders: [...new Set([...earlier, outputFolder])].slice(-mostEarlierFolders),
    }),
  }));
  run.useSettings();
  await each('use', given, server);
  events.emit({ type: 'server.state' });
  return withoutSecrets(settings);
}

/** The settings as they are in force now: also those that are as given at the start. */
export function settingsNow({
  store,
  library,
  work,
  requests,
  listener: { api },
  address,
}: WholeServer): SettingsInForce {
  return {
    ...withoutSecrets(store.settings.values),
    port: api.port,
    host: api.host,
    publicUrl: address.publicUrl(),
    trustProxy: address.trustsProxy(),
    outputFolder: library.files.folder,
    rateLimit: Number.isFinite(requests.limiter.limit),
    concurrency: work.queue.concurrency,
  };
}

async function checkWritable(name: SettingName, folder: string | null): Promise<void> {
  if (!folder || (await isWritable(folder))) return;
  const inField = new ApiError('folder_not_writable', { folder });
  throw new WrongSetting(name, 'a folder that can be written', folder, inField);
}

async function checkFolders(folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    const found = await stat(folder).catch(() => null);
    if (!found?.isDirectory())
      throw new WrongSetting('mediaFolders', 'a folder', `none at ${folder}`);
  }
}

async function checkFfmpeg(program: string | null): Promise<void> {
  if (!program) return;
  const tested = await testFfmpeg(program);
  if (tested.works) return;
  // The surrounding sentence has its own full stop.
  const reason = tested.reason.replace(/\.$/, '');
  const inField = new ApiError('ffmpeg_unusable', { reason });
  throw new WrongSetting(
    'ffmpegPath',
    'an ffmpeg that can be used',
    `${program} (${reason})`,
    inField,
  );
}

/** Tries it, whatever is known: drivers may have come. */
async function checkEncoder(
  choice: EncodeChoice,
  { requests, pending }: WholeServer,
): Promise<void> {
  if (choice === 'software') return;
  const refuse = (found: string): never => {
    throw new WrongSetting('encodeWith', 'an encoder that works here', found);
  };
  if (requests.sync)
    refuse(`${choice}, and several servers: name it for each worker with --encode-with`);
  const [trial] = await pending.encoderTrials.find(choice, true);
  const [first] = trial?.codecs ?? [];
  if (first && trial?.codecs.every(({ reason }) => reason !== null))
    refuse(`${choice} (${first.reason})`);
}

async function checkFile(
  name: SettingName,
  file: string | null,
  mode: number,
  expected: string,
): Promise<void> {
  if (!file || (await isFile(file, mode))) return;
  throw new WrongSetting(name, expected, `none at ${file}`);
}

async function isFile(file: string, mode: number): Promise<boolean> {
  try {
    await access(file, mode);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}

/** Tries it: permissions alone don't prove it on every system. */
async function isWritable(folder: string): Promise<boolean> {
  const file = path.join(folder, '.framewright-test');
  try {
    await makeFolders(folder);
    await writeFile(file, '');
    await rm(file, { force: true });
    return true;
  } catch {
    return false;
  }
}

/** Makes a folder and its parents one by one: with `recursive`, Node never answers for a path below /proc. */
async function makeFolders(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    const { code } = Object(error) as { code?: string };
    if (code === 'EEXIST') return;
    const above = path.dirname(folder);
    if (code !== 'ENOENT' || above === folder) throw error;
    await makeFolders(above);
    await mkdir(folder);
  }
}

const run = promisify(execFile);
const neededEncoders = ['libx264', 'aac'];
/** Milliseconds for one answer of the program. */
const patience = 10_000;

/** Asks the program at a path; never a rejection. */
export async function testFfmpeg(path: string): Promise<FfmpegTest> {
  try {
    const { stdout } = await run(path, ['-hide_banner', '-version'], { timeout: patience });
    const version = /^ffmpeg version (\S+)/m.exec(stdout)?.[1];
    if (version === undefined) return { works: false, reason: 'This program is not ffmpeg.' };
    const { stdout: encoders } = await run(path, ['-hide_banner', '-encoders'], {
      timeout: patience,
      maxBuffer: 1 << 22,
    });
    const missing = neededEncoders.filter((name) => !new RegExp(`\\b${name}\\b`).test(encoders));
    if (missing.length === 0) return { works: true, version };
    return { works: false, reason: `This ffmpeg has no encoder ${missing.join(' and ')}.` };
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT') return { works: false, reason: 'There is no such file.' };
    if (code === 'EACCES') return { works: false, reason: 'This file can’t be run.' };
    return { works: false, reason: 'This program did not answer as ffmpeg does.' };
  }
}
