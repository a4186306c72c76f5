/** Made from the OpenAPI document by make-types.ts; not written by hand. */

import type { RenderScript } from './renderscript-types.ts';

/** The render was created. */
export interface AcceptedRender {
  status: 202;
  render: CreatedRender;
}

export interface Asset {
  /** Of the content, 32 hexadecimal digits. */
  id: string;
  /** What documents name it by: `media:` and the ID. */
  source: string;
  name: string;
  kind: 'image' | 'video' | 'audio';
  /** What its content is, e.g. png, mp4. */
  format: string;
  /** Pixels, as it is shown; only of pictures and videos. */
  width?: number | undefined;
  /** Pixels. */
  height?: number | undefined;
  /** Seconds; only of videos, sounds and animated pictures. */
  duration?: number | undefined;
  /** Frames per second, if known. */
  frame_rate?: number | undefined;
  has_audio?: boolean | undefined;
  /** True if it can be transparent; only of pictures and videos. */
  has_alpha?: boolean | undefined;
  /** Bytes. */
  file_size: number;
  /** YYYY-MM-DD HH:mm:ss.SSS +HHMM, in the time zone of this computer. */
  created_at: string;
  /** What documents name it by: `media:` and the ID. */
  url: string;
}

export interface Backup {
  /** Its name, e.g. day-2026-11-21. */
  id: string;
  /** What made it: the first start of a day, an upgrade, a person or program, or a restore, of what it replaced. */
  kind: 'day' | 'upgrade' | 'own' | 'replaced';
  /** In the data folder, or in that of the setting `backup_folder`. */
  place: 'data_folder' | 'backup_folder';
  /** YYYY-MM-DD HH:mm:ss.SSS +HHMM, in the time zone of this computer. */
  created_at: string;
  /** Bytes of its records and documents. */
  file_size: number;
  /** Its media and fonts; absent if it has none, because they would have needed space of their own. */
  media?:
    | {
        files: number;
        /** Bytes. */
        file_size: number;
      }
    | undefined;
  /** How many there are; absent if they were not counted. */
  records?:
    | {
        templates: number;
        feeds: number;
        renders: number;
        projects: number;
        keys: number;
      }
    | undefined;
}

export interface BackupList {
  backups: readonly Backup[];
  /** Where the next one goes, on the computer of the server. */
  folder: string;
  /** What came of the restore that the server began its present run with; absent if it did not. */
  last_restore?:
    | {
        backup: string;
        /** YYYY-MM-DD HH:mm:ss.SSS +HHMM, in the time zone of this computer. */
        asked_at: string;
        succeeded: boolean;
        /** What was restored, or why it was not, for people. */
        message: string;
      }
    | undefined;
}

/** One of three forms. */
export type BatchResult = AcceptedRender | CheckedRender | RefusedRender;

/** Settings that are left out keep their values. Null stands for what the description says, and for `port`, `host`, `trust_proxy`, `output_folder`, `rate_limit`, `concurrency` for what the start of the server says. */
export interface ChangeSettings {
  /** Port of the API. */
  port?: number | null | undefined;
  /** Address that the API listens at: 127.0.0.1 for this computer alone, 0.0.0.0 for all networks. */
  host?: string | null | undefined;
  /** Names that the API answers to beside its own, e.g. server.lan. */
  allowed_hosts?: readonly string[] | undefined;
  /** The address that all links begin with, e.g. https://films.example.com/framewright; null: the one that each request used. */
  public_url?: string | null | undefined;
  /** Whether X-Forwarded-Host and X-Forwarded-Proto are read: only behind a proxy that sets both itself. */
  trust_proxy?: boolean | null | undefined;
  /** Whether media and webhooks may reach this computer and its network; null: while only this computer reaches the API. */
  allow_private_addresses?: boolean | null | undefined;
  /** Where finished files go. Earlier ones are still found. */
  output_folder?: string | null | undefined;
  /** Where “Save a copy” of the desktop begins; null: where the system says. */
  copy_folder?: string | null | undefined;
  /** Where backups go that a person or program asks for; null: into the data folder. */
  backup_folder?: string | null | undefined;
  /** Folders that `file:` and relative sources may lie in. */
  media_folders?: readonly string[] | undefined;
  /** The ffmpeg to use; null: the one that is found. */
  ffmpeg_path?: string | null | undefined;
  /** Whether the number of requests is limited. */
  rate_limit?: boolean | null | undefined;
  /** Credits for the renders of 30 days; null: unlimited. */
  credit_allowance?: number | null | undefined;
  /** Renders at the same time. */
  concurrency?: number | null | undefined;
  /** Renders stay planned. */
  queue_paused?: boolean | undefined;
  /** Nothing that has expired is removed. */
  deletion_paused?: boolean | undefined;
  /** Web pages that may call the API, e.g. http://localhost:3000. */
  allowed_origins?: readonly string[] | undefined;
  /** Whether the API is on from the start of the program. */
  start_api?: boolean | undefined;
  /** How many requests the list of requests in the window keeps. */
  request_log_size?: number | undefined;
  /** How many earlier versions of each template are kept. */
  template_versions?: number | undefined;
  /** Nothing starts while the battery is low. */
  pause_on_battery?: boolean | undefined;
  /** With fewer free bytes on the drive of the output folder, nothing starts; 0: no limit. */
  free_space_limit?: number | undefined;
  /** The desktop program keeps the computer from sleeping while something renders. */
  keep_awake?: boolean | undefined;
  /** Threads that paint one film; null: as many as pay. */
  painting_threads?: number | null | undefined;
  /** low: rendering gives way to other programs; normal: it takes turns like all others. */
  render_priority?: 'low' | 'normal' | undefined;
  /** Bytes of downloads that are kept between renders; 0: none. */
  cache_limit?: number | undefined;
  /** Program of whisper.cpp, for captions; null: as the environment says. */
  transcriber?: string | null | undefined;
  /** Its model; null: as the environment says. */
  transcriber_model?: string | null | undefined;
}

