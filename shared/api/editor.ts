/** The window's routes about an open template: its document and draft, saving, and renders of it. */
import * as z from 'zod/mini';
import type { CreatedRender, DryRun } from '../api.ts';
import { handoverNames } from '../handover.ts';
import { markerList } from '../markers.ts';
import { isJsonObject } from '../renderscript/source.ts';
import { handedOver } from './handover.ts';
import { anyObject, type Of, type RequestFor, type Rows } from './row.ts';
import { templateFields, windowTemplate } from './templates.ts';

export const draft = z.object({
  /** The JSON as typed, valid or not. */
  text: z.string(),
  name: z.string(),
  tags: z.array(z.string()),
  /** Absent in drafts of earlier versions: none. */
  markers: z.exactOptional(markerList),
  /** `updatedAt` of the template that it is based on. */
  base: z.number(),
  /** ms since 1970. */
  savedAt: z.number(),
});
/** Unsaved work. */
export type Draft = Of<typeof draft>;

const opened = z.object({
  template: windowTemplate,
  source: anyObject(),
  markers: markerList,
  draft: z.nullable(draft),
});
export type OpenedTemplate = Of<typeof opened>;

const baseWords = 'the time of the change that was edited, or null';
const saved = z.object({
  ...templateFields,
  /** `updatedAt` of the edited template; null overwrites any version. */
  base: z.nullable(z.number(baseWords)),
  /** Left out: as they are. */
  markers: z.exactOptional(templateFields.markers),
});

const answer = z.object({
  /** Nothing was saved, because someone else changed it. */
  conflict: z.boolean(),
  template: windowTemplate,
  source: anyObject(),
  markers: markerList,
});
/** What is stored now. */
export type SaveAnswer = Of<typeof answer>;

const dryRun = z.custom<DryRun>((value) => isJsonObject(value) && 'valid' in value);
const created = z.custom<Pick<CreatedRender, 'id'>>(
  (value) => isJsonObject(value) && typeof value.id === 'string',
);

/** An open template. */
export const editorRows = {
  open: { method: 'GET', path: '/editor/:id', answer: opened },
  /** Unless someone else did since. */
  save: { method: 'PUT', path: '/editor/:id', body: saved, answer },
  keepDraft: {
    method: 'PUT',
    path: '/editor/:id/draft',
    body: z.omit(draft, { savedAt: true }),
    unread: true,
    answer: null,
  },
  dropDraft: { method: 'DELETE', path: '/editor/:id/draft', answer: null },
  /** The body is the public API's, and so is the answer: what "Copy as cURL" copies is what the window sends. */
  render: {
    method: 'POST',
    path: '/editor/:id/renders',
    // Of an unsaved template, as it is typed.
    query: z.object({ name: z.exactOptional(templateFields.name) }),
    body: anyObject(),
    unread: true,
    answer: z.union([dryRun, created]),
  },
  /** The document as it is typed, as a file for other programs. */
  handOver: {
    method: 'POST',
    path: '/editor/:id/hand-over',
    body: z.object({
      form: z.enum(handoverNames, `one of ${handoverNames.join(', ')}`),
      name: templateFields.name,
      source: anyObject(),
      markers: templateFields.markers,
    }),
    answer: handedOver,
  },
} as const satisfies Rows;

/** What saving sends. */
export type SaveRequest = RequestFor<typeof editorRows.save>['body'];
