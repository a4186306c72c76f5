/**
 * THE SHAPES of the API: the content of requests and answers as zod schemas. They check requests, `openapi.json` and
 * the help pages are made from them, and the tests check every answer against them. Schemas know neither Express nor
 * the store.
 */
import { z } from 'zod';
import {
  mediaKinds,
  renderStatuses,
  type CreatedRender,
  type DryRun,
  type RenderRecord,
} from '../../shared/api.ts';
import type { Immutable } from '../../shared/api/row.ts';
import { findingLevels, type Finding, type RenderEstimate } from '../../shared/findings.ts';
import { mediaLibraryLimits, requestLimits } from '../../shared/limits.ts';
import { previewSide } from '../../shared/preview.ts';
import { movingFormats, outputFormats, timedFormats } from '../../shared/renderscript/formats.ts';
import { documentLimits } from '../../shared/renderscript/limits.ts';
import {
  elementTypes,
  isJsonObject,
  type JsonObject,
  type Source,
} from '../../shared/renderscript/source.ts';
import { JsonText } from '../system/json-text.ts';

const limits = requestLimits;

/** What a schema of an answer describes. */
type Answer<S extends z.ZodType> = Immutable<z.output<S>>;

/** What a value should be, in the words of refusals and of the OpenAPI document. */
const words = {
  modifications: `an object with at most ${limits.modifications} keys`,
  scale: `a number from ${limits.renderScale.min} to ${limits.renderScale.max}`,
  pixels: 'a number of pixels that is at least 1',
  webhook: `an http or https address without a name and password, at most ${limits.webhookUrlLength} characters long, and not this API itself`,
  metadata: `a string of at most ${limits.metadataLength} characters`,
  dryRun: 'true or false',
  check: 'document or media',
  format: `one of these values: ${outputFormats.join(', ')}`,
  frameRate: `a number from 1 to ${documentLimits.frameRate}`,
  wantedTags: `an array of at most ${limits.tags} strings`,
  transcripts: 'an object with the name of an element for each key',
  name: `a string of 1 to ${limits.nameLength} characters`,
  tags: `an array of at most ${limits.tags} strings of 1 to ${limits.tagLength} characters`,
  source: 'an object with RenderScript',
  newId: 'a UUID, or left out',
  time: 'a number of seconds from 0 on',
  side: `a whole number from 16 to ${previewSide}`,
};

/** What `webhook_url` should be; routes use it too, because only they know the address of this API. */
export const webhookWords = words.webhook;

/** A JSON object kept as it is; zod's own objects are copies that lose a key named `__proto__`. */
function plainObject(message: string): z.ZodCustom<JsonObject | JsonText, JsonObject | JsonText> {
  return z.custom<JsonObject | JsonText>(isJsonObject, message);
}

function keyCount(object: JsonObject | JsonText): number {
  return object instanceof JsonText ? object.keys : Object.keys(object).length;
}

/** `jpg, png, gif or mp4`. */
function listed(names: readonly string[], type: Intl.ListFormatType): string {
  return new Intl.ListFormat('en-GB', { type }).format(names);
}

const onlyMoving = `only ${listed(movingFormats, 'conjunction')}`;
const onlyTimed = `only ${listed(timedFormats, 'conjunction')}`;

const objectType = { type: 'object', additionalProperties: true } as const;

const renderScriptFacts = {
  ...objectType,
  id: 'RenderScript',
  description:
    'A RenderScript document. Its values are not checked here: wrong ones are listed under `errors`, and the render fails with the first of them.',
  properties: {
    output_format: { type: 'string', description: `${listed(outputFormats, 'disjunction')}.` },
    width: { description: 'Pixels.' },
    height: { description: 'Pixels.' },
    duration: { description: 'Seconds; left out: as long as its elements need.' },
    frame_rate: { description: 'Frames per second.' },
    snapshot_time: {
      description:
        'Seconds; a video then gets a picture of this moment, and a jpg or png shows it.',
    },
    elements: { description: 'What is shown and heard; see the language reference.' },
  },
};

const renderScript: z.ZodType<Source | JsonText> = plainObject(words.source).meta(
  renderScriptFacts,
);

// ---- requests
// --------------------------------------------------------------------------------------------------------

