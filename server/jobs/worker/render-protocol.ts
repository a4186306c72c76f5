/** What the worker that renders is sent and answers: a row of tasks.ts. */
import { z } from 'zod';
import { engineSettings, sentDocument } from './engine-settings.ts';
import { outputFormats } from '../../../shared/renderscript/formats.ts';

// The parts of a start message, and of its answers, about a film that several workers make (server/engine/pieces/).

const range = z.object({ first: z.number(), end: z.number() });

/** See the engine's `Split`. */
export const split = z.object({
  print: z.string(),
  output: z.object({
    format: z.enum(outputFormats),
    width: z.number(),
    height: z.number(),
    frameRate: z.number(),
    frameCount: z.number(),
  }),
  ranges: z.array(range).readonly(),
  isOneProcess: z.boolean(),
  hasSound: z.boolean(),
  hasSnapshot: z.boolean(),
  kept: z.object({ pieces: z.array(z.string()).readonly(), sound: z.string() }).nullable(),
});

/** See the engine's `PieceBasis`. */
export const basis = split.pick({ print: true, isOneProcess: true });

/** What to make of a document. Absent: the whole file. */
export const task = z.discriminatedUnion('kind', [
  /** The whole file, unless it is better made in pieces; the answer is `split` then. */
  z.object({ kind: z.literal('offer'), build: z.string() }),
  /** A piece, as the output; the answer is `piece-made`. */
  z.object({
    kind: z.literal('piece'),
    basis,
    piece: z.union([range, z.literal('sound')]),
    build: z.string(),
  }),
  /** The whole file from its pieces. */
  z.object({
    kind: z.literal('join'),
    split,
    files: z.object({ frames: z.array(z.string()), sound: z.string().nullable() }),
    /** Seconds of it that were kept from other films. */
    reused: z.number(),
  }),
]);

/** What a computer's pieces follow from; see the engine's `EngineBuild`. */
export const build = z.object({
  ffmpeg: z.string(),
  x264: z.string(),
  drawing: z.string(),
  fonts: z.string(),
});

export type SplitFilm = z.infer<typeof split>;
export type WorkerBuild = z.infer<typeof build>;
/** Who could make a film together; see the engine's `Offer`. */
export type Offer = Omit<Extract<z.infer<typeof task>, { kind: 'offer' }>, 'kind'>;

/** Everything needed to make one file. */
export const renderInput = z.object({
  /** The render's. */
  id: z.string(),
  /** The document after modifications; read and checked again by the worker. */
  source: sentDocument,
  /** Request options that change the size of the file. */
  scaling: z.object({
    renderScale: z.number().optional(),
    maxWidth: z.number().optional(),
    maxHeight: z.number().optional(),
    largestSide: z.number().optional(),
  }),
  /** If set: draw only this moment, in seconds, as a picture in the format that the output path names. */
  moment: z.number().optional(),
  /** Where the finished file goes. The worker writes `<path>.part` beside the work folder first. */
  outputPath: z.string(),
  /** Where a separate snapshot goes, when the document asks for one. */
  snapshotPath: z.string(),
  firstPicture: z.boolean().optional(),
  /** Where the receipt of the whole file goes. Absent: none is made. */
  receiptPath: z.string().exactOptional(),
  /** The template that the document came from, for the file's metadata. */
  madeFrom: z.object({ id: z.string(), name: z.string() }).optional(),
  /** The last attempt was lost: finish each element before the next, so that a repeated loss can name the element. */
  closely: z.boolean().optional(),
  /** One of several films of a template, which share what is equal. */
  isShared: z.boolean().exactOptional(),
  /** Cut as several workers cut it. */
  isDivided: z.boolean().exactOptional(),
  task: task.exactOptional(),
  /** This attempt's own folder. */
  workFolder: z.string(),
  ...engineSettings,
});

/** Where a render is. */
export const renderPosition = z.object({
  phase: z.enum(['waiting', 'transcribing', 'rendering', 'finishing']),
  frame: z.number(),
  frames: z.number(),
  /** While transcribing. */
  share: z.number().exactOptional(),
  /** While waiting. */
  bytes: z.number().exactOptional(),
  bytesTotal: z.number().exactOptional(),
});

/** Where it is, or the last drawn frame as a jpg in base64, the answer to `look`. */
export const renderProgress = z.union([renderPosition, z.object({ picture: z.string() })]);

/** Facts of the finished file, read from it. */
const facts = z.object({
  /** Pixels; 0 for sounds. */
  width: z.number(),
  height: z.number(),
  /** Absent for pictures and sounds. */
  frameRate: z.number().optional(),
  /** Absent for pictures. */
  duration: z.number().optional(),
  fileSize: z.number(),
  snapshot: z.boolean(),
  /** Seconds of a film that were kept from earlier renders; absent: none. */
  reused: z.number().exactOptional(),
  /** The encoder of hardware that made it, or that should have, and why it did not. */
  encoder: z.string().exactOptional(),
  hardwareFault: z.object({ encoder: z.string(), reason: z.string() }).exactOptional(),
});

const warnings = z.array(z.string()).readonly();

/** How it ends well. */
export const renderOutput = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('done'), facts, warnings }),
  /** An offer is taken: the film was not made, but divided. */
  z.object({ kind: z.literal('split'), split }),
  /** A piece of a film is there; only if it was asked for. */
  z.object({ kind: z.literal('piece'), warnings }),
]);

export type RenderInput = z.infer<typeof renderInput>;
export type RenderOutput = z.infer<typeof renderOutput>;
export type RenderFacts = z.infer<typeof facts>;
