/** The window's routes about the data folder: its backups, and what it takes. */
import * as z from 'zod/mini';
import type { Of, Rows } from './row.ts';

/** What takes space on the disk; `cache`: what comes back by itself. In the order in which it is shown. */
export const spaceKinds = ['renders', 'media', 'fonts', 'records', 'backups', 'cache'] as const;

export type SpaceKind = (typeof spaceKinds)[number];

const amount = { bytes: z.number(), files: z.number() };

const downloads = z.object(amount);
/** Downloads that are kept between renders. */
export type KeptDownloads = Of<typeof downloads>;

const space = z.object({
  /** All kinds. What is linked to twice counts once, where it is used. */
  kinds: z.array(z.object({ kind: z.enum(spaceKinds), ...amount })),
});
export type SpaceUse = Of<typeof space>;

const kind = z.enum(['day', 'upgrade', 'own', 'replaced']);
/** Each day's first start, an upgrade, the user, or restoring another one made it. */
export type BackupKind = Of<typeof kind>;

const counts = z.object({
  templates: z.number(),
  feeds: z.number(),
  renders: z.number(),
  projects: z.number(),
  keys: z.number(),
});
/** How many records there are; templates without those in the Trash. */
export type BackupCounts = Of<typeof counts>;

const files = z.object({ files: z.number(), bytes: z.number() });
/** How much a backup has of media and fonts. */
export type BackupFiles = Of<typeof files>;

const backup = z.object({
  /** With `place`, its ID, e.g. `day-2026-11-21`. */
  name: z.string(),
  /** In the data folder, or in `backupFolder`. */
  place: z.enum(['data', 'chosen']),
  kind,
  /** ms since 1970. */
  madeAt: z.number(),
  /** Of its records and documents. */
  bytes: z.number(),
  /** Its media and fonts, as large as they are where they have to be copied; null: it has none. */
  contents: z.nullable(files),
  /** Null: not known, as for those of earlier versions. */
  counts: z.nullable(counts),
});
/** A backup of the records and of the files that they name. */
export type BackupRecord = Of<typeof backup>;

const backups = z.object({
  /** Newest first. */
  backups: z.array(backup),
  /** Where the next one goes; null: the records are in a database, which has backups of its own. */
  folder: z.nullable(z.string()),
  /** What the records are now. */
  now: z.nullable(counts),
});
export type BackupList = Of<typeof backups>;

const restore = z.object({
  /** The server starts again now, and puts the backup back; false: the next start of the program does. */
  restarts: z.boolean(),
});

/** What of a backup can be put back: templates with their versions, and feeds; or everything. */
export const restoredParts = ['work', 'all'] as const;
export type RestoredPart = (typeof restoredParts)[number];

/** Backups of the records and of the files that they name. */
export const backupRows = {
  list: { method: 'GET', path: '/backups', answer: backups },
  /** Of all that is stored now. */
  make: { method: 'POST', path: '/backups', status: 201, answer: backup },
  remove: { method: 'DELETE', path: '/backups/:place/:name', answer: null },
  restore: {
    method: 'POST',
    path: '/backups/:place/:name/restore',
    body: z.object({ what: z.enum(restoredParts, restoredParts.join(' or ')) }),
    status: 202,
    answer: restore,
  },
} as const satisfies Rows;

/** What the data folder takes. */
export const spaceRows = {
  space: { method: 'GET', path: '/space', answer: space },
  downloads: { method: 'GET', path: '/downloads', answer: downloads },
  /** The answer has what is left. */
  clearDownloads: { method: 'DELETE', path: '/downloads', answer: downloads },
} as const satisfies Rows;