/** Fields that all create requests share; in a v2 body everything else is RenderScript. */
const renderOptions = {
  template_id: z
    .guid('a valid template ID')
    .describe('The template to render. Left out: the document is in the request.')
    .exactOptional(),
  modifications: plainObject(words.modifications)
    .refine((value) => keyCount(value) <= limits.modifications, words.modifications)
    .meta({
      ...objectType,
      description:
        'Values to replace: `Name.property`, `Name` alone (text or source), a property of the document, or `elements.add`.',
    })
    .exactOptional(),
  render_scale: z
    .number(words.scale)
    .min(limits.renderScale.min, words.scale)
    .max(limits.renderScale.max, words.scale)
    .describe('Size of the file relative to the document. Default 1.')
    .exactOptional(),
  max_width: z
    .number(words.pixels)
    .min(1, words.pixels)
    .describe('The width never exceeds it; `render_scale` is then ignored.')
    .exactOptional(),
  max_height: z
    .number(words.pixels)
    .min(1, words.pixels)
    .describe('The height never exceeds it; `render_scale` is then ignored.')
    .exactOptional(),
  webhook_url: z
    .string(words.webhook)
    .max(limits.webhookUrlLength, words.webhook)
    .describe('Called with the render once it has succeeded or failed.')
    .exactOptional(),
  metadata: z
    .string(words.metadata)
    .max(limits.metadataLength, words.metadata)
    .describe('Your own text; comes back with the render and the webhook.')
    .exactOptional(),
  strict: z
    .boolean(words.dryRun)
    .describe(
      'True turns warnings about properties, easings, animations and options that the language does not know into errors.',
    )
    .exactOptional(),
  dry_run: z
    .boolean(words.dryRun)
    .describe('True only checks the request: nothing is stored or used up.')
    .exactOptional(),
  check: z
    .enum(['document', 'media'], words.check)
    .describe(
      'With `dry_run`: `media` also looks at files, texts, sounds and times, and answers `findings` and an `estimate`. Default `document`.',
    )
    .exactOptional(),
};

/** Fields of a v2 body that are not RenderScript. */
export const renderOptionNames: ReadonlySet<string> = new Set(Object.keys(renderOptions));

/** Fields beside `template_id`, `source` or `tags` that replace the document's own. */
const documentOptions = {
  output_format: z
    .enum(outputFormats, words.format)
    .describe('Replaces that of the document.')
    .exactOptional(),
  frame_rate: z
    .number(words.frameRate)
    .min(1, words.frameRate)
    .max(documentLimits.frameRate, words.frameRate)
    .describe('Replaces that of the document.')
    .exactOptional(),
};

/** The options of a create request in any form. */
export const renderOptionParameters = z.object(renderOptions);

/** Their values. */
export type RenderOptions = z.infer<typeof renderOptionParameters>;

/** What may stand beside a template or a wrapped document. */
export const documentOptionParameters = z.object(documentOptions);

/** A document in a field of its own. */
export const wrappedSourceParameters = z.object({ source: renderScript });

const wantedTags = z
  .array(
    z.string(words.wantedTags).trim().normalize().max(limits.tagLength, words.wantedTags),
    words.wantedTags,
  )
  .max(limits.tags, words.wantedTags)
  .describe('Renders every template with at least one of these tags.');

/** The batch form of v1. */
export const tagParameters = z.object({ tags: wantedTags });

const transcripts = plainObject(words.transcripts)
  .meta({
    ...objectType,
    description:
      'Subtitles for spoken elements: the name, ID or `source` of a video or audio element for each key, and what its `transcript_source` could hold as the value, i.e. subtitles as text (SRT, WebVTT), an address, or an array of {time, duration, value}.',
  })
  .exactOptional();

/** Subtitle timings of v1. */
export const transcriptParameters = z.object({ transcripts });

// ---- bodies of create requests, for the document: routes read their parts with the schemas above
// -------------------------

const number = z.number().nullable();

/** What client generators make types from; the language's own schema describes all its properties. */
const element = z
  .looseObject({
    type: z.enum(elementTypes),
    name: z.string().describe('The name that modifications use for it.').optional(),
    text: z.string().describe('Of a text.').optional(),
    source: z.string().describe('Address or file of a picture, video or sound.').optional(),
    time: z.union([z.number(), z.string()]).nullable().optional(),
    duration: z.union([z.number(), z.string()]).nullable().optional(),
  })
  .meta({ id: 'Element', description: 'All properties: see /renderscript.schema.json.' });