/** Fields that are left out keep their values; at least one is needed. */
export interface ChangeTemplate {
  /** For people. */
  name?: string | undefined;
  source?: RenderScript | undefined;
  /** Labels that lists and batches are filtered by. */
  tags?: readonly string[] | undefined;
}

/** With `dry_run`: what was found. */
export interface CheckedRender {
  status: 200;
  check: DryRun;
}

/** One of two forms. */
export type CreatePreview = PreviewTemplate | PreviewSource;

/** One of three forms. */
export type CreateRender = RenderTemplate | RenderDocument | RenderSource;

export interface CreateRenderBatch {
  /** 1 to 100 orders. */
  renders: readonly CreateRender[];
}

/** One of three forms. */
export type CreateRenders = RenderTemplateOlder | RenderSourceOlder | RenderTagsOlder;

export interface CreateTemplate {
  /** For people. */
  name: string;
  source: RenderScript;
  /** Labels that lists and batches are filtered by. */
  tags?: readonly string[] | undefined;
  /** The ID to use, if it is free. Left out: a new one. */
  id?: string | undefined;
}

/** The Render object, with errors and warnings about its document. */
export interface CreatedRender {
  id: string;
  /** The last two are final. */
  status: 'planned' | 'waiting' | 'transcribing' | 'rendering' | 'succeeded' | 'failed';
  /** Only with status failed. */
  error_message?: string | undefined;
  /** Only with status waiting, while the renderer itself does not work. */
  waiting_reason?: string | undefined;
  /** Where the file is once the status is succeeded. */
  url: string;
  /** Only with status succeeded, when the document asked for a snapshot. */
  snapshot_url?: string | undefined;
  /** This and the next two only for renders made from a template. */
  template_id?: string | undefined;
  template_name?: string | undefined;
  template_tags?: readonly string[] | undefined;
  output_format: 'jpg' | 'png' | 'gif' | 'mp4';
  /** As asked for; with status succeeded the factor that was used. */
  render_scale?: number | undefined;
  /** Pixels. This and all facts below only with status succeeded. */
  width?: number | undefined;
  /** Pixels. */
  height?: number | undefined;
  /** Frames per second, not rounded; only mp4 and gif. */
  frame_rate?: number | undefined;
  /** Seconds, not rounded; only mp4 and gif. */
  duration?: number | undefined;
  /** Bytes. */
  file_size?: number | undefined;
  /** As sent. */
  modifications?: { readonly [key: string]: unknown } | undefined;
  /** As sent. */
  webhook_url?: string | undefined;
  /** As sent. */
  metadata?: string | undefined;
  /** Why the render will fail. Only in this answer. */
  errors?: readonly string[] | undefined;
  /** Only in this answer. */
  warnings?: readonly string[] | undefined;
}

