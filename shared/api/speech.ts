/** The window's routes about the models that recognise speech. */
import * as z from 'zod/mini';
import { speechModelLimits } from '../limits.ts';
import type { Of, Rows } from './row.ts';

const model = z.object({
  /** As the setting `speechModel` takes it. */
  name: z.string(),
  /** Bytes that are there. */
  bytes: z.number(),
  /** False: a fetch goes on from these bytes. */
  isWhole: z.boolean(),
});
/** A model that is there, or what was fetched of it. */
export type KeptSpeechModel = Of<typeof model>;

const models = z.object({
  models: z.array(model),
  /** The one that recognises; null: another recogniser, or none. */
  inUse: z.nullable(z.string()),
  /** What the environment names as long as the settings name none. */
  named: z.nullable(z.enum(['program', 'address'])),
});
/** The models, and who recognises. */
export type SpeechModels = Of<typeof models>;

const nameRule = `the name of a file ending in .bin, at most ${speechModelLimits.nameLength} letters, digits, hyphens, points and underscores`;
const nameForm = new RegExp(`^\\w[\\w.-]{0,${speechModelLimits.nameLength - 5}}\\.bin$`);

/** A model is fetched by `previewRows.model`. */
export const speechRows = {
  models: { method: 'GET', path: '/speech/models', answer: models },
  /** The file is the body, which is not held in memory. 201; 200: it was there already. */
  add: {
    method: 'POST',
    path: '/speech/models',
    query: z.object({ name: z.string(nameRule).check(z.regex(nameForm, nameRule)) }),
    answer: model,
  },
  remove: { method: 'DELETE', path: '/speech/models/:name', answer: null },
} as const satisfies Rows;
