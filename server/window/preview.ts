/** Previews over the window's private path: any moment of any document as a picture, with its times and problems. */
import { Router } from 'express';
import path from 'node:path';
import { z } from 'zod';
import { requestLimits } from '../../shared/limits.ts';
import {
  pictureType,
  previewSideLimit,
  type PreviewAnswer,
  type TranscriptStep,
} from '../../shared/preview.ts';
import { isJsonObject, type JsonObject } from '../../shared/renderscript/source.ts';
import { bodyOf, largeJsonBody } from '../api/body.ts';
import type { Desk, PreparedText } from '../jobs/desk/desk.ts';
import type { ProxyService } from '../jobs/worker/proxies.ts';
import type { TranscriptionService } from '../jobs/worker/transcriptions.ts';
import type { PreviewService } from '../jobs/worker/preview.ts';
import type { JsonText } from '../system/json-text.ts';
import { parseParameters } from '../system/parameters.ts';
import { LiveFiles } from './live-files.ts';

/** How many elements can be left out of a picture. */
const mostHidden = 2_000;

const words = {
  client: 'a string of 1 to 64 characters',
  source: 'a RenderScript object',
  modifications: `an object of at most ${requestLimits.modifications} modifications`,
  time: 'a number of seconds from 0 on',
  side: `a whole number from 16 to ${previewSideLimit}`,
  hidden: `an array of at most ${mostHidden} paths of elements`,
  kit: 'true or false',
};

const object = (what: string): z.ZodType<JsonObject | JsonText> =>
  z.custom<JsonObject | JsonText>((value) => isJsonObject(value), what);

/** The form of a question about a picture; other requests about a document use parts of it. */
export const previewQuestion = z.object({
  client: z.string(words.client).min(1, words.client).max(64, words.client),
  source: object(words.source),
  modifications: object(words.modifications).exactOptional(),
  time: z.number(words.time).min(0, words.time),
  side: z.int(words.side).min(16, words.side).max(previewSideLimit, words.side).exactOptional(),
  hidden: z
    .array(z.string(words.hidden), words.hidden)
    .max(mostHidden, words.hidden)
    .exactOptional(),
  kit: z.boolean(words.kit).exactOptional(),
});

/**
 * `POST /preview`, `/preview/wake` and `/preview/start`, `GET /preview/files/ID`, `POST /preview/files/ID/proxy` and
 * `/transcript` below `/api`.
 */
export function previewRoutes(
  previews: PreviewService,
  {
    proxies,
    transcriptions,
  }: { readonly proxies: ProxyService; readonly transcriptions: TranscriptionService },
  desk: Desk,
): Router {
  const routes = Router({ caseSensitive: true });
  const names = Object.keys(previewQuestion.shape);
  const body = largeJsonBody(desk, { names, lists: { hidden: mostHidden } });

  const turns = createTurns();
  const files = new LiveFiles();

  routes.post('/preview', body, async (request, response) => {
    const { modifications, source, ...asked } = parseParameters(previewQuestion, bodyOf(request));
    if (!(await turns.take(asked.client))) {
      response.json({ state: 'superseded' } satisfies PreviewAnswer);
      return;
    }
    const prepared = await desk
      .prepare({ source, scaling: {}, hints: false, ...(modifications && { modifications }) })
      .finally(() => turns.pass(asked.client));
    response.json(await answerTo(previews, files, asked, prepared));
  });

  /** A file of a kit, whole or in parts. */
  routes.get('/preview/files/:id', (request, response, next) => {
    const file = files.find(request.params.id);
    if (file === null) {
      next();
      return;
    }
    response.type('application/octet-stream');
    const options = { root: path.dirname(file), dotfiles: 'allow', cacheControl: false } as const;
    response.sendFile(path.basename(file), options, (error?: Error) => {
      if (error && !response.headersSent) next();
    });
  });

  /** Waits until there is a small copy of a video; who goes away does not want it any more. */
  routes.post('/preview/files/:id/proxy', async (request, response, next) => {
    const file = files.find(request.params.id);
    if (file === null) {
      next();
      return;
    }
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const outcome = await proxies.make(file, gone.signal);
    if (gone.signal.aborted) return;
    response.json(
      outcome.kind === 'made'
        ? { state: 'ready', file: files.add(outcome.path) }
        : { state: 'failed', message: outcome.message },
    );
  });

  /**
   * Transcribes a recording, and says how far it is: a line of JSON for each step, the last one with what became of it.
   */
  routes.post('/preview/files/:id/transcript', async (request, response, next) => {
    const file = files.find(request.params.id);
    if (file === null) {
      next();
      return;
    }
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    response.type('application/x-ndjson');
    const say = (step: TranscriptStep): void => void response.write(`${JSON.stringify(step)}\n`);
    const outcome = await transcriptions.make(file, gone.signal, (share) => {
      if (!gone.signal.aborted) say({ state: 'working', share });
    });
    if (gone.signal.aborted) return;
    if (outcome.kind === 'made') say({ state: 'ready', words: outcome.words });
    else if (outcome.kind === 'none') say({ state: 'none' });
    else say({ state: 'failed', why: outcome.why, message: outcome.message });
    response.end();
  });

  /** A picture will probably be asked for soon. */
  routes.post('/preview/wake', (_request, response) => {
    previews.wake();
    response.status(204).end();
  });

  routes.post('/preview/start', (_request, response) => {
    previews.restart();
    response.status(204).end();
  });

  return routes;
}

/**
 * Prepares one question of each client at a time, so that an older one is never drawn after a newer one. Of those that
 * come meanwhile, the newest is next.
 */
function createTurns(): {
  /** Waits for its turn; false when a newer question came first. */
  take(client: string): Promise<boolean>;
  /** Ends a turn. */
  pass(client: string): void;
} {
  /** Clients whose turn it is, each with its next question. */
  const next = new Map<string, ((isNext: boolean) => void) | null>();
  return {
    take(client) {
      const waiting = next.get(client);
      if (waiting === undefined) {
        next.set(client, null);
        return Promise.resolve(true);
      }
      waiting?.(false);
      return new Promise((resolve) => next.set(client, resolve));
    },
    pass(client) {
      const waiting = next.get(client);
      if (waiting) {
        next.set(client, null);
        waiting(true);
      } else {
        next.delete(client);
      }
    },
  };
}

async function answerTo(
  previews: PreviewService,
  files: LiveFiles,
  asked: Omit<z.infer<typeof previewQuestion>, 'source' | 'modifications'>,
  { text, problems }: PreparedText,
): Promise<PreviewAnswer> {
  if (problems.some(({ severity }) => severity === 'error')) return { state: 'invalid', problems };
  const outcome = await previews.draw({
    ...asked,
    project: null,
    source: text,
    hidden: asked.hidden ?? [],
  });
  switch (outcome.kind) {
    case 'drawn':
      return {
        state: 'drawn',
        ...outcome.facts,
        picture: `data:${pictureType(outcome.picture)};base64,${outcome.picture}`,
        problems,
        ...(outcome.kit && { kit: { ...outcome.kit, files: outcome.kit.files.map(files.add) } }),
      };
    case 'failed':
      return { state: 'failed', message: outcome.message, path: outcome.path, problems };
    case 'superseded':
      return { state: 'superseded' };
    default:
      return { state: outcome.kind, reason: outcome.reason };
  }
}
