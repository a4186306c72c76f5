/** The sound of an open document over the window's private path: made once for each document, fetched as a file. */
import { Router } from 'express';
import { ApiError } from '../../shared/errors.ts';
import type { SoundAnswer } from '../../shared/preview.ts';
import { bodyOf, largeJsonBody } from '../api/body.ts';
import type { Desk } from '../jobs/desk/desk.ts';
import type { SoundService } from '../jobs/worker/sounds.ts';
import { parseParameters } from '../system/parameters.ts';
import { previewQuestion } from './preview.ts';

const question = previewQuestion.pick({ client: true, source: true, modifications: true });

/** `POST /preview/sound` and `GET /preview/sound/ID` below `/api`. */
export function soundRoutes(sounds: SoundService, desk: Desk): Router {
  const routes = Router({ caseSensitive: true });
  const body = largeJsonBody(desk, { names: Object.keys(question.shape) });

  routes.post('/preview/sound', body, async (request, response) => {
    const { client, source, modifications } = parseParameters(question, bodyOf(request));
    const { text, problems } = await desk.prepare({
      source,
      scaling: {},
      hints: false,
      ...(modifications && { modifications }),
    });
    const isInvalid = problems.some(({ severity }) => severity === 'error');
    response.json(
      isInvalid ? { state: 'invalid', problems } : await answerTo(sounds, client, text),
    );
  });

  routes.get('/preview/sound/:id', (request, response, next) => {
    const file = sounds.find(request.params.id);
    if (file === null) throw new ApiError('file_not_found', { path: request.path });
    response.type('audio/flac');
    // The data may lie below a folder whose name begins with a dot.
    response.sendFile(file, { dotfiles: 'allow', lastModified: false }, (error) => {
      if (error && !response.headersSent)
        next(new ApiError('file_not_found', { path: request.path }));
    });
  });

  return routes;
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
