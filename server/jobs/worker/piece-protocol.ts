/** The parts of a start message, and of its answers, about a film that several workers make (server/engine/pieces/). */
import { z } from 'zod';
import { outputFormats } from '../../../shared/renderscript/formats.ts';

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
  ranges: z.array(range),
  isOneProcess: z.boolean(),
  hasSound: z.boolean(),
  hasSnapshot: z.boolean(),
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
