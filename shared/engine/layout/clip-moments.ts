/**
 * The frames in which a clip may be largest. Pure; video-use.ts lays them out.
 *
 * [Note: Largest frames] Sizes follow keyframes and animations. Between two times at which one of these begins, ends or
 * reverses, each only rises or only falls, so nothing is largest in between unless several act against each other: then
 * a few frames in between are checked too. Swings are followed frame by frame, which is only arithmetic.
 */
import { isOscillator } from '../compile/animations.ts';
import { easingTurns } from '../compile/easing-turns.ts';
import { swing } from '../compile/oscillation.ts';
import type { Curve } from '../compile/property-values.ts';
import type {
  Animation,
  CompositionElement,
  Timeline,
  TimelineElement,
} from '../compile/timeline.ts';

/** Frames to check between two turns while several things change; with several swings, all frames. */
const between = 6;
const betweenSeveral = 24;

/** Most elements to lay out for the sizes of clips; beyond that, checking takes longer than decoding whole pictures. */
const mostWork = 400_000;

/** Limits for recorded times, swings and changes, which bound the cost of loops and long films. */
const mostTimes = 50_000;
const mostQuestions = 2_000_000;

/** A stretch of the document in which something changes; `swinging` lists what swings meanwhile. */
interface Change {
  readonly from: number;
  readonly to: number;
  readonly swinging?: { readonly animation: Animation; readonly zero: number };
}

/**
 * The times of the frames in which some clip may be largest, ascending; null = too many to check.
 *
 * @param timeline What is left of it by `withClipsOnly`.
 */
export function clipMoments({ root, duration, output }: Timeline): number[] | null {
  const { frameCount, frameRate } = output;
  if (duration <= 0 || frameCount <= 1) return [0];
  const most = Math.max(240, Math.floor(mostWork / countOf(root)));
  const frames = frameCount <= 240 ? everyFrame(frameCount) : largestFrames(root, duration, output);
  if (frames === null || frames.size > most) return null;
  return [...frames].sort((a, b) => a - b).map((frame) => frame / frameRate);
}

function everyFrame(count: number): Set<number> {
  return new Set(Array.from({ length: count }, (_, frame) => frame));
}

/** See: [Note: Largest frames] */
function largestFrames(
  root: CompositionElement,
  duration: number,
  { frameCount, frameRate }: Timeline['output'],
): Set<number> | null {
  const found: Found = { times: new Set([0, duration]), changes: [], left: mostTimes };
  if (!visit(root, { zero: 0, from: 0, to: duration }, found)) return null;
  const times = [...found.times].sort((a, b) => a - b);
  const waiting = found.changes.sort((a, b) => b.from - a.from);
  const frames = new Set<number>();
  const add = (frame: number): void => {
    if (frame >= 0 && frame < frameCount) frames.add(frame);
  };
  let acting: Change[] = [];
  let work = 0;
  for (const [index, time] of times.entries()) {
    // For a jump, the frames on both sides; closer than a microsecond counts as equal. What fades in shows a frame
    // later.
    const first = Math.ceil((time - 1e-6) * frameRate);
    for (const frame of [first - 1, first, first + 1]) add(frame);
    acting = acting.filter(({ to }) => to > time);
    for (let next = waiting.at(-1); next && next.from <= time; next = waiting.at(-1)) {
      waiting.pop();
      if (next.to > time) acting.push(next);
    }
    work += acting.length;
    const last = Math.ceil(((times[index + 1] ?? time) - 1e-6) * frameRate) - 1;
    const swings = acting.filter(({ swinging }) => swinging).length;
    const most = swings > 1 ? Infinity : acting.length > 1 ? betweenSeveral : between;
    const steps = acting.length > 0 ? Math.min(most, last - first) : 0;
    work += steps;
    if (work > mostQuestions) return null;
    for (let step = 1; step < steps; step++)
      add(Math.round(first + ((last - first) * step) / steps));
    for (const { swinging } of acting) {
      if (!swinging || last <= first) continue;
      work += last - first;
      widestSwings(swinging, first, last, frameRate).forEach(add);
      if (work > mostQuestions) return null;
    }
  }
  return work > mostQuestions ? null : frames;
}

/** What is known of the document so far. */
interface Found {
  readonly times: Set<number>;
  readonly changes: Change[];
  /** How much more may be recorded. */
  left: number;
}

/** A stretch of the document, and when the clock of its content is at 0. */
interface Stretch {
  readonly zero: number;
  readonly from: number;
  readonly to: number;
}

