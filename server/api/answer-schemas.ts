/**
 * THE SHAPES of answers that several files send, as zod schemas; what one route sends alone is with it. `openapi.json`
 * and the help pages are made from them, and the tests check every answer against them.
 */
import { z } from 'zod';
import {
  renderStatuses,
  type CreatedRender,
  type DryRun,
  type RenderRecord,
} from '../../shared/api.ts';
import type { Immutable } from '../../shared/api/row.ts';
import { findingLevels, type Finding, type RenderEstimate } from '../../shared/findings.ts';
import { movingFormats, outputFormats, timedFormats } from '../../shared/renderscript/formats.ts';
import {
  isJsonObject,
  libraryKinds,
  type JsonObject,
  type Source,
} from '../../shared/renderscript/source.ts';
import { listed, objectType, renderScriptFacts } from './request-schemas.ts';

/** What a schema of an answer describes. */
export type Answer<S extends z.ZodType> = Immutable<z.output<S>>;

const onlyMoving = `only ${listed(movingFormats, 'conjunction')}`;
const onlyTimed = `only ${listed(timedFormats, 'conjunction')}`;

/** The ID of a record. */
export const id = z.guid();
const sentences = z.array(z.string());
/** A time of an answer. */
export const date = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} [+-]\d{4}$/)
  .describe('YYYY-MM-DD HH:mm:ss.SSS +HHMM, in the time zone of this computer.');

const echo = z.custom<JsonObject>(isJsonObject, 'an object');
const shownScript: z.ZodType<Source> = z.custom<Source>(isJsonObject).meta(renderScriptFacts);

const renderFields = {
  id,
  status: z.enum(renderStatuses).describe('The last two are final.'),
  error_message: z.string().describe('Only with status failed.').exactOptional(),
  waiting_reason: z
    .string()
    .describe('Only with status planned, while the renderer itself does not work.')
    .exactOptional(),
  url: z.string().describe('Where the file is once the status is succeeded.'),
  snapshot_url: z
    .string()
    .describe('Only with status succeeded, when the document asked for a snapshot.')
    .exactOptional(),
  template_id: id
    .describe('This and the next two only for renders made from a template.')
    .exactOptional(),
  template_name: z.string().exactOptional(),
  template_tags: z.array(z.string()).exactOptional(),
  output_format: z.enum(outputFormats),
  render_scale: z
    .number()
    .describe('As asked for; with status succeeded the factor that was used.')
    .exactOptional(),
  width: z
    .int()
    .describe('Pixels; not of a sound. This and all facts below only with status succeeded.')
    .exactOptional(),
  height: z.int().describe('Pixels; not of a sound.').exactOptional(),
  frame_rate: z.number().describe(`Frames per second, not rounded; ${onlyMoving}.`).exactOptional(),
  duration: z.number().describe(`Seconds, not rounded; ${onlyTimed}.`).exactOptional(),
  file_size: z.int().describe('Bytes.').exactOptional(),
  modifications: echo.meta({ ...objectType, description: 'As sent.' }).exactOptional(),
  webhook_url: z.string().describe('As sent.').exactOptional(),
  metadata: z.string().describe('As sent.').exactOptional(),
};

/** The Render object. */
export const renderAnswer = z.strictObject(renderFields).meta({
  id: 'Render',
  description: 'Fields without a value are left out; none is ever null.',
}) satisfies z.ZodType<RenderRecord>;

/** The answer to a create request. */
export const createdRenderAnswer = z
  .strictObject({
    ...renderFields,
    errors: sentences.describe('Why the render will fail. Only in this answer.').exactOptional(),
    warnings: sentences.describe('Only in this answer.').exactOptional(),
  })
  .meta({
    id: 'CreatedRender',
    description: 'The Render object, with errors and warnings about its document.',
  }) satisfies z.ZodType<CreatedRender>;

/** A render as lists show it. */
export const listedRenderAnswer = z
  .strictObject({ ...renderFields, created_at: date, finished_at: date.exactOptional() })
  .meta({
    id: 'ListedRender',
    description: 'The Render object with its times; long modifications are left out.',
  });
export type ListedRender = Answer<typeof listedRenderAnswer>;

const patchStep = z
  .strictObject({
    op: z.enum(['add', 'remove', 'replace', 'move']),
    path: z.string().describe('A JSON Pointer into the document.'),
    from: z.string().exactOptional(),
    value: z.unknown().exactOptional(),
  })
  .meta({ id: 'PatchStep', description: 'A step of a JSON Patch (RFC 6902).' });

/** One thing that can go wrong. */
export const findingAnswer = z
  .strictObject({
    path: z.string().describe('Where in the document; empty for the whole.'),
    element: z.string().describe('The name of the element; empty for the whole.'),
    level: z
      .enum(findingLevels)
      .describe('The render fails; it is not what was meant; it may not be.'),
    code: z.string().describe('Stable, for programs.'),
    message: z.string().describe('What was expected and what was found.'),
    cure: z.string().describe('What to do.'),
    time: z.number().describe('Seconds of the film where it shows.').exactOptional(),
    patch: z
      .array(patchStep)
      .readonly()
      .describe('The cure as a JSON Patch, where one is clear.')
      .exactOptional(),
  })
  .meta({ id: 'Finding' }) satisfies z.ZodType<Finding>;