const documentForm = {
  output_format: z.enum(outputFormats).optional(),
  width: number.describe('Pixels.').optional(),
  height: number.describe('Pixels.').optional(),
  duration: z
    .union([z.number(), z.string()])
    .nullable()
    .describe('Seconds; left out: as long as its elements need.')
    .optional(),
  frame_rate: number.describe('Frames per second.').optional(),
  snapshot_time: number
    .describe('Seconds; a video then gets a picture of this moment, and a jpg or png shows it.')
    .optional(),
};

/** A required field of the otherwise optional options. */
const templateId = { template_id: renderOptions.template_id.unwrap() };
const requestedSource = { source: renderScript };

/** Body of `POST /v2/renders`. */
export const createRenderBody = z
  .xor([
    z
      .object({ ...renderOptions, ...documentOptions, ...templateId })
      .meta({ id: 'RenderTemplate', description: 'Renders a stored template.' }),
    z
      .looseObject({ ...renderOptions, ...documentForm, elements: z.array(element) })
      .omit({ template_id: true })
      .meta({
        id: 'RenderDocument',
        description:
          'Renders the body itself as a document: all fields not named here are RenderScript.',
      }),
    z
      .object({ ...renderOptions, ...documentOptions, ...requestedSource })
      .omit({ template_id: true })
      .meta({ id: 'RenderSource', description: 'Renders the document in a field of its own.' }),
  ])
  .meta({ id: 'CreateRender', description: 'One of three forms.' });

/** Body of `POST /v1/renders`. */
export const createRendersBody = z
  .xor([
    z
      .object({ ...renderOptions, ...documentOptions, ...templateId, transcripts })
      .meta({ id: 'RenderTemplateOlder', description: 'Renders a stored template.' }),
    z
      .object({ ...renderOptions, ...documentOptions, ...requestedSource, transcripts })
      .omit({ template_id: true })
      .meta({ id: 'RenderSourceOlder', description: 'Renders a document.' }),
    z
      .object({ ...renderOptions, ...documentOptions, tags: wantedTags, transcripts })
      .omit({ template_id: true })
      .meta({ id: 'RenderTagsOlder', description: 'Renders every template with a tag.' }),
  ])
  .meta({ id: 'CreateRenders', description: 'One of three forms.' });

/** Body of `POST /v2/renders/batch`. */
export const createBatchBody = z
  .object({
    renders: z
      .array(createRenderBody)
      .min(1)
      .max(limits.batch)
      .describe(`1 to ${limits.batch} orders.`),
  })
  .meta({ id: 'CreateRenderBatch' });

const previewOptions = {
  modifications: renderOptions.modifications,
  time: z
    .number(words.time)
    .min(0, words.time)
    .describe('Seconds; a moment after the end shows the last frame. Default 0.')
    .exactOptional(),
  max_side: z
    .int(words.side)
    .min(16, words.side)
    .max(previewSide, words.side)
    .describe(`Most pixels of the longer side, ${words.side}. Default ${previewSide}.`)
    .exactOptional(),
};

/** Both forms of the next, as routes read them. */
export const previewParameters = z.object({
  ...previewOptions,
  template_id: renderOptions.template_id,
  source: renderScript.exactOptional(),
});

/** Body of `POST /v2/previews`. */
export const previewBody = z
  .xor([
    z
      .object({ ...previewOptions, ...templateId })
      .meta({ id: 'PreviewTemplate', description: 'Shows a stored template.' }),
    z
      .object({ ...previewOptions, ...requestedSource })
      .meta({ id: 'PreviewSource', description: 'Shows a document.' }),
  ])
  .meta({ id: 'CreatePreview', description: 'One of two forms.' });

const name = z
  .string(words.name)
  .min(1, words.name)
  .max(limits.nameLength, words.name)
  .describe('For people.');
const tags = z
  .array(
    z.string(words.tags).trim().normalize().min(1, words.tags).max(limits.tagLength, words.tags),
    words.tags,
  )
  .max(limits.tags, words.tags)
  .describe('Labels that lists and batches are filtered by.');

/** Body of `POST /v2/templates`. */
export const createTemplateBody = z
  .object({
    name,
    source: renderScript,
    tags: tags.exactOptional(),
    id: z
      .guid(words.newId)
      .describe('The ID to use, if it is free. Left out: a new one.')
      .exactOptional(),
  })
  .meta({ id: 'CreateTemplate' });

