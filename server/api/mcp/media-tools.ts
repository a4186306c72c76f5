/** Tools for files: what the library has, and how a file of this computer gets into it. */
import { z } from 'zod';
import { ApiError } from '../../../shared/errors.ts';
import { looseName } from '../../../shared/renderscript/same-name.ts';
import { mediaRecord } from '../media.ts';
import { mediaAnswer } from '../schemas.ts';
import { cut, pageField, pageOf, searchField, tool, type Tool } from './tool.ts';

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
