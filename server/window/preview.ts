/**
 * Previews over the window's private path: any moment of any document as a picture, with its times and problems, and
 * the sound of an open document.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { Response, Router } from 'express';
import path from 'node:path';
import {
  mostHidden,
  previewRows,
  soundRows,
  type ModelStep,
  type PreviewAnswer,
  type PreviewRequest,
  type SoundAnswer,
  type TranscriptStep,
} from '../../shared/api/preview.ts';
import { ApiError } from '../../shared/errors.ts';
import { pictureType } from '../../shared/preview.ts';
import { firstSpeechModel, speechModelNamed } from '../../shared/speech-models.ts';
import { largeJsonBody } from '../api/body.ts';
import type { Desk, PreparedText } from '../jobs/desk/desk.ts';
import type { SpeechModelService } from '../jobs/speech-models.ts';
import type { ProxyService } from '../jobs/worker/proxies.ts';
import type { SoundService } from '../jobs/worker/sounds.ts';
import type { TranscriptionService } from '../jobs/worker/transcriptions.ts';
import type { PreviewService } from '../jobs/worker/preview.ts';
import { type Handlers, sent, serveRows } from './rows.ts';

/** What works for the editor alone. */
interface EditorServices {
  readonly proxies: ProxyService;
  readonly transcriptions: TranscriptionService;
  readonly speechModels: SpeechModelService;
}

/** Routes below `/api`. */
export function previewRoutes(
  previews: PreviewService,
  { proxies, transcriptions, speechModels }: EditorServices,
  desk: Desk,
): Router {
  const names = Object.keys(previewRows.draw.body.shape);
  const draw = largeJsonBody(desk, { names, lists: { hidden: mostHidden } });
  const turns = createTurns();
  const files = new LiveFiles();

  return serveRows(
    previewRows,
    {
      draw: async ({ body: { modifications, source, ...asked } }): Promise<PreviewAnswer> => {
        if (!(await turns.take(asked.client))) return { state: 'superseded' };
        const prepared = await desk
          .prepare({ source, scaling: {}, hints: false, ...(modifications && { modifications }) })
          .finally(() => turns.pass(asked.client));
        return answerTo(previews, files, asked, prepared);
      },
      file: ({ params: { id }, response, next }) => {
        const file = files.find(id);
        if (file === null) {
          next();
          return;
        }
        response.type('application/octet-stream');
        const options = {
          root: path.dirname(file),
          dotfiles: 'allow',
          cacheControl: false,
        } as const;
        response.sendFile(path.basename(file), options, (error?: Error) => {
          if (error && !response.headersSent) next();
        });
      },
      copy: async ({ params: { id }, response, next }) => {
        const file = files.find(id);
        if (file === null) {
          next();
          return sent;
        }
        const gone = new AbortController();
        response.once('close', () => gone.abort());
        const outcome = await proxies.make(file, gone.signal);
        if (gone.signal.aborted) return sent;
        if (outcome.kind !== 'made') return { state: 'failed', message: outcome.message } as const;
        return { state: 'ready', file: files.add(outcome.path) } as const;
      },
      ...speechHandlers(files, { transcriptions, speechModels }),
      wake: () => previews.wake(),
      start: () => previews.restart(),
    },
    { draw },
  );
}

/** What is said in recordings, and the models that tell it: answers in steps. */
function speechHandlers(
  files: LiveFiles,
  { transcriptions, speechModels }: Omit<EditorServices, 'proxies'>,
): Pick<Handlers<typeof previewRows>, 'transcript' | 'model'> {
  return {
    async transcript({ params: { id }, response, next }) {
      const file = files.find(id);
      if (file === null) {
        next();
        return;
      }
      const { gone, say } = stepsOf(response);
      const outcome = await transcriptions.make({ filePath: file }, gone, (share) =>
        say({ state: 'working', share }),
      );
      if (outcome.kind === 'made') say({ state: 'ready', words: outcome.words });
      else if (outcome.kind === 'failed')
        say({ state: 'failed', why: outcome.why, message: outcome.message });
      else {
        const bytes = speechModelNamed(firstSpeechModel)?.bytes ?? 0;
        say({ state: 'none', model: firstSpeechModel, bytes });
      }
      response.end();
    },
    async model({ params: { name }, response }) {
      const { gone, say } = stepsOf(response);
      const outcome = await speechModels.fetch(name, gone, (share) =>
        say({ state: 'fetching', share }),
      );
      say(
        outcome.kind === 'ready'
          ? { state: 'ready' }
          : { state: 'failed', message: outcome.message },
      );
      response.end();
    },
  };
}

/** An answer of lines, a step each, for as long as somebody reads. */
function stepsOf(response: Response): {
  readonly gone: AbortSignal;
  readonly say: (step: TranscriptStep | ModelStep) => void;
} {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  response.type('application/x-ndjson');
  return {
    gone: gone.signal,
    say(step) {
      if (!gone.signal.aborted) response.write(`${JSON.stringify(step)}\n`);
    },
  };
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
  asked: Omit<PreviewRequest, 'source' | 'modifications'>,
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

/** The sound: made once for each document, fetched as a file. */
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
        return isInvalid ? { state: 'invalid', problems } : soundAnswer(sounds, client, text);
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

async function soundAnswer(
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

/** Files known at a time; the oldest go first. A document has a few hundred at most. */
const mostFiles = 5_000;

/** The files that the engine has named for pages that draw documents themselves, by an ID that hides their place. */
class LiveFiles {
  /** Oldest naming first. */
  readonly #paths = new Map<string, string>();
  readonly #salt = randomBytes(16);

  /** Makes a file known. @returns its ID, the same each time */
  readonly add = (path: string): string => {
    const id = createHash('sha256').update(this.#salt).update(path).digest('base64url');
    this.#paths.delete(id);
    this.#paths.set(id, path);
    for (const [oldest] of this.#paths) {
      if (this.#paths.size <= mostFiles) break;
      this.#paths.delete(oldest);
    }
    return id;
  };

  /** Its path; null for an unknown or forgotten ID. */
  find(id: string): string | null {
    return this.#paths.get(id) ?? null;
  }
}