export interface DeletedTemplate {
  id: string;
  name: string;
  tags: readonly string[];
  /** YYYY-MM-DD HH:mm:ss.SSS +HHMM, in the time zone of this computer. */
  created_at: string;
  /** YYYY-MM-DD HH:mm:ss.SSS +HHMM, in the time zone of this computer. */
  updated_at: string;
  /** YYYY-MM-DD HH:mm:ss.SSS +HHMM, in the time zone of this computer. */
  deleted_at: string;
  /** Then it is removed for good. */
  expires_at: string;
}

/** What a create request would answer, and the document after modifications. */
export interface DryRun {
  /** False when there are errors. */
  valid: boolean;
  errors: readonly string[];
  warnings: readonly string[];
  source: RenderScript;
}

/** All properties: see /renderscript.schema.json. */
export type LooseElement = {
  type: 'image' | 'video' | 'audio' | 'text' | 'shape' | 'composition';
  /** The name that modifications use for it. */
  name?: string | undefined;
  /** Of a text. */
  text?: string | undefined;
  /** Address or file of a picture, video or sound. */
  source?: string | undefined;
  time?: number | string | null | undefined;
  duration?: number | string | null | undefined;
} & { readonly [key: string]: unknown };

export interface Refusal {
  /** What went wrong and what to do, for people. */
  hint: string;
  /** Address of the help page about it. */
  documentation: string;
}

export interface Feed {
  id: string;
  name: string;
  /** YYYY-MM-DD HH:mm:ss.SSS +HHMM, in the time zone of this computer. */
  created_at: string;
  /** YYYY-MM-DD HH:mm:ss.SSS +HHMM, in the time zone of this computer. */
  updated_at: string;
  columns: readonly {
    id: string;
    name: string;
  }[];
  /** The template for its rows; absent while it has none. */
  template_id?: string | undefined;
}

export interface FeedFacts {
  id: string;
  name: string;
  /** YYYY-MM-DD HH:mm:ss.SSS +HHMM, in the time zone of this computer. */
  created_at: string;
  /** YYYY-MM-DD HH:mm:ss.SSS +HHMM, in the time zone of this computer. */
  updated_at: string;
}

/** Texts by the names of the columns. */
export type FeedRow = { readonly [key: string]: string };

/** The Render object with its times; long modifications are left out. */
export interface ListedRender {
  id: string;
  /** The last two are final. */
  status: 'planned' | 'waiting' | 'transcribing' | 'rendering' | 'succeeded' | 'failed';
  /** Only with status failed. */
  error_message?: string | undefined;
  /** Only with status waiting, while the renderer itself does not work. */
  waiting_reason?: string | undefined;
  /** Where the file is once the status is succeeded. */
  url: string;
  /** Only with status succeeded, when the document asked for a snapshot. */
  snapshot_url?: string | undefined;
  /** This and the next two only for renders made from a template. */
  template_id?: string | undefined;
  template_name?: string | undefined;
  template_tags?: readonly string[] | undefined;
  output_format: 'jpg' | 'png' | 'gif' | 'mp4';
  /** As asked for; with status succeeded the factor that was used. */
  render_scale?: number | undefined;
  /** Pixels. This and all facts below only with status succeeded. */
  width?: number | undefined;
  /** Pixels. */
  height?: number | undefined;
  /** Frames per second, not rounded; only mp4 and gif. */
  frame_rate?: number | undefined;
  /** Seconds, not rounded; only mp4 and gif. */
  duration?: number | undefined;
  /** Bytes. */
  file_size?: number | undefined;
  /** As sent. */
  modifications?: { readonly [key: string]: unknown } | undefined;
  /** As sent. */
  webhook_url?: string | undefined;
  /** As sent. */
  metadata?: string | undefined;
  /** YYYY-MM-DD HH:mm:ss.SSS +HHMM, in the time zone of this computer. */
  created_at: string;
  /** YYYY-MM-DD HH:mm:ss.SSS +HHMM, in the time zone of this computer. */
  finished_at?: string | undefined;
}

