/** The server's settings and the window's own preferences, for the window. Below `/api`, behind the window's token. */
import { access, constants, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Router } from 'express';
import { z } from 'zod';
import { renderPriorities, type PortTest, type SettingsRecord } from '../../shared/api.ts';
import { ApiError } from '../../shared/errors.ts';
import {
  concurrencyLimit,
  mostPaintingThreads,
  requestLogLimits,
  versionLimits,
} from '../../shared/limits.ts';
import { allowedHostForm, listenAddress } from '../api-address.ts';
import { bodyOf, jsonBody, smallJsonBody } from '../api/body.ts';
import { parseParameters } from '../parameters.ts';
import type { ServerServices } from '../services.ts';
import { downloadFolder, shrinkDownloads } from '../system/download-cache.ts';
import { defaultSettings, type ServerSettings } from '../store/settings.ts';
import { testFfmpeg } from './ffmpeg-test.ts';

/** Bytes of what the window remembers about itself. */
const preferencesLength = 64_000;
/** Characters of the address of a web page: a host name has 253. */
const originLength = 300;

/** What a setting accepts, after "Expected". */
const words = {
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
  preferences: 'an object of at most 64,000 bytes of JSON',
};

/** How many earlier output folders are still searched. */
const mostEarlierFolders = 100;

const filePath = z.string(words.path).max(4096, words.path).nullable();
const wholePath = z
  .string(words.folder)
  .max(4096, words.folder)
  .refine((text) => path.isAbsolute(text), words.folder);
/** A port of the API; null: as given at the start. */
export const port = z.int(words.port).min(1024, words.port).max(65_535, words.port).nullable();
const settingsChange = z.object({
  port: port.exactOptional(),
  host: z
    .string(words.host)
    .nullable()
    .transform((text, context) => {
      const host = text === null ? null : listenAddress(text);
      if (host === null && text !== null) context.addIssue(words.host);
      return host;
    })
    .exactOptional(),
  allowedHosts: z
    .array(z.string(words.hosts).regex(allowedHostForm, words.hosts), words.hosts)
    .max(20, words.hosts)
    .transform((hosts) => [...new Set(hosts.map((host) => host.toLowerCase()))])
    .exactOptional(),
  allowPrivateAddresses: z.boolean(words.flag).nullable().exactOptional(),
  outputFolder: wholePath.nullable().exactOptional(),
  copyFolder: wholePath.nullable().exactOptional(),
  backupFolder: wholePath.nullable().exactOptional(),
  mediaFolders: z
    .array(wholePath, words.folders)
    .max(50, words.folders)
    .transform((folders) => [...new Set(folders)])
    .exactOptional(),
  ffmpegPath: filePath.exactOptional(),
  rateLimit: z.boolean(words.flag).nullable().exactOptional(),
  creditAllowance: z.number(words.credits).min(0, words.credits).nullable().exactOptional(),
  concurrency: z
    .int(words.concurrency)
    .min(1, words.concurrency)
    .max(concurrencyLimit, words.concurrency)
    .nullable()
    .exactOptional(),
  queuePaused: z.boolean(words.flag).exactOptional(),
  deletionPaused: z.boolean(words.flag).exactOptional(),
  allowedOrigins: z
    .array(
      z.string(words.origins).max(originLength, words.origins).refine(isOrigin, words.origins),
      words.origins,
    )
    .max(20, words.origins)
    .transform((origins) => [...new Set(origins)])
    .exactOptional(),
  startApi: z.boolean(words.flag).exactOptional(),
  requestLogSize: z
    .int(words.logSize)
    .min(0, words.logSize)
    .max(requestLogLimits.most, words.logSize)
    .exactOptional(),
  templateVersions: z
    .int(words.versions)
    .min(0, words.versions)
    .max(versionLimits.most, words.versions)
    .exactOptional(),
  pauseOnBattery: z.boolean(words.flag).exactOptional(),
  freeSpaceLimit: z.number(words.space).min(0, words.space).exactOptional(),
  keepAwake: z.boolean(words.flag).exactOptional(),
  paintingThreads: z
    .int(words.painting)
    .min(1, words.painting)
    .max(mostPaintingThreads, words.painting)
    .nullable()
    .exactOptional(),
  renderPriority: z.enum(renderPriorities, words.priority).exactOptional(),
  cacheLimit: z.number(words.space).min(0, words.space).exactOptional(),
  transcriber: filePath.exactOptional(),
  transcriberModel: filePath.exactOptional(),
});

/** Resetting leaves what is paused, which is work and no setting, and where earlier files are. */
const notReset: readonly string[] = ['queuePaused', 'deletionPaused', 'earlierOutputFolders'];

/** True for an address as in `Origin`: only scheme, host and port. */
function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

/** Routes below `/api`. */
export function settingRoutes(services: ServerServices): Router {
  const routes = Router({ caseSensitive: true });
  serverSettingRoutes(routes, services);
  preferenceRoutes(routes, services);
  return routes;
}

