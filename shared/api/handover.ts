/** Shape of a file for other programs, as workers answer it and the window gets it; see shared/handover.ts. */
import * as z from 'zod/mini';
import type { HandedOver } from '../handover.ts';

export const handedOver = z.object({
  text: z.string(),
  lost: z.readonly(z.array(z.object({ path: z.string(), element: z.string(), what: z.string() }))),
}) satisfies z.ZodMiniType<HandedOver>;