/** Body of `PATCH /v2/templates/{id}`; the route checks that it is not empty. */
export const changeTemplateBody = z
  .object({
    name: name.exactOptional(),
    source: renderScript.exactOptional(),
    tags: tags.exactOptional(),
  })
  .meta({
    id: 'ChangeTemplate',
    description: 'Fields that are left out keep their values; at least one is needed.',
    minProperties: 1,
  });

/** Query of the template list. */
export const listTemplatesQuery = z.object({
  tags: z
    .union([z.string(), z.array(z.string())], 'a list of tags with commas between them')
    .describe(
      `Tags with commas between them, at most ${limits.tagQueryLength} characters; only templates with one of them are listed.`,
    )
    .exactOptional(),
});

const pages = limits.page;
const pageWords = {
  statuses: `states with commas between them, of ${renderStatuses.join(', ')}`,
  date: 'a date and time, e.g. 2026-11-21T14:02:11Z',
  limit: `a whole number from 1 to ${pages.most}`,
  cursor: 'the next_cursor of an earlier answer',
  once: 'a text, given once',
  batch: 'a valid batch ID',
  kind: `one of ${listed(mediaKinds, 'disjunction')}`,
};
const moment = z
  .string(pageWords.date)
  .refine((text) => Number.isFinite(Date.parse(text)), pageWords.date);
const isStatus = (text: string): boolean => (renderStatuses as readonly string[]).includes(text);

/** Query of the list of renders. */
export const listRendersQuery = z.object({
  status: z
    .string(pageWords.statuses)
    .refine((text) => text.split(',').every(isStatus), pageWords.statuses)
    .describe(`Only renders in these states: ${pageWords.statuses}.`)
    .exactOptional(),
  template_id: z
    .guid('a valid template ID')
    .describe('Only renders of this template.')
    .exactOptional(),
  tag: z
    .string(pageWords.once)
    .normalize()
    .describe('Only renders of templates that had this tag then.')
    .exactOptional(),
  metadata: z
    .string(pageWords.once)
    .describe('Only renders with just this metadata.')
    .exactOptional(),
  batch_id: z
    .guid(pageWords.batch)
    .describe('Only renders of this batch of a feed.')
    .exactOptional(),
  created_after: moment
    .describe(`Only renders that were created later: ${pageWords.date}.`)
    .exactOptional(),
  created_before: moment.describe('Only renders that were created earlier.').exactOptional(),
  limit: z
    .string(pageWords.limit)
    .refine((text) => /^[1-9]\d{0,2}$/.test(text) && Number(text) <= pages.most, pageWords.limit)
    .meta({
      // Generated clients then take a number.
      type: 'integer',
      description: `Renders of one page, 1 to ${pages.most}. Default ${pages.usual}.`,
    })
    .exactOptional(),
  cursor: z
    .string(pageWords.cursor)
    .regex(/^[0-9a-z]{1,10}$/, pageWords.cursor)
    .describe('Where the page begins: the `next_cursor` of the one before.')
    .exactOptional(),
});

/** Query of an upload. */
export const uploadQuery = z.object({
  name: z
    .string(pageWords.once)
    .describe(
      `The file's name, of which folders are left out; 1 to ${mediaLibraryLimits.nameLength} characters. A form may name it instead.`,
    )
    .exactOptional(),
});

/** An upload as a form. */
export const uploadForm = z
  .object({
    name: z.string().describe('Another name for the file.').exactOptional(),
    file: z.custom<Blob>().meta({ type: 'string', format: 'binary', description: 'The file.' }),
  })
  .meta({ id: 'UploadMedia' });

/** Query of the list of files. */
export const listMediaQuery = z.object({
  kind: z
    .enum(mediaKinds, pageWords.kind)
    .describe(`Only files of this kind: ${pageWords.kind}.`)
    .exactOptional(),
  name: z
    .string(pageWords.once)
    .describe('Only files with this text in their name, in upper or lower case.')
    .exactOptional(),
  limit: listRendersQuery.shape.limit
    .unwrap()
    .meta({
      type: 'integer',
      description: `Files of one page, 1 to ${pages.most}. Default ${pages.usual}.`,
    })
    .exactOptional(),
  cursor: z
    .string(pageWords.cursor)
    .regex(/^[0-9a-z]{1,11}-[0-9a-f]{32}$/, pageWords.cursor)
    .describe('Where the page begins: the `next_cursor` of the one before.')
    .exactOptional(),
});

