/** The record of a render: its form, what of a request goes into it, and the render that is read from it. */
import { z } from 'zod';
import { renderStatuses } from '../../shared/api.ts';
import { retention } from '../../shared/limits.ts';
import { outputFormats } from '../../shared/renderscript/formats.ts';
import type { JsonObject } from '../../shared/renderscript/source.ts';
import { answerText, contentOf, type JsonText, type TextContent } from '../system/json-text.ts';
import { type Identified, recordText, textRecord } from './records.ts';

/** Characters of modifications that stay in a record; more goes to a file. */
const modificationsLength = 2_000;
/** Characters of texts in a record that come from the document: a name may be as long as the document. */
const textLength = 2_000;

/** The request without its document. Echoed in answers, and used to render again. */
export interface RenderRequest {
  /** The template at the time of creation. */
  readonly template?: {
    readonly id: string;
    readonly name: string;
    readonly tags: readonly string[];
    /** The editor's unsaved version was rendered. */
    readonly isDraft?: true;
  };
  /** The document's most prominent text, to tell renders apart; absent in older ones and in documents without text. */
  readonly title?: string;
  readonly modifications?: JsonObject | JsonText;
  readonly renderScale?: number;
  readonly maxWidth?: number;
  readonly maxHeight?: number;
  readonly webhookUrl?: string;
  readonly metadata?: string;
  /** It came in through the public API, which does not tell it; absent in renders of earlier versions. */
  readonly fromApi?: true;
  /** It came with others in one request, and may share pieces with them. */
  readonly isShared?: true;
  /** The feed batch that it is part of; not told by the public API. */
  readonly batch?: {
    readonly id: string;
    readonly name: string;
    /** ID of the row; absent in renders of earlier versions. */
    readonly row?: string;
    /** What tells whether the row was changed since: it follows from template and values. */
    readonly print?: string;
    /** Name of its file without the ending. */
    readonly file?: string;
  };
}

const facts = z.object({
  /** Pixels; 0 for sounds. */
  width: z.number(),
  height: z.number(),
  frameRate: z.number().optional(),
  duration: z.number().optional(),
  fileSize: z.number(),
  snapshot: z.boolean(),
  /** Seconds that were kept from earlier renders. */
  reused: z.number().exactOptional(),
  /** The encoder of hardware that made the file, or that should have, and why it did not. */
  encoder: z.string().exactOptional(),
  hardwareFault: z.object({ encoder: z.string(), reason: z.string() }).exactOptional(),
});

export const renderDoc = z.object({
  _id: z.string(),
  /** The ID of the project that it belongs to. */
  project: z.string(),
  /** Place in the queue: a counter, so that a jumping clock does not change the order. */
  order: z.number(),
  status: z.enum(renderStatuses),
  outputFormat: z.enum(outputFormats),
  /** Scale of the file relative to its document, if known. */
  scale: z.number().optional(),
  /** Credits: estimated at creation, those of the file with `succeeded`, 0 with `failed`. */
  credits: z.number().optional(),
  /** True if a text follows speech, which has its own price. */
  subtitled: z.boolean().optional(),
  /** Place in the queue after someone moved it; else that of `order`. */
  place: z.number().optional(),
  /** Times in ms since 1970. */
  createdAt: z.number(),
  startedAt: z.number().optional(),
  finishedAt: z.number().optional(),
  /** A person keeps it: it does not expire. */
  kept: z.boolean().optional(),
  /** When a person ceased to keep it: its time begins anew. */
  freedAt: z.number().optional(),
  attempts: z.number(),
  /** With several workers: the name of the last attempt, which alone may end the render, and names its files. */
  attempt: z.string().optional(),
  /**
   * With several workers: who made that attempt, or led it. Versions of the program and of what its pixels follow from.
   */
  madeBy: z
    .object({
      machine: z.string(),
      version: z.string(),
      ffmpeg: z.string().optional(),
      x264: z.string().optional(),
      drawing: z.string().optional(),
      fonts: z.string().optional(),
    })
    .optional(),
  /** Known at creation: the render will fail with this. */
  sourceError: z.string().optional(),
  /** With `failed`. */
  errorMessage: z.string().optional(),
  errorPath: z.string().optional(),
  errorElement: z.string().optional(),
  cancelled: z.boolean().optional(),
  /** It failed because it stopped the renderer this often. */
  rendererStops: z.number().optional(),
  /** With `succeeded`; read from the file. */
  facts: facts.optional(),
  /** With `succeeded`: keys of its files in storage. Absent: they are in the output folder. */
  stored: z
    .object({
      output: z.string(),
      snapshot: z.string().optional(),
      receipt: z.string().optional(),
    })
    .optional(),
  /** With a final status: the webhook to send. Stored here, so that no crash can lose it. */
  event: z.object({ id: z.string(), url: z.string() }).optional(),
  /** The `Idempotency-Key` of the request that made it. */
  once: z
    .object({
      key: z.string(),
      /** Hash of the request's path and body. */
      print: z.string(),
      /** How many renders the request made. */
      count: z.number(),
      /** True if the first answer had errors or warnings, which are in a file. */
      told: z.boolean(),
      /** Which of the request's items it is, from 0; only of batches. */
      place: z.number().optional(),
    })
    .optional(),
  /** JSON text of the RenderRequest; without modifications stored in a file. */
  request: z.string(),
  /** Length of that file; absent: there is none. */
  modificationsBytes: z.number().optional(),
});

