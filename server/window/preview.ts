/** Previews over the window's private path: any moment of any source as a picture, with times and problems as facts. */
import { Router } from 'express';
import { z } from 'zod';
import { requestLimits } from '../../shared/limits.ts';
import { previewSide, type PreviewAnswer } from '../../shared/preview.ts';
import { applyModifications } from '../../shared/renderscript/modifications.ts';
import { isJsonObject, type JsonObject, type Source } from '../../shared/renderscript/source.ts';
import { validate } from '../../shared/renderscript/validate.ts';
import { bodyOf, jsonBody, parseParameters } from '../api/body.ts';
import type { PreviewService } from '../jobs/preview.ts';

const words = {
  client: 'a string of 1 to 64 characters',
  source: 'a RenderScript object',
  modifications: `an object of at most ${requestLimits.modifications} modifications`,
  time: 'a number of seconds from 0 on',
  side: `a whole number from 16 to ${previewSide}`,
  hidden: 'an array of at most 2000 paths of elements',
};

const object = (what: string): z.ZodType<JsonObject> =>
  z.custom<JsonObject>((value) => isJsonObject(value), what);

const question = z.object({
  client: z.string(words.client).min(1, words.client).max(64, words.client),
  source: object(words.source),
  modifications: object(words.modifications).exactOptional(),
  time: z.number(words.time).min(0, words.time),
  side: z.int(words.side).min(16, words.side).max(previewSide, words.side).exactOptional(),
  hidden: z.array(z.string(words.hidden), words.hidden).max(2000, words.hidden).exactOptional(),
});

/** `POST /preview` and `POST /preview/start` below `/api`. */
export function previewRoutes(previews: PreviewService): Router {
  const routes = Router({ caseSensitive: true });

  routes.post('/preview', jsonBody, async (request, response) => {
    const given = parseParameters(question, bodyOf(request));
    const modified = applyModifications(given.source, given.modifications ?? {});
    response.json(await answerTo(previews, { ...given, source: modified.source }, modified));
  });

  routes.post('/preview/start', (_request, response) => {
    previews.restart();
    response.status(204).end();
  });

  return routes;
}

async function answerTo(
  previews: PreviewService,
  asked: Omit<z.infer<typeof question>, 'modifications'>,
  modified: ReturnType<typeof applyModifications>,
): Promise<PreviewAnswer> {
  const source: Source = asked.source;
  const problems = [...validate(source), ...modified.problems];
  if (problems.some(({ severity }) => severity === 'error')) return { state: 'invalid', problems };
  const outcome = await previews.draw({ ...asked, hidden: asked.hidden ?? [] });
  switch (outcome.kind) {
    case 'drawn':
      return {
        state: 'drawn',
        ...outcome.facts,
        picture: `data:image/png;base64,${outcome.picture.toString('base64')}`,
        problems,
      };
    case 'failed':
      return { state: 'failed', message: outcome.message, path: outcome.path, problems };
    case 'superseded':
      return { state: 'superseded' };
    default:
      return { state: outcome.kind, reason: outcome.reason };
  }
}