export interface Media {
  /** Of the content, 32 hexadecimal digits. */
  id: string;
  /** What documents name it by: `media:` and the ID. */
  source: string;
  name: string;
  kind: 'image' | 'video' | 'audio';
  /** What its content is, e.g. png, mp4. */
  format: string;
  /** Pixels, as it is shown; only of pictures and videos. */
  width?: number | undefined;
  /** Pixels. */
  height?: number | undefined;
  /** Seconds; only of videos, sounds and animated pictures. */
  duration?: number | undefined;
  /** Frames per second, if known. */
  frame_rate?: number | undefined;
  has_audio?: boolean | undefined;
  /** True if it can be transparent; only of pictures and videos. */
  has_alpha?: boolean | undefined;
  /** Bytes. */
  file_size: number;
  /** YYYY-MM-DD HH:mm:ss.SSS +HHMM, in the time zone of this computer. */
  created_at: string;
}

export interface MediaPage {
  media: readonly Media[];
  /** For the next page; absent on the last one. */
  next_cursor?: string | undefined;
}

/** Shows a document. */
export interface PreviewSource {
  /** Values to replace: `Name.property`, `Name` alone (text or source), a property of the document, or `elements.add`. */
  modifications?: { readonly [key: string]: unknown } | undefined;
  /** Seconds; a moment after the end shows the last frame. Default 0. */
  time?: number | undefined;
  /** Most pixels of the longer side, a whole number from 16 to 960. Default 960. */
  max_side?: number | undefined;
  source: RenderScript;
}

/** Shows a stored template. */
export interface PreviewTemplate {
  /** Values to replace: `Name.property`, `Name` alone (text or source), a property of the document, or `elements.add`. */
  modifications?: { readonly [key: string]: unknown } | undefined;
  /** Seconds; a moment after the end shows the last frame. Default 0. */
  time?: number | undefined;
  /** Most pixels of the longer side, a whole number from 16 to 960. Default 960. */
  max_side?: number | undefined;
  /** The template to render. Left out: the document is in the request. */
  template_id: string;
}

/** How far a render is. */
export interface ProgressEvent {
  event: 'progress';
  data: RenderProgress;
}

export interface ProjectData {
  id: string;
  name: string;
}

/** The stream is open. */
export interface ReadyEvent {
  event: 'ready';
  data: Readonly<Record<string, never>>;
}

/** The item was refused. */
export interface RefusedRender {
  /** 400 and above. */
  status: number;
  error: Refusal;
}

/** A render is no longer in the list. */
export interface RemovedEvent {
  event: 'removed';
  data: {
    id: string;
  };
}

/** Fields without a value are left out; none is ever null. */
export interface Render {
  id: string;
  /** The last two are final. */
  status: 'planned' | 'waiting' | 'transcribing' | 'rendering' | 'succeeded' | 'failed';
  /** Only with status failed. */
  error_message?: string | undefined;
  /** Only with status waiting, while the renderer itself does not work. */
  waiting_reason?: string | undefined;
  /** Where the file is once the status is succeeded. */
  url: string;
  /** Only with status succeeded, when the document asked for a snapshot. */
  snapshot_url?: string | undefined;
  /** This and the next two only for renders made from a template. */
  template_id?: string | undefined;
  template_name?: string | undefined;
  template_tags?: readonly string[] | undefined;
  output_format: 'jpg' | 'png' | 'gif' | 'mp4';
  /** As asked for; with status succeeded the factor that was used. */
  render_scale?: number | undefined;
  /** Pixels. This and all facts below only with status succeeded. */
  width?: number | undefined;
  /** Pixels. */
  height?: number | undefined;
  /** Frames per second, not rounded; only mp4 and gif. */
  frame_rate?: number | undefined;
  /** Seconds, not rounded; only mp4 and gif. */
  duration?: number | undefined;
  /** Bytes. */
  file_size?: number | undefined;
  /** As sent. */
  modifications?: { readonly [key: string]: unknown } | undefined;
  /** As sent. */
  webhook_url?: string | undefined;
  /** As sent. */
  metadata?: string | undefined;
}

export interface RenderBatch {
  /** How many renders there are now. */
  accepted: number;
  /** How many items were refused. */
  refused: number;
  /** One for each item, in the order of the request. */
  results: readonly BatchResult[];
}

