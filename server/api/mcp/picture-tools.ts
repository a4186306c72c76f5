/** Tools that show: one moment of a document, or several side by side. Pictures are jpgs of at most 768 pixels. */
import { z } from 'zod';
import { pictureType } from '../../../shared/preview.ts';
import { problemSentence, type Source } from '../../../shared/renderscript/source.ts';
import { contactSheet, type SheetFrame } from '../../jobs/contact-sheet.ts';
import { drawMoment, type DrawnMoment, type PictureQuestion } from '../previews.ts';
import type { ProjectServices } from '../project.ts';
import { mediaAnswer } from '../answer-schemas.ts';
import { previewParameters } from '../request-schemas.ts';
import {
  cut,
  documentFields,
  documentOf,
  pageField,
  pageOf,
  searchField,
  tool,
  type Tool,
} from './tool.ts';
import { ApiError } from '../../../shared/errors.ts';
import { looseName } from '../../../shared/renderscript/same-name.ts';
import { mediaRecord } from '../media.ts';

/** Pixels of the longer side: larger ones are shrunk by the models that look at them. */
const mostPixels = 768;
/** Pictures of a sheet. */
const mostMoments = 12;
const usualMoments = 6;
/** Milliseconds for the pictures of a sheet; clients stop waiting after a minute. */
const sheetTime = 40_000;

const sideWords = `a whole number from 16 to ${mostPixels}`;
const momentsWords = `at most ${mostMoments} numbers of seconds from 0 on`;

/** A picture as an address that documents can name. */
function address(picture: string): string {
  return `data:${pictureType(picture)};base64,${picture}`;
}

/** Draws a document of our own. */
async function drawOwn(services: ProjectServices, source: Source): Promise<string> {
  return (await drawMoment(services, { source, max_side: mostPixels })).picture;
}

/** A jpg; what is transparent lies on grey. */
async function asJpg(services: ProjectServices, { picture, facts }: DrawnMoment): Promise<string> {
  if (pictureType(picture) === 'image/jpeg') return picture;
  const { width, height } = facts;
  const elements = [{ type: 'image', source: address(picture), width: '100%', height: '100%' }];
  return drawOwn(services, { width, height, fill_color: '#808080', elements });
}

/** Seconds, to the millisecond. */
const rounded = (seconds: number): number => Number(seconds.toFixed(3));

function factsOf({ facts, warnings, picture }: DrawnMoment): Readonly<Record<string, unknown>> {
  const { time, duration, width, height } = facts;
  return {
    duration: rounded(duration),
    time: rounded(time),
    width,
    height,
    ...(pictureType(picture) === 'image/png' && {
      note: 'Parts of it are transparent; they show grey here.',
    }),
    ...(warnings.length > 0 && { warnings: warnings.map(cut) }),
    ...(facts.overflows.length > 0 && {
      overflows: facts.overflows.map((one) => cut(problemSentence(one))),
    }),
  };
}

const previewFrame = tool({
  name: 'preview_frame',
  title: 'Look at a frame',
  description:
    'Draws one moment of a document or template, as the finished file will show it, in about a second. Look before you render: is every text readable and not covered? Names texts that overflow their boxes or leave the picture, in pixels.',
  input: z.strictObject({
    ...documentFields,
    time: previewParameters.shape.time,
    max_side: z
      .int(sideWords)
      .min(16, sideWords)
      .max(mostPixels, sideWords)
      .default(mostPixels)
      .describe('Pixels of the longer side.'),
  }),
  output: null,
  isReadOnly: true,
  run: async ({ time, max_side: side, ...given }, { services }) => {
    const drawn = await drawMoment(services, {
      ...documentOf(given),
      ...(time !== undefined && { time }),
      max_side: side,
    });
    return { facts: factsOf(drawn), picture: await asJpg(services, drawn) };
  },
});

