/**
 * Gain: how loud a sound is at each of its samples, from its volume and its fades. Pure arithmetic, used by audio.ts.
 */
import type { CurvePoint } from '../../../shared/engine/compile/points.ts';
import type { SoundFade } from '../../../shared/engine/compile/timeline.ts';
import { soundRate } from './wav.ts';

/** Loudness of one sound, in samples from its start. */
export interface Gain {
  /** The gain of `count` samples from `first` on if it is constant; else null, and `out` is filled. */
  fill(first: number, count: number, out: Float32Array): number | null;
}

/** A fade in samples. */
export interface SampleFade {
  readonly kind: 'in' | 'out';
  readonly from: number;
  readonly to: number;
  readonly shape: SoundFade['shape'];
}

/** A jump of volume becomes a slope this long, in samples (5 ms), because a jump clicks. */
const slope = Math.round(0.005 * soundRate);

/** The product of a volume line and fades. */
export function createGain(points: readonly CurvePoint[], fades: readonly SampleFade[]): Gain {
  const line = slopedLine(points);
  const [only] = line;
  const constant = line.length === 1 && only ? only.volume : null;
  return {
    fill(first, count, out) {
      const heard = fades.filter((fade) => touches(fade, first, count));
      if (heard.length === 0 && constant !== null) return constant;
      if (constant === null) fillLine(line, first, count, out);
      else out.fill(constant, 0, count);
      for (const fade of heard) applyFade(fade, first, count, out);
      return null;
    },
  };
}

/** Points in samples; two at the same time are moved apart, as far as the next point allows. */
function slopedLine(points: readonly CurvePoint[]): { at: number; volume: number }[] {
  const line = points.map(({ time, value }) => ({
    at: Math.round(time * soundRate),
    volume: value,
  }));
  // The first point that may be beyond the current one; it only moves forwards.
  let beyond = 0;
  line.forEach((point, index) => {
    const before = line[index - 1];
    if (!before || point.at > before.at) return;
    beyond = Math.max(beyond, index + 1);
    while ((line[beyond]?.at ?? Infinity) <= before.at) beyond++;
    const next = line[beyond]?.at ?? Infinity;
    point.at = before.at + Math.max(1, Math.min(slope, Math.floor((next - before.at) / 2)));
  });
  return line;
}

function fillLine(
  line: readonly { at: number; volume: number }[],
  first: number,
  count: number,
  out: Float32Array,
): void {
  // The first point after `first`, where the walk starts.
  let [low, high] = [0, line.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((line[middle]?.at ?? Infinity) > first) high = middle;
    else low = middle + 1;
  }
  let done = 0;
  for (let next = low; done < count; next++) {
    const to = line[next];
    const from = line[next - 1] ?? to;
    const until = to ? Math.min(count, to.at - first) : count;
    if (!to || from === to) {
      out.fill((to ?? from)?.volume ?? 0, done, until);
    } else if (from) {
      const step = (to.volume - from.volume) / (to.at - from.at);
      for (let index = done; index < until; index++)
        out[index] = from.volume + (first + index - from.at) * step;
    }
    done = Math.max(done, until);
  }
}

/**
 * True if a fade changes any of these samples: a fade-in those before its end, a fade-out those after its beginning.
 */
function touches({ kind, from, to }: SampleFade, first: number, count: number): boolean {
  return kind === 'in' ? first < to : first + count > from;
}

function applyFade(
  { kind, from, to, shape }: SampleFade,
  first: number,
  count: number,
  out: Float32Array,
): void {
  const length = Math.max(1, to - from);
  const rising = kind === 'in';
  const start = rising ? 0 : Math.max(0, from - first);
  const end = rising ? Math.min(count, to - first) : count;
  for (let index = start; index < end; index++) {
    const progress = Math.min(1, Math.max(0, (first + index - from) / length));
    const share = rising ? progress : 1 - progress;
    const factor = shape === 'straight' ? share : Math.sin((share * Math.PI) / 2);
    out[index] = (out[index] ?? 0) * factor;
  }
}
