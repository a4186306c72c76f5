/** What all messages to a drawing worker have in common. */
import { writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { hardwareFamilies } from '../../../shared/hardware.ts';
import { deskLimits } from '../../../shared/limits.ts';
import type { Source } from '../../../shared/renderscript/source.ts';
import { contentOf, type JsonText } from '../../system/json-text.ts';

/** Limits on what is read; defaults in shared/limits.ts. */
const mediaLimits = z.object({
  /** Megapixels of one input picture. */
  pictureMegapixels: z.number(),
  /** Bytes of one media file. */
  mediaBytes: z.number(),
});

/** What the person said of what is spoken. */
const speechHints = { language: z.string().exactOptional(), words: z.string().exactOptional() };

/** What recognises speech: a row of recognisers.ts in the engine, with what it needs. */
export const transcriberChoice = z.discriminatedUnion('kind', [
  /** The library, with the files of its models. */
  z.object({
    kind: z.literal('built-in'),
    model: z.string(),
    voices: z.string().exactOptional(),
    ...speechHints,
  }),
  /** The paths of whisper.cpp's program and its model. */
  z.object({
    kind: z.literal('program'),
    path: z.string(),
    model: z.string().exactOptional(),
    ...speechHints,
  }),
  z.object({
    kind: z.literal('address'),
    url: z.string(),
    key: z.string().exactOptional(),
    model: z.string().exactOptional(),
    ...speechHints,
  }),
]);

/** A font file that people added: its place and facts. */
export const addedFont = z.object({
  family: z.string(),
  style: z.enum(['normal', 'italic']),
  minWeight: z.number(),
  maxWeight: z.number(),
  /** Absolute. Contains the content's hash, so that other content has another path. */
  path: z.string(),
});

/** A document as JSON, or the file that contains it if it is long. */
export const sentDocument = z.union([z.string(), z.object({ file: z.string() })]);

/** See `sentDocument`. */
export type SentDocument = z.infer<typeof sentDocument>;

/** Fields of a message: folders, programs and limits of the engine. */
export const engineSettings = {
  /** Downloads are kept here between renders. */
  cacheFolder: z.string(),
  /** Bytes that they may take; absent = the usual limit. */
  cacheLimit: z.number().exactOptional(),
  /** Bytes that kept pieces of films may take, 0 = none; absent = the usual limit. */
  piecesLimit: z.number().exactOptional(),
  /** How many threads paint a film; absent = as many as pay. */
  paintingThreads: z.number().optional(),
  /** Folders that `file:` and relative sources may lie in. */
  mediaFolders: z.array(z.string()),
  /** Files in them that the document must not see (server/system/media-folders.ts); absent = none. */
  hiddenMedia: z
    .object({ project: z.string(), folder: z.string(), names: z.array(z.string()).readonly() })
    .exactOptional(),
  /** The folder of shipped fonts. */
  fontFolder: z.string(),
  /** Fonts that people added; absent = none. */
  addedFonts: z.array(addedFont).exactOptional(),
  /** A chosen ffmpeg; absent = find one (server/engine/ffmpeg.ts). */
  ffmpegPath: z.string().optional(),
  /** The hardware that codes films where it can; absent = software. */
  encodeWith: z.enum(hardwareFamilies).exactOptional(),
  /**
   * A speech recogniser (server/engine/assets/speech/recognisers.ts); absent = none. Previews only use its cached
   * results.
   */
  transcriber: transcriberChoice.exactOptional(),
  /** Who speaks texts (server/engine/assets/voices/voices.ts), with the person's keys; absent = no one. */
  voices: z
    .object({
      lines: z.array(z.string()),
      keys: z.object({
        address: z.string().optional(),
        openai: z.string().optional(),
        elevenlabs: z.string().optional(),
      }),
    })
    .optional(),
  /** The rule of outgoing addresses (server/system/address-rule.ts). */
  allowPrivateAddresses: z.boolean(),
  ownPorts: z.array(z.number()).readonly(),
  limits: mediaLimits,
} as const;

/**
 * The document as messages contain it: a long one goes into a file, because a large message would block everyone.
 *
 * @param file Where to write it if needed; the caller removes it.
 */
export async function handOver(source: Source | JsonText, file: string): Promise<SentDocument> {
  const content = contentOf(source);
  if (typeof content === 'string' && content.length <= deskLimits.inlineCharacters) return content;
  await writeFile(file, content);
  return { file };
}
