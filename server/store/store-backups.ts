/** The backups of a running store: what there is, one more, one less, and one to put back at the next opening. */
import type { BackupCounts, RestoredPart } from '../../shared/api.ts';
import type { Clock } from '../system/clock.ts';
import {
  backUpRecords,
  backupFolder,
  countsOf,
  listBackups,
  removeBackup,
  type Backup,
  type Snapshot,
} from './backups.ts';
import type { Removals } from './files.ts';
import { askToRestore, type RestoreOutcome } from './restore.ts';

/** Where a backup is: in the data folder, or in the folder that the user chose. */
export type BackupPlace = 'data' | 'chosen';

/** A backup with its place. */
export type PlacedBackup = Backup & { readonly place: BackupPlace };

interface BackupOptions {
  /** Of the data files. */
  readonly folder: string;
  readonly snapshot: () => Snapshot;
  readonly removals: Removals;
  readonly clock: Clock;
  /** The folder that the user chose for backups; null: none. */
  readonly chosen: () => string | null;
  /** What came of the one that this start was to put back; null: there was none. */
  readonly restored: RestoreOutcome | null;
}

/** Of the records in the files of a data folder. */
export class StoreBackups {
  readonly #options: BackupOptions;
  /** The last one that was begun; callers that come meanwhile get one of their own, afterwards. */
  #making: Promise<unknown> = Promise.resolve();

  constructor(options: BackupOptions) {
    this.#options = options;
  }

  /** Where the next one goes. */
  get folder(): string {
    return backupFolder(this.#options.folder, this.#options.chosen());
  }

  /** What came of the one that this start was to put back; null: there was none. */
  get restored(): RestoreOutcome | null {
    return this.#options.restored;
  }

  /** What the records are now. */
  get counts(): BackupCounts {
    return countsOf(this.#options.snapshot());
  }

  /** All that can be read, newest first. */
  async list(): Promise<PlacedBackup[]> {
    const { folder, chosen } = this.#options;
    const own = await listBackups(backupFolder(folder, null));
    const other = chosen() === null ? [] : await listBackups(this.folder);
    const placed = [
      ...own.map((backup) => ({ ...backup, place: 'data' as const })),
      ...other.map((backup) => ({ ...backup, place: 'chosen' as const })),
    ];
    return placed.sort((a, b) => b.madeAt - a.madeAt);
  }

  /** Makes one of all that is acknowledged now. @throws what the disk says; then nothing is left of it. */
  async make(): Promise<PlacedBackup> {
    const { folder, snapshot, removals, clock, chosen } = this.#options;
    const made = this.#making.then(() =>
      removals.hold(() => backUpRecords(folder, this.folder, snapshot(), new Date(clock.now()))),
    );
    this.#making = made.catch(() => undefined);
    return { ...(await made), place: chosen() === null ? 'data' : 'chosen' };
  }

  /**
   * Removes a backup, made by the user or not.
   * @returns null if there is no such backup.
   * @throws what the disk says.
   */
  async remove(place: string, name: string): Promise<PlacedBackup | null> {
    const found = await this.#find(place, name);
    if (found) await removeBackup(found.path);
    return found;
  }

  /**
   * Has the next opening put one back.
   *
   * @returns when that was asked for, in ms since 1970; null: there is no such backup. @throws what the disk says.
   */
  async askFor(place: string, name: string, what: RestoredPart): Promise<number | null> {
    const found = await this.#find(place, name);
    if (!found) return null;
    const { folder, clock } = this.#options;
    const now = new Date(clock.now());
    await askToRestore(folder, found, what, now, this.counts);
    return now.getTime();
  }

  async #find(place: string, name: string): Promise<PlacedBackup | null> {
    return (await this.list()).find((one) => one.place === place && one.name === name) ?? null;
  }
}
