/** The window's routes about voices: who can speak a text, and hearing one. */
import * as z from 'zod/mini';
import { voiceLimits } from '../limits.ts';
import type { Of, Rows } from './row.ts';

const voice = z.object({
  /** As an audio element's `provider` names it, e.g. `system voice=en-gb`. */
  provider: z.string(),
  /** A voice of this computer, a program with an address, or a service. */
  kind: z.enum(['system', 'address', 'service']),
  /** A line of the setting `voices` names it; else the computer does. */
  isSet: z.boolean(),
  /** As the computer calls it, e.g. `en-gb`, which lines of the setting name too; null for its usual one and others. */
  name: z.nullable(z.string()),
  /** For people, e.g. `English (Great Britain)`. */
  label: z.string(),
  /** BCP 47; null: unknown, or any. */
  language: z.nullable(z.string()),
});
/** A voice that texts can be spoken with. */
export type KnownVoice = Of<typeof voice>;

const voices = z.object({
  /** Those of the setting in its order, then the computer's own. */
  voices: z.array(voice),
  /** The package with voices that this computer lacks, e.g. `espeak-ng`; null: it has some. */
  install: z.nullable(z.string()),
  /** Lines that the environment has, and which apply as long as the settings have none. */
  started: z.array(z.string()),
});
/** Who can speak. */
export type KnownVoices = Of<typeof voices>;

const textWords = `a string of 1 to ${voiceLimits.letters} characters`;
const providerWords = 'a string of 1 to 500 characters';
const text = z
  .string(textWords)
  .check(z.minLength(1, textWords), z.maxLength(voiceLimits.letters, textWords));
const lineWords = 'a line of the setting voices';

/** Voices, and a text as one of them says it. */
export const voiceRows = {
  all: { method: 'GET', path: '/voices', answer: voices },
  /**
   * Speaks a text: a wav or what a service sends. It is kept by text and voice, and so heard by previews and renders
   * without being asked for again. 422 `voice_failed` with the reason.
   */
  hear: {
    method: 'POST',
    path: '/voices/hear',
    body: z.object({
      provider: z
        .string(providerWords)
        .check(z.minLength(1, providerWords), z.maxLength(500, providerWords)),
      text,
    }),
    answer: 'file',
  },
  /** The same by a line of the setting `voices` that may not be kept yet. */
  try: {
    method: 'POST',
    path: '/voices/try',
    body: z.object({ line: z.string(lineWords).check(z.maxLength(500, lineWords)), text }),
    answer: 'file',
  },
} as const satisfies Rows;
