/** The editor's requests about pictures, sound and speech. Window only. */
import * as z from 'zod/mini';
import {
  modelStep,
  previewRows,
  soundRows,
  transcriptStep,
  type ModelStep,
  type PreviewRequest,
  type TranscriptStep,
} from '../../../shared/api/preview.ts';
import { answerOf } from './api.ts';
import { ask, call } from './call.ts';

/**
 * The sound of a document as a file; `same` when it is the known one.
 *
 * @param known Id of the file that is there already.
 */
export async function loadSound(
  body: Pick<PreviewRequest, 'client' | 'source' | 'modifications'>,
  known: string,
  signal: AbortSignal,
): Promise<{ readonly file: string; readonly blob: Blob } | 'same' | 'silent' | 'failed'> {
  const answer = await call(soundRows.make, { body, signal });
  if (answer.state === 'silent') return 'silent';
  // The picture's answer reports errors; a newer request gets its own answer.
  if (answer.state === 'invalid' || answer.state === 'superseded') return 'same';
  if (answer.state === 'failed') return 'failed';
  const { file } = answer;
  if (file === known) return 'same';
  const response = await ask(soundRows.file, { params: { id: file }, signal });
  return response.ok ? { file, blob: await response.blob() } : 'failed';
}

/**
 * Has a file of a kit transcribed.
 *
 * @param onShare told the share that is done, 0–1
 * @returns what became of it
 */
export async function transcribeFile(
  id: string,
  signal: AbortSignal,
  onShare: (share: number) => void,
): Promise<Exclude<TranscriptStep, { state: 'working' }>> {
  for await (const line of linesOf(await ask(previewRows.transcript, { params: { id }, signal }))) {
    const step = z.parse(transcriptStep, JSON.parse(line));
    if (step.state !== 'working') return step;
    onShare(step.share);
  }
  return { state: 'failed', why: 'lost', message: '' };
}

/**
 * Has a speech model fetched; what has arrived when the signal comes stays for the next time.
 *
 * @param onShare told the share that is there, 0–1
 * @returns what became of it; null = the connection was lost
 */
export async function fetchSpeechModel(
  name: string,
  signal: AbortSignal,
  onShare: (share: number) => void,
): Promise<Exclude<ModelStep, { state: 'fetching' }> | null> {
  for await (const line of linesOf(await ask(previewRows.model, { params: { name }, signal }))) {
    const step = z.parse(modelStep, JSON.parse(line));
    if (step.state !== 'fetching') return step;
    onShare(step.share);
  }
  return null;
}

/** The lines of an answer, as they arrive. @throws what `answerOf` throws for a refusal */
async function* linesOf(response: Response): AsyncGenerator<string> {
  if (!response.ok) await answerOf(response); // throws
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (let piece = await reader?.read(); piece?.value !== undefined; piece = await reader?.read()) {
    text += piece.value;
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    yield* lines;
  }
}

/** Has the process that draws previews started, for a picture that will probably be asked for. */
export async function wakePreviews(): Promise<void> {
  await ask(previewRows.wake);
}
