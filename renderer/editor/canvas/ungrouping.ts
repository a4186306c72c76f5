/**
 * A composition taken apart: its elements stand where it stood, and the picture stays the same; or the reason why it
 * can't. Pure.
 */
import { keyframesOf } from '../../../shared/renderscript/keyframes.ts';
import type { Json, JsonObject } from '../../../shared/renderscript/source.ts';
import { parseAmount } from '../../../shared/renderscript/units.ts';
import { PatchedText } from '../source/patch.ts';
import { changedText } from '../timeline/change.ts';
import { clipsOf, siblingsOf } from '../timeline/clips.ts';
import { withPlaces } from './changes.ts';
import {
  isMask,
  wholeRoom,
  type Regrouped,
  type Seen,
  paintOrder,
  keptTimes,
  shownEnd,
  type Wanted,
} from './grouping.ts';
import { pixelsIn, type Size } from './length.ts';
import { unwrappedText } from './nested-text.ts';
import type { Area } from './plane.ts';
import { flows, rebased, type Room } from './rebase.ts';

/** Properties of a composition that its elements can be without. */
const plain = new Set([
  ...['type', 'id', 'name', 'track', 'time', 'duration', 'dynamic', 'elements', 'flow_direction'],
  ...['x', 'y', 'width', 'height', 'x_anchor', 'y_anchor', 'z_index', 'locked'],
  ...['x_padding', 'y_padding', 'x_alignment', 'y_alignment', 'warp_mode', 'backface_visible'],
  ...['stroke_width', 'stroke_cap', 'stroke_join', 'stroke_start', 'stroke_end', 'stroke_offset'],
  ...['shadow_blur', 'shadow_x', 'shadow_y', 'color_filter_value', 'blur_mode', 'perspective'],
  ...['key_tolerance', 'key_softness', 'key_spill', 'look_lut_strength'],
  ...['fill_mode', 'fill_x0', 'fill_y0', 'fill_x1', 'fill_y1', 'fill_radius', 'border_radius'],
]);
/** Values of the others that mean nothing. */
const idle: Readonly<Record<string, readonly Json[]>> = {
  opacity: ['100%', '100 %', 100],
  visible: [true],
  x_scale: ['100%', '100 %'],
  y_scale: ['100%', '100 %'],
  blend_mode: ['none'],
  color_filter: ['none'],
  blur_radius: [0, '0'],
  animations: [],
};

/** The property of a composition that its elements would lose; null for none. */
function lostProperty(element: JsonObject): string | null {
  for (const [name, value] of Object.entries(element)) {
    const isKept = keyframesOf(value) !== null && !['elements'].includes(name);
    if (!isKept && (plain.has(name) || value === null || value === false)) continue;
    if (Array.isArray(value) && value.length === 0) continue;
    if (parseAmount(value)?.value === 0 && name !== 'opacity' && !/scale$/.test(name)) continue;
    if (idle[name]?.some((one) => one === value)) continue;
    return name;
  }
  return null;
}

/** The inside of a composition in the room around it; null where its content decides on its size. */
function roomIn(element: JsonObject, around: Area, document: Size): Room | null {
  const sideOn = (
    position: 'x' | 'y',
    side: 'width' | 'height',
  ): { readonly start: number; readonly length: number } | null => {
    const context = { whole: around[side], document };
    const outer = pixelsIn(element[side] === undefined ? '100%' : element[side], context);
    const at = pixelsIn(element[position] ?? '50%', context);
    const padding = pixelsIn(element[`${position}_padding`] ?? 0, context);
    if (outer === null || at === null || padding === null) return null;
    const anchor = pixelsIn(element[`${position}_anchor`] ?? '50%', { whole: outer, document });
    if (anchor === null) return null;
    return { start: at - anchor + padding, length: Math.max(0, outer - 2 * padding) };
  };
  const [x, y] = [sideOn('x', 'width'), sideOn('y', 'height')];
  return x && y && { left: x.start, top: y.start, width: x.length, height: y.length };
}

