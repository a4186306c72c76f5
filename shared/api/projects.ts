/** The window's routes about projects, their keys and their webhooks. */
import * as z from 'zod/mini';
import { brandLimits, requestLimits } from '../limits.ts';
import type { Of, Rows } from './row.ts';

const words = {
  name: `a string of 1 to ${requestLimits.nameLength} characters`,
  colors: `a list of up to ${brandLimits.colors} colours as #rrggbb`,
  font: `a string of at most ${brandLimits.fontLength} characters`,
  logo: `a string of at most ${brandLimits.logoLength} characters`,
  url: 'an http or https address that webhooks may call',
  on: 'true or false',
};
/** What an address that is called for a test has to be. */
export const testWords = 'an http or https address that webhooks may call';
/** What an address that webhooks call has to be. */
export const webhookWords = 'an http or https address without a name and password, or null';

const name = z
  .string(words.name)
  .check(z.minLength(1, words.name), z.maxLength(requestLimits.nameLength, words.name));
const named = z.object({ name });
const font = z.string(words.font).check(z.maxLength(brandLimits.fontLength, words.font));

/** What a project's templates look like, as it can be stored. */
export const projectBrand = z.object({
  /** As `#rrggbb`; the first is the one of new elements. */
  colors: z
    .array(z.string(words.colors).check(z.regex(/^#[0-9a-f]{6}$/i, words.colors)), words.colors)
    .check(z.maxLength(brandLimits.colors, words.colors)),
  /** Families of titles and of texts; '' for the program's own. */
  titleFont: font,
  textFont: font,
  /** The `source` of a picture, e.g. `media:ID` for one of the media library; '' for none. */
  logo: z.string(words.logo).check(z.maxLength(brandLimits.logoLength, words.logo)),
});
/** What a project's templates look like: offered first wherever such a thing is chosen. */
export type Brand = Of<typeof projectBrand>;

const key = z.object({ id: z.string(), name: z.string(), key: z.string() });

const project = z.object({
  id: z.string(),
  name: z.string(),
  /** ms since 1970. */
  createdAt: z.number(),
  /** Called when a render ends that has no webhook address of its own. */
  webhookUrl: z.exactOptional(z.string()),
  /** Absent: none was chosen. */
  brand: z.exactOptional(
    z.object({
      colors: z.array(z.string()),
      titleFont: z.string(),
      textFont: z.string(),
      logo: z.string(),
    }),
  ),
  keys: z.array(key),
  /** The secrets that webhooks are signed with, newest first; the previous one stays for a day. */
  webhookSecrets: z.array(z.string()),
});
/** A project with its keys and secrets. */
export type ProjectRecord = Of<typeof project>;

const projectChange = z.object({
  name: z.exactOptional(name),
  brand: z.exactOptional(projectBrand),
  webhookUrl: z.exactOptional(
    z.nullable(
      z.string(webhookWords).check(z.maxLength(requestLimits.webhookUrlLength, webhookWords)),
    ),
  ),
});

/** Projects and their keys. */
export const projectRows = {
  /** Oldest first. */
  list: { method: 'GET', path: '/projects', answer: z.array(project) },
  /** With one key. */
  create: { method: 'POST', path: '/projects', body: named, status: 201, answer: project },
  change: { method: 'PATCH', path: '/projects/:id', body: projectChange, answer: project },
  /** An empty project and its keys; scripts that use them are refused from now on. */
  remove: { method: 'DELETE', path: '/projects/:id', answer: null },
  /** The old one also signs for a day. */
  replaceSecret: { method: 'POST', path: '/projects/:id/secret', answer: project },
  createKey: {
    method: 'POST',
    path: '/projects/:id/keys',
    body: named,
    status: 201,
    answer: key,
  },
  removeKey: { method: 'DELETE', path: '/keys/:id', answer: null },
} as const satisfies Rows;

const call = z.object({
  /** When it began: ISO 8601, UTC. */
  time: z.string(),
  /** The HTTP status of the answer; in words, why there was none. */
  result: z.union([z.number(), z.string()]),
  /** Milliseconds. */
  duration: z.number(),
});
/** One call of a receiver. */
export type DeliveryCall = Of<typeof call>;

/** One webhook delivery. */
export const delivery = z.object({
  /** The `webhook-id`. */
  id: z.string(),
  project: z.string(),
  /** ID of the render. */
  render: z.string(),
  url: z.string(),
  state: z.enum(['waiting', 'delivered', 'given-up']),
  /** Calls that were made. */
  tries: z.number(),
  /** Times in ms since 1970; `dueAt` is that of the next try while it waits. */
  createdAt: z.number(),
  dueAt: z.number(),
  /** Before the next call, in milliseconds. */
  pause: z.optional(z.number()),
  finishedAt: z.optional(z.number()),
  /** How the last call ended, in words. */
  result: z.optional(z.string()),
  /** The newest calls, oldest first; including those before "Send again". Absent if none were stored. */
  calls: z.optional(z.array(call)),
});
export type DeliveryRecord = Of<typeof delivery>;

/** The statuses with which the test receiver can answer. */
export const receiverAnswers = [200, 410, 429, 500] as const;

/** One of them. */
export type ReceiverAnswer = (typeof receiverAnswers)[number];

const received = z.object({
  /** Grows by one with each. */
  number: z.number(),
  /** ms since 1970. */
  time: z.number(),
  method: z.string(),
  path: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
  /** Only the beginning of the body was kept. */
  bodyIsCut: z.exactOptional(z.literal(true)),
  /** Whether a secret of any project signed it; `unknown` if the body was too long to be kept. */
  signature: z.enum(['right', 'wrong', 'none', 'unknown']),
  /** The status that it was answered with. */
  answer: z.number(),
});
/** A request that arrived at the test receiver. */
export type ReceivedCall = Of<typeof received>;

const receiver = z.object({
  /** Its address; null while it is off. */
  url: z.nullable(z.string()),
  /** Whether renders may call it; false while webhooks may not reach local addresses. */
  isReachable: z.boolean(),
  /** The status that it answers with. */
  answer: z.literal(receiverAnswers),
  /** What arrived, newest first. */
  calls: z.array(received),
});
/** The receiver for trying webhooks. */
export type ReceiverRecord = Of<typeof receiver>;

const answerWords = `one of ${receiverAnswers.join(', ')}`;

/** Webhooks: deliveries, a test call, and the receiver to try them with. */
export const webhookRows = {
  all: { method: 'GET', path: '/deliveries', answer: z.array(delivery) },
  /** The newest of a project, newest first. */
  list: { method: 'GET', path: '/projects/:id/deliveries', answer: z.array(delivery) },
  retry: { method: 'POST', path: '/deliveries/:id/retry', answer: delivery },
  /** The answer comes with the receiver's, or after the time limit of a call. */
  test: {
    method: 'POST',
    path: '/projects/:id/webhook-test',
    body: z.object({
      url: z.string(testWords).check(z.maxLength(requestLimits.webhookUrlLength, testWords)),
    }),
    answer: call,
  },
  receiver: { method: 'GET', path: '/webhook-receiver', answer: receiver },
  changeReceiver: {
    method: 'PATCH',
    path: '/webhook-receiver',
    body: z.object({
      on: z.exactOptional(z.boolean(words.on)),
      answer: z.exactOptional(z.literal(receiverAnswers, answerWords)),
    }),
    answer: receiver,
  },
  clearReceiver: { method: 'DELETE', path: '/webhook-receiver/calls', answer: null },
} as const satisfies Rows;