function serverSettingRoutes(routes: Router, services: ServerServices): void {
  const { store } = services;

  routes.get('/settings', (_request, response) => {
    response.json(store.settings.values);
  });

  routes.patch('/settings', jsonBody, async (request, response) => {
    response.json(await applySettings(parseSetting(settingsChange, bodyOf(request)), services));
  });

  /** All as they were at first, without those named at the start. What was rendered is still found. */
  routes.post('/settings/reset', async (_request, response) => {
    const left = [...notReset, ...services.fixedSettings];
    const now = new Map(Object.entries(store.settings.values));
    // Only what differs: a port that nobody has changed must not be left.
    const given = Object.entries(defaultSettings).filter(
      ([name, first]) => !left.includes(name) && !isDeepStrictEqual(first, now.get(name)),
    );
    response.json(await applySettings(Object.fromEntries(given), services));
  });

  routes.get('/settings/all', (_request, response) => {
    response.json(settingsRecord(services));
  });

  routes.post('/settings/ffmpeg-test', jsonBody, async (request, response) => {
    const given = parseParameters(z.object({ path: z.string(words.path) }), bodyOf(request));
    response.json(await testFfmpeg(given.path.trim() === '' ? 'ffmpeg' : given.path));
  });

  routes.post('/settings/port-test', jsonBody, async (request, response) => {
    const given = parseSetting(z.object({ port: port.unwrap() }), bodyOf(request));
    response.json({ found: await services.testPort(given.port) } satisfies PortTest);
  });
}

/** Checks and stores settings, and uses them from now on. @returns all of them. @throws ApiError for the first that is refused. */
async function applySettings(
  given: z.infer<typeof settingsChange>,
  services: ServerServices,
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

/** The window's preferences are one opaque object; the server only reads theme and language. */
function preferenceRoutes(routes: Router, { store, events }: ServerServices): void {
  const smallBody = smallJsonBody(preferencesLength, 'preferences', words.preferences);
  routes.get('/preferences', (_request, response) => {
    response.type('json').send(store.settings.preferences);
  });

  routes.put('/preferences', smallBody, async (request, response) => {
    const { theme, language } = store.settings;
    await store.settings.setPreferences(JSON.stringify(bodyOf(request)));
    response.status(204).end();
    // The desktop uses them for menus, dialogs and the window's frame.
    const { settings } = store;
    if (settings.theme !== theme || settings.language !== language)
      events.emit({ type: 'server.state' });
  });
}

/** The current settings. */
function settingsRecord(services: ServerServices): SettingsRecord {
  const { store, queue, credits, files, limiter, api, fixedSettings, dataFolder } = services;
  const { allowedHosts, allowPrivateAddresses } = store.settings.values;
  const { copyFolder, mediaFolders, ffmpegPath, creditAllowance, allowedOrigins } =
    store.settings.values;
  const { templateVersions, startApi, requestLogSize, pauseOnBattery, keepAwake, freeSpaceLimit } =
    store.settings.values;
  const { transcriber, transcriberModel, backupFolder } = store.settings.values;
  const { paintingThreads, renderPriority, cacheLimit } = store.settings.values;
  return {
    port: api.port,
    host: api.host,
    allowedHosts,
    allowPrivateAddresses,
    reachesPrivate: services.addressRule().allowPrivateAddresses,
    addresses: ownAddresses(),
    startApi,
    requestLogSize,
    templateVersions,
    pauseOnBattery,
    keepAwake,
    paintingThreads,
    renderPriority,
    cacheLimit,
    freeSpaceLimit,
    outputFolder: files.folder,
    copyFolder,
    backupFolder,
    mediaFolders,
    allowedOrigins,
    ffmpegPath,
    transcriber,
    transcriberModel,
    rateLimit: Number.isFinite(limiter.limit),
    concurrency: queue.concurrency,
    concurrencyLimit,
    creditAllowance,
    creditsUsed: credits.state.used,
    fixed: fixedSettings,
    started: services.started,
    dataFolder,
  };
}

/**
 * IP addresses by which others may reach this computer, IPv4 first. Link-local ones (fe80::) are left out: they need a zone.
 */
function ownAddresses(): readonly string[] {
  return Object.values(networkInterfaces())
    .flatMap((found) => found ?? [])
    .filter(({ internal, address }) => !internal && !/^fe80:/i.test(address))
    .sort((one, other) => one.family.localeCompare(other.family))
    .map(({ address }) => address);
}

/** Like `parseParameters`, worded for the field in the window. @throws ApiError `invalid_setting`. */
export function parseSetting<T>(schema: z.ZodType<T>, values: unknown): T {
  const { data, error } = schema.safeParse(values);
  if (error) throw new ApiError('invalid_setting', { what: error.issues[0]?.message ?? 'a value' });
  return data;
}

/** Refuses unusable values before anything is stored. */
async function checkSettings(
  given: z.infer<typeof settingsChange>,
  { fixedSettings }: ServerServices,
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
