/** The window's routes about the last requests to the public API. */
import * as z from 'zod/mini';
import type { Of, Rows } from './row.ts';

const entryShape = {
  /** Grows by one with every request of this start. */
  number: z.number(),
  /** When it came in, ms since 1970. */
  time: z.number(),
  method: z.string(),
  /** With the query. */
  path: z.string(),
  status: z.number(),
  /** Milliseconds until it was answered. */
  duration: z.number(),
  /** Of the answer's body. */
  bytes: z.number(),
  /** The key that was sent, if valid: its ID and name. */
  key: z.exactOptional(z.string()),
  keyName: z.exactOptional(z.string()),
  /** Why it was refused, in words. */
  reason: z.exactOptional(z.string()),
  /** ID of the render that it made. */
  render: z.exactOptional(z.string()),
};
export const requestEntry = z.object(entryShape);
/** One request to the public API, as the list of requests shows it. */
export type RequestEntry = Of<typeof requestEntry>;

/** One of the two bodies of a request. */
export type BodyPart = 'request' | 'answer';

const cutBody = z.enum(['kept', 'gone']);
/** Of a long body only the beginning is shown; the whole is `kept`, or `gone` to make room for newer ones. */
export type CutBody = Of<typeof cutBody>;

const headers = z.record(z.string(), z.string());
const details = z.object({
  ...entryShape,
  /** Keys are shortened to their last four characters. */
  requestHeaders: headers,
  requestBody: z.exactOptional(z.string()),
  /** Absent for a body that is whole. */
  requestCut: z.exactOptional(cutBody),
  responseHeaders: headers,
  responseBody: z.exactOptional(z.string()),
  responseCut: z.exactOptional(cutBody),
});
/** A request with what was sent and answered. */
export type RequestDetails = Of<typeof details>;

const limit = z.object({
  left: z.nullable(z.number()),
  most: z.nullable(z.number()),
  /** The window of the limit in milliseconds. */
  window: z.number(),
});
/** Requests that the rate limit allows now, and at most. Null: no limit. */
export type RequestLimit = Of<typeof limit>;

const list = z.object({
  recording: z.boolean(),
  /** Newest first. */
  requests: z.array(requestEntry),
  /** When each key was last used, ms since 1970, by its ID; only since the program was started. */
  keysUsed: z.record(z.string(), z.number()),
  /** How many requests are kept. */
  size: z.number(),
  limit,
});
export type RequestList = Of<typeof list>;

/** The last requests to the public API. */
export const requestRows = {
  list: { method: 'GET', path: '/requests', answer: list },
  limit: { method: 'GET', path: '/request-limit', answer: limit },
  details: { method: 'GET', path: '/requests/:number', answer: details },
  /** The whole of a shortened body; `part` is a BodyPart. */
  wholeBody: { method: 'GET', path: '/requests/:number/:part', answer: 'file' },
  /** Records requests, or stops. */
  record: {
    method: 'PATCH',
    path: '/requests',
    body: z.object({ recording: z.boolean('true or false') }),
    answer: list,
  },
  clear: { method: 'DELETE', path: '/requests', answer: null },
} as const satisfies Rows;