export type RenderDoc = z.infer<typeof renderDoc>;
export type StoredOnce = Pick<RenderDoc, 'project' | 'once'>;

/** A stored render. */
export interface StoredRender extends Omit<RenderDoc, '_id' | 'request'> {
  readonly id: string;
  /** Without `modifications` while `modificationsBytes` is set; `withRequest` adds them. */
  readonly request: RenderRequest;
}

/** A render without a place in the queue yet. */
export type NewRender = Omit<StoredRender, 'order'>;

/** What the create request's answer said about a document. */
export const told = z.object({ errors: z.array(z.string()), warnings: z.array(z.string()) });

/** See above. */
export type ToldNotices = z.infer<typeof told>;

/** Which part of a request goes into the record, and which into a file of modifications (null: none). */
export function requestTexts(request: RenderRequest): {
  text: string;
  aside: TextContent | null;
} {
  const { modifications, ...rest } = request;
  const aside = modifications === undefined ? '' : contentOf(modifications);
  if (aside.length <= modificationsLength) return { text: answerText(request), aside: null };
  return { text: JSON.stringify(rest), aside };
}

/** Cuts texts from the document to keep records small. */
export function bounded<Fields extends Pick<RenderDoc, (typeof boundedFields)[number]>>(
  fields: Fields,
): Fields {
  if (!boundedFields.some((name) => (fields[name]?.length ?? 0) > textLength)) return fields;
  const cut: Partial<Record<(typeof boundedFields)[number], string>> = {};
  for (const name of boundedFields) {
    const text = fields[name];
    if (text !== undefined) cut[name] = shortened(text);
  }
  return { ...fields, ...cut };
}
const boundedFields = ['sourceError', 'errorMessage', 'errorPath', 'errorElement'] as const;

function shortened(text: string): string {
  if (text.length <= textLength) return text;
  // Drop half a surrogate pair.
  return `${text.slice(0, textLength - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** When an ended render expires, in ms since 1970; never, while a person keeps it. */
export function expiryOf({
  createdAt,
  kept = false,
  freedAt = 0,
}: Pick<RenderDoc, 'createdAt' | 'kept' | 'freedAt'>): number {
  return kept ? Infinity : Math.max(createdAt, freedAt) + retention.renders;
}

/** A render's place in the queue: the smaller number runs first. */
export function placeOf({ place, order }: Pick<RenderDoc, 'place' | 'order'>): number {
  return place ?? order;
}

/** The render of a record of the collection. */
export function readRender(doc: Identified): StoredRender {
  // Records of this collection have this form.
  return fromDoc(doc as RenderDoc);
}

/**
 * Changes the text of a render's record, for who has no collection in memory, as `RenderStore.change` does.
 *
 * @returns null if `make` does, or if this version does not know the record's form.
 */
export function changeRenderText(
  text: string,
  make: (render: StoredRender) => StoredRender | null,
): { readonly text: string; readonly render: StoredRender } | null {
  const doc = renderDoc.safeParse(textRecord(text)).data;
  const made = doc && make(fromDoc(doc));
  if (!doc || !made) return null;
  const { id: _id, ...fields } = made;
  // The request never changes.
  const changed = { ...bounded(fields), _id, request: doc.request };
  return { text: recordText(changed), render: fromDoc(changed) };
}

/** Records are never changed in place, so each is read once. */
const read = new WeakMap<RenderDoc, StoredRender>();

export function fromDoc(doc: RenderDoc): StoredRender {
  const known = read.get(doc);
  if (known) return known;
  const { _id: id, request, ...fields } = doc;
  // Written by insert() or the upgrade from a RenderRequest. One copy: a second is slow to make and slow to read, and a
  // list has 50,000.
  const render = Object.assign(fields, { id, request: JSON.parse(request) as RenderRequest });
  read.set(doc, render);
  return render;
}
