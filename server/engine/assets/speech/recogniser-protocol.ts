/** What is said between a worker and the process that recognises speech (built-in.ts, recogniser-process.ts). */
import { z } from 'zod';

/** A part of a WAV file, in seconds. */
const span = z.object({ start: z.number(), end: z.number() });

/** Worker → recogniser. One order at a time; the first one loads its model. */
export const recogniserOrder = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('hear'),
    model: z.string(),
    sound: z.string(),
    span,
    /** `auto` = recognise it. */
    language: z.string(),
    /** Words that may come up, in a line; empty = none. */
    words: z.string(),
    threads: z.number(),
  }),
  z.object({
    type: z.literal('find-voices'),
    model: z.string(),
    sound: z.string(),
    spans: z.array(span).readonly(),
    threads: z.number(),
  }),
  /** Nobody waits any more: it gives its model's memory back. No answer. */
  z.object({ type: z.literal('rest') }),
]);

/** A token, or several if it ends amid a letter; milliseconds from the beginning of the part. */
const token = z.object({ text: z.string(), t0: z.number(), t1: z.number() });

/** Recogniser → worker. */
export const recogniserAnswer = z.discriminatedUnion('type', [
  /** The share of the order that is done, 0–1. */
  z.object({ type: z.literal('progress'), share: z.number() }),
  z.object({
    type: z.literal('heard'),
    language: z.string().nullable(),
    /** All that was said: a token may have lost letters. */
    text: z.string(),
    tokens: z.array(token),
  }),
  z.object({ type: z.literal('voices'), spans: z.array(span) }),
  z.object({
    type: z.literal('failed'),
    /** `missing`: the library; `model`: it can't be read; `other`: anything else. */
    why: z.enum(['missing', 'model', 'other']),
    message: z.string(),
  }),
]);

export type RecogniserOrder = z.infer<typeof recogniserOrder>;
export type RecogniserAnswer = z.infer<typeof recogniserAnswer>;
export type SpokenToken = z.infer<typeof token>;