/** Renders the body itself as a document: all fields not named here are RenderScript. */
export type RenderDocument = {
  /** Values to replace: `Name.property`, `Name` alone (text or source), a property of the document, or `elements.add`. */
  modifications?: { readonly [key: string]: unknown } | undefined;
  /** Size of the file relative to the document. Default 1. */
  render_scale?: number | undefined;
  /** The width never exceeds it; `render_scale` is then ignored. */
  max_width?: number | undefined;
  /** The height never exceeds it; `render_scale` is then ignored. */
  max_height?: number | undefined;
  /** Called with the render once it has succeeded or failed. */
  webhook_url?: string | undefined;
  /** Your own text; comes back with the render and the webhook. */
  metadata?: string | undefined;
  /** True turns warnings about properties, easings, animations and options that the language does not know into errors. */
  strict?: boolean | undefined;
  /** True only checks the request: nothing is stored or used up. */
  dry_run?: boolean | undefined;
  output_format?: 'jpg' | 'png' | 'gif' | 'mp4' | undefined;
  /** Pixels. */
  width?: number | null | undefined;
  /** Pixels. */
  height?: number | null | undefined;
  /** Seconds; left out: as long as its elements need. */
  duration?: number | string | null | undefined;
  /** Frames per second. */
  frame_rate?: number | null | undefined;
  /** Seconds; a video then gets a picture of this moment. */
  snapshot_time?: number | null | undefined;
  elements: readonly LooseElement[];
} & { readonly [key: string]: unknown };

/** The name of an event and its data, which is sent as one line of JSON. */
export type RenderEvent = ReadyEvent | StateEvent | ProgressEvent | RemovedEvent;

export interface RenderPage {
  renders: readonly ListedRender[];
  /** For the next page; absent on the last one. */
  next_cursor?: string | undefined;
}

export interface RenderProgress {
  id: string;
  phase: 'waiting' | 'transcribing' | 'rendering' | 'finishing';
  /** 0 to 99; does not go down within an attempt. */
  percent: number;
  /** Frames drawn; files fetched or recordings read in other phases. */
  frame: number;
  /** The total; 0 while unknown. */
  frames: number;
  frames_per_second?: number | undefined;
  /** Left out while unknown. */
  seconds_left?: number | undefined;
}

/** Renders the document in a field of its own. */
export interface RenderSource {
  /** Values to replace: `Name.property`, `Name` alone (text or source), a property of the document, or `elements.add`. */
  modifications?: { readonly [key: string]: unknown } | undefined;
  /** Size of the file relative to the document. Default 1. */
  render_scale?: number | undefined;
  /** The width never exceeds it; `render_scale` is then ignored. */
  max_width?: number | undefined;
  /** The height never exceeds it; `render_scale` is then ignored. */
  max_height?: number | undefined;
  /** Called with the render once it has succeeded or failed. */
  webhook_url?: string | undefined;
  /** Your own text; comes back with the render and the webhook. */
  metadata?: string | undefined;
  /** True turns warnings about properties, easings, animations and options that the language does not know into errors. */
  strict?: boolean | undefined;
  /** True only checks the request: nothing is stored or used up. */
  dry_run?: boolean | undefined;
  /** Replaces that of the document. */
  output_format?: 'jpg' | 'png' | 'gif' | 'mp4' | undefined;
  /** Replaces that of the document. */
  frame_rate?: number | undefined;
  source: RenderScript;
}

/** Renders a document. */
export interface RenderSourceOlder {
  /** Values to replace: `Name.property`, `Name` alone (text or source), a property of the document, or `elements.add`. */
  modifications?: { readonly [key: string]: unknown } | undefined;
  /** Size of the file relative to the document. Default 1. */
  render_scale?: number | undefined;
  /** The width never exceeds it; `render_scale` is then ignored. */
  max_width?: number | undefined;
  /** The height never exceeds it; `render_scale` is then ignored. */
  max_height?: number | undefined;
  /** Called with the render once it has succeeded or failed. */
  webhook_url?: string | undefined;
  /** Your own text; comes back with the render and the webhook. */
  metadata?: string | undefined;
  /** True turns warnings about properties, easings, animations and options that the language does not know into errors. */
  strict?: boolean | undefined;
  /** True only checks the request: nothing is stored or used up. */
  dry_run?: boolean | undefined;
  /** Replaces that of the document. */
  output_format?: 'jpg' | 'png' | 'gif' | 'mp4' | undefined;
  /** Replaces that of the document. */
  frame_rate?: number | undefined;
  source: RenderScript;
  /** Subtitles for spoken elements: the name, ID or `source` of a video or audio element for each key, and what its `transcript_source` could hold as the value, i.e. subtitles as text (SRT, WebVTT), an address, or an array of {time, duration, value}. */
  transcripts?: { readonly [key: string]: unknown } | undefined;
}

