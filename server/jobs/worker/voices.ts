/** Who speaks for renders, and with whose keys: by the settings, else by the environment. Server and command line. */
import type { SettingValues } from '../../../shared/settings.ts';
import type { RenderInput } from './render-protocol.ts';

/** What the person has chosen. */
type ChosenVoices = Pick<SettingValues, 'voices' | 'elevenlabsKey' | 'openaiKey' | 'voiceKey'>;

/** The command line's, which has no settings. */
const nothing: ChosenVoices = { voices: [], elevenlabsKey: null, openaiKey: null, voiceKey: null };

/** The variable of each key. */
const keyVariables = {
  elevenlabsKey: 'ELEVENLABS_API_KEY',
  openaiKey: 'OPENAI_API_KEY',
  voiceKey: 'FRAMEWRIGHT_VOICE_KEY',
} as const;

/** The lines of `FRAMEWRIGHT_VOICES`, which are divided by `;`. */
export function voicesOfEnvironment(environment = process.env): readonly string[] {
  const given = (environment['FRAMEWRIGHT_VOICES'] ?? '').split(';').map((line) => line.trim());
  return given.filter((line) => line !== '');
}

/**
 * The part of a start message that names voices.
 *
 * @param environment Its lines apply where none is chosen, and each of its keys where that one is not.
 */
export function voiceSetting(
  chosen: ChosenVoices = nothing,
  environment = process.env,
): NonNullable<RenderInput['voices']> {
  const { voices } = chosen;
  const keyOf = (name: keyof typeof keyVariables): string | undefined =>
    chosen[name] ?? environment[keyVariables[name]];
  return {
    lines: [...(voices.length > 0 ? voices : voicesOfEnvironment(environment))],
    keys: {
      address: keyOf('voiceKey'),
      openai: keyOf('openaiKey'),
      elevenlabs: keyOf('elevenlabsKey'),
    },
  };
}
