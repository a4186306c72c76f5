/** What the worker that draws previews is sent and answers: a row of tasks.ts. */
import { z } from 'zod';
import { engineSettings, sentDocument } from './engine-settings.ts';

/** Everything needed for one picture. */
export const previewInput = z.object({
  /** The document after modifications. */
  source: sentDocument,
  /** Paths of elements that are left out of the picture, e.g. `elements[2]`. */
  hidden: z.array(z.string()),
  /** Seconds. */
  time: z.number(),
  /** Longest side of the picture in pixels; smaller documents are not made larger. */
  side: z.number(),
  /** True to also get what a page needs to draw the document itself. */
  kit: z.boolean(),
  /** Media stay here between questions. */
  workFolder: z.string(),
  ...engineSettings,
});

const problem = z.object({
  path: z.string(),
  element: z.string(),
  property: z.string(),
  severity: z.enum(['error', 'warning']),
  code: z.string(),
  message: z.string(),
});

const plane = z.object({
  corners: z.array(z.number()).readonly(),
  width: z.number(),
  height: z.number(),
});

/** What was drawn; see `PreviewFacts` in shared/preview.ts. */
const previewFacts = z.object({
  width: z.number(),
  height: z.number(),
  documentWidth: z.number(),
  documentHeight: z.number(),
  scale: z.number(),
  time: z.number(),
  frame: z.number(),
  frameCount: z.number(),
  frameRate: z.number(),
  duration: z.number(),
  elements: z.array(
    z.object({
      path: z.string(),
      name: z.string(),
      type: z.string(),
      track: z.number(),
      start: z.number(),
      duration: z.number(),
    }),
  ),
  lengths: z.record(z.string(), z.number()),
  outlines: z.record(
    z.string(),
    plane.extend({ inside: plane.exactOptional(), picture: plane.exactOptional() }),
  ),
  overflows: z.array(problem).readonly(),
  warnings: z.array(problem).readonly(),
});

/** A `LiveKit` of shared/engine/live-kit.ts as text, which only pages read, and the files that it lists. */
const kit = z.object({ text: z.string(), files: z.array(z.string()).readonly() });

/** The picture, a jpg or png in base64. */
export const previewOutput = z.object({
  facts: previewFacts,
  picture: z.base64(),
  kit: kit.nullable(),
});
