/** Voices for the window: who can speak, and hearing a text before it is in a document. Below `/api`. */
import type { Response, Router } from 'express';
import { voiceRows } from '../../shared/api/voices.ts';
import { ApiError } from '../../shared/errors.ts';
import type { SpeakingService, Spoken } from '../jobs/worker/speaking.ts';
import { serveRows } from './rows.ts';

/** Routes below `/api`. */
export function voiceRoutes(speaking: SpeakingService): Router {
  return serveRows(voiceRows, {
    all: () => speaking.list(),
    hear: ({ body, response }) => send(response, (signal) => speaking.speak(body, signal)),
    try: ({ body: { line, text }, response }) =>
      send(response, (signal) => speaking.tryLine(line, text, signal)),
  });
}

/** Sends what is spoken for as long as somebody waits for it. @throws ApiError `voice_failed` */
async function send(
  response: Response,
  speak: (signal: AbortSignal) => Promise<Spoken>,
): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const spoken = await speak(gone.signal);
  if (gone.signal.aborted) return;
  if (spoken.kind === 'failed') throw new ApiError('voice_failed', { reason: spoken.reason });
  const { sound } = spoken;
  const isWav = sound.subarray(0, 4).toString('latin1') === 'RIFF';
  response.type(isWav ? 'audio/wav' : 'audio/mpeg').send(sound);
}
