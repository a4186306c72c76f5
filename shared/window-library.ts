/**
 * Answers of the window's private path (`/api`) about templates, feeds, media files and fonts; reached through api.ts.
 */
import type { FeedColumnFacts, FixedValue } from './feed-mapping.ts';
import type { WindowFeedWatch } from './feed-table.ts';
import type { OutputFormat } from './renderscript/formats.ts';

/** A template as the window's list shows it. */
export interface WindowTemplate {
  readonly id: string;
  /** The ID of the project that it belongs to. */
  readonly project: string;
  readonly name: string;
  readonly tags: readonly string[];
  /** ms since 1970. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** From the document; absent if not usable. */
  readonly outputFormat?: OutputFormat;
  readonly width?: number;
  readonly height?: number;
  /** Seconds, from the document; absent if it does not set a length, and for pictures. */
  readonly duration?: number;
  /** It was stored with errors and can't be rendered. */
  readonly hasErrors?: true;
}

/** A template in the Trash. */
export interface TrashedTemplate extends WindowTemplate {
  /** Times in ms since 1970: when it was deleted, and when it is removed permanently. */
  readonly deletedAt: number;
  readonly goneAt: number;
}

/** Answer of `GET /api/templates`: newest change first. */
export interface TemplateList {
  readonly templates: readonly WindowTemplate[];
  readonly eventNumber: number;
}

/** An earlier version of a template, as the window shows it. */
export interface WindowVersion {
  readonly id: string;
  /** When it was saved, in ms since 1970. */
  readonly savedAt: number;
  /** Given by the user; null if none is. */
  readonly name: string | null;
  /** Size of its JSON text. */
  readonly bytes: number;
}

/** Answer of `GET /api/templates/ID/versions`: newest first. */
export interface VersionList {
  readonly versions: readonly WindowVersion[];
}

/** A feed as the window shows it. */
export interface WindowFeed {
  readonly id: string;
  readonly project: string;
  readonly name: string;
  /** ms since 1970. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly columns: readonly FeedColumnFacts[];
  readonly rowCount: number;
  /** The ID of the template for its rows. */
  readonly template?: string;
  readonly fixed: readonly FixedValue[];
  /** An empty cell empties what it fills, instead of keeping the template's value. */
  readonly clearsEmpty: boolean;
  /** Pattern for the names of files (`rowName`); '': they are named as those of other renders. */
  readonly names: string;
  readonly watch?: WindowFeedWatch;
}

/** A row of a feed: text by the IDs of its columns. */
export interface WindowFeedRow {
  readonly id: string;
  readonly values: Readonly<Record<string, string>>;
}

/** What a media file is and contains. */
export interface MediaFacts {
  readonly kind: 'image' | 'video' | 'audio';
  /** Container or picture format found by content, e.g. `mp4`, `png`, `svg`, `gif`. */
  readonly format: string;
  /** Upright pixels (rotation marks applied); 0 for sounds. */
  readonly width: number;
  readonly height: number;
  /** Seconds; 0 for still pictures. Animated pictures have one (of a single loop) although their kind is `image`. */
  readonly duration: number;
  /** Average frames per second of the picture; 0 when there is none. */
  readonly frameRate: number;
  readonly hasAudio: boolean;
  readonly hasAlpha: boolean;
}

/** A file of the media library as the window shows it. */
export interface WindowMedia extends MediaFacts {
  readonly id: string;
  /** Its `source` for elements: `media:ID`. */
  readonly source: string;
  /** The file's name where it came from. */
  readonly name: string;
  readonly bytes: number;
  /** ms since 1970. */
  readonly addedAt: number;
  /** True: there is a small picture at `/api/media/ID/thumbnail`. */
  readonly hasThumbnail: boolean;
}

/** A template's file with its media and fonts, ready to load. */
export interface SharedTemplateFile {
  /** Below the window's address; valid once, for a minute. */
  readonly path: string;
  /** How many files are in it besides the document, and bytes of all of them. */
  readonly files: number;
  readonly bytes: number;
  /** Addresses of files that are not in it, with the reason. */
  readonly missing: readonly { readonly source: string; readonly reason: string }[];
}

/** What came of a template's file. */
export interface ImportedTemplate {
  readonly template: WindowTemplate;
  /** How many files it brought. */
  readonly files: number;
  /** Addresses of files that its sender could not pack, with the reason. */
  readonly missing: readonly { readonly source: string; readonly reason: string }[];
}
