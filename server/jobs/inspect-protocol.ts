/**
 * The messages between the server and a worker that looks at one file for the media library. Both sides parse what arrives
 * (zod), because it comes from another process.
 */
import { z } from 'zod';

/** One file to look at. */
export const inspectMessage = z.object({
  type: z.literal('inspect'),
  filePath: z.string(),
  /** Without its ending. */
  thumbnailPath: z.string(),
  workFolder: z.string(),
  fontFolder: z.string(),
  ffmpegPath: z.string().optional(),
  limits: z.object({ pictureMegapixels: z.number(), mediaBytes: z.number() }),
});

/** Facts of a file; see `MediaInfo` in server/engine/assets/media-info.ts. */
const mediaFacts = z.object({
  kind: z.enum(['image', 'video', 'audio']),
  format: z.string(),
  /** Upright pixels; 0 for sounds. */
  width: z.number(),
  height: z.number(),
  /** Seconds; 0 for still pictures. */
  duration: z.number(),
  /** Frames per second; 0 without a moving picture. */
  frameRate: z.number(),
  hasAudio: z.boolean(),
  hasAlpha: z.boolean(),
});

/** Worker → server, besides `ready`. */
export const inspectEvent = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('inspected'),
    facts: mediaFacts,
    isCutOff: z.boolean(),
    thumbnail: z.enum(['jpg', 'png']).nullable(),
  }),
  z.object({ type: z.literal('inspect-failed'), message: z.string() }),
]);

export type InspectMessage = z.infer<typeof inspectMessage>;
export type InspectEvent = z.infer<typeof inspectEvent>;
