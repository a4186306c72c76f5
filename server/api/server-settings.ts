/**
 * THE TABLE of the server's settings that people change: the form of each in words and as a schema, the checks before
 * anything is stored, and what puts a change into force. The window's routes and those of the API use it.
 */
import { access, constants, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { renderPriorities } from '../../shared/api.ts';
import { ApiError } from '../../shared/errors.ts';
import {
  concurrencyLimit,
  mostPaintingThreads,
  requestLogLimits,
  versionLimits,
} from '../../shared/limits.ts';
import {
  allowedHostForm,
  listenAddress,
  publicAddress,
  publicUrlWords,
} from '../system/api-address.ts';
import type { ServerSettings } from '../store/settings.ts';
import { downloadFolder, shrinkDownloads } from '../system/download-cache.ts';
import { testFfmpeg } from './ffmpeg-test.ts';
import type { WholeServer } from './whole-server.ts';

/** Characters of the address of a web page: a host name has 253. */
const originLength = 300;

/** What a setting accepts, after "Expected". */
export const settingWords = {
  credits: 'a number of credits that is at least 0, or nothing for no limit',
  concurrency: `a whole number from 1 to ${concurrencyLimit}`,
  flag: 'true or false',
  path: 'the path of a file',
  port: 'a whole number from 1024 to 65535',
  folder: 'the whole path of a folder',
  folders: 'at most 50 whole paths of folders',
  versions: `a whole number from 0 to ${versionLimits.most}`,
  logSize: `a whole number from 0 to ${requestLogLimits.most}`,
  space: 'a size that is at least 0',
  priority: 'low or normal',
  painting: `a whole number from 1 to ${mostPaintingThreads}, or nothing for as many as pay`,
  host: 'an IP address of this computer, e.g. 127.0.0.1 for this computer alone or 0.0.0.0 for all networks',
  hosts: 'at most 20 names without http://, e.g. server.lan',
  publicUrl: `${publicUrlWords}, or nothing for the address of each request`,
  origins:
    'at most 20 addresses of web pages without a path and of at most 300 characters, e.g. http://localhost:3000',
};

/** How many earlier output folders are still searched. */
const mostEarlierFolders = 100;

const filePath = z.string(settingWords.path).max(4096, settingWords.path).nullable();
const wholePath = z
  .string(settingWords.folder)
  .max(4096, settingWords.folder)
  .refine((text) => path.isAbsolute(text), settingWords.folder);
const flag = z.boolean(settingWords.flag);
const space = z.number(settingWords.space).min(0, settingWords.space);
/** A port of the API; null: as given at the start. */
export const port = z
  .int(settingWords.port)
  .min(1024, settingWords.port)
  .max(65_535, settingWords.port)
  .nullable();

/** A whole number in a range. */
const count = (words: string, least: number, most: number): z.ZodInt =>
  z.int(words).min(least, words).max(most, words);

const unique = <T>(list: readonly T[]): T[] => [...new Set(list)];

/**
 * The form of each setting, with its meaning. Null is what is said there, else: as given at the start of the program.
 */
const settingForms = {
  port: port.meta({ description: 'Port of the API.' }),
  host: z
    .string(settingWords.host)
    .refine((text) => listenAddress(text) !== null, settingWords.host)
    .overwrite((text) => listenAddress(text) ?? text)
    .nullable()
    .meta({
      description:
        'Address that the API listens at: 127.0.0.1 for this computer alone, 0.0.0.0 for all networks.',
    }),
  allowedHosts: z
    .array(
      z.string(settingWords.hosts).regex(allowedHostForm, settingWords.hosts),
      settingWords.hosts,
    )
    .max(20, settingWords.hosts)
    .overwrite((hosts) => unique(hosts.map((host) => host.toLowerCase())))
    .meta({ description: 'Names that the API answers to beside its own, e.g. server.lan.' }),
  publicUrl: z
    .string(settingWords.publicUrl)
    .refine((text) => publicAddress(text) !== null, settingWords.publicUrl)
    .overwrite((text) => publicAddress(text) ?? text)
    .nullable()
    .meta({
      description:
        'The address that all links begin with, e.g. https://films.example.com/framewright; null: the one that each request used.',
    }),
  trustProxy: flag.nullable().meta({
    description:
      'Whether X-Forwarded-Host and X-Forwarded-Proto are read: only behind a proxy that sets both itself.',
  }),
  allowPrivateAddresses: flag.nullable().meta({
    description:
      'Whether media and webhooks may reach this computer and its network; null: while only this computer reaches the API.',
  }),
  outputFolder: wholePath
    .nullable()
    .meta({ description: 'Where finished files go. Earlier ones are still found.' }),
  copyFolder: wholePath.nullable().meta({
    description: 'Where “Save a copy” of the desktop begins; null: where the system says.',
  }),
  backupFolder: wholePath.nullable().meta({
    description: 'Where backups go that a person or program asks for; null: into the data folder.',
  }),
  mediaFolders: z
    .array(wholePath, settingWords.folders)
    .max(50, settingWords.folders)
    .overwrite(unique)
    .meta({ description: 'Folders that `file:` and relative sources may lie in.' }),
  ffmpegPath: filePath.meta({ description: 'The ffmpeg to use; null: the one that is found.' }),
  rateLimit: flag.nullable().meta({ description: 'Whether the number of requests is limited.' }),
  creditAllowance: z
    .number(settingWords.credits)
    .min(0, settingWords.credits)
    .nullable()
    .meta({ description: 'Credits for the renders of 30 days; null: unlimited.' }),
  concurrency: count(settingWords.concurrency, 1, concurrencyLimit)
    .nullable()
    .meta({ description: 'Renders at the same time.' }),
  queuePaused: flag.meta({ description: 'Renders stay planned.' }),
  deletionPaused: flag.meta({ description: 'Nothing that has expired is removed.' }),
  allowedOrigins: z
    .array(
      z
        .string(settingWords.origins)
        .max(originLength, settingWords.origins)
        .refine(isOrigin, settingWords.origins),
      settingWords.origins,
    )
    .max(20, settingWords.origins)
    .overwrite(unique)
    .meta({ description: 'Web pages that may call the API, e.g. http://localhost:3000.' }),
  startApi: flag.meta({ description: 'Whether the API is on from the start of the program.' }),
  requestLogSize: count(settingWords.logSize, 0, requestLogLimits.most).meta({
    description: 'How many requests the list of requests in the window keeps.',
  }),
  templateVersions: count(settingWords.versions, 0, versionLimits.most).meta({
    description: 'How many earlier versions of each template are kept.',
  }),
  pauseOnBattery: flag.meta({ description: 'Nothing starts while the battery is low.' }),
  freeSpaceLimit: space.meta({
    description:
      'With fewer free bytes on the drive of the output folder, nothing starts; 0: no limit.',
  }),
  keepAwake: flag.meta({
    description: 'The desktop program keeps the computer from sleeping while something renders.',
  }),
  paintingThreads: count(settingWords.painting, 1, mostPaintingThreads)
    .nullable()
    .meta({ description: 'Threads that paint one film; null: as many as pay.' }),
  renderPriority: z.enum(renderPriorities, settingWords.priority).meta({
    description:
      'low: rendering gives way to other programs; normal: it takes turns like all others.',
  }),
  cacheLimit: space.meta({
    description: 'Bytes of downloads that are kept between renders; 0: none.',
  }),
  transcriber: filePath.meta({
    description: 'Program of whisper.cpp, for captions; null: as the environment says.',
  }),
  transcriberModel: filePath.meta({ description: 'Its model; null: as the environment says.' }),
} as const satisfies Record<Exclude<keyof ServerSettings, 'earlierOutputFolders'>, z.ZodType>;

type SettingForms = typeof settingForms;
/** A setting that people change. */
export type SettingName = keyof SettingForms;
/** All of them. */
export const settingNames = Object.keys(settingForms) as SettingName[]; // the table's own

/** Forms of which any may be left out. */
export function optional<Shape extends Readonly<Record<string, z.ZodType>>>(
  shape: Shape,
): { [Name in keyof Shape]: z.ZodExactOptional<Shape[Name]> } {
  const entries = Object.entries(shape).map(([name, form]) => [name, z.exactOptional(form)]);
  // The same names.
  return Object.fromEntries(entries) as { [Name in keyof Shape]: z.ZodExactOptional<Shape[Name]> };
}

/** A change of some of them. */
export const settingsChange = z.object(optional(settingForms));
type SettingsChange = z.infer<typeof settingsChange>;

/** The name of a setting in the API: `output_folder`. */
export function wireName(name: SettingName): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The forms by their names in the API. */
export const wireForms: Readonly<Record<string, z.ZodType>> = Object.fromEntries(
  settingNames.map((name) => [wireName(name), settingForms[name]]),
);

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

/** True for an address as in `Origin`: only scheme, host and port. */
function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

/**
 * Checks and stores settings, and uses them from now on.
 *
 * @returns all of them. @throws WrongSetting or ApiError for the first that is refused; then nothing has changed.
 */
export async function applySettings(
  given: SettingsChange,
  services: WholeServer,
): Promise<ServerSettings> {
  const { store, events, listener, run } = services;
  const { queue } = services.work;
  await checkSettings(given, services);
  // The port first: if it is taken, nothing may be stored.
  if (given.port !== undefined) await listener.usePort(given.port);
  if (given.host !== undefined) await listener.useHost(given.host);
  const { folder: outputFolder } = services.library.files;
  // Inside the change: another change may have left a folder meanwhile.
  const settings = await store.settings.change(({ earlierOutputFolders: earlier }) => ({
    ...given,
    ...(given.outputFolder !== undefined && {
      earlierOutputFolders: [...new Set([...earlier, outputFolder])].slice(-mostEarlierFolders),
    }),
  }));
  run.useSettings();
  if (given.concurrency !== undefined) {
    queue.setConcurrency(settings.concurrency ?? run.startedConcurrency);
  }
  if (given.ffmpegPath !== undefined) void queue.lookForEncoder();
  if (given.cacheLimit !== undefined)
    await shrinkDownloads(downloadFolder(run.dataFolder), settings.cacheLimit);
  if (given.queuePaused === true) queue.pause();
  if (given.queuePaused === false) queue.resume();
  events.emit({ type: 'server.state' });
  return settings;
}

/** The settings as they are in force now: also those that are as given at the start. */
export function settingsNow({
  store,
  library,
  work,
  requests,
  listener: { api },
  address,
}: WholeServer): Pick<ServerSettings, SettingName> {
  return {
    ...store.settings.values,
    port: api.port,
    host: api.host,
    publicUrl: address.publicUrl(),
    trustProxy: address.trustsProxy(),
    outputFolder: library.files.folder,
    rateLimit: Number.isFinite(requests.limiter.limit),
    concurrency: work.queue.concurrency,
  };
}

/** Refuses unusable values before anything is stored. @throws WrongSetting, ApiError `setting_fixed`. */
async function checkSettings(given: SettingsChange, { run }: WholeServer): Promise<void> {
  for (const setting of run.fixedSettings) {
    if (given[setting] !== undefined)
      throw new ApiError('setting_fixed', { name: wireName(setting) });
  }
  for (const setting of ['outputFolder', 'copyFolder', 'backupFolder'] as const) {
    const folder = given[setting];
    if (!folder || (await isWritable(folder))) continue;
    const inField = new ApiError('folder_not_writable', { folder });
    throw new WrongSetting(setting, 'a folder that can be written', folder, inField);
  }
  for (const folder of given.mediaFolders ?? []) {
    const found = await stat(folder).catch(() => null);
    if (!found?.isDirectory())
      throw new WrongSetting('mediaFolders', 'a folder', `none at ${folder}`);
  }
  if (given.ffmpegPath) {
    const tested = await testFfmpeg(given.ffmpegPath);
    if (!tested.works) {
      // The surrounding sentence has its own full stop.
      const reason = tested.reason.replace(/\.$/, '');
      const inField = new ApiError('ffmpeg_unusable', { reason });
      const found = `${given.ffmpegPath} (${reason})`;
      throw new WrongSetting('ffmpegPath', 'an ffmpeg that can be used', found, inField);
    }
  }
  const { transcriber, transcriberModel } = given;
  if (transcriber && !(await isFile(transcriber, constants.X_OK))) {
    const found = `none at ${transcriber}`;
    throw new WrongSetting('transcriber', 'a program that can be run', found);
  }
  if (transcriberModel && !(await isFile(transcriberModel, constants.R_OK))) {
    const found = `none at ${transcriberModel}`;
    throw new WrongSetting('transcriberModel', 'a file that can be read', found);
  }
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
