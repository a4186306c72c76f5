/** Facts of a media file as stored and as sent by a worker. */
import { z } from 'zod';
import type { MediaFacts } from '../../shared/api.ts';

/** The form of `MediaFacts`. */
export const mediaFacts = z.object({
  kind: z.enum(['image', 'video', 'audio']),
  format: z.string(),
  width: z.number(),
  height: z.number(),
  duration: z.number(),
  frameRate: z.number(),
  hasAudio: z.boolean(),
  hasAlpha: z.boolean(),
}) satisfies z.ZodType<MediaFacts>;
