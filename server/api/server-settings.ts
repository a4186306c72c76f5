/**
 * THE TABLE of the server's settings that people change: the form of each in words and as a schema, the checks before anything is
 * stored, and what puts a change into force. The window's routes and those of the API use it.
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
import { allowedHostForm, listenAddress } from '../api-address.ts';
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
/** A port of the API; null: as given at the start. */
export const port = z
  .int(settingWords.port)
  .min(1024, settingWords.port)
  .max(65_535, settingWords.port)
  .nullable();
/** A change of some of them. */
export const settingsChange = z.object({
  port: port.exactOptional(),
  host: z
    .string(settingWords.host)
    .nullable()
    .transform((text, context) => {
      const host = text === null ? null : listenAddress(text);
      if (host === null && text !== null) context.addIssue(settingWords.host);
      return host;
    })
    .exactOptional(),
  allowedHosts: z
    .array(
      z.string(settingWords.hosts).regex(allowedHostForm, settingWords.hosts),
      settingWords.hosts,
    )
    .max(20, settingWords.hosts)
    .transform((hosts) => [...new Set(hosts.map((host) => host.toLowerCase()))])
    .exactOptional(),
  allowPrivateAddresses: z.boolean(settingWords.flag).nullable().exactOptional(),
  outputFolder: wholePath.nullable().exactOptional(),
  copyFolder: wholePath.nullable().exactOptional(),
  backupFolder: wholePath.nullable().exactOptional(),
  mediaFolders: z
    .array(wholePath, settingWords.folders)
    .max(50, settingWords.folders)
    .transform((folders) => [...new Set(folders)])
    .exactOptional(),
  ffmpegPath: filePath.exactOptional(),
  rateLimit: z.boolean(settingWords.flag).nullable().exactOptional(),
  creditAllowance: z
    .number(settingWords.credits)
    .min(0, settingWords.credits)
    .nullable()
    .exactOptional(),
  concurrency: z
    .int(settingWords.concurrency)
    .min(1, settingWords.concurrency)
    .max(concurrencyLimit, settingWords.concurrency)
    .nullable()
    .exactOptional(),
  queuePaused: z.boolean(settingWords.flag).exactOptional(),
  deletionPaused: z.boolean(settingWords.flag).exactOptional(),
  allowedOrigins: z
    .array(
      z
        .string(settingWords.origins)
        .max(originLength, settingWords.origins)
        .refine(isOrigin, settingWords.origins),
      settingWords.origins,
    )
    .max(20, settingWords.origins)
    .transform((origins) => [...new Set(origins)])
    .exactOptional(),
  startApi: z.boolean(settingWords.flag).exactOptional(),
  requestLogSize: z
    .int(settingWords.logSize)
    .min(0, settingWords.logSize)
    .max(requestLogLimits.most, settingWords.logSize)
    .exactOptional(),
  templateVersions: z
    .int(settingWords.versions)
    .min(0, settingWords.versions)
    .max(versionLimits.most, settingWords.versions)
    .exactOptional(),
  pauseOnBattery: z.boolean(settingWords.flag).exactOptional(),
  freeSpaceLimit: z.number(settingWords.space).min(0, settingWords.space).exactOptional(),
  keepAwake: z.boolean(settingWords.flag).exactOptional(),
  paintingThreads: z
    .int(settingWords.painting)
    .min(1, settingWords.painting)
    .max(mostPaintingThreads, settingWords.painting)
    .nullable()
    .exactOptional(),
  renderPriority: z.enum(renderPriorities, settingWords.priority).exactOptional(),
  cacheLimit: z.number(settingWords.space).min(0, settingWords.space).exactOptional(),
  transcriber: filePath.exactOptional(),
  transcriberModel: filePath.exactOptional(),
});

/** True for an address as in `Origin`: only scheme, host and port. */
function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

/** Checks and stores settings, and uses them from now on. @returns all of them. @throws ApiError for the first that is refused. */
export async function applySettings(
  given: z.infer<typeof settingsChange>,
  services: WholeServer,
): Promise<ServerSettings> {
  const { queue, store, events, startedConcurrency } = services;
  await checkSettings(given, services);
  // The port first: if it is taken, nothing may be stored.
  if (given.port !== undefined) await services.usePort(given.port);
  if (given.host !== undefined) await services.useHost(given.host);
  const { folder: outputFolder } = services.files;
  // Inside the change: another change may have left a folder meanwhile.
  const settings = await store.settings.change(({ earlierOutputFolders: earlier }) => ({
    ...given,
    ...(given.outputFolder !== undefined && {
      earlierOutputFolders: [...new Set([...earlier, outputFolder])].slice(-mostEarlierFolders),
    }),
  }));
  services.useSettings();
  if (given.concurrency !== undefined) {
    queue.setConcurrency(settings.concurrency ?? startedConcurrency);
  }
  if (given.ffmpegPath !== undefined) void queue.lookForEncoder();
  if (given.cacheLimit !== undefined)
    await shrinkDownloads(downloadFolder(services.dataFolder), settings.cacheLimit);
  if (given.queuePaused === true) queue.pause();
  if (given.queuePaused === false) queue.resume();
  events.emit({ type: 'server.state' });
  return settings;
}

/** Refuses unusable values before anything is stored. */
async function checkSettings(
  given: z.infer<typeof settingsChange>,
  { fixedSettings }: WholeServer,
): Promise<void> {
  const refuse = (what: string): never => {
    throw new ApiError('invalid_setting', { what });
  };
  for (const setting of fixedSettings) {
    if (given[setting] !== undefined) refuse(`${setting} to be left as it was named at the start`);
  }
  for (const folder of [given.outputFolder, given.copyFolder, given.backupFolder]) {
    if (folder && !(await isWritable(folder)))
      throw new ApiError('folder_not_writable', { folder });
  }
  for (const folder of given.mediaFolders ?? []) {
    const found = await stat(folder).catch(() => null);
    if (!found?.isDirectory()) refuse(`a folder, found none at ${folder}`);
  }
  if (given.ffmpegPath) {
    const tested = await testFfmpeg(given.ffmpegPath);
    if (!tested.works) {
      // The surrounding sentence has its own full stop.
      throw new ApiError('ffmpeg_unusable', { reason: tested.reason.replace(/\.$/, '') });
    }
  }
  const { transcriber, transcriberModel } = given;
  if (transcriber && !(await isFile(transcriber, constants.X_OK))) {
    refuse(`a program that can be run, found none at ${transcriber}`);
  }
  if (transcriberModel && !(await isFile(transcriberModel, constants.R_OK))) {
    refuse(`a file that can be read, found none at ${transcriberModel}`);
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
