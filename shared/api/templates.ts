/** The window's routes about templates: the list, earlier versions, the Trash, files to pass on. */
import * as z from 'zod/mini';
import { requestLimits as limits } from '../limits.ts';
import { markerList } from '../markers.ts';
import { outputFormats } from '../renderscript/formats.ts';
import { sampleFamilies } from '../samples.ts';
import { anyObject, longList, type Immutable, type Of, type Rows } from './row.ts';

const words = {
  name: `a string of 1 to ${limits.nameLength} characters`,
  tags: `an array of at most ${limits.tags} strings of 1 to ${limits.tagLength} characters`,
  source: 'a RenderScript object',
  project: 'the ID of a project',
  id: 'a UUID',
  only: 'numbers with commas between them',
};

/** A name that the user gives. @param what What it should be, in words. */
const nameOf = (what: string): z.ZodMiniString<string> =>
  z.string(what).check(z.minLength(1, what), z.maxLength(limits.nameLength, what));
const name = nameOf(words.name);
const tag = z
  .string(words.tags)
  .check(z.minLength(1, words.tags), z.maxLength(limits.tagLength, words.tags));
const tags = z.array(tag, words.tags).check(z.maxLength(limits.tags, words.tags));
/** A document. On the server a long one is a `JsonText`. */
const source = anyObject(words.source);

/** What of a template people change; drafts and saving have it too. */
export const templateFields = { name, tags, source, markers: markerList };

const templateShape = {
  id: z.string(),
  /** The ID of the project that it belongs to. */
  project: z.string(),
  name: z.string(),
  tags: z.array(z.string()),
  /** ms since 1970. */
  createdAt: z.number(),
  updatedAt: z.number(),
  /** From the document; absent if not usable. */
  outputFormat: z.exactOptional(z.enum(outputFormats)),
  width: z.exactOptional(z.number()),
  height: z.exactOptional(z.number()),
  /** Seconds, from the document; absent if it does not set a length, and for pictures. */
  duration: z.exactOptional(z.number()),
  /** It was stored with errors and can't be rendered. */
  hasErrors: z.exactOptional(z.literal(true)),
};
export const windowTemplate = z.object(templateShape);
/** A template as the window's list shows it. */
export type WindowTemplate = Of<typeof windowTemplate>;

/** Times in ms since 1970: when it was deleted, and when it is removed permanently. */
const trashed = z.object({ ...templateShape, deletedAt: z.number(), goneAt: z.number() });
/** A template in the Trash. */
export type TrashedTemplate = Of<typeof trashed>;

const list = z.object({
  /** Newest change first. */
  templates: longList(windowTemplate),
  eventNumber: z.number(),
});
export type TemplateList = Of<typeof list>;

const version = z.object({
  id: z.string(),
  /** When it was saved, in ms since 1970. */
  savedAt: z.number(),
  /** Given by the user; null if none is. */
  name: z.nullable(z.string()),
  /** Size of its JSON text. */
  bytes: z.number(),
});
/** An earlier version of a template, as the window shows it. */
export type WindowVersion = Of<typeof version>;

const missing = z.array(z.object({ source: z.string(), reason: z.string() }));

const shared = z.object({
  /** Below the window's address; valid once, for a minute. */
  path: z.string(),
  /** How many files are in it besides the documents, and bytes of all of them. */
  files: z.number(),
  bytes: z.number(),
  /** Addresses of files that are not in it, with the reason. */
  missing,
});
/** A file of one or several templates with their media and fonts, ready to load. */
export type SharedTemplateFile = Of<typeof shared>;

const imported = z.object({
  /** At least one. */
  templates: z.array(windowTemplate),
  /** How many files they brought. */
  files: z.number(),
  /** Addresses of files that their sender could not pack, with the reason. */
  missing,
  /** Templates of a kit that are damaged, or need a damaged file, with the reason. */
  unreadable: z.array(z.object({ name: z.string(), reason: z.string() })),
  /** Whether the project took the brand of a kit, since it had none. */
  brand: z.boolean(),
});
/** What came of a file with templates. */
export type ImportedTemplates = Of<typeof imported>;

