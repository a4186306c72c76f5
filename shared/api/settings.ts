/** The window's routes about the server's settings and about what the window remembers. */
import * as z from 'zod/mini';
import { hardwareCodecs, hardwareFamilies } from '../hardware.ts';
import { isJsonObject } from '../renderscript/source.ts';
import { fixedSettings, shownForms } from '../settings.ts';
import { anyObject, type Of, type Rows } from './row.ts';

const texts = z.array(z.string());
const started = z.object({ allowedHosts: texts, mediaFolders: texts });
/** Settings lists to which the program's start can add. */
export type StartedLists = Of<typeof started>;

const settings = z.object({
  // Those of the page, as they are in force.
  ...shownForms,
  /** Whether media and webhooks reach this computer and its network now. */
  reachesPrivate: z.boolean(),
  /** IP addresses that this computer has in its networks, IPv4 first. */
  addresses: texts,
  concurrencyLimit: z.number(),
  creditsUsed: z.number(),
  /** Set at the program's start; these can't be changed here. */
  fixed: z.array(z.enum(fixedSettings)),
  /** List entries named at the program's start in addition to the stored ones; they can't be removed here. */
  started,
  dataFolder: z.string(),
});
/** Settings that the user can change, with their current effect. */
export type SettingsRecord = Of<typeof settings>;

/** Settings by name, as they are stored; the server looks at what is changed (shared/settings.ts). */
const stored = z.custom<object>(isJsonObject);

const ffmpegTest = z.union([
  z.object({ works: z.literal(true), version: z.string() }),
  z.object({ works: z.literal(false), reason: z.string() }),
]);
export type FfmpegTest = Of<typeof ffmpegTest>;

export const hardwareTrial = z.object({
  family: z.enum(hardwareFamilies),
  codecs: z.array(
    z.object({
      codec: z.enum(hardwareCodecs),
      /** Why its encoder does not work, in ffmpeg's words; null: it does. */
      reason: z.nullable(z.string()),
    }),
  ),
});
/** What came of trying the encoders of a family of hardware. */
export type HardwareTrial = Of<typeof hardwareTrial>;

/** `own`: the API has it; otherwise as in `ApiProblem`. */
const portTest = z.object({ found: z.enum(['free', 'own', 'taken', 'refused']) });
export type PortTest = Of<typeof portTest>;

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
  /** Encoders of hardware that ffmpeg lists; tries those that were not tried since ffmpeg or a driver changed. */
  hardware: { method: 'GET', path: '/settings/hardware', answer: z.array(hardwareTrial) },
  /** The same; tries all of them again. */
  tryHardware: { method: 'POST', path: '/settings/hardware', answer: z.array(hardwareTrial) },
  /** Whether the API could use a port. */
  testPort: {
    method: 'POST',
    path: '/settings/port-test',
    body: z.custom<{ readonly port: number | string }>(isJsonObject),
    unread: true,
    answer: portTest,
  },
} as const satisfies Rows;

/** What the window remembers about itself: theme, language, columns, the chosen project. Only the window reads it. */
export const preferenceRows = {
  load: { method: 'GET', path: '/preferences', answer: anyObject() },
  save: { method: 'PUT', path: '/preferences', body: anyObject(), unread: true, answer: null },
} as const satisfies Rows;
