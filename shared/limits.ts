/**
 * The limits of requests, work, files and time; messages name the limit that was met. Known to window, server and engine.
 * Limits of documents (elements, sides, lengths) are in renderscript/limits.ts, where validation finds them.
 */

const megabyte = 1_000_000;
const second = 1_000;
const day = 24 * 60 * 60 * second;

/** What one request may hold. */
export const requestLimits = {
  /** Bytes of a body, also after decompression. */
  bodyBytes: 10 * megabyte,
  /** Arrays and objects inside each other. */
  jsonDepth: 64,
  modifications: 10_000,
  /** Characters. */
  nameLength: 256,
  tagLength: 64,
  tags: 50,
  metadataLength: 10_000,
  webhookUrlLength: 2_048,
  /** Characters of the `tags` query parameter. */
  tagQueryLength: 5_000,
  renderScale: { min: 0.1, max: 10 },
  /** Characters of an `Idempotency-Key`. */
  idempotencyKeyLength: 255,
  /** Seconds that `Prefer: wait=N` may hold an answer back. */
  wait: 60,
  /** Renders of one page of the list: at most, and when nothing is said. */
  page: { most: 100, usual: 20 },
} as const;

/** Requests that stay open on purpose; beyond it streams and previews are refused, and waiting ones answered at once. */
export const openLimits = { streams: 50, waits: 50, previews: 20 } as const;

/** The window's port where no other one is kept or named; below that of the API, which looks for a free one upwards. */
export const windowPort = 4819;

/**
 * Work that leaves the API's thread. What is done beside the API takes 20 ms at most on a common computer: a document of
 * 128,000 characters is parsed, changed, checked and written in 10.
 */
export const deskLimits = {
  threads: 2,
  /** Tasks that may wait; more are refused with 503. */
  waiting: 100,
  /** Milliseconds of computing for one task, and how many times as long it may take on a busy computer. */
  deadline: 10 * second,
  patience: 6,
  /** Megabytes of one thread's JavaScript values. */
  megabytes: 512,
  /** Milliseconds without work after which a thread is ended. */
  idle: 60 * second,
  /** Bytes of a body, and characters of a document, that are worked on beside the API. */
  inlineCharacters: 128_000,
  /** Elements and properties that modifications may look at or write beside the API; see documentLimits.modificationSteps. */
  inlineSteps: 20_000,
} as const;

/** Requests of one account, over all its keys: `requests` in any stretch of `window` milliseconds. */
export const rateLimit = { requests: 30, window: 10 * second } as const;

/** Wrong keys: after `attempts` in `window` ms, further refusals wait for `delay` ms. */
export const wrongKeyLimit = { attempts: 20, window: 10 * second, delay: 1 * second } as const;

/** Bounds of the HTTP listeners, in milliseconds, bytes and connections. */
export const listenerLimits = {
  requestTime: 30 * second,
  headerTime: 10 * second,
  /** How long an idle connection stays open, as answers say it. */
  keepAliveTime: 5 * second,
  /** Beyond that: a client that asks in the last moment is still answered. */
  keepAliveGrace: 2 * second,
  headerBytes: 16_384,
  connections: 200,
  /** How long there may be more, up to twice as many: in a flood who is going to ask has time to do it. */
  settling: 0.1 * second,
} as const;

/** Part of a render's start message. */
export const engineLimits = {
  /** Megapixels of one input picture. */
  pictureMegapixels: 100,
  /** Bytes of one input video or sound. */
  mediaBytes: 4_000 * megabyte,
};

/** Bytes of one input picture. */
export const pictureBytes = 100 * 1024 ** 2;

/** Bytes of one font file that a document brings, also when it is unpacked. */
export const fontLimits = { bytes: 100 * megabyte } as const;

/** What finding out about one input file may take. Beyond it the file counts as damaged, and its render fails at once. */
export const examineLimits = {
  /** Milliseconds, and the bytes of the file that each further second is given for. */
  time: 5 * second,
  bytesPerSecond: 20 * megabyte,
  /** Bytes. */
  memory: 512 * megabyte,
  /** Milliseconds of one question to ffmpeg about the file. */
  ffmpegTime: 30 * second,
  /** Milliseconds that the thread which does it is kept without work. */
  keepThread: 20 * second,
  /** Bytes of a file that is known again by its content: read in 20 ms. */
  knownBytes: 16 * megabyte,
  /** Milliseconds that a failure is believed of the same content. */
  failureKept: 5 * 60 * second,
} as const;

