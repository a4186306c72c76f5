/**
 * The limits of requests, work, files and time; messages name the exceeded limit. Shared by window, server and engine.
 * Limits of documents (elements, sides, lengths) are in renderscript/limits.ts, where validation finds them.
 */

const megabyte = 1_000_000;
const second = 1_000;
const day = 24 * 60 * 60 * second;

/** Limits of one request. */
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
  /** Renders or files per page of a list: at most, and by default. */
  page: { most: 100, usual: 20 },
  /** Renders that one batch may ask for. */
  batch: 100,
} as const;

/**
 * Requests that stay open on purpose; beyond it streams and previews are refused, and waiting ones answered at once.
 */
export const openLimits = { streams: 50, waits: 50, previews: 20 } as const;

/** Bytes that the pieces of films may take which are kept for later renders. */
export const pieceLimits = { kept: 5_000 * megabyte } as const;

/** Recordings that the API is asked the words of: those that wait, and how many are kept at most. */
export const transcriptLimits = { waiting: 100, kept: 1_000 } as const;

/** The window's port unless another one is stored or named; below the API's, which searches upwards for a free one. */
export const windowPort = 4819;

/**
 * Work that leaves the API's thread. Work on the API's thread takes at most 20 ms on an ordinary computer: a document
 * of 128,000 characters is parsed, changed, checked and written in 10.
 */
export const deskLimits = {
  threads: 2,
  /** Tasks that may wait, and as many where they are small; more are refused with 503. */
  waiting: 100,
  waitingSmall: 1_000,
  /** Milliseconds that a waiting task lets others go first for each thousand characters, and at most. */
  courtesy: 100,
  mostCourtesy: 10 * second,
  /** Milliseconds of computing for one task, and how many times as long it may take on a busy computer. */
  deadline: 10 * second,
  patience: 6,
  /** Milliseconds in which a new thread has loaded. */
  loading: 10 * second,
  /** Megabytes of one thread's JavaScript values. */
  megabytes: 512,
  /** Milliseconds without work after which a thread is ended. */
  idle: 60 * second,
  /** Characters that the API's thread handles in one piece, as they are: reads, copies, sends in messages. */
  inlineCharacters: 128_000,
  /** Bytes of a body, and characters of a document, that it checks itself; costs a hundred times as much for each. */
  inlineDocument: 8_000,
  /**
   * Elements and properties that modifications may read or write on the API's thread; see
   * documentLimits.modificationSteps.
   */
  inlineSteps: 2_000,
} as const;

/** Requests of one account, over all its keys: `requests` within any `window` milliseconds. */
export const rateLimit = { requests: 30, window: 10 * second } as const;

/** Wrong keys: after `attempts` in `window` ms, further refusals wait for `delay` ms. */
export const wrongKeyLimit = { attempts: 20, window: 10 * second, delay: 1 * second } as const;

