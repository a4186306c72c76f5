/** Who speaks for renders, by the settings, else by the environment, which has the keys. Server and command line. */
import type { RenderInput } from './render-protocol.ts';

/**
 * The part of a start message that names voices.
 *
 * @param chosen Lines of the setting `voices`.
 * @param environment - `FRAMEWRIGHT_VOICES` (lines divided by `;`) applies where none is chosen.
 */
export function voiceSetting(
  chosen: readonly string[],
  environment: NodeJS.ProcessEnv = process.env,
): NonNullable<RenderInput['voices']> {
  const given = (environment['FRAMEWRIGHT_VOICES'] ?? '').split(';').map((line) => line.trim());
  return {
    lines: chosen.length > 0 ? [...chosen] : given.filter((line) => line !== ''),
    keys: {
      address: environment['FRAMEWRIGHT_VOICE_KEY'],
      openai: environment['OPENAI_API_KEY'],
      elevenlabs: environment['ELEVENLABS_API_KEY'],
    },
  };
}
