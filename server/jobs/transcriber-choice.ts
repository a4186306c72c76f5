/** The speech recogniser as messages to a worker name it. */
import { z } from 'zod';

/** whisper.cpp's program and the file of its model. */
export const transcriberChoice = z.object({
  path: z.string(),
  model: z.string().exactOptional(),
});
