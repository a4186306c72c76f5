/** What is said in a recording, over HTTP: ask for it, and get the words with their times. */
import { z } from 'zod';
import { ApiError } from '../../shared/errors.ts';
import { transcriptLimits } from '../../shared/limits.ts';
import type { KeptTranscript } from '../jobs/transcripts.ts';
import { one, type Operation, projectRoutes } from './operation.ts';
import type { ProjectServices } from './project.ts';

const route = projectRoutes('transcripts');

const sourceWords = 'an address, media:ID or the name of a file, as in documents';
const languageWords = 'a language such as de';
const hintWords = 'names and words of at most 800 characters';

/** What is asked; also an agent's question. */
export const transcriptParameters = z.strictObject({
  source: z
    .string(sourceWords)
    .min(1, sourceWords)
    .max(4_096, sourceWords)
    .describe('The recording, as documents name it: a video or a sound.'),
  language: z
    .string(languageWords)
    .regex(/^[a-z]{2,3}$/, languageWords)
    .describe('The language that is spoken, e.g. `de`; absent: as the settings say, or recognised.')
    .exactOptional(),
  words: z
    .string(hintWords)
    .max(800, hintWords)
    .describe('Names and words that are hard to know.')
    .exactOptional(),
});

const transcriptBody = transcriptParameters.meta({ id: 'CreateTranscript' });

const spokenWord = z
  .strictObject({
    time: z.number().describe('When it begins, in seconds.'),
    duration: z.number().describe('Seconds.'),
    value: z.string().describe('The word, with the space before it where there is one.'),
  })
  .meta({ id: 'SpokenWord' });

/** A transcript as answers show it. */
export const transcriptAnswer = z
  .strictObject({
    id: z.guid(),
    status: z.enum(['transcribing', 'succeeded', 'failed']),
    source: z.string(),
    progress: z
      .number()
      .describe('Of the recording, 0 to 1; only while it is transcribed.')
      .exactOptional(),
    language: z
      .string()
      .describe('As the recogniser names it; absent if it does not say.')
      .exactOptional(),
    words: z
      .array(spokenWord)
      .describe('In order; a document takes them as `transcript_source`.')
      .exactOptional(),
    error_message: z.string().describe('Why it failed, and what to do.').exactOptional(),
  })
  .meta({ id: 'RecordingTranscript' });
type Transcript = z.infer<typeof transcriptAnswer>;

/** As answers show one. */
export function shownTranscript({ id, source, state }: KeptTranscript): Transcript {
  switch (state.kind) {
    case 'transcribing':
      return { id, status: 'transcribing', source, progress: state.share };
    case 'failed':
      return { id, status: 'failed', source, error_message: state.message };
    case 'succeeded': {
      const shown: Transcript = { id, status: 'succeeded', source, words: [...state.words] };
      if (state.language !== null) shown.language = state.language;
      return shown;
    }
  }
}

/** Has a recording transcribed. @throws ApiError `busy` */
export function createTranscript(
  { project, pending: { transcripts } }: ProjectServices,
  order: z.infer<typeof transcriptParameters>,
): KeptTranscript {
  const made = transcripts.create(project.id, order);
  if (!made) throw new ApiError('busy');
  return made;
}

/** @throws ApiError `transcript_not_found` */
export function transcriptOf(
  { project, pending: { transcripts } }: ProjectServices,
  id: string,
): KeptTranscript {
  const found = transcripts.find(project.id, id);
  if (!found) throw new ApiError('transcript_not_found', { id });
  return found;
}

/** The routes of transcripts. */
export const transcriptOperations: readonly Operation[] = [
  route('POST /v2/transcripts', {
    id: 'createTranscript',
    summary: 'Have a recording transcribed',
    explanation: `Answers at once; ask for its state until it has \`succeeded\` or \`failed\`. One recording is transcribed after the other, on the server's own computer unless its settings name a service, and at most ${transcriptLimits.waiting} wait. The words of a recording are kept by its content: asked again, they are there at once.`,
    body: transcriptBody,
    answers: [one(202, transcriptAnswer, 'The transcript, whose words are still to come.')],
    refusals: ['busy'],
    answer: (services, { body }) => shownTranscript(createTranscript(services, body)),
  }),
  route('GET /v2/transcripts/{id}', {
    id: 'getTranscript',
    summary: 'Read a transcript',
    explanation: `The last ${transcriptLimits.kept.toLocaleString('en')} are kept, until the server ends.`,
    answers: [one(200, transcriptAnswer, 'The transcript as it is now.')],
    refusals: ['transcript_not_found'],
    answer: (services, { id }) => shownTranscript(transcriptOf(services, id)),
  }),
];
