/**
 * The messages between the server and the worker that draws previews: one picture for each question, newest question
 * wins. Both sides parse what arrives (zod), because it comes from another process.
 */
import { z } from 'zod';
import { engineSettings, sentDocument } from './engine-settings.ts';

/** Everything needed for one picture. */
export const previewMessage = z.object({
  type: z.literal('preview'),
  id: z.string(),
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
  warnings: z.array(problem),
});

/** A `LiveKit` of shared/engine/live-kit.ts as text, which only pages read, and the files that it lists. */
const kit = z.object({ text: z.string(), files: z.array(z.string()).readonly() });

/** Worker → server, besides `ready`. */
export const previewEvents = [
  /** The drawing thread's sign of life while a picture is worked on. */
  z.object({ type: z.literal('preview-alive'), id: z.string() }),
  z.object({
    type: z.literal('preview-done'),
    id: z.string(),
    facts: previewFacts,
    picture: z.base64(),
    kit: kit.nullable(),
  }),
  z.object({
    type: z.literal('preview-failed'),
    id: z.string(),
    code: z.string(),
    message: z.string(),
    path: z.string().optional(),
    /** For the log only: the stack of an error that is a bug. */
    stack: z.string().optional(),
    /** A thread of the process may be stuck for ever: it takes no more questions. */
    spoilt: z.literal(true).exactOptional(),
  }),
] as const;

export type PreviewMessage = z.infer<typeof previewMessage>;
