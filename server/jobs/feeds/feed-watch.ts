/**
 * Feeds that follow a file: when it has changed, it is read again and, if wanted, the changed rows are rendered. Of a
 * folder the newest table counts. Looked at by time and size, since that works on network drives, too; without such
 * feeds there is no timer.
 */
import { open, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { feedLimits } from '../../../shared/limits.ts';
import type { Clock } from '../../system/clock.ts';
import type { Log } from '../../system/log.ts';
import type { FeedStore, StoredFeed, StoredWatch } from '../../store/feeds.ts';
import { errorCode } from '../../system/files.ts';
import { ReaderEnded } from './sheet-reader.ts';
import type { Desk } from '../desk/desk.ts';

/** ms between two looks. A file that is being written has changed in between, and is read when it is whole. */
const usualPause = 2_000;

/** After so many times that the program, or its reader, ended over a table, it is left alone. */
const mostEnds = 2;
const setAside =
  'Framewright ended twice while it read this table. It is left alone until it changes or is chosen again';

/** Names of tables in a folder. Programs put lock files beside theirs that begin with `~$` or a dot. */
const isTable = (name: string): boolean =>
  /\.(csv|tsv|tab|xlsx|json)$/i.test(name) && !/^(~\$|\.)/.test(name);

/** What it works with. */
export interface FeedWatchOptions {
  readonly feeds: FeedStore;
  readonly desk: Desk;
  /** Renders the changed rows of a feed. */
  readonly render: (feed: string) => Promise<unknown>;
  /** Something is wrong with a file, or not any more. */
  readonly onChange: () => void;
  readonly clock: Clock;
  readonly log: Log;
  /** ms between two looks. */
  readonly pause?: number | undefined;
  /** Whether this one of several servers looks. Default: always. */
  readonly leads?: () => boolean;
}

/** A table as it lies there. */
interface Found {
  readonly file: string;
  /** Tells its versions apart. */
  readonly print: string;
}

/** The files that feeds follow. */
export class FeedWatch {
  readonly #options: FeedWatchOptions;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | null = null;
  #isOpen = false;
  /** What lay there at the last look, by the IDs of feeds. */
  readonly #before = new Map<string, string>();
  /** Versions that could not be read or rendered: they are not tried again by themselves. */
  readonly #refused = new Map<string, { readonly print: string; readonly problem: string }>();
  /** What is wrong now. */
  readonly #problems = new Map<string, string>();

  constructor(options: FeedWatchOptions) {
    this.#options = options;
  }

  /** Begins to look. */
  start(): void {
    this.#isOpen = true;
    this.look();
  }

  /** Why the file of a feed can't be read; null when it can. */
  problemOf(feed: string): string | null {
    return this.#problems.get(feed) ?? null;
  }

  /** Tries again what a feed follows, because something was changed about it. */
  retry(feed: string): void {
    this.#refused.delete(feed);
    void this.#endReading(feed)
      .catch(() => undefined) // then it stays set aside until the disk is well
      .then(() => this.look());
  }

  /** Looks now, and again and again while a feed follows a file. */
  look(): void {
    if (!this.#isOpen || this.#looking) return;
    clearTimeout(this.#timer);
    this.#looking = this.#lookAtAll().finally(() => {
      this.#looking = null;
      if (!this.#isOpen || !this.#options.feeds.list().some(({ watch }) => watch)) return;
      this.#timer = setTimeout(() => this.look(), this.#options.pause ?? usualPause);
      this.#timer.unref();
    });
  }

  async close(): Promise<void> {
    this.#isOpen = false;
    clearTimeout(this.#timer);
    await this.#looking;
  }

  async #lookAtAll(): Promise<void> {
    const { leads = () => true } = this.#options;
    for (const feed of this.#options.feeds.list()) {
      if (!this.#isOpen || !leads()) return;
      const problem = feed.watch ? await this.#lookAt(feed, feed.watch) : this.#forget(feed.id);
      if (problem === undefined || this.problemOf(feed.id) === problem) continue;
      if (problem === null) this.#problems.delete(feed.id);
      else this.#problems.set(feed.id, problem);
      this.#options.onChange();
    }
  }

  #forget(feed: string): null {
    this.#before.delete(feed);
    this.#refused.delete(feed);
    return null;
  }

  /** @returns what is wrong; null: nothing; undefined: that is not known yet */
  async #lookAt({ id }: StoredFeed, watch: StoredWatch): Promise<string | null | undefined> {
    let found: Found;
    try {
      found = await tableAt(watch.path);
    } catch (error) {
      return sentenceOf(error);
    }
    const { print } = found;
    const isWhole = this.#before.get(id) === print;
    this.#before.set(id, print);
    const refused = this.#refused.get(id);
    if (refused?.print === print) return refused.problem;
    if (print === watch.seen) return null;
    if (!isWhole) return undefined;
    const begun = watch.reading?.print === print ? watch.reading.times : 0;
    if (begun >= mostEnds) return setAside;
    try {
      await this.#options.feeds.change(id, {
        watch: { ...watch, reading: { print, times: begun + 1 } },
      });
      await this.#read(id, watch, found);
      return null;
    } catch (error) {
      const problem = sentenceOf(error);
      this.#refused.set(id, { print, problem });
      // Else it would be counted once too often.
      if (!(error instanceof ReaderEnded)) await this.#endReading(id).catch(() => undefined);
      return problem;
    }
  }

  /** Notes that the program is still there. */
  async #endReading(id: string): Promise<void> {
    const watch = this.#options.feeds.find(id)?.watch;
    if (!watch?.reading) return;
    await this.#options.feeds.change(id, { watch: notReading(watch) });
  }

  /** @throws with the reason why it is not read, or not rendered. */
  async #read(id: string, watch: StoredWatch, { file, print }: Found): Promise<void> {
    const { feeds, desk, clock, log, render } = this.#options;
    const feed = feeds.find(id);
    if (!feed) return;
    const known = { columns: feed.columns, rows: await feeds.rowBytesOf(feed) };
    const table = await desk.readTable(await contentOf(file), {}, known);
    const { path: place, renders } = watch;
    const { reading } = feeds.find(id)?.watch ?? {};
    const read = { path: place, renders, readAt: clock.now(), ...(reading && { reading }) };
    await feeds.replaceTable(id, table.columns, table.rows, read);
    log('info', 'feeds', `feed ${id}: read ${table.rows.count} rows of ${path.basename(file)}`);
    if (renders) await render(id);
    // Last: after a crash it is read once more, which renders nothing twice.
    const now = feeds.find(id)?.watch;
    if (now?.path !== place) return;
    await feeds.change(id, { watch: { ...notReading(now), seen: print } });
  }
}