/** What drawing one input picture for the first time may take, where it looks costly. Beyond it its render fails at once. */
export const trialLimits = {
  /** Milliseconds of computing. */
  time: 5 * second,
  /** Milliseconds in all, however busy the computer is; less than `workLimits.frameless`. */
  longest: 90 * second,
  /** Bytes. */
  memory: 1_500 * megabyte,
  /** Milliseconds that the thread which does it is kept without work. */
  keepThread: 20 * second,
} as const;

/** What drawing one frame may take besides the frame itself. */
export const drawingLimits = {
  /**
   * Bytes of all layers that are in use at a time; a frame of 36 megapixels is 144 MB. Most of them wait empty for those inside
   * of them, and take no memory yet. A frame that takes more is drawn in bands, in `bands` of them at most.
   */
  layerBytes: 1_200 * megabyte,
  bands: 64,
  /**
   * Bytes of drawings kept from frame to frame to save work; they give way to layers in use. A canvas holds a copy of what was
   * drawn into it, so they take about twice as much.
   */
  keptLayerBytes: 300 * megabyte,
  /** Pixels that one moment of an animated picture may have to decode, of all frames that it is built of: half a minute of work. */
  animationPixels: 4_000 * megabyte,
  /** Videos with a decoder that stays open from frame to frame; each is a process of about 40 MB. */
  decoders: 40,
  /** Memory of those, estimated (`decoderBytes` in video-decoder.ts): 26 of 1080p, 6 of 4K, drawn in their own size. */
  decoderBytes: 2_000 * megabyte,
  /** Bytes of one frame of each video that shows at a time: 120 of 1080p. Drawing takes as much again. */
  videoFrameBytes: 1_000 * megabyte,
  /** Decoders that are opened at the same time for the videos beyond those, each for a few frames. */
  passingDecoders: 4,
  /** Bytes of all frames that those read ahead, so that they are not opened for each. */
  passingFrameBytes: 250 * megabyte,
} as const;

/** How long ffmpeg may take to decode, in milliseconds. */
export const decodeLimits = {
  /** For the next frame of a video; less than `workLimits.frameless`, so that the sentence names the element. */
  frameTime: 90 * second,
  /** For a sound, besides the time that it plays. */
  soundTime: 120 * second,
  /** Bytes that one decoder may reserve where the system bounds it; 8K with 16 threads takes 0.9 GB. */
  processMemory: 4_000 * megabyte,
  /** Bytes of a file that a decoder may write; it answers over a pipe and needs none. */
  processWrites: 64 * megabyte,
  /** Files that it may have open. */
  processFiles: 256,
} as const;

/** How long work on a render may go on without a sign, and how often it is tried. Milliseconds. */
export const workLimits = {
  /** Attempts that may be lost to a crash or a stall before a render fails; what repeats itself fails sooner. */
  attempts: 3,
  /** From starting a worker process to its first message, and for its own picture. */
  startTime: 30 * second,
  /** Without any message. */
  silence: 15 * second,
  /** Computed in one step of drawing or reading, before it counts as endless. */
  step: 60 * second,
  /** The same for the editor's pictures, which someone waits for. */
  previewStep: 20 * second,
  /** Without a new frame while frames are drawn. */
  frameless: 120 * second,
  /** Without another byte or file while media are fetched: longer than all tries for a server that says nothing. */
  idle: 10 * 60 * second,
  /** Whole render. */
  renderTime: 6 * 60 * 60 * second,
  /** From asking a render to stop to ending its process. */
  cancelTime: 2 * second,
  /** In one step, before another process is started in case that this one has to be ended. */
  doubt: 2 * second,
  /** How long that one is kept after the last doubt. */
  spareTime: 60 * second,
  /**
   * Pauses before a worker that did not start, or could not draw its own picture, is started again; the last one holds for
   * all that follow.
   */
  restartPauses: [0, 1, 5, 15, 30, 60, 120, 300, 600].map((seconds) => seconds * second),
  /** As many failures in a row, and nothing is begun until one goes well. */
  offFrom: 5,
} as const;

/** What one worker process may take of the computer's memory, with the encoders and decoders that it starts. */
export const memoryLimits = {
  /** Of the computer's memory, or of what the program was given of it. */
  share: 0.7,
  /** Bytes, however much there is. */
  most: 8_000 * megabyte,
  /** Milliseconds above the limit after which the process is ended. */
  patience: 5 * second,
  /** Times the limit at which it is ended at once. */
  burst: 1.25,
  /** Bytes that a process may keep when it has nothing to do; one that keeps more is replaced. */
  rest: 300 * megabyte,
} as const;

