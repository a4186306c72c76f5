/** What messages to a worker that draws have in common, whatever is to be drawn. */
import { z } from 'zod';

/** Numbers that bound what is read; see shared/limits.ts for the defaults. */
const mediaLimits = z.object({
  /** Megapixels of one input picture. */
  pictureMegapixels: z.number(),
  /** Bytes of one media file. */
  mediaBytes: z.number(),
});

/** whisper.cpp's program and the file of its model. */
const transcriberChoice = z.object({
  path: z.string(),
  model: z.string().exactOptional(),
});

/** A document as JSON, or the file that has it, where it is long. */
export const sentDocument = z.union([z.string(), z.object({ file: z.string() })]);

/** See `sentDocument`. */
export type SentDocument = z.infer<typeof sentDocument>;

/** Fields of a message: folders, programs and limits of the engine. */
export const engineSettings = {
  /** Downloads are kept here between renders. */
  cacheFolder: z.string(),
  /** Folders that `file:` and relative sources may lie in. */
  mediaFolders: z.array(z.string()),
  /** The folder of shipped fonts. */
  fontFolder: z.string(),
  /** A chosen ffmpeg; absent = find one (server/engine/ffmpeg.ts). */
  ffmpegPath: z.string().optional(),
  /** A speech recogniser (server/engine/assets/speech/transcribe.ts); absent = there is none. Previews use what it heard before. */
  transcriber: transcriberChoice.exactOptional(),
  /** The rule of outgoing addresses (server/system/address-rule.ts). */
  allowPrivateAddresses: z.boolean(),
  ownPorts: z.array(z.number()).readonly(),
  limits: mediaLimits,
} as const;
