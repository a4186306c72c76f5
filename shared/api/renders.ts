/**
 * The Render object of the public API (snake_case, `/v1` and `/v2`), and the window's routes about renders beyond it.
 */
import * as z from 'zod/mini';
import { delivery } from './projects.ts';
import { anyObject, longList, type Of, type Rows } from './row.ts';
import { outputFormats } from '../renderscript/formats.ts';

/** The states of a render, in order. The last two are final. */
export const renderStatuses = [
  'planned',
  'waiting',
  'transcribing',
  'rendering',
  'succeeded',
  'failed',
] as const;

/** One of the six states. */
export type RenderStatus = (typeof renderStatuses)[number];

/** True if a render in this state will not change again. */
export function isFinal(status: RenderStatus): boolean {
  return status === 'succeeded' || status === 'failed';
}

/** The Render object in lists: without modifications. Absent, never null. */
export const listedShape = {
  id: z.string(),
  status: z.enum(renderStatuses),
  /** Only with `failed`. */
  error_message: z.exactOptional(z.string()),
  /** Only with `planned`, while the renderer itself does not work: the reason. Not in webhooks. */
  waiting_reason: z.exactOptional(z.string()),
  /** Known from the start, usable after `succeeded`. */
  url: z.string(),
  /** Only with `succeeded`, when the document asked for a snapshot. */
  snapshot_url: z.exactOptional(z.string()),
  /** The three template fields come together, only for renders made from a template. */
  template_id: z.exactOptional(z.string()),
  template_name: z.exactOptional(z.string()),
  template_tags: z.exactOptional(z.array(z.string())),
  output_format: z.enum(outputFormats),
  /** As requested; always present with `succeeded`. */
  render_scale: z.exactOptional(z.number()),
  /** Pixels; not of sounds. This and the next four: only with `succeeded`. */
  width: z.exactOptional(z.number()),
  height: z.exactOptional(z.number()),
  /** Frames a second; only of what moves. */
  frame_rate: z.exactOptional(z.number()),
  /** Seconds; not of pictures. */
  duration: z.exactOptional(z.number()),
  /** Bytes. */
  file_size: z.exactOptional(z.number()),
  /** These and `modifications` exactly as sent. */
  webhook_url: z.exactOptional(z.string()),
  metadata: z.exactOptional(z.string()),
};

export const renderRecord = z.object({
  ...listedShape,
  modifications: z.exactOptional(anyObject()),
});
/** The Render object: answer of the create and status endpoints, and body of the webhook. Absent, never null. */
export type RenderRecord = Of<typeof renderRecord>;

/** Files that one archive may have: a plain zip holds fewer than 65,536. */
export const mostPacked = 10_000;
/** Renders that may be removed at once: twice what a store is designed for. */
export const mostRemoved = 100_000;

const phase = z.enum(['waiting', 'transcribing', 'rendering', 'finishing']);
/** What a running render is busy with. */
export type RenderPhase = Of<typeof phase>;

export const renderProgress = z.object({
  phase,
  /**
   * Frames drawn of all frames; in phase `waiting` files fetched of all files; in phase `transcribing` the number of
   * the current recording, from 1, and how many there are. Both 0 while unknown.
   */
  frame: z.number(),
  frames: z.number(),
  /** In phase `waiting`: bytes fetched; absent before the first. */
  bytes: z.exactOptional(z.number()),
  /** Of all files; absent while any size is unknown. */
  bytesTotal: z.exactOptional(z.number()),
  /** 0–99; never decreases within an attempt. */
  percent: z.number(),
  /** Average of the last 10 s; absent while not known. */
  framesPerSecond: z.exactOptional(z.number()),
  /** Absent while unknown, or if nothing was drawn for 10 s. */
  secondsLeft: z.exactOptional(z.number()),
});
/** How far the current attempt of a running render is. */
export type RenderProgress = Of<typeof renderProgress>;

const listedRecord = z.object(listedShape);
/** The API's answer in lists: without modifications, and with a long `error_message` cut. */
export type ListedRecord = Of<typeof listedRecord>;

