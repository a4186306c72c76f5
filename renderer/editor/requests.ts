/** The editor's requests to the server. The form of answers is trusted, as in frame/connection/api.ts. */
import type { WindowMedia } from '../../shared/api.ts';
import type {
  PreviewAnswer,
  PreviewRequest,
  SoundAnswer,
  TranscriptStep,
} from '../../shared/preview.ts';
import { isJsonObject } from '../../shared/renderscript/source.ts';
import { request, RequestProblem } from '../frame/connection/api.ts';
import { uploadFile } from '../frame/connection/uploads.ts';
import { say } from '../ui/say.ts';

async function ask(
  method: string,
  path: string,
  body?: object,
  signal?: AbortSignal,
): Promise<unknown> {
  const response = await request(path, {
    method,
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    ...(signal && { signal }),
  });
  return readAnswer(response);
}

async function readAnswer(response: Response): Promise<unknown> {
  const text = await response.text();
  let value: unknown;
  try {
    value = text === '' ? undefined : JSON.parse(text);
  } catch {
    throw new RequestProblem(say('problem.answer'), response.status);
  }
  if (response.ok) return value;
  throw new RequestProblem(hintOf(value), response.status);
}

/** The sentence of a refusal, `{ hint, documentation }`. */
function hintOf(value: unknown): string {
  const hint = isJsonObject(value) ? value.hint : undefined;
  return typeof hint === 'string' ? hint : say('problem.answer');
}

const mediaAt = (id: string): string => `/api/media/${encodeURIComponent(id)}`;

// The `as` below name the forms that shared/preview.ts and shared/api.ts promise.

/** A picture of any moment. */
export const drawPreview = async (
  body: PreviewRequest,
  signal: AbortSignal,
): Promise<PreviewAnswer> => (await ask('POST', '/api/preview', body, signal)) as PreviewAnswer;

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
  const answer = (await ask('POST', '/api/preview/sound', body, signal)) as SoundAnswer;
  if (answer.state === 'silent') return 'silent';
  // The picture's answer reports errors; a newer request gets its own answer.
  if (answer.state === 'invalid' || answer.state === 'superseded') return 'same';
  if (answer.state === 'failed') return 'failed';
  if (answer.file === known) return 'same';
  const response = await request(`/api/preview/sound/${answer.file}`, { signal });
  return response.ok ? { file: answer.file, blob: await response.blob() } : 'failed';
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
  const response = await request(`/api/preview/files/${id}/transcript`, { method: 'POST', signal });
  if (!response.ok || !response.body) return readAnswer(response) as Promise<never>; // throws
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    text += piece.value;
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) {
      // The form that shared/preview.ts promises.
      const step = JSON.parse(line) as TranscriptStep;
      if (step.state !== 'working') return step;
      onShare(step.share);
    }
  }
  return { state: 'failed', why: 'lost', message: '' };
}

/** All files of the media library, newest first. */
export const loadMedia = async (): Promise<readonly WindowMedia[]> =>
  (await ask('GET', '/api/media')) as WindowMedia[];

/**
 * Adds a file to the media library; the same file is stored only once.
 *
 * @param onSent told how many bytes have been sent
 */
export async function addMedia(
  file: File,
  signal: AbortSignal,
  onSent: (bytes: number) => void,
): Promise<WindowMedia> {
  const path = `/api/media?name=${encodeURIComponent(file.name)}`;
  // The form that shared/api.ts promises.
  return (await uploadFile(path, file, signal, onSent)) as WindowMedia;
}

/** Names of the templates that read a file of the library. */
export const mediaUses = async (id: string): Promise<readonly string[]> =>
  (await ask('GET', `${mediaAt(id)}/uses`)) as string[];

/** Removes a file of the library for good. */
export async function removeMedia(id: string): Promise<void> {
  await ask('DELETE', mediaAt(id));
}

/** A file of the media library; null when it is gone. */
export async function findMedia(id: string, signal: AbortSignal): Promise<WindowMedia | null> {
  try {
    return (await ask('GET', mediaAt(id), undefined, signal)) as WindowMedia;
  } catch (reason) {
    if (reason instanceof RequestProblem && reason.status === 404) return null;
    throw reason;
  }
}

/** Its small picture as an address of this page, to be revoked; null without one. */
export async function loadMediaPicture(id: string, signal: AbortSignal): Promise<string | null> {
  const response = await request(`${mediaAt(id)}/thumbnail`, { signal });
  return response.ok ? URL.createObjectURL(await response.blob()) : null;
}

/** Starts the process that draws previews again after it has given up. */
export async function startPreviews(): Promise<void> {
  await ask('POST', '/api/preview/start');
}
