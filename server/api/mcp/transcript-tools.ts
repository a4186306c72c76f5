/** The tool for what is said in a recording. */
import { z } from 'zod';
import { parseParameters } from '../../system/parameters.ts';
import {
  createTranscript,
  shownTranscript,
  transcriptAnswer,
  transcriptOf,
  transcriptParameters,
} from '../transcripts.ts';
import { tool, type Tool } from './tool.ts';

/** Milliseconds; clients stop waiting after a minute. */
const longestWait = 45_000;
/** Words in one answer; an agent's memory is short. */
const mostWords = 2_000;

const transcribe = tool({
  name: 'transcribe',
  title: 'Transcribe a recording',
  description: `What is said in a video or sound, word by word with times: the value of transcript_source for captions. Waits ${longestWait / 1000} seconds at most: call it again with the id alone while the status is transcribing. At most ${mostWords} words are listed; the text is whole.`,
  input: z.strictObject({
    id: z.guid('the ID of a transcript').describe('Of an earlier call.').exactOptional(),
    source: transcriptParameters.shape.source.exactOptional(),
    language: transcriptParameters.shape.language,
    words: transcriptParameters.shape.words,
    hide_fillers: transcriptParameters.shape.hide_fillers,
    hide_profanity: transcriptParameters.shape.hide_profanity,
  }),
  output: z.object({
    transcript: z.object(transcriptAnswer.shape),
    text: z.string().describe('All that is said.').exactOptional(),
  }),
  isReadOnly: true,
  run: async ({ id, ...order }, { services }) => {
    const { id: known } =
      id === undefined
        ? await createTranscript(services, parseParameters(transcriptParameters, order))
        : transcriptOf(services, id);
    await services.pending.transcripts.untilEnded(known, longestWait);
    const { words, ...transcript } = shownTranscript(transcriptOf(services, known));
    if (!words) return { facts: { transcript } };
    const text = words.map(({ value }) => value).join('');
    return { facts: { transcript: { ...transcript, words: words.slice(0, mostWords) }, text } };
  },
});

/** All of them. */
export const transcriptTools: readonly Tool[] = [transcribe];
