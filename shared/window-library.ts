/**
 * Answers of the window's private path (`/api`) about templates, feeds, media files and fonts; reached through api.ts.
 */
import type { FeedColumnFacts, FixedValue } from './feed-mapping.ts';
import type { WindowFeedWatch } from './feed-table.ts';

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
