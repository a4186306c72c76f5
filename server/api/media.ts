/**
 * The media library over HTTP: send a file once, name it as `media:ID` in any document; list, read, load and delete
 * files.
 */
import type { Request, Response } from 'express';
import type { z } from 'zod';
import { ApiError, type ErrorCode } from '../../shared/errors.ts';
import { engineLimits, mediaLibraryLimits, requestLimits } from '../../shared/limits.ts';
import { looseName } from '../../shared/renderscript/same-name.ts';
import type { StoredMedia } from '../store/media.ts';
import { savedAs } from './answer.ts';
import { idOf, one, type Operation, projectRoutes } from './operation.ts';
import type { ProjectServices } from './project.ts';
import {
  assetAnswer,
  mediaAnswer,
  mediaPageAnswer,
  type MediaPage,
  type MediaRecord,
} from './answer-schemas.ts';
import { listMediaQuery, uploadQuery } from './request-schemas.ts';
import { formatDate } from './serialize.ts';
import { filePart, readUpload } from './uploads.ts';

const route = projectRoutes('media');

/** A file of the library as answers show it. */
export function mediaRecord(media: StoredMedia): MediaRecord {
  const { id, name, kind, format, width, height, duration, frameRate, bytes, addedAt } = media;
  const isSeen = kind !== 'audio' && kind !== 'lut';
  const isTimed = kind === 'image' ? duration > 0 : kind !== 'lut';
  return {
    id,
    source: `media:${id}`,
    name,
    kind,
    format,
    ...(isSeen && { width, height, has_alpha: media.hasAlpha }),
    ...(isTimed && { duration, has_audio: media.hasAudio }),
    ...(frameRate > 0 && { frame_rate: frameRate }),
    file_size: bytes,
    created_at: formatDate(new Date(addedAt)),
  };
}

function mediaOf({ project: { media } }: ProjectServices, request: Request): StoredMedia {
  const id = idOf(request);
  const found = media.find(id.toLowerCase());
  if (!found) throw new ApiError('media_not_found', { id });
  return found;
}

/** Uploads under way, in all projects. */
let uploads = 0;

/** @param usualName For a body without a name. Default: it is refused. */
async function upload(
  { library: { mediaLibrary }, project: { media } }: ProjectServices,
  {
    query,
    request,
    response,
  }: {
    readonly query: z.infer<typeof uploadQuery>;
    readonly request: Request;
    readonly response: Response;
  },
  usualName?: string,
): Promise<StoredMedia> {
  const isForm = request.is('multipart') !== false;
  const { name = isForm ? undefined : usualName } = query;
  if (uploads >= mediaLibraryLimits.uploads) throw new ApiError('busy');
  uploads += 1;
  try {
    const { media: added, isNew } = await readUpload(request, name, (content, called) =>
      mediaLibrary.add(content, called, media.project),
    );
    if (!isNew) response.status(200);
    return added;
  } finally {
    uploads -= 1;
  }
}

function list(
  { project: { media } }: ProjectServices,
  { query }: { readonly query: z.infer<typeof listMediaQuery> },
): MediaPage {
  const limit = Number(query.limit ?? requestLimits.page.usual);
  const [time = '', id = ''] = query.cursor?.split('-') ?? [];
  const after = query.cursor === undefined ? null : { addedAt: parseInt(time, 36), id };
  const name = query.name === undefined ? undefined : looseName(query.name);
  const found = media
    .list()
    .filter(
      (file) =>
        (after === null || comesAfter(file, after)) &&
        (query.kind === undefined || file.kind === query.kind) &&
        (name === undefined || looseName(file.name).includes(name)),
    );
  const shown = found.slice(0, limit);
  const last = found.length > limit ? shown.at(-1) : undefined;
  return {
    media: shown.map(mediaRecord),
    ...(last && { next_cursor: `${last.addedAt.toString(36)}-${last.id}` }),
  };
}

/** In the order of the list, of which any file may be gone. */
function comesAfter(file: StoredMedia, place: Pick<StoredMedia, 'addedAt' | 'id'>): boolean {
  if (file.addedAt !== place.addedAt) return file.addedAt < place.addedAt;
  return file.id > place.id;
}

