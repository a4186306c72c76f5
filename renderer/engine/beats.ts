/** The beats of a sound, found in how its loudness rises. Pure; runs in the worker that looks into files. */

/** Loudness values for a second that beats are found in. */
export const beatRate = 100;
/** Seconds between two beats: 200 to 60 of them in a minute. */
const spans = { least: 0.3, most: 1 } as const;
/** Beats of a person walking, in seconds: of two spans that fit, such as one and its double, the nearer one counts. */
const usual = 0.5;
/** How strictly the spans between beats are kept to. */
const strictness = 100;
/** A sound whose rises repeat less than this has no beats: 1 = the same again and again. */
const leastRepeat = 0.12;

/** A rise of so many times the usual is a stroke. */
const heard = 2.5;

/**
 * The moments of the beats, in seconds. Takes time and memory in proportion to the length.
 *
 * @param loudness Sums of squares, `beatRate` for a second.
 * @returns none for silence, steady tones, speech and what is shorter than four beats.
 */
export function beatsOf(loudness: ArrayLike<number>): number[] {
  const rises = risesOf(loudness);
  const span = spanOf(rises);
  return span === 0 ? [] : tracked(rises, span).map((place) => place / beatRate);
}

/** How much louder each moment is than the one before, as ears hear it, against what is usual around it. */
function risesOf(loudness: ArrayLike<number>): Float32Array {
  const { length } = loudness;
  const rises = new Float32Array(length);
  let loudest = 0;
  for (let at = 0; at < length; at++) loudest = Math.max(loudest, loudness[at] ?? 0);
  if (loudest <= 0) return rises;
  // Below this it is noise.
  const floor = loudest * 1e-4;
  let before = Math.log(floor + (loudness[0] ?? 0));
  for (let at = 1; at < length; at++) {
    const now = Math.log(floor + (loudness[at] ?? 0));
    rises[at] = Math.max(0, now - before);
    before = now;
  }
  const half = Math.round(beatRate * 0.5);
  let sum = 0;
  const means = new Float32Array(length);
  for (let at = 0; at < length + half; at++) {
    sum += (rises[at] ?? 0) - (rises[at - 2 * half - 1] ?? 0);
    if (at >= half) means[at - half] = sum / (2 * half + 1);
  }
  let power = 0;
  for (let at = 0; at < length; at++) {
    const over = Math.max(0, (rises[at] ?? 0) - (means[at] ?? 0));
    rises[at] = over;
    power += over * over;
  }
  const scale = power > 0 ? 1 / Math.sqrt(power / length) : 0;
  for (let at = 0; at < length; at++) rises[at] = (rises[at] ?? 0) * scale;
  return rises;
}

/** The steps from one beat to the next that fit best; 0 if none does. */
function spanOf(rises: Float32Array): number {
  const { length } = rises;
  const [least, most] = [spans.least * beatRate, spans.most * beatRate];
  if (length < most * 2) return 0;
  // A rise that comes a hundredth of a second early or late is the same one.
  const soft = new Float32Array(length);
  for (let at = 0; at < length; at++)
    soft[at] = (rises[at] ?? 0) + ((rises[at - 1] ?? 0) + (rises[at + 1] ?? 0)) / 2;
  // Only what is more or less than usual repeats; the usual always does.
  const mean = soft.reduce((sum, value) => sum + value, 0) / length;
  for (let at = 0; at < length; at++) soft[at] = (soft[at] ?? 0) - mean;
  const repeat = (lag: number): number => {
    let sum = 0;
    for (let at = lag; at < length; at++) sum += (soft[at] ?? 0) * (soft[at - lag] ?? 0);
    return sum;
  };
  const whole = repeat(0);
  if (whole <= 0) return 0;
  let [best, span] = [0, 0];
  for (let lag = Math.round(least); lag <= most; lag++) {
    const share = repeat(lag) / whole;
    const octaves = Math.log2(lag / beatRate / usual);
    const weighted = share * Math.exp(-0.5 * octaves * octaves);
    if (share < leastRepeat || weighted <= best) continue;
    [best, span] = [weighted, lag];
  }
  return span;
}

/**
 * The row of places with the strongest rises whose spans stay near one: each place knows the best row that ends there.
 */
function tracked(rises: Float32Array, span: number): number[] {
  const { length } = rises;
  const scores = new Float32Array(length);
  const before = new Int32Array(length).fill(-1);
  const [near, far] = [Math.round(span / 2), span * 2];
  // What a span costs, by its length.
  const costs = new Float32Array(far + 1);
  for (let step = near; step <= far; step++) costs[step] = strictness * Math.log(step / span) ** 2;
  for (let at = 0; at < length; at++) {
    let best = 0;
    for (let step = near; step <= far && step <= at; step++) {
      const score = (scores[at - step] ?? 0) - (costs[step] ?? 0);
      if (score <= best) continue;
      best = score;
      before[at] = at - step;
    }
    scores[at] = best + (rises[at] ?? 0);
  }
  let last = length - 1;
  for (let at = length - 1; at >= Math.max(0, length - far); at--)
    if ((scores[at] ?? 0) > (scores[last] ?? 0)) last = at;
  const found: number[] = [];
  for (let at = last; at >= 0; at = before[at] ?? -1) found.push(at);
  found.reverse();
  // Before the first sound and after the last nothing beats.
  const isHeard = (place: number): boolean => {
    for (let at = Math.max(0, place - 4); at <= place + 4; at++)
      if ((rises[at] ?? 0) > heard) return true;
    return false;
  };
  const [first, end] = [found.findIndex(isHeard), found.findLastIndex(isHeard)];
  return first < 0 ? [] : found.slice(first, end + 1);
}
