/** The window's routes about the server's state, its queue and its machines. */
import * as z from 'zod/mini';
import { isJsonObject } from '../renderscript/source.ts';
import type { Of, Row, Rows } from './row.ts';

const ffmpegCage = z.enum(['network and limits', 'network', 'limits', 'none']);
/** Which bounds the system has for an ffmpeg: no network; so much memory and so many files. */
export type FfmpegCage = Of<typeof ffmpegCage>;

const ffmpegInUse = z.object({
  path: z.string(),
  /** The release that it corresponds to, e.g. `7.1`. */
  version: z.string(),
  /** Too old for videos and sounds of other computers. */
  ownFilesOnly: z.boolean(),
  /** How the system confines it, in addition to Framewright. */
  cage: ffmpegCage,
  /** True if the system ends it with its parent, however that ends; false: only Framewright does. */
  endsWithWorker: z.boolean(),
});
/** The ffmpeg that renders use. */
export type FfmpegInUse = Of<typeof ffmpegInUse>;

const rendererState = z.enum(['idle', 'rendering', 'restarting', 'off']);
/**
 * `idle` waits for work; `restarting` is being started again; `off` can't draw the known picture: nothing starts until
 * it can, which is tried automatically with growing pauses, and whenever the user starts it.
 */
export type RendererState = Of<typeof rendererState>;

const rendererRestart = z.object({
  /** One more than the failed starts in a row; crashes during renders don't count. */
  attempt: z.number(),
  /** Failures in a row before it is `off`. */
  most: z.number(),
});
/** The renderer's next attempt to start. */
export type RendererRestart = Of<typeof rendererRestart>;

const holdReason = z.enum(['person', 'encoder', 'battery', 'space', 'folder']);
/**
 * Why queued renders wait although a slot is free: the user paused the queue; films wait for a usable ffmpeg; the
 * battery is low; the output drive is almost full; the output folder is missing or can't be written.
 */
export type HoldReason = Of<typeof holdReason>;

const apiState = z.enum(['on', 'starting', 'off']);
/**
 * Whether the public API answers. `off`: the user stopped it, it does not start with the program, or see `ApiProblem`.
 */
export type ApiState = Of<typeof apiState>;

const apiProblem = z.object({
  /** That could not be opened. */
  port: z.number(),
  /** Another program has it, or the system refuses it. */
  reason: z.enum(['taken', 'refused']),
  /** The next port above that could be opened; absent if none was near. */
  freePort: z.exactOptional(z.number()),
});
/** Why the API is off although it should be on. */
export type ApiProblem = Of<typeof apiProblem>;

const notice = z.object({
  /** In words, as the log has it. */
  text: z.string(),
  /** Damaged records were set aside: how many, and the file's name for `GET /api/set-aside/NAME`. */
  setAside: z.exactOptional(z.object({ records: z.number(), file: z.string() })),
});
/** Something to know about this start. */
export type ServerNotice = Of<typeof notice>;

export const serverState = z.object({
  /** Of the program, e.g. `1.0.0`. */
  version: z.string(),
  api: z.object({
    state: apiState,
    /** `http://127.0.0.1:4820`; where it would answer while it is not on. */
    url: z.string(),
    key: z.string(),
    /** Why its port could not be opened; absent while it is on, and when it was stopped. */
    problem: z.exactOptional(apiProblem),
  }),
  renderer: z.object({
    state: rendererState,
    /** Why it is `restarting` or `off`. */
    reason: z.exactOptional(z.string()),
    /** Only with `restarting`, when a start failed. */
    restart: z.exactOptional(rendererRestart),
    /** When it is next tried automatically, in ms since 1970; only with `off`. */
    nextTryAt: z.exactOptional(z.number()),
  }),
  /** Whether there is a usable ffmpeg; films wait for one. Unknown until a worker has looked. */
  encoder: z.enum(['unknown', 'found', 'missing']),
  /** What is wrong with the named ffmpeg; absent when it is not `missing`, or none was found anywhere. */
  encoderReason: z.exactOptional(z.string()),
  /** The ffmpeg that is used; absent when it is not `found`. */
  ffmpeg: z.exactOptional(ffmpegInUse),
  /** Waiting and running renders. */
  queue: z.object({
    waiting: z.number(),
    running: z.number(),
    /** Nothing new starts until the user resumes the queue. */
    paused: z.boolean(),
    /** What else keeps renders waiting; absent if nothing. */
    heldBy: z.exactOptional(z.array(holdReason)),
    /** The render after which the queue pauses; absent if none is chosen. */
    pausesAfter: z.exactOptional(z.string()),
  }),
  /** How full the battery is, in per cent; present only while it keeps renders waiting (`heldBy` has `battery`). */
  lowBattery: z.exactOptional(z.number()),
  /** Free bytes on the output drive; absent if the system doesn't say. */
  freeBytes: z.exactOptional(z.number()),
  outputFolder: z.string(),
  /** Why nothing can be saved, in words, e.g. `the disk is full`; absent while it can. */
  storeProblem: z.exactOptional(z.string()),
  /** Renders that were running when the program ended without closing; they are back in the queue. */
  recovered: z.number(),
  /** Things to know about this start, e.g. repaired data; the most severe first. */
  notices: z.array(notice),
});
/** Addresses, key, renderer, disk; also the content of the `server.state` event. */
export type ServerState = Of<typeof serverState>;