/** Renders every template with a tag. */
export interface RenderTagsOlder {
  /** Values to replace: `Name.property`, `Name` alone (text or source), a property of the document, or `elements.add`. */
  modifications?: { readonly [key: string]: unknown } | undefined;
  /** Size of the file relative to the document. Default 1. */
  render_scale?: number | undefined;
  /** The width never exceeds it; `render_scale` is then ignored. */
  max_width?: number | undefined;
  /** The height never exceeds it; `render_scale` is then ignored. */
  max_height?: number | undefined;
  /** Called with the render once it has succeeded or failed. */
  webhook_url?: string | undefined;
  /** Your own text; comes back with the render and the webhook. */
  metadata?: string | undefined;
  /** True turns warnings about properties, easings, animations and options that the language does not know into errors. */
  strict?: boolean | undefined;
  /** True only checks the request: nothing is stored or used up. */
  dry_run?: boolean | undefined;
  /** Replaces that of the document. */
  output_format?: 'jpg' | 'png' | 'gif' | 'mp4' | undefined;
  /** Replaces that of the document. */
  frame_rate?: number | undefined;
  /** Renders every template with at least one of these tags. */
  tags: readonly string[];
  /** Subtitles for spoken elements: the name, ID or `source` of a video or audio element for each key, and what its `transcript_source` could hold as the value, i.e. subtitles as text (SRT, WebVTT), an address, or an array of {time, duration, value}. */
  transcripts?: { readonly [key: string]: unknown } | undefined;
}

/** Renders a stored template. */
export interface RenderTemplate {
  /** The template to render. Left out: the document is in the request. */
  template_id: string;
  /** Values to replace: `Name.property`, `Name` alone (text or source), a property of the document, or `elements.add`. */
  modifications?: { readonly [key: string]: unknown } | undefined;
  /** Size of the file relative to the document. Default 1. */
  render_scale?: number | undefined;
  /** The width never exceeds it; `render_scale` is then ignored. */
  max_width?: number | undefined;
  /** The height never exceeds it; `render_scale` is then ignored. */
  max_height?: number | undefined;
  /** Called with the render once it has succeeded or failed. */
  webhook_url?: string | undefined;
  /** Your own text; comes back with the render and the webhook. */
  metadata?: string | undefined;
  /** True turns warnings about properties, easings, animations and options that the language does not know into errors. */
  strict?: boolean | undefined;
  /** True only checks the request: nothing is stored or used up. */
  dry_run?: boolean | undefined;
  /** Replaces that of the document. */
  output_format?: 'jpg' | 'png' | 'gif' | 'mp4' | undefined;
  /** Replaces that of the document. */
  frame_rate?: number | undefined;
}

/** Renders a stored template. */
export interface RenderTemplateOlder {
  /** The template to render. Left out: the document is in the request. */
  template_id: string;
  /** Values to replace: `Name.property`, `Name` alone (text or source), a property of the document, or `elements.add`. */
  modifications?: { readonly [key: string]: unknown } | undefined;
  /** Size of the file relative to the document. Default 1. */
  render_scale?: number | undefined;
  /** The width never exceeds it; `render_scale` is then ignored. */
  max_width?: number | undefined;
  /** The height never exceeds it; `render_scale` is then ignored. */
  max_height?: number | undefined;
  /** Called with the render once it has succeeded or failed. */
  webhook_url?: string | undefined;
  /** Your own text; comes back with the render and the webhook. */
  metadata?: string | undefined;
  /** True turns warnings about properties, easings, animations and options that the language does not know into errors. */
  strict?: boolean | undefined;
  /** True only checks the request: nothing is stored or used up. */
  dry_run?: boolean | undefined;
  /** Replaces that of the document. */
  output_format?: 'jpg' | 'png' | 'gif' | 'mp4' | undefined;
  /** Replaces that of the document. */
  frame_rate?: number | undefined;
  /** Subtitles for spoken elements: the name, ID or `source` of a video or audio element for each key, and what its `transcript_source` could hold as the value, i.e. subtitles as text (SRT, WebVTT), an address, or an array of {time, duration, value}. */
  transcripts?: { readonly [key: string]: unknown } | undefined;
}

export interface RestoreBackup {
  /** `work`: templates with their versions, and feeds; media and fonts that are missing come back; renders, keys and settings stay. `all`: everything; keys deleted since then work again, and the queue is paused. */
  what: 'work' | 'all';
}