/** Bounds of the HTTP listeners, in milliseconds, bytes and connections. */
export const listenerLimits = {
  /** How long any body may take to arrive. */
  requestTime: 30 * second,
  /** Bytes of a body that earn it one more second: large files may come over slow networks. */
  bodyRate: 64_000,
  /** How long the rest of a body may take after the answer, how long it may pause, and its bytes. */
  restTime: 30 * second,
  restPause: 5 * second,
  restBytes: 100 * megabyte,
  headerTime: 10 * second,
  /** How long an answer may take to begin while nothing arrives: longer than what a handler waits for by itself. */
  answerTime: 11 * 60 * second,
  /** How long an idle connection stays open, as announced in answers. */
  keepAliveTime: 5 * second,
  /** Beyond that: a client that asks at the last moment still gets an answer. */
  keepAliveGrace: 2 * second,
  headerBytes: 16_384,
  connections: 200,
  /** How long up to twice as many may be open: in a flood this gives new connections time to ask. */
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

/** Limits of a Lottie animation: what would take longest is drawn for each of its moments. */
export const lottieLimits = {
  /** Bytes of its file, and of what is packed in it. */
  bytes: 20 * 1024 ** 2,
  /** Its own pixels on a side; it is drawn at any size. */
  side: 20_000,
  frameRate: 240,
  /** Seconds. */
  duration: 3_600,
  /** Layers, masks and effects, counted wherever a composition shows them. */
  layers: 5_000,
  /** Compositions within each other, and levels of its JSON. */
  depth: 32,
  nesting: 200,
  /** Objects and lists of its JSON, and properties of one. */
  objects: 1_000_000,
  properties: 1_000,
  /** Letters of the JSON that its slots put in. */
  slots: 2_000_000,
  /** Shapes with their points and copies, counted as layers are. */
  shapes: 200_000,
  /** Letters of all its texts. */
  letters: 20_000,
  /** Different lines, words or letters that are made into outlines: some milliseconds each. */
  pieces: 1_000,
  /** Megapixels of all pictures in it. */
  megapixels: 50,
  /** The largest number, in any unit. */
  value: 100_000,
  /** Points of a star, and copies of a repeater. */
  points: 500,
  copies: 500,
  /** How far the handle of an ease reaches; 1 is its end. */
  ease: 10,
} as const;

/**
 * Bytes per pixel that decoding a picture of the largest size may take, for what its decoder holds beside it included.
 */
export const pictureDepth = 10;

/** Bytes of one font file of a document, packed and unpacked. */
export const fontLimits = { bytes: 100 * megabyte } as const;

/** Texts that are spoken. */
export const voiceLimits = {
  /** Characters of one text. */
  letters: 5_000,
  /** Milliseconds for it. */
  time: 120 * second,
  /** Milliseconds to list the voices of the computer. */
  listTime: 20 * second,
  /** Bytes of an answer. */
  bytes: 50 * megabyte,
  /** Sounds kept; those heard longest ago go. */
  kept: 500,
} as const;

/** Limits of the speech models that people add. */
export const speechModelLimits = {
  /** Bytes of one file: the largest of whisper.cpp has 3.1 GB. */
  bytes: 4e9,
  /** Characters of a file's name. */
  nameLength: 120,
} as const;

/** Limits for examining one input file. Beyond it the file counts as damaged, and its render fails at once. */
export const examineLimits = {
  /** Milliseconds, and for how many bytes another second is added. */
  time: 5 * second,
  bytesPerSecond: 20 * megabyte,
  /** Bytes. */
  memory: 512 * megabyte,
  /** Milliseconds of one question to ffmpeg about the file. */
  ffmpegTime: 30 * second,
  /** Milliseconds that the thread which does it is kept without work. */
  keepThread: 20 * second,
  /** Largest file that is recognised by its content, in bytes: read in 20 ms. */
  knownBytes: 16 * megabyte,
  /** Milliseconds for which a failure is cached for the same content. */
  failureKept: 5 * 60 * second,
} as const;

/** Limits for drawing a costly looking input picture for the first time. Beyond it its render fails at once. */
export const trialLimits = {
  /** Milliseconds of computing. */
  time: 5 * second,
  /** Milliseconds in total, however busy the computer is; less than `workLimits.frameless`. */
  longest: 90 * second,
  /** Bytes. */
  memory: 1_500 * megabyte,
  /** Milliseconds that the thread which does it is kept without work. */
  keepThread: 20 * second,
} as const;

/** Limits for drawing one frame, besides the frame itself. */
export const drawingLimits = {
  /**
   * Bytes of all layers that are in use at a time; a frame of 36 megapixels is 144 MB. Most of them wait, still empty,
   * for those inside of them. A frame that needs more is drawn in at most `bands` bands.
   */
  layerBytes: 1_200 * megabyte,
  bands: 64,
  /**
   * Bytes of drawings kept from frame to frame to save work; they give way to layers in use. A canvas holds a copy of
   * what was drawn into it, so they take about twice as much.
   */
  keptLayerBytes: 300 * megabyte,
  /** Pixels of all frames to decode for one moment of an animated picture: half a minute of work. */
  animationPixels: 4_000 * megabyte,
  /** Videos with a decoder that stays open from frame to frame; each is a process of about 40 MB. */
  decoders: 40,
  /** Memory of those, estimated (`decoderBytes` in video-decoder.ts): 26 of 1080p, 6 of 4K, drawn in their own size. */
  decoderBytes: 2_000 * megabyte,
  /** Bytes of one frame of each simultaneously visible video: 120 of 1080p. Drawing takes as much again. */
  videoFrameBytes: 1_000 * megabyte,
  /** Temporary decoders open at the same time for further videos, each for a few frames. */
  passingDecoders: 4,
  /** Bytes of all frames that these read ahead, so that they are not opened for each. */
  passingFrameBytes: 250 * megabyte,
} as const;

/** How long an encoder of hardware may take before software takes over, in milliseconds. */
export const hardwareLimits = {
  /** For one second of a test picture. */
  trialTime: 15 * second,
  /** For the next frame; less than half of `workLimits.frameless`, as it may be waited for twice. */
  frameTime: 20 * second,
  /** For the end of the file, which is written once more. */
  endTime: 5 * 60 * second,
} as const;

/** How long ffmpeg may take to decode, in milliseconds. */
export const decodeLimits = {
  /** For the next frame of a video; less than `workLimits.frameless`, so that the sentence names the element. */
  frameTime: 90 * second,
  /** For a sound, in addition to its length. */
  soundTime: 120 * second,
  /** Bytes that one decoder may reserve if the system enforces it; 8K with 16 threads takes 0.9 GB. */
  processMemory: 4_000 * megabyte,
  /** The same for a sound alone. */
  soundMemory: 1_500 * megabyte,
  /**
   * Bytes of one block of it, which every build of ffmpeg keeps; the largest frame, of four planes of 16 bits, takes
   * 560 MB.
   */
  block: 1_200 * megabyte,
  soundBlock: 200 * megabyte,
  /**
   * What files may declare, before anything decodes them: samples per second and channels of a sound, size of a frame
   * (8K: 33).
   */
  sampleRate: { least: 1_000, most: 1_536_000 },
  channels: 64,
  frameMegapixels: 70,
  /** Bytes of a file that a decoder may write; it answers over a pipe and needs none. */
  processWrites: 64 * megabyte,
  /** Files that it may have open. */
  processFiles: 256,
} as const;

/** How long a render may run without a sign of life, and how often it is tried. Milliseconds. */
export const workLimits = {
  /** Attempts that may be lost to a crash or a stall before a render fails; repeated losses fail sooner. */
  attempts: 3,
  /** From starting a worker process to its first message, and for the known picture. */
  startTime: 30 * second,
  /** Without any message. */
  silence: 15 * second,
  /** Computing time in one step of drawing or reading before it counts as endless. */
  step: 60 * second,
  /** The same for the editor's pictures, for which someone waits. */
  previewStep: 20 * second,
  /** Without a new frame while frames are drawn. */
  frameless: 120 * second,
  /** Without another byte or file while media are fetched: longer than all tries for a silent server. */
  idle: 10 * 60 * second,
  /** Whole render. */
  renderTime: 6 * 60 * 60 * second,
  /** From asking a render to stop to ending its process. */
  cancelTime: 2 * second,
  /** In one step, before a spare process is started in case this one must be ended. */
  doubt: 2 * second,
  /** How long the spare one is kept after the last doubt. */
  spareTime: 60 * second,
  /**
   * Pauses before restarting a worker that did not start, or could not draw the known picture; the last one repeats.
   */
  restartPauses: [0, 1, 5, 15, 30, 60, 120, 300, 600].map((seconds) => seconds * second),
  /** After so many failures in a row nothing starts until a start succeeds. */
  offFrom: 5,
} as const;

/** Memory that one worker process may take, with its encoders and decoders. */
export const memoryLimits = {
  /** Of the computer's memory, or of the container's. */
  share: 0.7,
  /** Bytes, however much there is. */
  most: 8_000 * megabyte,
  /** Milliseconds above the limit after which the process is ended. */
  patience: 5 * second,
  /** At so many times the limit it is ended at once. */
  burst: 1.25,
  /** Bytes that a process reserves before it uses any: 1 GiB of the drawing library's allocator, stacks of threads. */
  unused: 1_300 * megabyte,
  /** Bytes that an idle process may keep; one that keeps more is replaced. */
  rest: 300 * megabyte,
} as const;

/** Milliseconds for which renders, their files, and deleted templates are kept. */
export const retention = {
  renders: 30 * day,
  deletedTemplates: 30 * day,
  /** For which an `Idempotency-Key` is valid. */
  idempotencyKeys: day,
  /** Between two checks for expired things. */
  checkEvery: 60 * 60 * second,
  /** Two checks this far apart must agree before anything is removed, so that a jumping clock deletes nothing. */
  agreeAfter: 10 * 60 * second,
  /** A clock this far ahead of the steady one has jumped. */
  clockJump: day,
  /** After a longer break between runs the user is warned before what expired meanwhile is removed. */
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
  /** Longest Retry-After that a receiver may request. */
  longestRetryAfter: day,
  /** Between two calls that were due while the program was not running. */
  catchUpPause: 500,
  /** Before trying again to store a delivery that the disk refused. */
  savePause: 5 * second,
  /** How many of a delivery's newest calls are stored. */
  remembered: 20,
  /** Deliveries under way at once; one per receiving host. */
  atOnce: 4,
} as const;

/** The receiver in which the user can look at webhooks. */
export const receiverLimits = {
  /** It prefers this port; if it is taken, any free one. */
  port: 4830,
  /** How many of the newest calls are kept. */
  calls: 50,
  /** How much of a body is kept. */
  bodyBytes: 64_000,
  /** For one request, ms. */
  requestTime: 15 * second,
  connections: 20,
  /** What it tells callers with a 429, in seconds. */
  retryAfter: 10,
} as const;

/** How many of a project's newest deliveries the window lists. */
export const listedDeliveries = 50;

/** Most renders at the same time. */
export const concurrencyLimit = 8;

/** Limits of a feed, also during its import. */
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

/** Limits of the media library; a file's size is bounded by `engineLimits.mediaBytes`. */
export const mediaLibraryLimits = {
  files: 10_000,
  /** Characters of a file's name. */
  nameLength: 256,
  /** Milliseconds for finding out what one file is. */
  inspectTime: 60 * second,
  /** Files that keys send at the same time; each may fill the drive. */
  uploads: 20,
} as const;

/** Limits of the fonts that people add. */
export const fontLibraryLimits = {
  files: 300,
  /** Bytes of one file: fonts with all Chinese characters have about 30 MB. */
  bytes: 40_000_000,
  /** Characters of a file's name. */
  nameLength: 256,
  /** Milliseconds for finding out what one file is. */
  inspectTime: 30 * second,
} as const;

/** Limits of a project's brand. */
export const brandLimits = {
  colors: 12,
  /** Characters of a font's family. */
  fontLength: 200,
  /** Characters of the logo's address. */
  logoLength: 2000,
} as const;

/** Markers of a template: how many, characters of a name, and seconds of the latest moment. */
export const markerLimits = { count: 1000, nameLength: 200, latest: 1_000_000 } as const;

/** Limits of a template's file with its media and fonts (`.framewright`), for making and for reading one. */
export const shareLimits = {
  /** Of a kit. */
  templates: 100,
  /** Bytes of all their documents. */
  documentBytes: 64 * megabyte,
  /** Bytes of a template's picture. */
  pictureBytes: 300_000,
  files: 500,
  /** Bytes of the file, and of what it contains: a plain zip holds less than 4 GiB. */
  bytes: 4_200_000_000,
  /** Bytes that it may contain per byte of its own, beyond `freeBytes`: media hardly get smaller. */
  ratio: 20,
  freeBytes: 64 * megabyte,
  /** Bytes of the manifest, and of the archive's list of files. */
  listBytes: megabyte,
  /** Bytes of a font, or of a file with subtitles. */
  partBytes: fontLimits.bytes,
  /** Imports at the same time, in all projects; one unpacks, the others receive or wait. */
  imports: 4,
} as const;

/** The sound of an open document, for playing it in the window. */
export const soundLimits = {
  /** Seconds from the beginning; what comes later is silent in the window, and in the file as it should be. */
  longest: 20 * 60,
  /** Milliseconds for making one. */
  time: 120 * second,
  /** Files kept; the one made longest ago goes first. */
  kept: 12,
  /** Milliseconds for which a result is valid: its source files may change. */
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
 * Limits of a spreadsheet file, checked before reading it: bytes when unpacked, the last row, and how many cells the
 * last row and column span, empty ones included.
 */
export const spreadsheetLimits = {
  bytes: 60 * megabyte,
  rows: 100_000,
  cells: 10_000_000,
  /** Bytes of one text; a cell of Excel holds 32,767 characters. */
  text: megabyte,
  /** Milliseconds, and bytes of memory, of the process that reads one. */
  time: 30 * second,
  memory: 1_000 * megabyte,
} as const;

/** Of a check of a feed's files: milliseconds, files at the same time, and how many are known to be fine. */
export const fileTrialLimits = { time: 60 * second, atOnce: 4, known: 20_000 } as const;

/** A check of a document before it is rendered. */
export const checkLimits = {
  /** Milliseconds for one, its files included. */
  time: 180 * second,
  /** Seconds of the film's sound that are mixed. */
  heard: 10 * 60,
  /** Sounds that are also heard alone. */
  sounds: 12,
  /** Findings in an answer. */
  findings: 200,
  /** Checks that wait or run for all requests together. */
  waiting: 10,
} as const;

/** Values of a table of text while it is read, empty ones at the ends of lines included; and those of one line. */
export const tableLimits = { values: 3_000_000, lineValues: 16_384 } as const;

/**
 * Earlier versions of a template: how many are kept (0: none), and bytes of them together, whichever is reached first.
 */
export const versionLimits = { usual: 50, most: 500, bytes: 256 * megabyte } as const;

/** The list of requests to the API: entries, and characters of bodies. */
export const requestLogLimits = {
  usual: 500,
  most: 5_000,
  /** Of one body, as it is shown. */
  shown: 64_000,
  /** Of all longer bodies together; the oldest go first, but their shown part stays. */
  whole: 32 * megabyte,
} as const;

/** The drive of the output folder: free bytes below which the queue waits, and how often it is then checked, in ms. */
export const outputLimits = { freeBytes: 2_000 * megabyte, lookEvery: 5 * second } as const;

/**
 * Bytes of downloads that are kept between renders, unless a setting says otherwise; the least recently used go first.
 */
export const cacheLimit = 5_000 * megabyte;

/** The most threads that paint one film. More of them take memory, and the encoder becomes the limit. */
export const mostPaintingThreads = 6;

/** When the queue waits for the computer to be plugged in, and how often the battery is read, in milliseconds. */
export const batteryLimit = {
  percent: 20,
  readEvery: 60 * second,
  longestRead: 1 * second,
} as const;

/** What the window's event stream may send: milliseconds between two progress events of one render. */
export const progressInterval = 250;