/** What is followed, while nothing of it is being read. */
function notReading(watch: StoredWatch): StoredWatch {
  const rest = { ...watch };
  delete rest.reading;
  return rest;
}

/** The table at a path. @throws when there is none. */
async function tableAt(place: string): Promise<Found> {
  const facts = await statOf(place);
  if (facts.isFile()) return found(place, facts);
  if (!facts.isDirectory()) throw new Error('It is neither a file nor a folder');
  let newest: (Found & { readonly time: number }) | undefined;
  for (const name of (await readdir(place)).filter(isTable)) {
    const file = path.join(place, name);
    const one = await stat(file).catch(() => null);
    if (!one?.isFile()) continue;
    if (!newest || one.mtimeMs > newest.time) newest = { ...found(file, one), time: one.mtimeMs };
  }
  if (!newest) throw new Error('There is no table in the folder yet');
  return newest;
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

type Facts = Awaited<ReturnType<typeof stat>>;

async function statOf(place: string): Promise<Facts> {
  try {
    return await stat(place);
  } catch (error) {
    if (errorCode(error) === 'ENOENT')
      throw new Error('There is no such file or folder', { cause: error });
    throw error;
  }
}

function found(file: string, { mtimeMs, size }: Facts): Found {
  return { file, print: `${path.basename(file)} ${mtimeMs} ${size}` };
}

/**
 * The bytes of a file; one more than allowed, so that the refusal can say what the limit is.
 * @throws when it is none.
 */
async function contentOf(file: string): Promise<Buffer> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    const bytes = Buffer.alloc(Math.min(size, feedLimits.bytes + 1));
    let length = 0;
    while (length < bytes.length) {
      const { bytesRead } = await handle.read(bytes, length, bytes.length - length, length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return bytes.subarray(0, length);
  } finally {
    await handle.close();
  }
}