// ---- answers
// ---------------------------------------------------------------------------------------------------------

const id = z.guid();
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

/** A page of the list of renders. */
export const renderPageAnswer = z
  .strictObject({
    renders: z.array(listedRenderAnswer),
    next_cursor: z.string().describe('For the next page; absent on the last one.').exactOptional(),
  })
  .meta({ id: 'RenderPage' });
export type RenderPage = Answer<typeof renderPageAnswer>;

const progressRecord = z
  .strictObject({
    id,
    phase: z.enum(['waiting', 'transcribing', 'rendering', 'finishing']),
    percent: z.number().describe('0 to 99; does not go down within an attempt.'),
    frame: z.int().describe('Frames drawn; files fetched or recordings read in other phases.'),
    frames: z.int().describe('The total; 0 while unknown.'),
    frames_per_second: z.number().exactOptional(),
    seconds_left: z.number().describe('Left out while unknown.').exactOptional(),
  })
  .meta({ id: 'RenderProgress' });
export type ProgressRecord = Answer<typeof progressRecord>;

/** One event of a stream. */
export const renderEventAnswer = z
  .discriminatedUnion('event', [
    z
      .strictObject({ event: z.literal('ready'), data: z.strictObject({}) })
      .meta({ id: 'ReadyEvent', description: 'The stream is open.' }),
    z
      .strictObject({ event: z.literal('render'), data: listedRenderAnswer })
      .meta({ id: 'StateEvent', description: 'A render as it is now.' }),
    z
      .strictObject({ event: z.literal('progress'), data: progressRecord })
      .meta({ id: 'ProgressEvent', description: 'How far a render is.' }),
    z
      .strictObject({ event: z.literal('removed'), data: z.strictObject({ id }) })
      .meta({ id: 'RemovedEvent', description: 'A render is no longer in the list.' }),
  ])
  .meta({
    id: 'RenderEvent',
    description: 'The name of an event and its data, which is sent as one line of JSON.',
  });

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

/** The answer to a batch of renders. */
export const batchAnswer = z
  .strictObject({
    accepted: z.int().describe('How many renders there are now.'),
    refused: z.int().describe('How many items were refused.'),
    results: z
      .array(
        z
          .xor([
            z
              .strictObject({ status: z.literal(202), render: createdRenderAnswer })
              .meta({ id: 'AcceptedRender', description: 'The render was created.' }),
            z
              .strictObject({ status: z.literal(200), check: dryRunAnswer })
              .meta({ id: 'CheckedRender', description: 'With `dry_run`: what was found.' }),
            z
              .strictObject({
                status: z.int().describe('400 and above.'),
                error: errorAnswer,
              })
              .meta({ id: 'RefusedRender', description: 'The item was refused.' }),
          ])
          .meta({ id: 'BatchResult', description: 'One of three forms.' }),
      )
      .describe('One for each item, in the order of the request.'),
  })
  .meta({ id: 'RenderBatch' });
export type RenderBatch = Answer<typeof batchAnswer>;

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

