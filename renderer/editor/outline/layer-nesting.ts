/**
 * An element in another composition, or out of one: it stays where it is in the picture, and in time as far as that
 * composition lasts. Pure.
 */
import type { Json, JsonObject, Source } from '../../../shared/renderscript/source.ts';
import { withPlaces } from '../canvas/changes.ts';
import {
  obstacleTo,
  wholeRoom,
  type Regrouped,
  type Seen,
  keptTimes,
  tolerance,
  type Wanted,
} from '../canvas/grouping.ts';
import { movedText } from '../canvas/nested-text.ts';
import { boundsIn, rebased } from '../canvas/rebase.ts';
import { PatchedText } from '../source/patch.ts';
import { parsePath, printPath } from '../source/json-text.ts';
import { changedText } from '../timeline/change.ts';
import { clipsOf, endOf, siblingsOf, type Clip } from '../timeline/clips.ts';
import { highestTrack } from '../timeline/tracks.ts';
import { elementAt, outlineOf } from './elements.ts';
import { reordered, type LayerPlace } from './layer-order.ts';

/** Moves an element to a place of another list. @returns the reason where its picture or time would not stay. */
export function nested(seen: Seen, path: string, { list, at }: LayerPlace): Regrouped {
  const { source, document } = seen;
  const clips = clipsOf(source, seen.lengths);
  const clip = clips?.byPath.get(path);
  if (!clips || !clip) return { why: 'levels', name: '' };
  const { name, element, index } = clip;
  const into = printPath(parsePath(list).slice(0, -1));
  const around = clips.byPath.get(into);
  const left = siblingsOf(clips, clip);
  const obstacle = obstacleTo([clip], left, new Set([index]));
  if (obstacle) return obstacle;
  const [from, to] = [seen.roomOf(clip.parent), seen.roomOf(into)];
  const bounds = from && to && boundsIn(from, [to]);
  // The one of both that has no place now.
  if (!bounds)
    return { why: 'unseen', name: (from ? around : clips.byPath.get(clip.parent))?.name ?? name };
  const { left: x, top: y, right, bottom } = bounds;
  const room = { left: x, top: y, width: right - x, height: bottom - y };
  const values = clip.type === 'audio' ? {} : rebased(element, wholeRoom(from), room, document);
  if (!values) return { why: 'expression', name };

  const others = around ? around.children : clips.top;
  const highest = highestTrack(others);
  const isEarly = around !== undefined && clip.start < around.start - tolerance;
  const start = isEarly ? around.start : clip.start;
  const end = around && clip.type !== 'audio' ? Math.min(endOf(clip), endOf(around)) : endOf(clip);
  const kept: Clip = { ...clip, start, duration: Math.max(0, end - start) };
  const patch = withPlaces(path, values);
  const placed =
    Object.keys(patch).length === 0 ? seen.text : new PatchedText(seen.text).with(patch);
  // In front of all there, on a track of its own where those have some; its place follows.
  const track = highest > 0 ? highest + 1 : undefined;
  const own: Record<string, Json | undefined> =
    clip.track === null && track === undefined ? {} : { [`${path}.track`]: track };
  const tracked = changedText(placed, { values: own, order: null });
  const moving = elementOf(tracked, path);
  if (!moving) return { why: 'levels', name };
  const made = movedText(tracked, { path, element: moving, list });
  const target = printPath(parsePath(made.path).slice(0, -1));
  const wanted: readonly Wanted[] = [
    ...left
      .filter((one) => one !== clip && one !== around)
      .map((one) => {
        const place = one.index > index ? one.index - 1 : one.index;
        return { path: atPlace(clip.list, place), clip: one };
      }),
    ...others
      .filter((one) => !path.startsWith(`${one.path}.`))
      .map((one) => ({ path: atPlace(target, one.index), clip: one })),
    { path: made.path, clip: kept },
  ];
  const timed = keptTimes(made.text, wanted, seen.lengths);
  if (timed === null) return { why: 'time', name };
  const after = JSON.parse(timed) as Source;
  const item = outlineOf(after).find((one) => one.path === made.path);
  // It is in front of all of them by now.
  const place = at === 0 ? 0 : at + 1;
  const done = item && reordered(timed, { source: after, lengths: seen.lengths }, item, place);
  return done ? { text: done.text, paths: [done.path] } : { why: 'order', name };
}

const atPlace = (list: string, index: number): string => `${list}[${index}]`;

function elementOf(text: string, path: string): JsonObject | null {
  // It is the text of a document that could be read.
  return elementAt(JSON.parse(text) as Source, path);
}
