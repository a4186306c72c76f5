/** Moments of a film at which there is something to see. Pure. */
import type { CompiledElement, PreviewFacts } from './preview.ts';

/** True if an element is visible itself; compositions are visible through their children. */
const isSeen = ({ type, duration }: CompiledElement): boolean =>
  type !== 'audio' && type !== 'composition' && duration > 0;

/**
 * Seconds at both ends of an element (and the largest share of its time) in which it may still be entering or already
 * leaving.
 */
const unsteady = { most: 1, share: 1 / 3 };

/**
 * The middle of the stretch in which most elements stand, of several the longest. Two scenes that pass into each other
 * never count as one, since neither stands meanwhile. In seconds; 0 for pictures.
 */
export function goodMoment({
  elements,
  frameCount,
  frameRate,
}: Pick<PreviewFacts, 'elements' | 'frameCount' | 'frameRate'>): number {
  const end = frameCount / frameRate;
  if (frameCount <= 1) return 0;
  const steps = elements.filter(isSeen).flatMap(({ start, duration }) => {
    const edge = Math.min(unsteady.most, duration * unsteady.share);
    return [
      { time: Math.max(0, start + edge), change: 1 },
      { time: Math.min(end, start + duration - edge), change: -1 },
    ];
  });
  // What ends goes before what begins, so that scenes after each other never count as two.
  steps.sort((a, b) => a.time - b.time || a.change - b.change);
  let count = 0;
  let best = { count: 0, start: 0, length: end };
  for (const [index, { time, change }] of steps.entries()) {
    count += change;
    const length = Math.min(end, steps[index + 1]?.time ?? end) - time;
    if (length < 1 / frameRate) continue;
    if (count > best.count || (count === best.count && length > best.length)) {
      best = { count, start: time, length };
    }
  }
  const frame = Math.floor((best.start + best.length / 2) * frameRate);
  return Math.min(frame, frameCount - 1) / frameRate;
}

/**
 * Where the editor opens a film, in seconds: at its beginning, unless nothing has entered yet. Then at the moment that
 * the document names for its picture, or at a good one.
 *
 * @param first The facts of its first frame.
 */
export function openingMoment(first: PreviewFacts, snapshot: number | null): number {
  const { elements, outlines, frameCount, frameRate } = first;
  const isEmpty = !elements.some((element) => isSeen(element) && element.path in outlines);
  if (!isEmpty || !elements.some(isSeen)) return 0;
  const last = (frameCount - 1) / frameRate;
  return snapshot === null ? goodMoment(first) : Math.min(last, snapshot);
}

/**
 * The moment at which an element can be seen, in seconds: now, if it is there, and seen or not just entering or
 * leaving.
 *
 * @param isSeen It shows now.
 */
export function momentOf(
  { start, duration }: Pick<CompiledElement, 'start' | 'duration'>,
  now: number,
  frameRate: number,
  isSeen: boolean,
): number {
  // A little after its start, when most elements have entered; at once if it is short.
  const edge = Math.min(duration / 2, 1);
  const from = isSeen ? start : start + edge;
  const until = isSeen ? start + duration : start + duration - edge;
  const isThere = now >= from - 1e-6 && now < Math.max(until, from + 1 / frameRate) - 1e-6;
  if (isThere || duration <= 0) return now;
  return Math.ceil((start + edge) * frameRate - 1e-6) / frameRate;
}