export const windowRender = z.object({
  id: z.string(),
  /** The ID of the project that it belongs to. */
  project: z.string(),
  /** `GET /api/renders/ID/record` has all of it. */
  record: listedRecord,
  /** The template's name; absent for renders sent directly. */
  name: z.exactOptional(z.string()),
  /** The document was an unsaved one from the editor. */
  isDraft: z.exactOptional(z.literal(true)),
  /** A script asked for it through the public API; absent in renders of earlier versions. */
  fromApi: z.exactOptional(z.literal(true)),
  /** The document's most prominent text; absent if it has none. */
  title: z.exactOptional(z.string()),
  /** Times in ms since 1970. */
  createdAt: z.number(),
  /** Start of the newest attempt. */
  startedAt: z.exactOptional(z.number()),
  finishedAt: z.exactOptional(z.number()),
  /** The day on which record and file are removed, unless it is kept. */
  expiresAt: z.number(),
  /** A person keeps it: it does not expire. */
  kept: z.exactOptional(z.literal(true)),
  /** Attempts started; 0 if it never ran. */
  attempts: z.number(),
  /** True for a failed render that the user stopped. */
  cancelled: z.boolean(),
  /** Only while it runs. */
  progress: z.exactOptional(renderProgress),
  /** Its place in the queue: of two queued renders the one with the smaller number runs first. */
  order: z.number(),
  /** The element that made it fail, if any. */
  errorElement: z.exactOptional(z.object({ path: z.string(), name: z.string() })),
  /** It failed because it stopped the renderer this often. */
  rendererStops: z.exactOptional(z.number()),
  /** It failed, and its last frame is at `GET /api/renders/ID/picture`. */
  hasLastFrame: z.exactOptional(z.literal(true)),
  /** The finished file on the window's own listener, e.g. `/renders/ID.mp4`; only with `succeeded`. */
  filePath: z.exactOptional(z.string()),
  /** The quality that its request named, a value of its format's; absent: the document's own. */
  quality: z.exactOptional(z.string()),
  /** The codec that its request named; absent: the document's own. */
  codec: z.exactOptional(z.string()),
  /** Seconds that were kept from earlier renders; absent: none. */
  reused: z.exactOptional(z.number()),
  /** The encoder of hardware that made its film, e.g. `h264_nvenc`; absent: software. */
  encoder: z.exactOptional(z.string()),
  /** The one that should have, and why software did, in words. */
  hardwareFault: z.exactOptional(z.object({ encoder: z.string(), reason: z.string() })),
  /** A picture of it there, if there is one: the file itself, or its snapshot. */
  picturePath: z.exactOptional(z.string()),
  /** The feed batch that it was made by. */
  batch: z.exactOptional(
    z.object({
      id: z.string(),
      name: z.string(),
      /** ID of the row; absent in renders of earlier versions. */
      row: z.exactOptional(z.string()),
      /** What tells whether the row was changed since. */
      print: z.exactOptional(z.string()),
      /** Name of its file without the ending; absent: it is named as those of other renders. */
      file: z.exactOptional(z.string()),
    }),
  ),
});
/** A render as the window shows it. */
export type WindowRender = Of<typeof windowRender>;

const list = z.object({
  /** The number of the newest event that the list already contains. */
  eventNumber: z.number(),
  /** Newest first. */
  renders: longList(windowRender),
});
export type RenderList = Of<typeof list>;

const storedRequest = z.object({
  /** In the form of the public API. */
  request: anyObject(),
  /** The resulting document; null when the stored one is missing or damaged. */
  source: z.nullable(anyObject()),
});
export type StoredRequest = Of<typeof storedRequest>;

const logLine = z.object({
  /** ms since 1970. */
  time: z.number(),
  level: z.enum(['info', 'warning', 'error']),
  text: z.string(),
});
/** A line of a render's log. */
export type LogLine = Of<typeof logLine>;

const packed = z.object({
  /** Where to fetch the archive, once and soon, without a token. */
  path: z.string(),
  /** Files that are no longer there. */
  missing: z.number(),
});

const words = {
  files: `an array of 1 to ${mostPacked} files, each with the ID of a render and a name`,
  ids: `an array of at most ${mostRemoved} IDs of renders`,
  kept: 'true or false',
  before: 'the ID of a waiting render, or null for the end of the queue',
};
const file = z.object(
  {
    id: z.string(words.files),
    name: z.string(words.files).check(z.maxLength(300, words.files)),
  },
  words.files,
);

/** Renders. */
export const renderRows = {
  list: { method: 'GET', path: '/renders', answer: list },
  /** Queues a template as it is. */
  create: {
    method: 'POST',
    path: '/templates/:id/render',
    status: 202,
    answer: windowRender,
  },
  /** The public API's full answer for it: lists leave out long parts. */
  record: { method: 'GET', path: '/renders/:id/record', answer: renderRecord },
  cancel: { method: 'POST', path: '/renders/:id/cancel', answer: windowRender },
  /** A new render from its stored request. */
  again: { method: 'POST', path: '/renders/:id/again', status: 202, answer: windowRender },
  /** In front of another queued one. */
  move: {
    method: 'POST',
    path: '/renders/:id/move',
    body: z.object({ before: z.nullable(z.string(words.before)) }),
    answer: windowRender,
  },
  /** Keeps record and file beyond their time, or gives them their time anew. */
  keep: {
    method: 'POST',
    path: '/renders/:id/keep',
    body: z.object({ kept: z.boolean(words.kept) }),
    answer: windowRender,
  },
  /** The last frame of a running or failed render; 204 while there is none. */
  picture: { method: 'GET', path: '/renders/:id/picture', answer: 'file' },
  request: { method: 'GET', path: '/renders/:id/request', answer: storedRequest },
  /** Since the program's start, oldest first. */
  log: { method: 'GET', path: '/renders/:id/log', answer: longList(logLine) },
  /** Newest first. */
  deliveries: { method: 'GET', path: '/renders/:id/deliveries', answer: z.array(delivery) },
  /** Record, document and file. Renders that have not ended stay; the answer names those removed. */
  remove: {
    method: 'POST',
    path: '/renders/remove',
    body: z.object({
      ids: z.array(z.string(words.ids), words.ids).check(z.maxLength(mostRemoved, words.ids)),
    }),
    answer: z.object({ removed: z.array(z.string()) }),
  },
} as const satisfies Rows;

/** Several finished files as one. */
export const archiveRows = {
  /** The answer says where to fetch it. */
  pack: {
    method: 'POST',
    path: '/renders/zip',
    body: z.object({
      files: z
        .array(file, words.files)
        .check(z.minLength(1, words.files), z.maxLength(mostPacked, words.files)),
    }),
    answer: packed,
  },
} as const satisfies Rows;