/** What a render will take. */
export const estimateAnswer = z
  .strictObject({
    seconds: z.number().describe('Of rendering.'),
    bytes: z.int().describe('Of the file.'),
    width: z.int().describe('Pixels; 0 for a sound, as are the height and the frames.'),
    height: z.int(),
    duration: z.number().describe('Seconds of the film; 0 for pictures.'),
    frames: z.int(),
  })
  .meta({
    id: 'RenderEstimate',
    description: 'What the render will take, estimated from a few frames; null with errors.',
  }) satisfies z.ZodType<RenderEstimate>;

/** The answer to a create request with `dry_run`. */
export const dryRunAnswer = z
  .strictObject({
    valid: z.boolean().describe('False when there are errors.'),
    errors: sentences,
    warnings: sentences,
    source: shownScript,
    findings: z
      .array(findingAnswer)
      .readonly()
      .describe('With `check: media`: everything that can go wrong, the gravest first.')
      .exactOptional(),
    more_findings: z.int().describe('How many more there are than listed.').exactOptional(),
    estimate: estimateAnswer.nullable().exactOptional(),
  })
  .meta({
    id: 'DryRun',
    description: 'What a create request would answer, and the document after modifications.',
  }) satisfies z.ZodType<DryRun>;

/** The body of every refusal. */
export const errorAnswer = z
  .strictObject({
    hint: z.string().describe('What went wrong and what to do, for people.'),
    documentation: z.string().describe('Address of the help page about it.'),
  })
  .meta({ id: 'Error' });
export type ErrorRecord = Answer<typeof errorAnswer>;

const templateFields = {
  id,
  name: z.string(),
  tags: z.array(z.string()),
  created_at: date,
  updated_at: date,
};

/** A template as the list shows it. */
export const templateAnswer = z.strictObject(templateFields).meta({ id: 'TemplateFacts' });
export type TemplateRecord = Answer<typeof templateAnswer>;

/** A template in the Trash. */
export const deletedTemplateAnswer = z
  .strictObject({
    ...templateFields,
    deleted_at: date,
    expires_at: date.describe('Then it is removed for good.'),
  })
  .meta({ id: 'DeletedTemplate' });
export type DeletedTemplateRecord = Answer<typeof deletedTemplateAnswer>;

/** A template with its document. */
export const fullTemplateAnswer = z
  .strictObject({ ...templateFields, source: shownScript })
  .meta({ id: 'Template' });
export type FullTemplateRecord = Answer<typeof fullTemplateAnswer>;

/** A template that came as a file, or the first one of a kit. */
export const importedTemplateAnswer = z
  .strictObject({
    ...fullTemplateAnswer.shape,
    kit: z
      .strictObject({
        templates: z.array(templateAnswer).describe('All that were created.'),
        unreadable: z
          .array(z.strictObject({ name: z.string(), reason: z.string() }))
          .describe('Damaged ones.'),
        brand: z.boolean().describe('Whether the project took its brand.'),
      })
      .describe('Only of files with several templates.')
      .exactOptional(),
  })
  .meta({ id: 'ImportedTemplate' });

const mediaFields = {
  id: z.string().describe('Of the content, 32 hexadecimal digits.'),
  source: z.string().describe('What documents name it by: `media:` and the ID.'),
  name: z.string(),
  kind: z.enum(libraryKinds),
  format: z.string().describe('What its content is, e.g. png, mp4.'),
  width: z.int().describe('Pixels, as it is shown; only of pictures and videos.').exactOptional(),
  height: z.int().describe('Pixels.').exactOptional(),
  duration: z
    .number()
    .describe('Seconds; only of videos, sounds and animated pictures.')
    .exactOptional(),
  frame_rate: z.number().describe('Frames per second, if known.').exactOptional(),
  has_audio: z.boolean().exactOptional(),
  has_alpha: z
    .boolean()
    .describe('True if it can be transparent; only of pictures and videos.')
    .exactOptional(),
  file_size: z.int().describe('Bytes.'),
  created_at: date,
};

/** A file of the media library. */
export const mediaAnswer = z.strictObject(mediaFields).meta({ id: 'Media' });
export type MediaRecord = Answer<typeof mediaAnswer>;

/** The same with the names of older clients. */
export const assetAnswer = z
  .strictObject({ ...mediaFields, url: mediaFields.source })
  .meta({ id: 'Asset' });

/** A page of the list of files. */
export const mediaPageAnswer = z
  .strictObject({
    media: z.array(mediaAnswer),
    next_cursor: z.string().describe('For the next page; absent on the last one.').exactOptional(),
  })
  .meta({ id: 'MediaPage' });
export type MediaPage = Answer<typeof mediaPageAnswer>;
