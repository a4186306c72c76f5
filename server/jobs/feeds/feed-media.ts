/**
 * What names of files in the tables of feeds stand for: a file beside the table (in the feed's folder), else what a
 * render would find under that name, else a file of the media library. Renders, checks and the window ask here.
 */
import path from 'node:path';
import type { FeedFiles } from '../../../shared/feed-mapping.ts';
import type { JsonText } from '../../system/json-text.ts';
import { looseName } from '../../../shared/renderscript/same-name.ts';
import { exists } from '../../system/files.ts';
import {
  findLocal,
  schemeOf,
  type HiddenMedia,
  type LocalFile,
} from '../../system/media-folders.ts';
import type { FeedStore, StoredFeed } from '../../store/feeds.ts';
import type { MediaStore, StoredMedia } from '../../store/media.ts';
import type { Desk } from '../desk/desk.ts';

/** A name, and what it stands for. */
export interface NamedMedia {
  /** As it stands in cells. */
  readonly name: string;
  /** For renders. */
  readonly address: string;
  /** `elsewhere`: nobody has looked, because it leads to another computer or is the file itself. */
  readonly state: LocalFile['kind'] | 'elsewhere';
  /** Its file of the library. */
  readonly media?: StoredMedia;
}

/** Where names are looked for. */
export interface FeedMediaOptions {
  readonly media: Pick<MediaStore, 'inProject' | 'hiddenFrom'>;
  readonly feeds: Pick<FeedStore, 'rowBytesOf'>;
  readonly desk: Pick<Desk, 'rowFiles'>;
  readonly mediaFolders: () => readonly string[];
}

/** What a feed's table and its fixed values name. */
export interface FeedMedia extends FeedFiles {
  readonly files: readonly NamedMedia[];
}

/** Names that are looked for at the same time. */
const atOnce = 50;

/** Finds what a feed names. @param document its template @throws ApiError `busy`. */
export async function feedMedia(
  feed: StoredFeed,
  document: JsonText,
  options: FeedMediaOptions,
): Promise<FeedMedia> {
  const { columns, fixed, clearsEmpty } = feed;
  const mapping = { columns, fixed, clearsEmpty };
  const { targets, names } = await options.desk.rowFiles(
    await options.feeds.rowBytesOf(feed),
    mapping,
    document,
  );
  const places = placesOf(feed, options);
  const files: NamedMedia[] = [];
  for (let at = 0; at < names.length; at += atOnce) {
    const some = names.slice(at, at + atOnce);
    files.push(...(await Promise.all(some.map((name) => find(name, places)))));
  }
  return { targets, files, addresses: new Map(files.map(({ name, address }) => [name, address])) };
}

/** Where the names of one feed are looked for. */
interface Places {
  /** Beside the table; null: it isn't known where that lies. */
  readonly folder: string | null;
  readonly mediaFolders: readonly string[];
  readonly hidden: HiddenMedia;
  /** Of the library, by their ID and by their loose name. */
  readonly byId: ReadonlyMap<string, StoredMedia>;
  readonly byName: ReadonlyMap<string, StoredMedia>;
}

function placesOf(feed: StoredFeed, { media, mediaFolders }: FeedMediaOptions): Places {
  const list = media.inProject(feed.project).list();
  // The newest comes first in the list, and wins.
  const named = list.toReversed().map((one) => [looseName(one.name), one] as const);
  return {
    folder: feed.mediaFolder ?? folderOf(feed),
    mediaFolders: mediaFolders(),
    hidden: media.hiddenFrom(feed.project),
    byId: new Map(list.map((one) => [one.id, one])),
    byName: new Map(named),
  };
}

/** Of the table that a feed follows. */
function folderOf({ watch }: StoredFeed): string | null {
  if (!watch) return null;
  return path.extname(watch.path) === '' ? watch.path : path.dirname(watch.path);
}

async function find(name: string, places: Places): Promise<NamedMedia> {
  const { folder, mediaFolders, hidden, byId, byName } = places;
  const text = name.trim();
  const scheme = schemeOf(text);
  if (scheme === 'http' || scheme === 'https' || scheme === 'data')
    return { name, address: name, state: 'elsewhere' };
  const beside = scheme === undefined && folder !== null ? path.resolve(folder, text) : null;
  const inFolder = beside === null ? null : await findLocal(beside, mediaFolders, hidden);
  if (beside !== null && inFolder?.kind === 'file') return { name, address: beside, state: 'file' };
  const asWritten = await findLocal(text, mediaFolders, hidden);
  if (asWritten?.kind === 'file') {
    const media = byId.get(path.basename(asWritten.path));
    return { name, address: name, state: 'file', ...(media && { media }) };
  }
  // Tables from other computers have whole paths, of any system.
  const media = byName.get(looseName(text)) ?? byName.get(looseName(text.replace(/^.*[\\/]/, '')));
  const kept = media && (await findLocal(`media:${media.id}`, mediaFolders, hidden));
  if (media && kept?.kind === 'file')
    return { name, address: `media:${media.id}`, state: 'file', media };
  // A file that is there and may not be read says more than one that is missing.
  if (beside !== null && inFolder?.kind === 'outside' && (await exists(beside)))
    return { name, address: beside, state: 'outside' };
  return { name, address: name, state: asWritten?.kind ?? 'missing' };
}