/** Records what changes in a composition, at any depth; false = too much. */
function visit(
  { children }: CompositionElement,
  { zero, from, to }: Stretch,
  found: Found,
): boolean {
  for (const element of children) {
    if (--found.left < 0) return false;
    const start = zero + element.start;
    const showing = {
      zero: start,
      from: Math.max(from, start),
      to: Math.min(to, start + element.duration),
    };
    if (showing.to <= showing.from) continue;
    note(element, showing, found);
    if (element.type !== 'composition') continue;
    for (const pass of passesOf(element, showing))
      if (--found.left < 0 || !visit(element, pass, found)) return false;
  }
  return true;
}

/** The passes of a composition's content. */
function* passesOf(
  { loop, contentDuration, plays }: CompositionElement,
  { zero, from, to }: Stretch,
): Generator<Stretch> {
  if (!loop || contentDuration <= 0) {
    yield { zero, from, to };
    return;
  }
  const most = plays ?? Infinity;
  for (let pass = Math.max(0, Math.floor((from - zero) / contentDuration)); pass < most; pass++) {
    const begin = zero + pass * contentDuration;
    if (begin >= to) return;
    yield { zero: begin, from: Math.max(from, begin), to: Math.min(to, begin + contentDuration) };
  }
  // Its clock continues after the last play.
  const rest = Math.max(from, zero + most * contentDuration);
  if (rest < to) yield { zero, from: rest, to };
}

/** Records when an element comes, goes and changes. */
function note(
  { values, animations }: TimelineElement,
  { zero, from, to }: Stretch,
  found: Found,
): void {
  const time = (own: number): void => {
    found.left--;
    if (zero + own > from && zero + own < to) found.times.add(zero + own);
  };
  const change = (start: number, end: number, swinging?: Change['swinging']): void => {
    const [begin, stop] = [Math.max(from, zero + start), Math.min(to, zero + end)];
    if (begin < stop) found.changes.push({ from: begin, to: stop, ...(swinging && { swinging }) });
  };
  found.times.add(from).add(to);
  for (const { keys } of Object.values<Curve<unknown>>(values.curves)) {
    for (const [index, key] of keys.entries()) {
      time(key.time);
      const before = keys[index - 1];
      if (!before || Object.is(before.value, key.value)) continue;
      change(before.time, key.time);
      for (const turn of easingTurns(key.easing))
        time(before.time + turn * (key.time - before.time));
    }
  }
  for (const animation of animations) {
    const { start, duration, easing, reversed } = animation;
    time(start);
    time(start + duration);
    // A shake only moves.
    if (animation.type === 'shake') continue;
    const swings = isOscillator(animation.type);
    change(start, start + duration, swings ? { animation, zero } : undefined);
    if (swings) continue;
    for (const turn of easingTurns(easing)) time(start + (reversed ? 1 - turn : turn) * duration);
  }
}

/** The frames of a stretch in which a swing goes furthest either way. */
function widestSwings(
  { animation, zero }: NonNullable<Change['swinging']>,
  first: number,
  last: number,
  frameRate: number,
): [number, number] {
  let [lowest, highest] = [first, first];
  let [low, high] = [Infinity, -Infinity];
  for (let frame = first; frame <= last; frame++) {
    const deflection = swing(animation, frame / frameRate - zero);
    if (deflection < low) [low, lowest] = [deflection, frame];
    if (deflection > high) [high, highest] = [deflection, frame];
  }
  return [lowest, highest];
}

function countOf({ children }: CompositionElement): number {
  return children.reduce(
    (sum, child) => sum + 1 + (child.type === 'composition' ? countOf(child) : 0),
    0,
  );
}

/**
 * The timeline reduced to what the sizes of clips depend on: clips, their compositions, and siblings that determine the
 * size of a composition without sides. Null = no clips.
 */
export function withClipsOnly(timeline: Timeline): Timeline | null {
  const root = clipsIn(timeline.root);
  return root && { ...timeline, root };
}

function clipsIn(composition: CompositionElement): CompositionElement | null {
  const { values, children } = composition;
  const kept = children.map((child) =>
    child.type === 'composition' ? clipsIn(child) : child.type === 'video' ? child : null,
  );
  if (kept.every((child) => child === null)) return null;
  const { width, height } = values.curves;
  const followsChildren =
    values.base.width === null || values.base.height === null || width || height;
  if (followsChildren) return composition;
  return { ...composition, children: kept.filter((child) => child !== null) };
}
