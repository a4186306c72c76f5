/**
 * Parses the bytes of a body as a JSON object, or refuses with what is wrong and where. Runs on the API's thread for
 * small bodies and on the desk (desk.ts) for large ones. Pure.
 */
import { visit } from 'jsonc-parser';
import { z } from 'zod';
import { ApiError } from '../../../shared/errors.ts';
import { parseJson } from '../../../shared/json.ts';
import { requestLimits, requestLimits as limits } from '../../../shared/limits.ts';
import { pathOf } from '../../../shared/renderscript/fixes.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../shared/renderscript/source.ts';
import type { Draft } from '../../../shared/api/editor.ts';
import { templateFields } from '../../../shared/api/templates.ts';
import { parseParameters } from '../../system/parameters.ts';

const adviceOnList =
  'Send its objects one by one; POST /v2/renders/batch takes several renders as {"renders": […]}.';

/** @throws ApiError `not_an_object`, `invalid_encoding`, `too_deep`, `invalid_json`, `number_too_large`. */
export function readJsonBody(bytes: Uint8Array): JsonObject {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ApiError('invalid_encoding');
  }
  const { depth, mayOverflow, mayRound } = scan(text);
  // Before anything walks the value, which would overflow the stack.
  if (depth > requestLimits.jsonDepth) {
    throw new ApiError('too_deep', { limit: requestLimits.jsonDepth });
  }
  const result = parseJson(text);
  if (!result.ok) throw new ApiError('invalid_json', { ...result.fault });
  if (!isJsonObject(result.value)) {
    const refusal = new ApiError('not_an_object', { found: kindOf(result.value) });
    throw refusal.withAdvice(Array.isArray(result.value) ? adviceOnList : null);
  }
  const infinite = mayOverflow ? findInfinite(result.value) : null;
  const path = infinite ?? (mayRound ? findRounded(text) : null);
  if (path !== null) throw new ApiError('number_too_large', { path });
  return result.value;
}

/** The items of a batch of renders. @throws ApiError `invalid_parameter`, naming what was found. */
export function batchItems({ renders }: JsonObject): readonly JsonObject[] {
  const what = `an array of 1 to ${requestLimits.batch} objects`;
  const wrong = (found: string): never => {
    throw new ApiError('invalid_parameter', { name: 'renders', what: `${what}; found ${found}` });
  };
  if (renders === undefined) return wrong('nothing');
  if (!Array.isArray(renders)) return wrong(isJsonObject(renders) ? 'an object' : kindOf(renders));
  const list: readonly Json[] = renders;
  if (list.length === 0 || list.length > requestLimits.batch) return wrong(`${list.length}`);
  return list.map((item, index) =>
    isJsonObject(item) ? item : wrong(`${kindOf(item)} at renders[${index}]`),
  );
}

/** How deep brackets go in a JSON text, valid or not. */
export function depthOf(text: string): number {
  return scan(text).depth;
}

/** How many digits a number needs to overflow without an exponent. */
const digitsToInfinity = 308;

/** More than these a whole number has whose last ones may not be kept. */
const exactDigits = 15;

/**
 * How deep brackets go in a JSON text, valid or not (those inside strings don't count), whether a number in it may be
 * too large (it has an exponent, or hundreds of digits), and whether one may lose digits.
 */
function scan(text: string): { depth: number; mayOverflow: boolean; mayRound: boolean } {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  let digits = 0;
  let mayOverflow = false;
  let mayRound = false;
  let isFraction = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (inString) {
      if (code === 0x22) inString = false;
      // \ hides the next character.
      else if (code === 0x5c) index++;
      continue;
    }
    if (code >= 0x30 && code <= 0x39) {
      digits++;
      if (digits > digitsToInfinity) mayOverflow = true;
      if (digits > exactDigits && !isFraction) mayRound = true;
      continue;
    }
    // e or E behind a digit
    if (digits > 0 && (code | 0x20) === 0x65) mayOverflow = true;
    digits = 0;
    isFraction = code === 0x2e;
    if (code === 0x22) inString = true;
    else if (code === 0x5b || code === 0x7b) deepest = Math.max(deepest, ++depth);
    else if (code === 0x5d || code === 0x7d) depth--;
  }
  return { depth: deepest, mayOverflow, mayRound };
}

/**
 * The path of a number that JSON.parse turned into infinity (`1e999`), e.g. `elements[0].x`; null when all are finite.
 */
export function findInfinite(value: Json | undefined, path = ''): string | null {
  if (typeof value === 'number') return Number.isFinite(value) ? null : path;
  if (typeof value !== 'object' || value === null) return null;
  const isList = Array.isArray(value);
  for (const [key, item] of Object.entries(value as JsonObject)) {
    if (typeof item !== 'number' && (typeof item !== 'object' || item === null)) continue;
    if (typeof item === 'number' && Number.isFinite(item)) continue;
    const place = isList ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;
    const found = findInfinite(item, place);
    if (found !== null) return found;
  }
  return null;
}

/**
 * The path of the first number in `modifications` whose whole part is no longer what was sent: an ID or a telephone
 * number, say. Null if all are kept. Comments may be in the text.
 */
export function findRounded(text: string): string | null {
  let found: string | null = null;
  visit(text, {
    onLiteralValue(value, offset, length, _line, _column, stepsTo) {
      if (found !== null || typeof value !== 'number' || length <= exactDigits) return;
      if (!losesDigits(text.slice(offset, offset + length))) return;
      const steps = stepsTo();
      if (steps.includes('modifications')) found = pathOf(steps);
    },
  });
  return found;
}

function losesDigits(number: string): boolean {
  const [, whole = ''] = /^-?(\d+)(?:\.\d*)?$/.exec(number) ?? [];
  const read = Number(whole);
  return whole.length > exactDigits && Number.isFinite(read) && BigInt(read) !== BigInt(whole);
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return `a ${typeof value}`;
}

// Turns the unsaved template that the editor sends into the JSON to keep. Pure; on the desk when it is large.

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
