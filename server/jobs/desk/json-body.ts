/**
 * Parses the bytes of a body as a JSON object, or refuses with what is wrong and where. Runs on the API's thread for
 * small bodies and on the desk (desk.ts) for large ones. Pure.
 */
import { ApiError } from '../../../shared/errors.ts';
import { parseJson } from '../../../shared/json.ts';
import { requestLimits } from '../../../shared/limits.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../shared/renderscript/source.ts';

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
  const { depth, mayOverflow, rounded } = scan(text);
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
  const inexact = rounded.size > 0 ? findRounded(result.value, rounded) : null;
  const path = infinite ?? inexact;
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
 * too large (it has an exponent, or hundreds of digits), and what its whole numbers become that lose digits.
 */
function scan(text: string): { depth: number; mayOverflow: boolean; rounded: Set<number> } {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  let digits = 0;
  let mayOverflow = false;
  const rounded = new Set<number>();
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
      continue;
    }
    // e or E behind a digit
    if (digits > 0 && (code | 0x20) === 0x65) mayOverflow = true;
    // No part of a fraction or an exponent.
    if (
      digits > exactDigits &&
      digits <= digitsToInfinity &&
      code !== 0x2e &&
      (code | 0x20) !== 0x65
    ) {
      const before = text[index - digits - 1] ?? '';
      const written = text.slice(index - digits, index);
      const number = Number(written);
      if (!'.eE+'.includes(before) && BigInt(number) !== BigInt(written))
        rounded.add(before === '-' ? -number : number);
    }
    digits = 0;
    if (code === 0x22) inString = true;
    else if (code === 0x5b || code === 0x7b) deepest = Math.max(deepest, ++depth);
    else if (code === 0x5d || code === 0x7d) depth--;
  }
  return { depth: deepest, mayOverflow, rounded };
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
 * The path of the first value in `modifications` that is no longer the number that was sent: an ID or a telephone
 * number, say. Without the dot in front of it.
 */
function findRounded(value: Json, rounded: ReadonlySet<number>, isWithin = false): string | null {
  if (typeof value === 'number') return isWithin && rounded.has(value) ? '' : null;
  if (typeof value !== 'object' || value === null) return null;
  const isList = Array.isArray(value);
  for (const [key, item] of Object.entries(value as JsonObject)) {
    if (item === undefined || (typeof item !== 'number' && typeof item !== 'object')) continue;
    const found = findRounded(item, rounded, isWithin || key === 'modifications');
    if (found === null) continue;
    const rest = found === '' || found.startsWith('[') ? found : `.${found}`;
    return `${isList ? `[${key}]` : key}${rest}`;
  }
  return null;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return `a ${typeof value}`;
}
