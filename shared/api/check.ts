/** Shapes of a check before rendering, as workers answer it and the API passes it on; see shared/findings.ts. */
import * as z from 'zod/mini';
import { findingLevels, type CheckReport } from '../findings.ts';

const patchStep = z.object({
  op: z.enum(['add', 'remove', 'replace', 'move']),
  path: z.string(),
  from: z.exactOptional(z.string()),
  value: z.exactOptional(z.unknown()),
});

export const finding = z.object({
  path: z.string(),
  element: z.string(),
  level: z.enum(findingLevels),
  code: z.string(),
  message: z.string(),
  cure: z.string(),
  time: z.exactOptional(z.number()),
  patch: z.exactOptional(z.readonly(z.array(patchStep))),
});

export const renderEstimate = z.object({
  seconds: z.number(),
  bytes: z.number(),
  width: z.number(),
  height: z.number(),
  duration: z.number(),
  frames: z.number(),
});

export const checkReport = z.object({
  findings: z.readonly(z.array(finding)),
  more: z.number(),
  estimate: z.nullable(renderEstimate),
}) satisfies z.ZodMiniType<CheckReport>;
