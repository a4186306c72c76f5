/** The sound of an open document over the window's private path: made once for each document, fetched as a file. */
import type { Router } from 'express';
import { soundRows, type SoundAnswer } from '../../shared/api/preview.ts';
import { ApiError } from '../../shared/errors.ts';
import { largeJsonBody } from '../api/body.ts';
import type { Desk } from '../jobs/desk/desk.ts';
import type { SoundService } from '../jobs/worker/sounds.ts';
import { serveRows } from './rows.ts';

/** Routes below `/api`. */
export function soundRoutes(sounds: SoundService, desk: Desk): Router {
  const make = largeJsonBody(desk, { names: Object.keys(soundRows.make.body.shape) });
  return serveRows(
    soundRows,
    {
      make: async ({ body: { client, source, modifications } }): Promise<SoundAnswer> => {
        const { text, problems } = await desk.prepare({
          source,
          scaling: {},
          hints: false,
          ...(modifications && { modifications }),
        });
        const isInvalid = problems.some(({ severity }) => severity === 'error');
        return isInvalid ? { state: 'invalid', problems } : answerTo(sounds, client, text);
      },
      file: ({ params: { id }, request, response, next }) => {
        const file = sounds.find(id);
        if (file === null) throw new ApiError('file_not_found', { path: request.path });
        response.type('audio/flac');
        // The data may lie below a folder whose name begins with a dot.
        response.sendFile(file, { dotfiles: 'allow', lastModified: false }, (error) => {
          if (error && !response.headersSent)
            next(new ApiError('file_not_found', { path: request.path }));
        });
      },
    },
    { make },
  );
}

async function answerTo(
  sounds: SoundService,
  client: string,
  text: Parameters<SoundService['make']>[1],
): Promise<SoundAnswer> {
  const outcome = await sounds.make(client, text);
  switch (outcome.kind) {
    case 'made':
      return { state: 'ready', file: outcome.id, duration: outcome.duration };
    case 'failed':
      return { state: 'failed', message: outcome.message };
    default:
      return { state: outcome.kind };
  }
}
