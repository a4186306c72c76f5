/** Answers of the window's private path (`/api`) about renders, camelCase; reached through api.ts. */
import type { RenderRecord } from './render-record.ts';
import type { JsonObject } from './renderscript/source.ts';

/** What a running render is busy with. */
export type RenderPhase = 'waiting' | 'transcribing' | 'rendering' | 'finishing';

/** How far the current attempt of a running render is. */
export interface RenderProgress {
  readonly phase: RenderPhase;
  /**
   * Frames drawn of all frames; in phase `waiting` files fetched of all files; in phase `transcribing` the number of
   * the current recording, from 1, and how many there are. Both 0 while unknown.
   */
  readonly frame: number;
  readonly frames: number;
  /** In phase `waiting`: bytes fetched; absent before the first. */
  readonly bytes?: number;
  /** Of all files; absent while any size is unknown. */
  readonly bytesTotal?: number;
  /** 0–99; never decreases within an attempt. */
  readonly percent: number;
  /** Average of the last 10 s; absent while not known. */
  readonly framesPerSecond?: number;
  /** Absent while unknown, or if nothing was drawn for 10 s. */
  readonly secondsLeft?: number;
}

/** The API's answer in lists: without modifications, and with a long `error_message` cut. */
export type ListedRecord = Omit<RenderRecord, 'modifications'>;

/** A render as the window shows it. */
export interface WindowRender {
  readonly id: string;
  /** The ID of the project that it belongs to. */
  readonly project: string;
  /** `GET /api/renders/ID/record` has all of it. */
  readonly record: ListedRecord;
  /** The template's name; absent for renders sent directly. */
  readonly name?: string;
  /** The document was an unsaved one from the editor. */
  readonly isDraft?: true;
  /** The document's most prominent text; absent if it has none. */
  readonly title?: string;
  /** Times in ms since 1970. */
  readonly createdAt: number;
  /** Start of the newest attempt. */
  readonly startedAt?: number;
  readonly finishedAt?: number;
  /** The day on which record and file are removed. */
  readonly expiresAt: number;
  /** Attempts started; 0 if it never ran. */
  readonly attempts: number;
  /** True for a failed render that the user stopped. */
  readonly cancelled: boolean;
  /** Only while it runs. */
  readonly progress?: RenderProgress;
  /** Its place in the queue: of two queued renders the one with the smaller number runs first. */
  readonly order: number;
  /** The element that made it fail, if any. */
  readonly errorElement?: { readonly path: string; readonly name: string };
  /** It failed because it stopped the renderer this often. */
  readonly rendererStops?: number;
  /** It failed, and its last frame is at `GET /api/renders/ID/picture`. */
  readonly hasLastFrame?: true;
  /** The finished file on the window's own listener, e.g. `/renders/ID.mp4`; only with `succeeded`. */
  readonly filePath?: string;
  /** A picture of it there, if there is one: the file itself, or its snapshot. */
  readonly picturePath?: string;
  /** The feed batch that it was made by. */
  readonly batch?: {
    readonly id: string;
    readonly name: string;
    /** ID of the row; absent in renders of earlier versions. */
    readonly row?: string;
    /** Name of its file without the ending; absent: it is named as those of other renders. */
    readonly file?: string;
  };
}

/** Answer of `GET /api/renders/ID/request`: the request, and the resulting document. */
export interface StoredRequest {
  /** In the form of the public API. */
  readonly request: JsonObject;
  /** Null when the stored document is missing or damaged. */
  readonly source: JsonObject | null;
}

/** A line of a render's log. */
export interface LogLine {
  /** ms since 1970. */
  readonly time: number;
  readonly level: 'info' | 'warning' | 'error';
  readonly text: string;
}

/** Answer of `GET /api/renders`: newest first. */
export interface RenderList {
  readonly renders: readonly WindowRender[];
  /** The number of the newest event that the list already contains. */
  readonly eventNumber: number;
}

/** Answer of `POST /api/renders/zip`. */
export interface PackedFiles {
  /** Where to fetch the archive, once and soon, without a token. */
  readonly path: string;
  /** Files that are no longer there. */
  readonly missing: number;
}
