/**
 * The files that the cells of the open feed name: which columns name any, what was found of them, their small pictures,
 * and files that are added for cells. Window only.
 */
import { call, loadPictureOf } from '../frame/connection/call.ts';
import { type NamedMedia, type WindowFeed, feedRows } from '../../shared/api/feeds.ts';
import { type MediaFacts, type WindowMedia, mediaRows } from '../../shared/api/media.ts';
import type { FeedFiles } from '../../shared/feed-mapping.ts';
import { addMedia } from '../frame/connection/uploads.ts';
import { Turns } from '../ui/turns.ts';
import { Uploads } from '../ui/uploads.svelte.ts';
import { cellFile, mapOf, nameFor, type CellFile } from './cell-files.ts';

/** Pictures that are loaded at the same time. */
const picturesAtOnce = 4;

/** An added file. */
interface Added {
  readonly file: File;
  readonly media: WindowMedia;
}

export class FeedMedia {
  /** Modifications that name files, with the kind that fits. */
  targets = $state.raw<FeedFiles['targets']>(mapOf([]));
  /** What was found, by what stands in cells. */
  named = $state.raw<ReadonlyMap<string, NamedMedia>>(mapOf([]));
  /** Addresses of small pictures in this page, by the IDs of files. */
  pictures = $state.raw<ReadonlyMap<string, string>>(mapOf([]));
  /** What is being added. */
  readonly uploads: Uploads<Added>;
  /** For renders and their previews. */
  readonly files: FeedFiles = $derived({
    targets: this.targets,
    addresses: mapOf([...this.named].map(([name, { address }]) => [name, address])),
  });

  /** How many of them lead to no file that renders may read. */
  readonly lost = $derived(
    [...this.named.values()].filter(({ state }) => state !== 'file' && state !== 'elsewhere')
      .length,
  );

  readonly #feed: string;
  readonly #life = new AbortController();
  readonly #turns = new Turns(picturesAtOnce);
  /** IDs of the files whose pictures were asked for. */
  readonly #asked: Partial<Record<string, true>> = {};
  /** Told of each file that was added. */
  readonly #wishes = new WeakMap<File, (media: WindowMedia) => void>();
  #loading: Promise<void> | null = null;
  #isOld = false;

  /** @param feed its ID @param onFailed told why a file could not be added, after the table was closed */
  constructor(feed: string, onFailed: (reason: unknown) => void = () => undefined) {
    this.#feed = feed;
    this.uploads = new Uploads<Added>({
      send: async (file, signal, onSent) => ({ file, media: await addMedia(file, signal, onSent) }),
      onDone: ({ file, media }) => {
        const wish = this.#wishes.get(file);
        this.#wishes.delete(file);
        wish?.(media);
        if (this.uploads.list.length === 0) void this.load();
      },
      onFailed: (reason) => {
        if (this.#life.signal.aborted) onFailed(reason);
      },
    });
  }

  /** Asks the server anew; problems are the table's own to show. */
  async load(): Promise<void> {
    this.#isOld = true;
    // What is under way may have begun before the change.
    this.#loading ??= this.#loadUntilNew().finally(() => (this.#loading = null));
    await this.#loading;
  }

  async #loadUntilNew(): Promise<void> {
    while (this.#isOld && !this.#life.signal.aborted) {
      this.#isOld = false;
      try {
        const { targets, files } = await call(feedRows.media, {
          params: { id: this.#feed },
          signal: this.#life.signal,
        });
        this.targets = mapOf(Object.entries(targets));
        this.named = mapOf(files.map((one) => [one.name, one]));
      } catch {
        // Without a template there is none, and without an answer nothing is known.
        this.named = mapOf([]);
      }
    }
  }

  /** The kind of file that a column wants; undefined: it names none. */
  kindOf(column: WindowFeed['columns'][number] | undefined): MediaFacts['kind'] | undefined {
    return column?.target === undefined ? undefined : this.targets.get(column.target);
  }

  /** The file in a cell; null: none. */
  fileIn(column: WindowFeed['columns'][number] | undefined, value: string): CellFile | null {
    const kind = this.kindOf(column);
    return kind === undefined || value === '' ? null : cellFile(value, kind, this.named.get(value));
  }

  /** The small picture of a file, once it is loaded; null until then. */
  pictureOf({ media }: CellFile): string | null {
    if (!media?.hasThumbnail) return null;
    const known = this.pictures.get(media.id);
    if (this.#asked[media.id] === undefined) void this.#loadPicture(media.id);
    return known ?? null;
  }

  async #loadPicture(id: string): Promise<void> {
    this.#asked[id] = true;
    const { signal } = this.#life;
    try {
      const address = await this.#turns.take(
        () => loadPictureOf(mediaRows.thumbnail, { params: { id }, signal }),
        signal,
      );
      if (address === null) return;
      if (signal.aborted) URL.revokeObjectURL(address);
      else this.pictures = mapOf([...this.pictures, [id, address]]);
    } catch {
      // The sign of its kind stays.
    }
  }

  /**
   * Adds files to the library.
   * @param onAdded told of each when it is there, with what is written into a cell for it
   */
  add(files: readonly File[], onAdded: (file: File, name: string) => void = () => undefined): void {
    for (const file of files) {
      this.#wishes.set(file, (media) => {
        call(mediaRows.list).then(
          (library) => onAdded(file, nameFor(media, library)),
          () => onAdded(file, media.source),
        );
      });
    }
    this.uploads.add(files);
  }

  /** Frees the pictures; what is being added goes on. */
  close(): void {
    this.#life.abort();
    for (const address of this.pictures.values()) URL.revokeObjectURL(address);
  }
}
