/**
 * Keyframes on the clipboard: as JSON, by the property that they are of, with times from the first of them. Pure.
 *
 * `{ "keyframes": { "x": [{ "time": 0, "value": "10%" }, { "time": 1.5, "value": "60%", "easing": "linear" }] } }`
 */
import { momentIn } from '../../../shared/engine/compile/clock.ts';
import { keyframesOf, type RawKeyframe } from '../../../shared/renderscript/keyframes.ts';
import { property } from '../../../shared/renderscript/properties.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../shared/renderscript/source.ts';
import { parseAmount } from '../../../shared/renderscript/units.ts';
import { keyIndexAt } from '../canvas/keyed.ts';
import type { TextChange } from '../../engine/text-change.ts';
import { applied, insertItem, parsePath, setValue } from '../source/json-text.ts';
import type { Clip } from './clips.ts';
import { momentsAt } from './keys.ts';
import { secondsLike, tidySeconds } from './seconds.ts';

interface CopiedKey extends RawKeyframe {
  /** Seconds from the first one that was copied with it. */
  readonly time: number;
}

/** Copied keyframes by the name of their property, each list in order. */
export type CopiedKeys = ReadonlyMap<string, readonly CopiedKey[]>;

/** The keyframes of some moments of a clip as the text of a clipboard. */
export function keysText(clip: Clip, chosen: readonly number[]): string {
  const moments = momentsAt(clip, chosen);
  const [{ at: first } = { at: 0 }] = moments;
  const lists: Record<string, JsonObject[]> = {};
  for (const { at, keys } of moments) {
    for (const { name, index } of keys) {
      const key = keyframesOf(clip.element[name])?.[index];
      if (key) (lists[name] ??= []).push(written(tidySeconds(at - first), key));
    }
  }
  return JSON.stringify({ keyframes: lists }, null, 2);
}

/** The keyframes of a clipboard's JSON; null for anything else. */
export function keysIn(value: unknown): CopiedKeys | null {
  if (!isJsonObject(value) || !isJsonObject(value.keyframes)) return null;
  const found = Object.entries(value.keyframes).flatMap(([name, list]) => {
    const keys = (keyframesOf(list) ?? []).flatMap(({ time, ...key }) =>
      typeof time === 'number' ? [{ ...key, time }] : [],
    );
    return keys.length > 0 ? [[name, keys.sort((a, b) => a.time - b.time)] as const] : [];
  });
  return found.length > 0 ? new Map(found) : null;
}

/** The moments that the keyframes of a clipboard are at, in seconds from the first one. */
export function timesOf(copied: CopiedKeys): readonly number[] {
  return [...new Set([...copied.values()].flat().map(({ time }) => time))];
}

/** The properties of them that an element can't have keyframes of. */
export function foreignNames({ type }: Pick<Clip, 'type'>, copied: CopiedKeys): readonly string[] {
  return [...copied.keys()].filter((name) => property(type, name)?.keyframable !== true);
}

/**
 * The text with copied keyframes in a clip, the first of them at a moment. One takes the place of what is there in the
 * same frame; times are spelled as the others of their property are.
 *
 * @param at Seconds of the element's clock.
 * @param frame Seconds of a frame.
 */
export function withKeys(
  text: string,
  clip: Clip,
  copied: CopiedKeys,
  at: number,
  frame: number,
): string {
  const foreign = foreignNames(clip, copied);
  let made = text;
  for (const [name, keys] of copied) {
    if (!foreign.includes(name)) made = withKeysOf(made, clip, name, keys, at, frame);
  }
  return made;
}

function withKeysOf(
  text: string,
  { path, element, duration }: Clip,
  name: string,
  copied: readonly CopiedKey[],
  begin: number,
  frame: number,
): string {
  const place = parsePath(`${path}.${name}`);
  const list = (keyframesOf(element[name]) ?? []).map((key) => written(key.time, key));
  const spelling = list.find(({ time }) => parseAmount(time) !== null)?.time;
  let made = text;
  for (const key of copied) {
    const at = begin + key.time;
    const moment = { path, element: { [name]: list }, at, duration, frame };
    // The last frame is that of everything after it, too.
    const known = at > duration ? -1 : keyIndexAt(moment, name);
    const item = written(list[known]?.time ?? secondsLike(spelling, at, duration), key);
    const next = list.findIndex(({ time }) => (momentIn(time, duration) ?? 0) > at);
    const index = known >= 0 ? known : next < 0 ? list.length : next;
    const changes = (): TextChange[] => {
      if (list.length === 0) return setValue(made, place, [item]);
      if (known >= 0) return setValue(made, [...place, known], item);
      return insertItem(made, place, item, index);
    };
    made = applied(made, changes());
    list.splice(index, known >= 0 ? 1 : 0, item);
  }
  return made;
}

/** A keyframe as a document has it. */
function written(
  time: Json | undefined,
  { value, easing }: Pick<RawKeyframe, 'value' | 'easing'>,
): JsonObject {
  return easing === undefined ? { time, value } : { time, value, easing };
}