const newTemplate = z.object({
  project: z.string(words.project),
  name,
  tags: z._default(tags, []),
  source,
  /** Of its timeline. Default: none. */
  markers: z.exactOptional(markerList),
  /** Of an imported file; replaced by a new one if it is taken. */
  id: z.exactOptional(z.guid(words.id)),
});
/** What a new template is made of. */
export type NewTemplate = Immutable<z.output<typeof newTemplate>>;

const sample = z.object({
  /** Its folder's name. */
  id: z.string(),
  name: z.string(),
  tags: z.array(z.string()),
  family: z.enum(sampleFamilies),
  source: anyObject(),
});
/** What a new template can start from. */
export type WindowSample = Immutable<z.output<typeof sample>>;

/** Templates, and the samples to begin with. */
export const templateRows = {
  list: { method: 'GET', path: '/templates', answer: list },
  create: {
    method: 'POST',
    path: '/templates',
    body: newTemplate,
    status: 201,
    answer: windowTemplate,
  },
  /** A copy under another name. */
  duplicate: {
    method: 'POST',
    path: '/templates/:id/duplicate',
    body: z.object({ name }),
    status: 201,
    answer: windowTemplate,
  },
  change: {
    method: 'PATCH',
    path: '/templates/:id',
    body: z.object({ name: z.exactOptional(name), tags: z.exactOptional(tags) }),
    answer: windowTemplate,
  },
  /** Puts it into the Trash. */
  remove: { method: 'DELETE', path: '/templates/:id', answer: null },
  /** Drawn by the engine; 204 if there is none. */
  picture: { method: 'GET', path: '/templates/:id/picture', answer: 'file' },
  samples: { method: 'GET', path: '/samples', answer: z.array(sample) },
} as const satisfies Rows;

/** The Trash. */
export const trashRows = {
  /** Newest first. */
  list: { method: 'GET', path: '/deleted-templates', answer: longList(trashed) },
  restore: {
    method: 'POST',
    path: '/deleted-templates/:id/restore',
    answer: windowTemplate,
  },
  /** Permanently. */
  purge: { method: 'DELETE', path: '/deleted-templates/:id', answer: null },
} as const satisfies Rows;

/** Earlier versions of a template. */
export const versionRows = {
  /** Newest first. */
  list: {
    method: 'GET',
    path: '/templates/:id/versions',
    answer: z.object({ versions: z.array(version) }),
  },
  /** The document, as it was saved. */
  document: { method: 'GET', path: '/templates/:id/versions/:version', answer: anyObject() },
  rename: {
    method: 'PATCH',
    path: '/templates/:id/versions/:version',
    body: z.object({ name: z.nullable(nameOf(`null or ${words.name}`)) }),
    answer: version,
  },
  remove: { method: 'DELETE', path: '/templates/:id/versions/:version', answer: null },
} as const satisfies Rows;

/** Templates as one file. */
export const templateShareRows = {
  /** Looks for the files; the answer says where to load the whole, once and without a token. */
  share: {
    method: 'POST',
    path: '/templates/:id/share',
    /** IDs of a kit's other templates, with commas between them. */
    query: z.object({ also: z.exactOptional(z.string()) }),
    answer: shared,
  },
  /** The file is the body, which is not held in memory. */
  import: {
    method: 'POST',
    path: '/templates/import',
    query: z.object({
      project: z.string(words.project),
      /** Numbers of a kit's templates, from 1, with commas between them. Default: all. */
      only: z.exactOptional(z.string(words.only).check(z.regex(/^\d+(,\d+)*$/, words.only))),
    }),
    status: 201,
    answer: imported,
  },
} as const satisfies Rows;
