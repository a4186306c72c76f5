/**
 * What the desktop program remembers between starts: places of the window, zoom, switches. Main process.
 * Stored by electron-store, which writes files atomically. The server's options (port, folders, concurrency) are in the
 * server's own settings, which the window changes.
 */
import { app } from 'electron';
import Store from 'electron-store';
import { existsSync, readFileSync, renameSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { DesktopSwitches } from '../shared/desktop.ts';
import { languages } from '../shared/languages.ts';

const place = z.object({
  x: z.number(),
  y: z.number(),
  width: z.number(),
  height: z.number(),
  maximized: z.boolean().catch(false),
});

/** Where the window was on one display, in screen pixels: its normal place, and whether it was maximised. */
export type WindowPlace = z.infer<typeof place>;

const places = z.record(z.string(), z.unknown()).transform((all): Record<string, WindowPlace> => {
  // One damaged place must not affect the others.
  const read = Object.entries(all).map(
    ([display, value]) => [display, place.safeParse(value)] as const,
  );
  return Object.fromEntries(read.flatMap(([display, { data }]) => (data ? [[display, data]] : [])));
});

/** Every field has its own fallback: one damaged value must not affect the others. */
const settings = z.object({
  /** Places of the window by the display's number. */
  places: places.catch({}),
  /** The display that the window was on last; null: never opened. */
  lastDisplay: z.string().nullable().catch(null),
  /** The one last chosen in the window, for dialogs before the server runs; null: the system's. */
  language: z.enum(languages).nullable().catch(null),
  /** Of the page; 1 = as designed. */
  zoom: z.number().min(0.8).max(2).catch(1),
  /** Whether the program stays when its window is closed; null: never asked. */
  keepRunning: z.boolean().nullable().catch(null),
  /** The old value, from before the server had this setting; null: already moved there. */
  keepAwake: z.boolean().nullable().catch(null),
  notifyFinished: z.boolean().catch(true),
  notifyBatches: z.boolean().catch(true),
  notifyFailures: z.boolean().catch(true),
  notifySound: z.boolean().catch(false),
  /** The version of the program that draws without the graphics card; null: none does. */
  softwareDrawing: z.string().nullable().catch(null),
  /** The version whose packed parts were tried and work; null: none. */
  testedVersion: z.string().nullable().catch(null),
});

/** All settings, complete. */
export type Settings = z.infer<typeof settings>;

/** Switches that are kept here; the system keeps `openAtLogin`. */
export type Switch = Exclude<keyof DesktopSwitches, 'openAtLogin'>;

/** The switches among settings. */
export function switchesOf(all: Settings): Pick<Settings, Switch> {
  const { keepRunning, notifyFinished, notifyBatches, notifyFailures, notifySound } = all;
  return { keepRunning, notifyFinished, notifyBatches, notifyFailures, notifySound };
}

/** The switches of someone who has changed none. */
export const firstSwitches = (): Pick<Settings, Switch> => switchesOf(settings.parse({}));

/** Settings on disk, read once at the start. */
export interface SettingsFile {
  readonly current: Settings;
  /** Says what went wrong with the file, so far and from now on. */
  reportTo(report: (problem: string) => void): void;
  /** Saves the changed fields; the others stay. Applies to this run even if the disk refuses. */
  save(change: Partial<Settings>): void;
}

type Content = Readonly<Record<string, unknown>>;

/** The window's place in version 1. */
const firstPlace = z.object({
  windowBounds: place.omit({ maximized: true }),
  maximized: z.boolean().catch(false),
});

/** Step n makes version n + 1 out of version n; a file without a version has version 1. */
const migrations: readonly ((content: Content) => Content)[] = [
  // To 2: one place for each display. Port and output folder are settings of the server.
  (content) => {
    const known = firstPlace.safeParse(content);
    if (!known.success) return {};
    const { windowBounds, maximized } = known.data;
    return { places: { before: { ...windowBounds, maximized } }, lastDisplay: 'before' };
  },
];

/** The version that this program writes. */
const version = migrations.length + 1;

/**
 * Opens the settings. An unreadable file is renamed and counts as empty; an older version is upgraded; a newer version
 * is used as far as possible, and its unknown fields stay.
 */
export function openSettings(): SettingsFile {
  const early: string[] = [];
  let report = (problem: string): void => void early.push(problem);
  const file = path.join(app.getPath('userData'), 'settings.json');
  const broken = setAsideBroken(file);
  if (broken !== null) report(`The settings could not be read; they are kept as ${broken}`);

  let store: Store | null = null;
  let content: Content = {};
  try {
    store = new Store<Record<string, unknown>>({ name: 'settings', clearInvalidConfig: true });
    content = store.store;
  } catch (error) {
    // The folder is unusable: start with defaults, for this run only.
    report(`The settings could not be opened: ${String(error)}`);
  }
  const write = (content: Content): void => {
    try {
      store?.set(content);
    } catch (error) {
      report(`The settings could not be written: ${String(error)}`);
    }
  };
  const found = typeof content['version'] === 'number' ? content['version'] : 1;
  let current = settings.parse(bringUpToDate(content, found));
  if (store && found < version) {
    try {
      store.store = { ...current, version };
    } catch (error) {
      report(`The settings could not be brought up to date: ${String(error)}`);
    }
  }
  return {
    reportTo(next) {
      report = next;
      for (const problem of early.splice(0)) next(problem);
    },
    get current() {
      return current;
    },
    save(change) {
      current = { ...current, ...change };
      write(change);
    },
  };
}

function bringUpToDate(content: Content, found: number): Content {
  const steps = migrations.slice(Math.max(0, found - 1));
  return steps.reduce<Content>((before, step) => step(before), content);
}

/** Renames a settings file that is not a JSON object. @returns its new name; null if there was nothing to do. */
function setAsideBroken(file: string): string | null {
  if (!existsSync(file)) return null;
  try {
    z.looseObject({}).parse(JSON.parse(readFileSync(file, 'utf8')));
    return null;
  } catch {
    const name = `${file}.broken-${new Date().toISOString().replace(/[:.]/g, '-')}`;
    try {
      renameSync(file, name);
      return name;
    } catch {
      // It can't be moved or read: electron-store overwrites it.
      return null;
    }
  }
}