const sheetTool = tool({
  name: 'contact_sheet',
  title: 'Look at several moments',
  description:
    'Draws several moments of a film side by side, each with its time: shows in one picture what moves, what comes when, and what is missing.',
  input: z.strictObject({
    ...documentFields,
    times: z
      .array(z.number(momentsWords).min(0, momentsWords), momentsWords)
      .min(1, momentsWords)
      .max(mostMoments, momentsWords)
      .describe(
        `Seconds, at most ${mostMoments}. Left out: ${usualMoments} moments from beginning to end.`,
      )
      .exactOptional(),
  }),
  output: null,
  isReadOnly: true,
  run: async ({ times, ...given }, { services, signal, tell }) => {
    const question = documentOf(given);
    // A tiny picture tells how long the film is.
    const { facts, warnings } = await drawMoment(services, { ...question, max_side: 16 });
    const moments = times ?? spread(facts.duration);
    const frames = await drawFrames(services, question, moments, signal, tell);
    const [first] = frames;
    if (!first) throw signal.reason;
    const sheet = contactSheet(frames, first.size, mostPixels);
    const left = moments.length - frames.length;
    return {
      facts: {
        duration: rounded(facts.duration),
        times: frames.map(({ moment }) => moment),
        ...(left > 0 && {
          note: `${left} moments were left out, because drawing took too long. Ask for fewer.`,
        }),
        ...(warnings.length > 0 && { warnings: warnings.map(cut) }),
      },
      picture: await drawOwn(services, sheet),
    };
  },
});

/** Moments from the first frame to just before the last. */
function spread(duration: number): readonly number[] {
  if (duration === 0) return [0];
  return Array.from({ length: usualMoments }, (_, index) =>
    rounded((duration * (index + 0.5)) / usualMoments),
  );
}

/** Draws until the time is up or nobody waits any more; at least one. */
async function drawFrames(
  services: ProjectServices,
  question: PictureQuestion,
  moments: readonly number[],
  signal: AbortSignal,
  tell: (percent: number, message: string) => void,
): Promise<
  (SheetFrame & { readonly size: { readonly width: number; readonly height: number } })[]
> {
  const begun = performance.now();
  const frames = [];
  for (const [index, moment] of moments.entries()) {
    if (index > 0 && performance.now() - begun > sheetTime) break;
    signal.throwIfAborted();
    const { picture, facts } = await drawMoment(services, {
      ...question,
      time: moment,
      max_side: 360,
    });
    frames.push({ file: address(picture), moment, size: facts });
    tell((100 * (index + 1)) / (moments.length + 1), `${index + 1} of ${moments.length} moments`);
  }
  return frames;
}

/** In the order in which agents use them. */
export const pictureTools: readonly Tool[] = [previewFrame, sheetTool];

const shownMedia = z.object(
  mediaAnswer.pick({
    source: true,
    name: true,
    kind: true,
    width: true,
    height: true,
    duration: true,
  }).shape,
);

/** `framewright mcp` does what a server can't: it reads and writes files where the agent is. @throws ApiError. */
export function onlyOverStdio(name: string, instead: string): never {
  throw new ApiError('invalid_parameter', {
    name,
    what: `left out: only framewright mcp, over stdio, can use files of your computer. ${instead}`,
  });
}

const addMedia = tool({
  name: 'add_media',
  title: 'Add a file',
  description:
    'Sends a picture, video or sound of this computer to the library, and answers with the source that documents name it by.',
  input: z.strictObject({
    file: z.string('the path of a file').max(4_096, 'the path of a file').describe('Its path.'),
  }),
  output: z.object({ media: shownMedia }),
  isReadOnly: false,
  run: () => onlyOverStdio('file', 'Send the file itself to POST /v2/media'),
});

const listMedia = tool({
  name: 'list_media',
  title: 'List files',
  description: 'The files of the library, the newest first. 50 on a page.',
  input: z.strictObject({ search: searchField, page: pageField }),
  output: z.object({ media: z.array(shownMedia), page: z.int(), pages: z.int() }),
  isReadOnly: true,
  run: ({ search = '', page }, { services }) => {
    const wanted = looseName(search);
    const found = services.project.media
      .list()
      .filter(({ name }) => looseName(name).includes(wanted));
    const { shown, pages } = pageOf(found, page);
    const media = shown.map((one) =>
      shownMedia.parse({ ...mediaRecord(one), name: cut(one.name) }),
    );
    return { facts: { media, page, pages } };
  },
});

/** In the order in which agents use them. */
export const mediaTools: readonly Tool[] = [addMedia, listMedia];