const machine = z.object({
  /** Of this run of its program. */
  id: z.string(),
  /** Of the computer. */
  name: z.string(),
  /** Of the program, and so of the engine. */
  version: z.string(),
  /** Absent: it has none, or has not looked yet. */
  ffmpeg: z.exactOptional(z.string()),
  /** How many renders it works on at once. */
  slots: z.number(),
  /** IDs of those that it works on. */
  renders: z.array(z.string()),
  /** When its program started, in ms since 1970 by its own clock; absent: an older version. */
  startedAt: z.exactOptional(z.number()),
  /** Attempts that failed there since. */
  failed: z.number(),
  /** Why the last of them did, in words. */
  lastFailure: z.exactOptional(z.string()),
  /** Its renderer has failed to start too often: it takes no more work. */
  rendererFails: z.boolean(),
  /** When it was last heard of, in ms since 1970; absent: it lives. Its renders were given to others. */
  silentSince: z.exactOptional(z.number()),
});
/** A worker of a farm, as it last said of itself. */
export type MachineRecord = Of<typeof machine>;

const credits = z.object({
  /** Null: unlimited. */
  allowance: z.nullable(z.number()),
  used: z.number(),
});
/** The credits of the renders that are kept. */
export type CreditRecord = Of<typeof credits>;

const change = <Path extends string>(path: Path) =>
  ({ method: 'POST', path, answer: serverState }) as const satisfies Row;

/** The server's state, and what changes it; the answer is the state then. */
export const stateRows = {
  state: { method: 'GET', path: '/state', answer: serverState },
  /** After the renderer has given up. */
  startRenderer: change('/renderer/start'),
  /** Tries a write. */
  testStore: change('/store/test'),
  /** Looks for ffmpeg again. */
  findEncoder: change('/encoder/find'),
  /** What happens, as shared/events.ts has it. */
  events: { method: 'GET', path: '/events', answer: 'file' },
  /** Damaged records that were set aside: only files named in a notice. */
  setAside: { method: 'GET', path: '/set-aside/:name', answer: 'file' },
} as const satisfies Rows;

/** The queue, and what keeps it waiting. */
export const queueRows = {
  pause: change('/queue/pause'),
  /** When this render has ended. */
  pauseAfter: change('/queue/pause-after/:id'),
  resume: change('/queue/resume'),
  /** Checks the output folder again. */
  checkOutput: change('/output/look'),
  /** Starts renders although the battery is low, until the computer has been plugged in. */
  overrulePower: change('/power/overrule'),
  /** None without a farm. */
  machines: { method: 'GET', path: '/machines', answer: z.array(machine) },
  credits: { method: 'GET', path: '/credits', answer: credits },
} as const satisfies Rows;

/** The public API's own listener. */
export const apiRows = {
  /** For this run only: nothing is stored. The answer says whether it worked. */
  open: {
    method: 'POST',
    path: '/api-listener',
    body: z.custom<{ readonly port: number | null }>(isJsonObject),
    unread: true,
    answer: serverState,
  },
  /** Until someone opens it or restarts the program. The window's own listener stays open. */
  stop: { method: 'DELETE', path: '/api-listener', answer: serverState },
} as const satisfies Rows;

/** What helps to find out why something does not work. */
export const diagnosticRows = {
  archive: { method: 'GET', path: '/diagnostics', answer: 'file' },
} as const satisfies Rows;
