/** Which speech recogniser renders use: from the settings, else from the environment. Server and command line. */
import type { SettingValues } from '../../../shared/settings.ts';
import { chosenModel } from '../../system/speech-folder.ts';
import type { RenderInput } from './render-protocol.ts';

/** What the person has chosen; null = nothing. */
export type ChosenTranscriber = Pick<
  SettingValues,
  | 'transcriber'
  | 'transcriberModel'
  | 'speechModel'
  | 'speechLanguage'
  | 'speechWords'
  | 'speechAddress'
  | 'speechKey'
>;

/** Nothing is chosen. */
const nothing: ChosenTranscriber = {
  transcriber: null,
  transcriberModel: null,
  speechModel: null,
  speechLanguage: null,
  speechWords: null,
  speechAddress: null,
  speechKey: null,
};

/** Where choices come from. */
export interface TranscriberSources {
  /** Default: the command line's, which has no settings. */
  readonly chosen?: ChosenTranscriber;
  /** The folder of speech models. */
  readonly models: string;
  /** The variables below apply where nothing is chosen. */
  readonly environment?: NodeJS.ProcessEnv;
}

/** The variable of each choice. */
const variables: { readonly [Name in keyof ChosenTranscriber]: string } = {
  transcriber: 'FRAMEWRIGHT_TRANSCRIBER',
  transcriberModel: 'FRAMEWRIGHT_TRANSCRIBER_MODEL',
  speechModel: 'FRAMEWRIGHT_SPEECH_MODEL',
  speechLanguage: 'FRAMEWRIGHT_SPEECH_LANGUAGE',
  speechWords: 'FRAMEWRIGHT_SPEECH_WORDS',
  speechAddress: 'FRAMEWRIGHT_SPEECH_ADDRESS',
  speechKey: 'FRAMEWRIGHT_SPEECH_KEY',
};

type Choice = NonNullable<RenderInput['transcriber']>;

/**
 * The part of a start message that names the recogniser: an address where one is named, else a program, else the
 * library with a model that is there. Empty when there is none.
 */
export function transcriberSetting({
  chosen = nothing,
  models,
  environment = process.env,
}: TranscriberSources): Pick<RenderInput, 'transcriber'> {
  const of = (name: keyof ChosenTranscriber): string | undefined =>
    given(chosen[name]) ?? given(environment[variables[name]]);
  const choice = fromAddress(of) ?? fromProgram(of) ?? builtIn(of, models);
  if (!choice) return {};
  const [language, words] = [of('speechLanguage'), of('speechWords')];
  if (language !== undefined) choice.language = language;
  if (words !== undefined) choice.words = words;
  return { transcriber: choice };
}

type Ask = (name: keyof ChosenTranscriber) => string | undefined;

function fromAddress(of: Ask): Choice | null {
  const [url, key, model] = [of('speechAddress'), of('speechKey'), of('speechModel')];
  if (url === undefined) return null;
  const choice: Choice = { kind: 'address', url };
  if (key !== undefined) choice.key = key;
  if (model !== undefined) choice.model = model;
  return choice;
}

function fromProgram(of: Ask): Choice | null {
  const [path, model] = [of('transcriber'), of('transcriberModel')];
  if (path === undefined) return null;
  const choice: Choice = { kind: 'program', path };
  if (model !== undefined) choice.model = model;
  return choice;
}

function builtIn(of: Ask, models: string): Choice | null {
  const found = chosenModel(models, of('speechModel') ?? null);
  if (!found) return null;
  const choice: Choice = { kind: 'built-in', model: found.model.path };
  if (found.voices) choice.voices = found.voices.path;
  return choice;
}

function given(value: string | null | undefined): string | undefined {
  return value === null || value === undefined || value.trim() === '' ? undefined : value.trim();
}
