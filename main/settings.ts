/**
 * What the desktop program remembers between starts: window, folders, port. Main process.
 * Kept by electron-store, which writes whole files and puts them in place at once.
 */
import Store from 'electron-store';
import { z } from 'zod';

const bounds = z.object({
  x: z.number(),
  y: z.number(),
  width: z.number(),
  height: z.number(),
});

/** A place of a window in screen pixels. */
export type Bounds = z.infer<typeof bounds>;

/** Every field falls back by itself: one damaged value must not take the others with it. */
const settings = z.object({
  /** Port of the API; 0 = any free one. */
  port: z.number().int().min(0).max(65_535).catch(4820),
  /** Where finished files go; null = the default folder. */
  outputFolder: z.string().min(1).nullable().catch(null),
  /** Where the window was; null = centred at its default size. */
  windowBounds: bounds.nullable().catch(null),
  maximized: z.boolean().catch(false),
});

/** All settings, complete. */
export type Settings = z.infer<typeof settings>;

/** Settings on disk, read once at the start. */
export interface SettingsFile {
  readonly current: Settings;
  /** Keeps the changed fields; the others stay. */
  save(change: Partial<Settings>): void;
}

/** Opens the settings; a file that cannot be read counts as empty. */
export function openSettings(): SettingsFile {
  const store = new Store({ name: 'settings', clearInvalidConfig: true });
  let current = settings.parse(store.store);
  return {
    get current() {
      return current;
    },
    save(change) {
      current = { ...current, ...change };
      store.set(change);
    },
  };
}
