/**
 * THE SHAPES of requests that several files read, as zod schemas; what one route reads alone is with it. They check
 * requests, and `openapi.json` and the help pages are made from them. Schemas know neither Express nor the store.
 */
import { z } from 'zod';
import { renderStatuses } from '../../shared/api.ts';
import { mediaLibraryLimits, requestLimits, shareLimits } from '../../shared/limits.ts';
import { previewSide } from '../../shared/preview.ts';
import { outputFormats } from '../../shared/renderscript/formats.ts';
import { documentLimits } from '../../shared/renderscript/limits.ts';
import {
  elementTypes,
  isJsonObject,
  type JsonObject,
  type Source,
  libraryKinds,
} from '../../shared/renderscript/source.ts';
import { JsonText } from '../system/json-text.ts';

const limits = requestLimits;

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
export function listed(names: readonly string[], type: Intl.ListFormatType): string {
  return new Intl.ListFormat('en-GB', { type }).format(names);
}

export const objectType = { type: 'object', additionalProperties: true } as const;

export const renderScriptFacts = {
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
      'Subtitles of videos and audio elements by their name, ID or `source`: text (SRT, WebVTT), an address, or an array of {time, duration, value}, as in `transcript_source`.',
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

const kitWords = {
  also: `IDs of at most ${shareLimits.templates - 1} templates with commas between them`,
  only: 'numbers of templates with commas between them, e.g. 1,3',
};

/** Query of a template's file. */
export const shareQuery = z.object({
  also: z
    .string(kitWords.also)
    .max(shareLimits.templates * 37, kitWords.also)
    .describe(`Makes a kit: ${kitWords.also}, which the file has besides.`)
    .exactOptional(),
});

/** Query of an import. */
export const importQuery = z.object({
  only: z
    .string(kitWords.only)
    .regex(/^[1-9]\d{0,2}(,[1-9]\d{0,2}){0,99}$/, kitWords.only)
    .describe(`Which templates of a kit to create: ${kitWords.only}. Default: all.`)
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
  kind: `one of ${listed(libraryKinds, 'disjunction')}`,
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
    .enum(libraryKinds, pageWords.kind)
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
