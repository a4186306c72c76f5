/** What an element says about its own time, and what stands against changing it by hand. Pure. */
import { keyframesOf } from '../../../shared/renderscript/keyframes.ts';
import { isPlayed } from '../../../shared/renderscript/source.ts';
import { parseAmount, parseSeconds } from '../../../shared/renderscript/units.ts';
import type { Clip } from './clips.ts';

/** It has no time of its own: it follows the one before it on its track, or begins with its composition. */
export function isAutomatic({ element: { time } }: Pick<Clip, 'element'>): boolean {
  return time !== 'end' && parseAmount(time) === null;
}

/** How the length of an element is given: in numbers, by its file or content, or by the room that there is. */
export function lengthKind({ element, type, media }: Clip): 'number' | 'content' | 'room' {
  const { duration } = element;
  const amount = parseAmount(duration);
  if (amount && amount.unit !== 'fr') return 'number';
  if (type === 'composition') {
    const hasContent = Array.isArray(element.elements) && element.elements.length > 0;
    return hasContent && element.loop !== true ? 'content' : 'room';
  }
  const isOfFile = duration === 'media' || (duration === undefined && isPlayed(type));
  return isOfFile && media ? 'content' : 'room';
}

/** Why a clip can't be changed by hand: a key of the messages `editor.timeline.why.…`; null: it can. */
export type Obstacle = 'locked' | 'keyframes' | 'expression' | 'speed';

/** @param locked It, or a composition around it, is locked. */
export function obstacleOf({ element }: Clip, locked: boolean): Obstacle | null {
  if (locked) return 'locked';
  for (const value of [element.time, element.duration]) {
    if (Array.isArray(value)) return 'keyframes';
    // What stands for something that comes later, e.g. {{start}}.
    if (typeof value === 'string' && value.includes('{{')) return 'expression';
  }
  return null;
}

/** The same for what moves along in its file: its beginning, and the cut in two. */
export function mediaObstacleOf(clip: Clip): Obstacle | null {
  if (!clip.media) return null;
  const { speed, trim_start: start, trim_duration: duration } = clip.element;
  if (keyframesOf(speed)) return 'speed';
  for (const value of [start, duration, speed]) {
    if (value === undefined || value === null) continue;
    if (parseAmount(value) === null) return 'expression';
  }
  return null;
}

/** Seconds into the file at which a clip begins. */
export const trimStartOf = ({ element }: Clip): number => parseSeconds(element.trim_start) ?? 0;
