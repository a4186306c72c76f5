/** The window's routes about the server's settings and about what the window remembers. */
import * as z from 'zod/mini';
import { isJsonObject, type JsonObject } from '../renderscript/source.ts';
import { anyObject, type Of, type Rows } from './row.ts';

/** `low`: renders wait for the server and for other programs; `normal`: they take turns like all others. */
export const renderPriorities = ['low', 'normal'] as const;
export type RenderPriority = (typeof renderPriorities)[number];

const fixed = z.enum([
  'port',
  'host',
  'publicUrl',
  'trustProxy',
  'allowPrivateAddresses',
  'outputFolder',
  'ffmpegPath',
  'rateLimit',
  'concurrency',
]);
/** A setting that can be named at the program's start. */
export type FixedSetting = Of<typeof fixed>;

const texts = z.array(z.string());
const text = z.nullable(z.string());
const started = z.object({ allowedHosts: texts, mediaFolders: texts });
/** Settings lists to which the program's start can add. */
export type StartedLists = Of<typeof started>;

const settings = z.object({
  /** In force now. */
  port: z.number(),
  /** The address that the API listens at; `127.0.0.1`: this computer alone. */
  host: z.string(),
  /** Extra names that the API answers to, e.g. `server.lan`. */
  allowedHosts: texts,
  /** The address that links begin with, e.g. `https://films.example.com`; null: the one that a request used. */
  publicUrl: text,
  /** Whether the headers of a proxy say which address a request used. */
  trustProxy: z.boolean(),
  /**
   * Whether media and webhooks may reach this computer and its network; null: while the API listens to this computer
   * alone and knows of no proxy.
   */
  allowPrivateAddresses: z.nullable(z.boolean()),
  /** The current effect of that. */
  reachesPrivate: z.boolean(),
  /** IP addresses that this computer has in its networks, IPv4 first. */
  addresses: texts,
  outputFolder: z.string(),
  /** Where the desktop's "Save a copy" opens; null: the system's choice. */
  copyFolder: text,
  /** Where backups that the user makes go; null: into the data folder. */
  backupFolder: text,
  mediaFolders: texts,
  /** Web pages that may call the API, e.g. `http://localhost:3000`. */
  allowedOrigins: texts,
  /** Null: the program finds one. */
  ffmpegPath: text,
  /** Paths of whisper.cpp's program and model; null: from the environment. */
  transcriber: text,
  transcriberModel: text,
  rateLimit: z.boolean(),
  concurrency: z.number(),
  concurrencyLimit: z.number(),
  /** Null: unlimited. */
  creditAllowance: z.nullable(z.number()),
  creditsUsed: z.number(),
  /** The API is on from the start of the program. */
  startApi: z.boolean(),
  /** How many API requests the log keeps. */
  requestLogSize: z.number(),
  /** How many earlier versions of each template are kept. */
  templateVersions: z.number(),
  /** With fewer free bytes on the output drive nothing starts; 0: no limit. */
  freeSpaceLimit: z.number(),
  /** Nothing starts while the computer runs on a low battery. */
  pauseOnBattery: z.boolean(),
  /** The desktop keeps the computer from sleeping while something renders. */
  keepAwake: z.boolean(),
  /** How many threads paint one film; null: as many as pay. */
  paintingThreads: z.nullable(z.number()),
  renderPriority: z.enum(renderPriorities),
  /** Bytes of downloads kept between renders; 0: none. */
  cacheLimit: z.number(),
  /** Set at the program's start; these can't be changed here. */
  fixed: z.array(fixed),
  /** List entries named at the program's start in addition to the stored ones; they can't be removed here. */
  started,
  dataFolder: z.string(),
});
/** Settings that the user can change, with their current effect. */
export type SettingsRecord = Of<typeof settings>;

/** Settings by name, as they are stored. What they may be is the server's (server/api/server-settings.ts). */
const stored = z.custom<object>(isJsonObject);

const ffmpegTest = z.union([
  z.object({ works: z.literal(true), version: z.string() }),
  z.object({ works: z.literal(false), reason: z.string() }),
]);
export type FfmpegTest = Of<typeof ffmpegTest>;

/** `own`: the API has it; otherwise as in `ApiProblem`. */
const portTest = z.object({ found: z.enum(['free', 'own', 'taken', 'refused']) });
export type PortTest = Of<typeof portTest>;

/**
 * What the window remembers about itself: theme, language, columns, the chosen project. Only the window reads it all.
 */
export type Preferences = JsonObject;

/** The server's settings. What is refused is worded for the field of the setting. */
export const settingRows = {
  stored: { method: 'GET', path: '/settings', answer: stored },
  change: { method: 'PATCH', path: '/settings', body: stored, unread: true, answer: stored },
  /** All as they were at first, without those named at the start. What was rendered is still found. */
  reset: { method: 'POST', path: '/settings/reset', answer: stored },
  all: { method: 'GET', path: '/settings/all', answer: settings },
  /** Whether a program is a working ffmpeg; '': the one that the system finds. */
  testFfmpeg: {
    method: 'POST',
    path: '/settings/ffmpeg-test',
    body: z.object({ path: z.string('the path of a file') }),
    answer: ffmpegTest,
  },
  /** Whether the API could use a port. */
  testPort: {
    method: 'POST',
    path: '/settings/port-test',
    body: z.custom<{ readonly port: number | string }>(isJsonObject),
    unread: true,
    answer: portTest,
  },
} as const satisfies Rows;

/** What the window remembers. */
export const preferenceRows = {
  load: { method: 'GET', path: '/preferences', answer: anyObject() },
  save: { method: 'PUT', path: '/preferences', body: anyObject(), unread: true, answer: null },
} as const satisfies Rows;
