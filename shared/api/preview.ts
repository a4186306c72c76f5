/** The window's routes about pictures and sound of a document that is being edited. */
import * as z from 'zod/mini';
import { requestLimits } from '../limits.ts';
import { previewSideLimit, type PreviewFacts, type SentKit } from '../preview.ts';
import { isJsonObject, type Problem } from '../renderscript/source.ts';
import { anyObject, type Of, type RequestFor, type Rows } from './row.ts';

/** How many elements can be left out of a picture. */
export const mostHidden = 2_000;

const words = {
  client: 'a string of 1 to 64 characters',
  source: 'a RenderScript object',
  modifications: `an object of at most ${requestLimits.modifications} modifications`,
  time: 'a number of seconds from 0 on',
  side: `a whole number from 16 to ${previewSideLimit}`,
  hidden: `an array of at most ${mostHidden} paths of elements`,
  kit: 'true or false',
};

const documentShape = {
  /** Its newer question replaces an older one. */
  client: z.string(words.client).check(z.minLength(1, words.client), z.maxLength(64, words.client)),
  source: anyObject(words.source),
  modifications: z.exactOptional(anyObject(words.modifications)),
};
const question = z.object({
  ...documentShape,
  /** Seconds. */
  time: z.number(words.time).check(z.gte(0, words.time)),
  /** Longest side in pixels. Default 960. */
  side: z.exactOptional(
    z.int(words.side).check(z.gte(16, words.side), z.lte(previewSideLimit, words.side)),
  ),
  /** Paths of elements to leave out, e.g. `elements[2]`. */
  hidden: z.exactOptional(
    z.array(z.string(words.hidden), words.hidden).check(z.maxLength(mostHidden, words.hidden)),
  ),
  /** True also requests what the page needs to draw the document itself. */
  kit: z.exactOptional(z.boolean(words.kit)),
});
const soundQuestion = z.object(documentShape);

const problems = z.array(z.custom<Problem>(isJsonObject));
/** The document has errors. */
const invalid = z.object({ state: z.literal('invalid'), problems });
/** A newer question of the same client replaced it. */
const superseded = z.object({ state: z.literal('superseded') });

/** `picture` is a `data:` address of a jpg, or of a png if partly transparent. */
interface Drawn extends PreviewFacts {
  readonly state: 'drawn';
  readonly picture: string;
  /** The checker's, as in a dry run. */
  readonly problems: readonly Problem[];
  readonly kit?: SentKit;
}

const preview = z.union([
  // Not its parts: many come a second, each with the places of thousands of elements.
  z.custom<Drawn>((value) => isJsonObject(value) && 'picture' in value),
  invalid,
  superseded,
  /** This picture can't be drawn; `path` names the place in the document, if there is one. */
  z.object({
    state: z.literal('failed'),
    message: z.string(),
    path: z.optional(z.string()),
    problems,
  }),
  /** The drawing process is gone; it restarts automatically (`restarting`) or has given up (`off`). */
  z.object({ state: z.enum(['restarting', 'off']), reason: z.string() }),
]);
export type PreviewAnswer = Of<typeof preview>;

const sound = z.union([
  /** A flac of 48 kHz stereo, as long as the film or the longest allowed, in seconds. */
  z.object({ state: z.literal('ready'), file: z.string(), duration: z.number() }),
  /** The document is silent. */
  z.object({ state: z.literal('silent') }),
  invalid,
  superseded,
  z.object({ state: z.literal('failed'), message: z.string() }),
]);
export type SoundAnswer = Of<typeof sound>;

const failure = z.object({
  state: z.literal('failed'),
  /**
   * `recogniser`: it ended with words of its own, or can't be used. `late`: it took too long. `crash`: the process
   * around it ended. `fault`: anything else; the log has it. `lost`: no answer came; never sent.
   */
  why: z.enum(['recogniser', 'late', 'crash', 'fault', 'lost']),
  /** In English. */
  message: z.string(),
});
/** Transcribing has failed. */
export type TranscriptFailure = Of<typeof failure>;

export const transcriptStep = z.union([
  z.object({ state: z.literal('working'), /** 0–1. */ share: z.number() }),
  z.object({ state: z.literal('ready'), words: z.number() }),
  /** No recogniser is set up: this model would be the smallest good one. */
  z.object({ state: z.literal('none'), model: z.string(), /** Of the model. */ bytes: z.number() }),
  failure,
]);
/** What the server says while it transcribes a recording for the editor; the last one is no `working`. */
export type TranscriptStep = Of<typeof transcriptStep>;

export const modelStep = z.union([
  z.object({ state: z.literal('fetching'), /** 0–1. */ share: z.number() }),
  z.object({ state: z.literal('ready') }),
  z.object({ state: z.literal('failed'), /** In English. */ message: z.string() }),
]);
/** What the server says while it fetches a speech model; the last one is no `fetching`. */
export type ModelStep = Of<typeof modelStep>;

/** Pictures, and the files that a page draws with. */
export const previewRows = {
  /** Any moment of any document. */
  draw: { method: 'POST', path: '/preview', body: question, answer: preview },
  /** Of a kit, whole or in parts. */
  file: { method: 'GET', path: '/preview/files/:id', answer: 'file' },
  /** Waits until there is a small copy of a video; who goes away does not want it any more. */
  copy: {
    method: 'POST',
    path: '/preview/files/:id/proxy',
    answer: z.union([
      z.object({ state: z.literal('ready'), file: z.string() }),
      z.object({ state: z.literal('failed'), message: z.string() }),
    ]),
  },
  /** Of a recording: a line of JSON for each step, the last one with what became of it. */
  transcript: { method: 'POST', path: '/preview/files/:id/transcript', answer: 'file' },
  /** Fetches a speech model: a line of JSON for each step; who goes away stops it, and the next one goes on. */
  model: { method: 'POST', path: '/preview/models/:name', answer: 'file' },
  /** A picture will probably be asked for soon. */
  wake: { method: 'POST', path: '/preview/wake', answer: null },
  /** After the process has given up. */
  start: { method: 'POST', path: '/preview/start', answer: null },
} as const satisfies Rows;

/** The sound of a document. */
export const soundRows = {
  make: { method: 'POST', path: '/preview/sound', body: soundQuestion, answer: sound },
  file: { method: 'GET', path: '/preview/sound/:id', answer: 'file' },
} as const satisfies Rows;

/** A question about a picture. */
export type PreviewRequest = RequestFor<typeof previewRows.draw>['body'];