const mediaFields = {
  id: z.string().describe('Of the content, 32 hexadecimal digits.'),
  source: z.string().describe('What documents name it by: `media:` and the ID.'),
  name: z.string(),
  kind: z.enum(mediaKinds),
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

/** What every form of a feed has. */
export const feedFields = { id, name: z.string(), created_at: date, updated_at: date };

/** A feed as the list shows it. */
export const feedAnswer = z.strictObject(feedFields).meta({ id: 'FeedFacts' });
export type FeedRecord = Answer<typeof feedAnswer>;

/** A feed with its columns. */
export const fullFeedAnswer = z
  .strictObject({
    ...feedFields,
    columns: z.array(z.strictObject({ id, name: z.string() })),
    template_id: id
      .describe('The template for its rows; absent while it has none.')
      .exactOptional(),
  })
  .meta({ id: 'Feed' });
export type FullFeedRecord = Answer<typeof fullFeedAnswer>;

/** A row of a feed. */
export const feedRowAnswer = z
  .record(z.string(), z.string())
  .meta({ id: 'FeedRow', description: 'Texts by the names of the columns.' });

/** Query of the list of fields. */
export const templateFieldsQuery = z.object({
  'template-id': z.guid('a valid template ID').describe('The template whose fields are wanted.'),
});

/** The project of a key. */
export const projectDataAnswer = z
  .strictObject({ id: z.string(), name: z.string() })
  .meta({ id: 'ProjectData' });
export type ProjectData = Answer<typeof projectDataAnswer>;

/** The fields of a template, as n8n's resource mapper takes them. */
export const mapperFieldsAnswer = z
  .strictObject({
    fields: z.array(
      z.strictObject({
        id: z.string().describe('The key in `modifications`.'),
        displayName: z.string().describe('For people.'),
        type: z.enum(['string', 'number', 'boolean', 'options']),
        required: z.literal(false),
        display: z.literal(true),
        defaultMatch: z.literal(false),
        removed: z.literal(false),
        readOnly: z.literal(false),
        options: z
          .array(z.strictObject({ name: z.string(), value: z.string() }))
          .describe('Only with type options.')
          .exactOptional(),
      }),
    ),
  })
  .meta({
    id: 'TemplateFields',
    description: 'One field for each value of the template that can be replaced.',
  });
export type MapperFields = Answer<typeof mapperFieldsAnswer>;

/** The secret of a project's webhooks. */
export const webhookSecretAnswer = z
  .strictObject({
    secret: z.string().describe('`whsec_` and the key in base64.'),
    previous_until: date
      .describe('Until then calls are signed with the secret before, too; absent: they are not.')
      .exactOptional(),
  })
  .meta({ id: 'WebhookSecret' });
export type WebhookSecretRecord = Answer<typeof webhookSecretAnswer>;

const count = z.int();
/** A backup of the records and of the files that they name. */
export const backupAnswer = z
  .strictObject({
    id: z.string().describe('Its name, e.g. day-2026-11-21.'),
    kind: z
      .enum(['day', 'upgrade', 'own', 'replaced'])
      .describe(
        'What made it: the first start of a day, an upgrade, a person or program, or a restore, of what it replaced.',
      ),
    place: z
      .enum(['data_folder', 'backup_folder'])
      .describe('In the data folder, or in that of the setting `backup_folder`.'),
    created_at: date,
    file_size: z.int().describe('Bytes of its records and documents.'),
    media: z
      .strictObject({ files: count, file_size: z.int().describe('Bytes.') })
      .describe(
        'Its media and fonts; absent if it has none, because they would have needed space of their own.',
      )
      .exactOptional(),
    records: z
      .strictObject({
        templates: count,
        feeds: count,
        renders: count,
        projects: count,
        keys: count,
      })
      .describe('How many there are; absent if they were not counted.')
      .exactOptional(),
  })
  .meta({ id: 'Backup' });
export type BackupFacts = Answer<typeof backupAnswer>;

/** All backups. */
export const backupPageAnswer = z
  .strictObject({
    backups: z.array(backupAnswer),
    folder: z.string().describe('Where the next one goes, on the computer of the server.'),
    last_restore: z
      .strictObject({
        backup: z.string(),
        asked_at: date,
        succeeded: z.boolean(),
        message: z.string().describe('What was restored, or why it was not, for people.'),
      })
      .describe(
        'What came of the restore that the server began its present run with; absent if it did not.',
      )
      .exactOptional(),
  })
  .meta({ id: 'BackupList' });
export type BackupPage = Answer<typeof backupPageAnswer>;

const restorable = 'work or all';
/** Body of `POST /v2/backups/{id}/restore`. */
export const restoreBackupBody = z
  .object({
    what: z
      .enum(['work', 'all'], restorable)
      .describe(
        '`work`: templates with their versions, and feeds; media and fonts that are missing come back; renders, keys and settings stay. `all`: everything; keys deleted since then work again, and the queue is paused.',
      ),
  })
  .meta({ id: 'RestoreBackup' });

/** A backup will be put back. */
export const startedRestoreAnswer = z
  .strictObject({
    restarts: z
      .boolean()
      .describe(
        'True: the server starts again now. False: the next start of the program restores it.',
      ),
    asked_at: date,
  })
  .meta({ id: 'StartedRestore' });
export type StartedRestore = Answer<typeof startedRestoreAnswer>;
