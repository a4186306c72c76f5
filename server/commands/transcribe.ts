/** `framewright transcribe in.mp4 out.srt`: what is said in a recording, without a server. */
import { statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { linesOf } from '../../shared/engine/compile/caption-lines.ts';
import { hiddenKinds, shownWords } from '../../shared/hidden-words.ts';
import { subtitleFile, subtitleKinds } from '../../shared/engine/compile/subtitle-file.ts';
import { firstSpeechModel } from '../../shared/speech-models.ts';
import { readTranscript, type KeptTranscript } from '../engine/assets/speech/transcribe.ts';
import { LoneFolder } from '../jobs/lone-renders.ts';
import { askWorker } from '../jobs/worker/ask-worker.ts';
import { forkWorker } from '../jobs/worker/fork-worker.ts';
import { explain } from '../jobs/worker/task-faults.ts';
import { transcriberSetting } from '../jobs/worker/transcriber.ts';
import { makeFolders } from '../system/files.ts';
import { keptModels, usualModelFolder } from '../system/speech-folder.ts';
import type { Log } from '../system/log.ts';
import { stopAtSignal } from '../system/programs.ts';
import { commandRows } from './command-rows.ts';
import { CommandError, readOptions, usageOf, type Given } from './option-rows.ts';
import { ProgressLine } from './progress-line.ts';

const row = commandRows.transcribe;
type Options = Given<typeof row.options>;

/** How many letters a line of subtitles has at most. */
const lineLength = 84;

/** @returns the exit status. @throws CommandError. */
export async function transcribeCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = readOptions(row, args);
  const [input, output, more] = positionals;
  if (input === undefined || output === undefined || more !== undefined)
    throw new CommandError(usageOf('transcribe', row));
  const ending = output === '-' ? 'json' : path.extname(output).slice(1).toLowerCase();
  const kind = [...subtitleKinds, 'json' as const].find((one) => one === ending);
  if (kind === undefined)
    throw new CommandError(`${output}: Expected a file name ending with .srt, .vtt or .json.`);
  if (!statSync(input, { throwIfNoEntry: false })?.isFile())
    throw new CommandError(`${input} can't be read: there is no such file.`);
  const heard = await hear(input, values);
  const hidden = { fillers: values['hide-fillers'], profanity: values['hide-profanity'] };
  const hides = hiddenKinds.filter((kind) => hidden[kind]);
  const words = shownWords(heard.words, hides, heard.language ?? values.language ?? null);
  const transcript = { ...heard, words };
  const text =
    kind === 'json'
      ? `${JSON.stringify(asJson(transcript), null, 2)}\n`
      : subtitleFile(
          linesOf(transcript.words, lineLength).map((line) => ({ line, offset: 0, speaker: null })),
          kind,
        );
  if (output === '-') process.stdout.write(text);
  else {
    makeFolders(path.dirname(path.resolve(output)));
    writeFileSync(output, text);
    console.log(`Wrote ${output} (${transcript.words.length} words)`);
  }
  return 0;
}

/** The form that documents take as `transcript_source`. */
function asJson({ language, words }: KeptTranscript): object {
  return {
    language,
    words: words.map(({ text, start, end, glued }, index) => ({
      time: rounded(start),
      duration: rounded(end - start),
      value: glued || index === 0 ? text : ` ${text}`,
    })),
  };
}

const rounded = (seconds: number): number => Math.round(seconds * 1000) / 1000;

async function hear(input: string, options: Options): Promise<KeptTranscript> {
  const models = usualModelFolder(options.data);
  const { transcriber } = transcriberSetting({ models, environment: environmentWith(options) });
  if (!transcriber) throw new CommandError(noRecogniser(models, options.model));
  const folder = new LoneFolder();
  const { signal, endIfTold } = stopAtSignal();
  const line = new ProgressLine('Listening');
  const log: Log = (level, place, text) => {
    if (level === 'error' && place !== 'worker') console.error(text);
  };
  try {
    const order = {
      recording: { filePath: path.resolve(input) },
      workFolder: path.join(folder.path, 'work'),
      ...{ cacheFolder: path.join(folder.path, 'cache'), transcriber, ffmpegPath: options.ffmpeg },
    };
    const answer = await askWorker({ fork: forkWorker, log }, 'transcribe', order, {
      ...{ signal, onProgress: (share: number) => line.show(share) },
    });
    line.end();
    endIfTold();
    if (answer.kind !== 'done') throw new CommandError(explain('transcribe', answer, log));
    const transcript = await readTranscript(answer.output.place);
    if (!transcript) throw new CommandError('The words could not be stored: is the disk full?');
    return transcript;
  } finally {
    line.end();
    folder.remove();
  }
}

/** Options come before the environment. */
function environmentWith({ model, language, words }: Options): NodeJS.ProcessEnv {
  const given = {
    FRAMEWRIGHT_SPEECH_MODEL: model,
    FRAMEWRIGHT_SPEECH_LANGUAGE: language,
    FRAMEWRIGHT_SPEECH_WORDS: words,
  };
  const named = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...process.env, ...Object.fromEntries(named) };
}

function noRecogniser(folder: string, wanted: string | undefined): string {
  if (wanted === undefined) {
    return `There is no speech model in ${folder}, and nothing is fetched without being asked. Fetch one: framewright models get ${firstSpeechModel}`;
  }
  const there = keptModels(folder).map(({ name }) => name);
  const found = there.length === 0 ? 'none' : there.join(', ');
  return `There is no speech model '${wanted}' in ${folder}, found ${found}. framewright models list names all; framewright models get fetches one.`;
}
