/** Which speech recogniser renders use: from the settings, else from the environment. Server and command line. */
import type { RenderInput } from './render-protocol.ts';

/** What the person has chosen; null = nothing. */
export interface ChosenTranscriber {
  /** Path of whisper.cpp's command line program. */
  readonly transcriber: string | null;
  /** Path of its model. */
  readonly transcriberModel: string | null;
}

/**
 * The part of a start message that names the recogniser; empty when there is none.
 *
 * @param environment - `FRAMEWRIGHT_TRANSCRIBER` and `FRAMEWRIGHT_TRANSCRIBER_MODEL` apply where nothing is chosen.
 */
export function transcriberSetting(
  chosen: ChosenTranscriber,
  environment: NodeJS.ProcessEnv = process.env,
): Pick<RenderInput, 'transcriber'> {
  const path = given(chosen.transcriber) ?? given(environment['FRAMEWRIGHT_TRANSCRIBER']);
  const model =
    given(chosen.transcriberModel) ?? given(environment['FRAMEWRIGHT_TRANSCRIBER_MODEL']);
  if (path === undefined) return {};
  return { transcriber: { path, ...(model !== undefined && { model }) } };
}

function given(value: string | null | undefined): string | undefined {
  return value === null || value === undefined || value.trim() === '' ? undefined : value.trim();
}
