/** What is said in a recording, over HTTP: ask for it, and get the words with their times. */
import { z } from 'zod';
import { ApiError } from '../../shared/errors.ts';
import { hiddenKinds } from '../../shared/hidden-words.ts';
import { transcriptLimits } from '../../shared/limits.ts';
import type { KnownTranscript } from '../jobs/transcripts.ts';
import { storedWords } from '../store/transcripts.ts';
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
  hide_fillers: z
    .boolean('true or false')
    .describe('Leave out `um`, `uh` and the like, by the language that is spoken.')
    .exactOptional(),
  hide_profanity: z
    .boolean('true or false')
    .describe('Show swear words as `f***`, by the language that is spoken.')
    .exactOptional(),
});

type TranscriptParameters = z.infer<typeof transcriptParameters>;

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
export function shownTranscript({ id, source, state, share }: KnownTranscript): Transcript {
  switch (state.kind) {
    case 'transcribing':
      return { id, status: 'transcribing', source, progress: share };
    case 'failed':
      return { id, status: 'failed', source, error_message: state.message };
    case 'succeeded': {
      const shown: Transcript = {
        id,
        status: 'succeeded',
        source,
        words: [...storedWords(state.words)],
      };
      if (state.language !== null) shown.language = state.language;
      return shown;
    }
  }
}

/** Has a recording transcribed. @throws ApiError `busy`, `cannot_save` */
export async function createTranscript(
  { project, pending: { transcripts } }: ProjectServices,
  { hide_fillers: fillers, hide_profanity: profanity, ...order }: TranscriptParameters,
): Promise<KnownTranscript> {
  const hidden = { fillers, profanity };
  const hides = hiddenKinds.filter((kind) => hidden[kind] === true);
  const made = await transcripts.create(project.id, { ...order, hides });
  if (!made) throw new ApiError('busy');
  return made;
}

/** @throws ApiError `transcript_not_found` */
export function transcriptOf(
  { project, pending: { transcripts } }: ProjectServices,
  id: string,
): KnownTranscript {
  const found = transcripts.find(project.id, id);
  if (!found) throw new ApiError('transcript_not_found', { id });
  return found;
}

/** The routes of transcripts. */
export const transcriptOperations: readonly Operation[] = [
  route('POST /v2/transcripts', {
    id: 'createTranscript',
    summary: 'Have a recording transcribed',
    explanation: `Answers at once; ask for its state until it has \`succeeded\` or \`failed\`. One recording is transcribed after the other, on the server's own computer unless its settings name a service, and at most ${transcriptLimits.waiting} wait. The words of a recording are kept by its content: asked again, they are there at once. What was answered is there after the server was ended, which then goes on.`,
    body: transcriptBody,
    answers: [one(202, transcriptAnswer, 'The transcript, whose words are still to come.')],
    refusals: ['busy', 'cannot_save'],
    answer: async (services, { body }) => shownTranscript(await createTranscript(services, body)),
  }),
  route('GET /v2/transcripts/{id}', {
    id: 'getTranscript',
    summary: 'Read a transcript',
    explanation: `The last ${transcriptLimits.kept.toLocaleString('en')} are kept, for 30 days. Of several servers on one database one transcribes: the others know no \`progress\`.`,
    answers: [one(200, transcriptAnswer, 'The transcript as it is now.')],
    refusals: ['transcript_not_found'],
    answer: (services, { id }) => shownTranscript(transcriptOf(services, id)),
  }),
];