export interface Settings {
  /** Port of the API. */
  port: number;
  /** Address that the API listens at: 127.0.0.1 for this computer alone, 0.0.0.0 for all networks. */
  host: string;
  /** Names that the API answers to beside its own, e.g. server.lan. */
  allowed_hosts: readonly string[];
  /** The address that all links begin with, e.g. https://films.example.com/framewright; null: the one that each request used. */
  public_url: string | null;
  /** Whether X-Forwarded-Host and X-Forwarded-Proto are read: only behind a proxy that sets both itself. */
  trust_proxy: boolean;
  /** Whether media and webhooks may reach this computer and its network; null: while only this computer reaches the API. */
  allow_private_addresses: boolean | null;
  /** Where finished files go. Earlier ones are still found. */
  output_folder: string;
  /** Where “Save a copy” of the desktop begins; null: where the system says. */
  copy_folder: string | null;
  /** Where backups go that a person or program asks for; null: into the data folder. */
  backup_folder: string | null;
  /** Folders that `file:` and relative sources may lie in. */
  media_folders: readonly string[];
  /** The ffmpeg to use; null: the one that is found. */
  ffmpeg_path: string | null;
  /** Whether the number of requests is limited. */
  rate_limit: boolean;
  /** Credits for the renders of 30 days; null: unlimited. */
  credit_allowance: number | null;
  /** Renders at the same time. */
  concurrency: number;
  /** Renders stay planned. */
  queue_paused: boolean;
  /** Nothing that has expired is removed. */
  deletion_paused: boolean;
  /** Web pages that may call the API, e.g. http://localhost:3000. */
  allowed_origins: readonly string[];
  /** Whether the API is on from the start of the program. */
  start_api: boolean;
  /** How many requests the list of requests in the window keeps. */
  request_log_size: number;
  /** How many earlier versions of each template are kept. */
  template_versions: number;
  /** Nothing starts while the battery is low. */
  pause_on_battery: boolean;
  /** With fewer free bytes on the drive of the output folder, nothing starts; 0: no limit. */
  free_space_limit: number;
  /** The desktop program keeps the computer from sleeping while something renders. */
  keep_awake: boolean;
  /** Threads that paint one film; null: as many as pay. */
  painting_threads: number | null;
  /** low: rendering gives way to other programs; normal: it takes turns like all others. */
  render_priority: 'low' | 'normal';
  /** Bytes of downloads that are kept between renders; 0: none. */
  cache_limit: number;
  /** Program of whisper.cpp, for captions; null: as the environment says. */
  transcriber: string | null;
  /** Its model; null: as the environment says. */
  transcriber_model: string | null;
}

export interface StartedRestore {
  /** True: the server starts again now. False: the next start of the program restores it. */
  restarts: boolean;
  /** YYYY-MM-DD HH:mm:ss.SSS +HHMM, in the time zone of this computer. */
  asked_at: string;
}

/** A render as it is now. */
export interface StateEvent {
  event: 'render';
  data: ListedRender;
}

export interface Template {
  id: string;
  name: string;
  tags: readonly string[];
  /** YYYY-MM-DD HH:mm:ss.SSS +HHMM, in the time zone of this computer. */
  created_at: string;
  /** YYYY-MM-DD HH:mm:ss.SSS +HHMM, in the time zone of this computer. */
  updated_at: string;
  source: RenderScript;
}

export interface TemplateFacts {
  id: string;
  name: string;
  tags: readonly string[];
  /** YYYY-MM-DD HH:mm:ss.SSS +HHMM, in the time zone of this computer. */
  created_at: string;
  /** YYYY-MM-DD HH:mm:ss.SSS +HHMM, in the time zone of this computer. */
  updated_at: string;
}

/** One field for each value of the template that can be replaced. */
export interface TemplateFields {
  fields: readonly {
    /** The key in `modifications`. */
    id: string;
    /** For people. */
    displayName: string;
    type: 'string' | 'number' | 'boolean' | 'options';
    required: false;
    display: true;
    defaultMatch: false;
    removed: false;
    readOnly: false;
    /** Only with type options. */
    options?:
      | readonly {
          name: string;
          value: string;
        }[]
      | undefined;
  }[];
}

export interface UploadMedia {
  /** Another name for the file. */
  name?: string | undefined;
  /** The file. */
  file: string;
}

export interface WebhookSecret {
  /** `whsec_` and the key in base64. */
  secret: string;
  /** Until then calls are signed with the secret before, too; absent: they are not. */
  previous_until?: string | undefined;
}
