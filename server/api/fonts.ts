/** Font families over HTTP: those that texts can use, and adding and removing files of one's own, for all projects. */
import { z } from 'zod';
import { fontLibraryLimits } from '../../shared/limits.ts';
import { groupFamilies } from '../jobs/files/font-library.ts';
import type { StoredFont } from '../store/fonts.ts';
import { shippedFamilies } from './docs/fonts.ts';
import { many, one, type Operation, serverRoutes, projectRoutes } from './operation.ts';
import { uploadQuery } from './request-schemas.ts';
import { filePart, readUpload } from './uploads.ts';

const route = projectRoutes('fonts');
const ofServer = serverRoutes('fonts');

const origins = ['bundled', 'added', 'installed'] as const;

const faceAnswer = z.strictObject({
  style: z.enum(['normal', 'italic']),
  min_weight: z.number().describe('1 to 1000.'),
  max_weight: z.number().describe('The same unless all weights between can be had.'),
});
const familyAnswer = z
  .strictObject({
    family: z.string().describe('What `font_family` names it by.'),
    origin: z
      .enum(origins)
      .describe(
        'It comes with the program, was added to the server, or is installed on its computer.',
      ),
    faces: z
      .array(faceAnswer)
      .describe('Its styles and weights; absent for installed ones.')
      .exactOptional(),
    file_size: z.int().describe('Bytes; only of added ones.').exactOptional(),
  })
  .meta({ id: 'FontFamily' });
type Family = z.infer<typeof familyAnswer>;
type Face = z.infer<typeof faceAnswer>;

function addedFamily(family: string, files: readonly StoredFont[]): Family {
  const faces = files.map(({ style, minWeight, maxWeight }) => ({
    style,
    min_weight: minWeight,
    max_weight: maxWeight,
  }));
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return { family, origin: 'added', faces, file_size: bytes };
}

/** Of a family that comes with the program; each subset of its characters has the same ones. */
function bundledFaces(family: string): Face[] {
  const found = shippedFamilies().find((one) => one.family === family);
  const faces = (found?.faces ?? []).map(({ style, weight: [least, most] }): Face => ({
    style: style === 'italic' ? 'italic' : 'normal',
    min_weight: least,
    max_weight: most,
  }));
  return [...new Map(faces.map((face) => [JSON.stringify(face), face])).values()];
}

/** Adding and removing one. */
const ownFontOperations: readonly Operation[] = [
  ofServer('POST /v2/fonts', {
    id: 'uploadFont',
    summary: 'Add a font',
    explanation: `A file in the format TTF, OTF, WOFF or WOFF2, up to ${fontLibraryLimits.bytes / 1e6} MB: the file itself as the body, with its name in the address, or multipart/form-data with the file as the part \`${filePart}\`. The content says which family it is, and which weight and style. Texts of all projects can use it at once.`,
    query: uploadQuery,
    bodyForm: 'file',
    answers: [
      one(201, familyAnswer, 'The family, with all its files.'),
      one(200, familyAnswer, 'The server has this content already.'),
    ],
    refusals: [
      'upload_refused',
      'invalid_parameter',
      'incomplete_body',
      'font_not_usable',
      'font_shipped',
      'font_too_large',
      'media_too_large',
      'font_library_full',
      'cannot_save',
    ],
    answer: async ({ store, library: { fontLibrary } }, { query: { name }, request, response }) => {
      const { family, isNew } = await readUpload(request, name, (content, called) =>
        fontLibrary.add(content, called),
      );
      if (!isNew) response.status(200);
      return addedFamily(family, store.fonts.ofFamily(family));
    },
  }),
  ofServer('DELETE /v2/fonts/{id}', {
    id: 'deleteFont',
    summary: 'Remove an added family',
    explanation:
      'All its files; the ID is the name of the family. Texts that use it are drawn with another family from then on, with a warning; finished renders stay.',
    answers: [{ status: 204, description: 'Removed; no body.', content: null }],
    refusals: ['font_not_found', 'cannot_save'],
    answer: ({ library: { fontLibrary } }, { id }) => fontLibrary.remove(id),
  }),
];

const listQuery = z.object({
  origin: z
    .enum(origins, `one of ${origins.join(', ')}`)
    .describe('Only families from there: bundled, added or installed.')
    .exactOptional(),
});

/** The routes of fonts. */
export const fontOperations: readonly Operation[] = [
  route('GET /v2/fonts', {
    id: 'listFonts',
    summary: 'List font families',
    explanation:
      'Those that texts can use: added ones, those of the program, and those that only this computer has.',
    query: listQuery,
    answers: [many(200, familyAnswer, 'The families, each kind in alphabetical order.')],
    refusals: ['invalid_parameter'],
    answer: async ({ library: { fonts }, project }, { query }) => {
      const { origin } = query;
      const { bundled, installed } = await fonts.list();
      const all: Family[] = [
        ...groupFamilies(project.fonts.list()).map(({ family, files }) =>
          addedFamily(family, files),
        ),
        ...bundled.map((family): Family => {
          return { family, origin: 'bundled', faces: bundledFaces(family) };
        }),
        ...installed.map((family): Family => ({ family, origin: 'installed' })),
      ];
      return all.filter((one) => origin === undefined || one.origin === origin);
    },
  }),
  ...ownFontOperations,
];
