/**
 * The messages between the server and a worker that looks at one file for the media library. Both sides parse what arrives
 * (zod), because it comes from another process.
 */
import { z } from 'zod';
import { mediaFacts } from '../store/media-facts.ts';
import { engineSettings } from './engine-settings.ts';

/** One file to look at. */
export const inspectMessage = z.object({
  type: z.literal('inspect'),
  filePath: z.string(),
  /** Without its ending. */
  thumbnailPath: z.string(),
  workFolder: z.string(),
  fontFolder: engineSettings.fontFolder,
  ffmpegPath: engineSettings.ffmpegPath,
  limits: engineSettings.limits,
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
