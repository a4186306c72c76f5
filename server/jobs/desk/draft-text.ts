/** Turns the unsaved template that the editor sends into the JSON to keep. Pure; on the desk when it is large. */
import { z } from 'zod';
import { requestLimits as limits } from '../../../shared/limits.ts';
import type { Draft } from '../../../shared/api/editor.ts';
import { templateFields } from '../../../shared/api/templates.ts';
import { parseParameters } from '../../system/parameters.ts';
import { readJsonBody } from './json-body.ts';

const words = {
  name: `a string of 1 to ${limits.nameLength} characters`,
  base: 'the time of the change that was edited',
  text: `a string of at most ${limits.bodyBytes} characters`,
};
const draftBody = z.object({
  text: z.string(words.text).max(limits.bodyBytes, words.text),
  name: z.string(words.name).max(limits.nameLength, words.name),
  tags: templateFields.tags,
  base: z.number(words.base),
  markers: z._default(templateFields.markers, []),
});

/** @param savedAt ms since 1970. @throws ApiError as `readJsonBody`, and `invalid_parameter`. */
export function draftText(body: Uint8Array, savedAt: number): Uint8Array {
  const draft: Draft = { ...parseParameters(draftBody, readJsonBody(body)), savedAt };
  return new TextEncoder().encode(JSON.stringify(draft));
}