/** Takes a composition apart: its elements come to stand where it stood. */
export function ungrouped(seen: Seen, path: string): Regrouped {
  const { text, source, document } = seen;
  const clips = clipsOf(source, seen.lengths);
  const group = clips?.byPath.get(path);
  if (!clips || group?.type !== 'composition') return { why: 'levels', name: '' };
  const { element, children, name, list, index } = group;
  if (element.locked === true) return { why: 'locked', name };
  if (children.some((child) => child.type !== 'audio' && flows(child.element)))
    return { why: 'flow', name };
  if (flows(element)) return { why: 'flow', name };
  const lost = lostProperty(element);
  if (lost !== null) return { why: 'own', name: lost };
  const siblings = siblingsOf(clips, group);
  const drawn = paintOrder(siblings.map((clip) => clip.element));
  const next = siblings[drawn[drawn.indexOf(index) + 1] ?? -1];
  const inside = paintOrder(children.map((child) => child.element));
  const lowest = children[inside[0] ?? -1];
  if ((next && isMask(next.element)) || (lowest && isMask(lowest.element)))
    return { why: 'mask', name };
  if (children.some((child) => (child.element.blend_mode ?? 'none') !== 'none'))
    return { why: 'blend', name };
  // A transition needs the one before it on its own track.
  const hasTransition = children.some((child) => child.overlap > 0);

  const around = seen.roomOf(group.parent);
  if (!around) return { why: 'unseen', name };
  const from = roomIn(element, around, document);
  if (!from) return { why: 'flow', name };
  const patch: Record<string, Json> = {};
  for (const child of children) {
    if (child.type === 'audio') continue;
    const values = rebased(child.element, from, wholeRoom(around), document);
    if (!values) return { why: 'expression', name: child.name };
    Object.assign(patch, withPlaces(child.path, values));
  }
  const placed = Object.keys(patch).length === 0 ? text : new PatchedText(text).with(patch);
  const wanted: readonly Wanted[] = [
    ...siblings
      .filter((clip) => clip !== group)
      .map((clip) => ({
        path: `${list}[${clip.index < index ? clip.index : clip.index + children.length - 1}]`,
        clip,
      })),
    ...children.map((clip, at) => ({
      path: `${list}[${index + at}]`,
      clip: { ...clip, duration: Math.max(0, shownEnd(clip, clips) - clip.start) },
    })),
  ];
  for (const track of new Set([undefined, group.track, null])) {
    // Tracks of their own only where none of them is that of something else.
    const tracks = children.map((child) => (track === undefined ? child.track : track));
    const isMixed = siblings.some(
      (clip) => clip !== group && clip.track !== null && tracks.includes(clip.track),
    );
    if (track === undefined ? isMixed : hasTransition) continue;
    const elements = siblings.flatMap((clip): readonly JsonObject[] =>
      clip === group
        ? children.map((child, at) => ({ ...child.element, track: tracks[at] ?? null }))
        : [clip.element],
    );
    if (!isSameOrder(drawn, index, inside, elements)) continue;
    const values = Object.fromEntries(
      children.flatMap((child, at): [string, Json | undefined][] =>
        tracks[at] === child.track ? [] : [[`${child.path}.track`, tracks[at] ?? undefined]],
      ),
    );
    const made = unwrappedText(changedText(placed, { values, order: null }), list, index);
    const timed = keptTimes(made, wanted, seen.lengths);
    if (timed !== null)
      return { text: timed, paths: children.map((_, at) => `${list}[${index + at}]`) };
  }
  return { why: hasTransition ? 'transition' : 'order', name };
}

/** The siblings with a composition's children in its place are painted as before. */
function isSameOrder(
  drawn: readonly number[],
  index: number,
  inside: readonly number[],
  elements: readonly JsonObject[],
): boolean {
  const count = inside.length;
  const before = drawn.flatMap((one) =>
    one === index ? inside.map((at) => index + at) : [one < index ? one : one + count - 1],
  );
  const after = paintOrder(elements);
  return before.every((one, place) => after[place] === one);
}