/** Milliseconds that renders and their files, and deleted templates, are kept. */
export const retention = {
  renders: 30 * day,
  deletedTemplates: 30 * day,
  /** For which an `Idempotency-Key` stands for the renders that were made with it. */
  idempotencyKeys: day,
  /** Between two looks for what has expired. */
  checkEvery: 60 * 60 * second,
  /** Two looks this far apart must agree before anything goes, so that a clock that jumps deletes nothing. */
  agreeAfter: 10 * 60 * second,
  /** A clock that is ahead of the steady one by more than this has jumped. */
  clockJump: day,
  /** A program that was not run for longer is asked about before it removes what expired meanwhile. */
  longPause: 365 * day,
} as const;

/** Webhook deliveries. Times in milliseconds. */
export const webhookLimits = {
  /** For one try. */
  timeout: 15 * second,
  /** Pauses before the second and later tries, each lengthened or shortened by up to `spread`. */
  pauses: [
    5 * second,
    5 * 60 * second,
    30 * 60 * second,
    2 * 60 * 60 * second,
    5 * 60 * 60 * second,
    10 * 60 * 60 * second,
  ],
  spread: 0.2,
  /** What a receiver may ask for with Retry-After at most. */
  longestRetryAfter: day,
  /** Between two calls that were due while the program was not running. */
  catchUpPause: 500,
  /** Before trying again to store a delivery that the disk refused. */
  savePause: 5 * second,
  /** Calls of one delivery that are remembered, the newest. */
  remembered: 20,
  /** Deliveries under way at once; one per receiving host. */
  atOnce: 4,
} as const;

/** Renders that may be worked on at the same time. */
export const concurrencyLimit = 8;

/** What a feed may hold, also while it is imported. */
export const feedLimits = {
  rows: 10_000,
  columns: 100,
  bytes: 20 * megabyte,
  /** Of rows as the window sends them: each cell with the ID of its column. */
  sentBytes: 64 * megabyte,
  /** Characters of the name of a feed or column. */
  nameLength: 256,
  /** Characters of the modification that a column becomes. */
  targetLength: 1_000,
  /** Characters of a value that is the same in all rows. */
  valueLength: 10_000,
  /** Rows that the sample shows. */
  sampleRows: 10,
} as const;

/** What the media library may hold; a file's size is bounded by `engineLimits.mediaBytes`. */
export const mediaLibraryLimits = {
  files: 10_000,
  /** Characters of a file's name. */
  nameLength: 256,
  /** Milliseconds for finding out what one file is. */
  inspectTime: 60 * second,
} as const;

/** The sound of an open document, for playing it in the window. */
export const soundLimits = {
  /** Seconds from the beginning; what comes later is silent in the window, and in the file as it should be. */
  longest: 20 * 60,
  /** Milliseconds for making one. */
  time: 120 * second,
  /** Files kept; the one made longest ago goes first. */
  kept: 12,
  /** Milliseconds for which an answer holds: a file that it was made from may change. */
  freshFor: 60 * second,
} as const;

/** Small copies of videos that browsers can't decode, for playing them in the window. */
export const proxyLimits = {
  /** Longest side, pixels. */
  side: 960,
  /** Seconds of the longest video that gets one. */
  longest: 20 * 60,
  /** Milliseconds for making one. */
  time: 600 * second,
  /** Bytes of one. */
  bytes: 500 * megabyte,
  /** Bytes of all that are kept; the one used longest ago goes first. */
  kept: 2_000 * megabyte,
} as const;

/**
 * What a spreadsheet file may hold before it is read: bytes when unpacked, the last row, and how many cells the last row and
 * column span, empty ones included.
 */
export const spreadsheetLimits = {
  bytes: 60 * megabyte,
  rows: 100_000,
  cells: 10_000_000,
} as const;

/** Values of a table of text while it is read, empty ones at the ends of lines included; and those of one line. */
export const tableLimits = { values: 3_000_000, lineValues: 16_384 } as const;

/** The list of requests to the API: entries, and characters of bodies. */
export const requestLogLimits = {
  usual: 500,
  most: 5_000,
  /** Of one body, as it is shown. */
  shown: 64_000,
  /** Of all bodies longer than that together; the oldest go first, and what is shown of them stays. */
  whole: 32 * megabyte,
} as const;

/** The drive of the output folder: free bytes below which the queue waits, and how often it is looked at then, in ms. */
export const outputLimits = { freeBytes: 2_000 * megabyte, lookEvery: 5 * second } as const;

/** When the queue waits for the computer to be plugged in, and how often the battery is read, in milliseconds. */
export const batteryLimit = {
  percent: 20,
  readEvery: 60 * second,
  longestRead: 1 * second,
} as const;

/** What the window's event stream may send: milliseconds between two progress events of one render. */
export const progressInterval = 250;