async function sendContent(
  services: ProjectServices,
  { request, response }: { readonly request: Request; readonly response: Response },
): Promise<void> {
  const { id, name } = mediaOf(services, request);
  // Whatever it is, no browser shows it as a page of this address.
  response.set({
    'Content-Type': 'application/octet-stream',
    'Content-Disposition': savedAs(name),
  });
  await new Promise<void>((resolve, reject) => {
    const options = {
      root: services.project.media.contentFolder,
      cacheControl: false,
      acceptRanges: false,
    };
    response.sendFile(id, options, (error?: Error & { status?: number }) => {
      // A reader that goes away in the middle is no error.
      if (!error || response.headersSent) resolve();
      else reject(error.status === 404 ? new ApiError('media_not_found', { id }) : error);
    });
  });
}

const uploadRefusals: readonly ErrorCode[] = [
  'upload_refused',
  'invalid_parameter',
  'incomplete_body',
  'media_not_usable',
  'media_too_large',
  'media_library_full',
  'cannot_save',
  'busy',
];

/** The routes of the media library. */
export const mediaOperations: readonly Operation[] = [
  route('POST /v2/media', {
    id: 'uploadMedia',
    summary: 'Upload a file',
    explanation: `A video, picture, sound or color table (\`.cube\`) that renders can read, up to ${engineLimits.mediaBytes / 1e9} GB: either the file itself as the body, with its name in the address and any other Content-Type than multipart; or multipart/form-data with the file as the part \`${filePart}\` (a part \`name\` before it gives it another name). The content decides what it is, not its name or ending. It is written to the disk as it arrives and looked at by a separate process; what that can't read is refused, and nothing of it is kept.\n\nThe ID follows from the content: the same file sent again, under whatever name, is the same entry. So an upload can be repeated without an \`Idempotency-Key\`.`,
    query: uploadQuery,
    bodyForm: 'file',
    answers: [
      one(201, mediaAnswer, 'The file, to be used as its `source`.'),
      one(200, mediaAnswer, 'The project has this content already, under its first name.'),
    ],
    refusals: uploadRefusals,
    answer: async (services, asked) => mediaRecord(await upload(services, asked)),
  }),
  route('POST /v1/assets', {
    id: 'uploadMediaOlder',
    summary: 'Upload a file (for older clients)',
    explanation:
      'The same as `POST /v2/media`; the answer also has the `source` as `url`. A body needs no name.',
    query: uploadQuery,
    bodyForm: 'file',
    answers: [
      one(201, assetAnswer, 'The file.'),
      one(200, assetAnswer, 'The project has this content already.'),
    ],
    refusals: uploadRefusals,
    answer: async (services, asked) => {
      const file = await upload(services, asked, 'asset');
      return { ...mediaRecord(file), url: `media:${file.id}` };
    },
  }),
  route('GET /v2/media', {
    id: 'listMedia',
    summary: 'List files',
    explanation:
      'The newest first, in pages: what keys of this project have sent, and what was added in the window, which is for all projects.',
    query: listMediaQuery,
    answers: [one(200, mediaPageAnswer, 'A page; without `next_cursor` it is the last one.')],
    refusals: ['invalid_parameter'],
    answer: list,
  }),
  route('GET /v2/media/{id}', {
    id: 'readMedia',
    summary: 'Read the facts of a file',
    answers: [one(200, mediaAnswer, 'The file.')],
    refusals: ['media_not_found'],
    answer: (services, { request }) => mediaRecord(mediaOf(services, request)),
  }),
  route('GET /v2/media/{id}/content', {
    id: 'loadMedia',
    summary: 'Load a file',
    explanation: 'The bytes as they were sent, always as `application/octet-stream`.',
    answers: [{ status: 200, description: 'The file.', content: { form: 'file' } }],
    refusals: ['media_not_found'],
    answer: sendContent,
  }),
  route('DELETE /v2/media/{id}', {
    id: 'deleteMedia',
    summary: 'Delete a file',
    explanation:
      'For good. Documents that still name it fail from then on, with a sentence that says so; finished renders stay. A file that another project has sent as well stays there.',
    answers: [{ status: 204, description: 'Deleted.', content: null }],
    refusals: ['media_not_found', 'media_for_all', 'cannot_save'],
    answer: async (services, { request }) => {
      await services.project.media.remove(mediaOf(services, request).id);
    },
  }),
];
