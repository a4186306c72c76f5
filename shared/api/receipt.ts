/**
 * What a file was made from: the receipt of a render, as it is kept beside the file, answered by the API and printed by
 * `framewright receipt`.
 */
import { z } from 'zod';

/** SHA-256 in hex. */
const digest = z.string();

/** The number of this form; a later program reads older ones. */
export const receiptForm = 1;

/** The receipt of one file. */
export const receiptSchema = z
  .object({
    /** The number of its form. */
    receipt: z.literal(receiptForm),
    /** What drew and coded the file, as the programs themselves say it. */
    build: z.object({
      framewright: z.string(),
      /** Null: the file was made without ffmpeg. */
      ffmpeg: z.string().nullable(),
      x264: z.string().nullable(),
      /** Of a film by another encoder, whose library says its version: `libx265 3.5`; by hardware: `h264_nvenc`. */
      encoder: z.string().exactOptional(),
      /** The drawing library and the kind of computer. */
      drawing: z.string(),
      /** Of the list of shipped fonts. */
      fonts: z.string(),
    }),
    /** Named in the file's metadata; absent: none. */
    template: z.object({ id: z.string(), name: z.string() }).exactOptional(),
    /** After modifications. */
    document: z.object({ digest, source: z.looseObject({}) }),
    scaling: z.object({
      render_scale: z.number().exactOptional(),
      max_width: z.number().exactOptional(),
      max_height: z.number().exactOptional(),
      largest_side: z.number().exactOptional(),
    }),
    /** Seconds, if the file is the picture of one moment. */
    moment: z.number().exactOptional(),
    /** How a film was cut: to share pieces with others, among workers, or not at all. Absent: by itself. */
    pieces: z.enum(['shared', 'divided', 'none']).exactOptional(),
    /** What the encoder was given: format, size, rate, frames, quality. */
    settings: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
    /** Files that the document names, by its own words; long ones are cut. */
    inputs: z.array(z.object({ source: z.string(), digest, bytes: z.number() })),
    /** Of the words of texts that follow speech; null: there are none. */
    words: digest.nullable(),
    /** Files that its texts may be drawn with. A font of the computer has no file here, and so no digest. */
    fonts: z.array(
      z.object({
        family: z.string(),
        style: z.enum(['normal', 'italic']),
        /** `400`, or a range: `100 900`. */
        weight: z.string(),
        digest: digest.nullable(),
      }),
    ),
    /** The file itself. */
    file: z.object({ digest, bytes: z.number() }),
  })
  .meta({ id: 'Receipt' });

/** See above. Plain data. */
export type Receipt = z.infer<typeof receiptSchema>;
