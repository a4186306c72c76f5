/**
 * What fuzzers share: random values from a seed, and cases one after the other until the time is over.
 *
 * A fuzzer is a file `NAME.fuzz.ts` that exports its `name` and `async function fuzz(options: FuzzOptions):
 * Promise<FuzzResult>`. Its first case is the one of the given seed: so a find is repeated by its seed alone.
 */

/** What a fuzzer is given. */
export interface FuzzOptions {
  /** Of the first case; the same seed gives the same cases in the same order. */
  readonly seed: number;
  /** How long to go on; at 0 there is one case. */
  readonly seconds: number;
  /** Prints a line. */
  readonly log: (line: string) => void;
  /** Tells which case begins: of one that never ends, nothing else can be told. */
  readonly at?: (seed: number) => void;
}

/** Something that must not be. */
export interface Find {
  /** Of the case. */
  readonly seed: number;
  /** What was expected, what happened, and with which input. */
  readonly what: string;
}

/** What a fuzzer answers. */
export interface FuzzResult {
  readonly cases: number;
  readonly finds: Find[];
}

/** Random values that are the same for the same seed. */
export interface Random {
  /** 0 to below 1. */
  next(): number;
  /** A whole number from 0 to below `count`. */
  below(count: number): number;
  /** True once in `times`. */
  oneIn(times: number): boolean;
  /** One of a list that is not empty. */
  pick<T>(list: readonly T[]): T;
}

/** Makes them (mulberry32; seeds beside each other give values that have nothing in common). */
export function randomFrom(seed: number): Random {
  let state = Math.imul(seed ^ (seed >>> 16), 0x45d9f3b);
  state = Math.imul(state ^ (state >>> 16), 0x45d9f3b);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (count: number): number => Math.floor(next() * count);
  return {
    next,
    below,
    oneIn: (times) => below(times) === 0,
    pick(list) {
      const [first] = list;
      if (first === undefined) throw new Error('nothing to pick from');
      return list[below(list.length)] ?? first;
    },
  };
}

/**
 * @returns what tells the computing time of this process since then, ms: unlike the clock's, a busy machine adds
 * nothing.
 */
export function stopwatch(): () => number {
  const begun = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(begun);
    return (user + system) / 1000;
  };
}

/** After so many finds a fuzzer stops: more of them say nothing new. */
const enoughFinds = 5;
/** How often it is told where a fuzzer is, and timers and sockets get their turn. */
const turnTime = 50;

/**
 * Runs cases until the time is over.
 *
 * @param attack One case; what it answers is a find, as is what it throws. Null: all is well.
 */
export async function runCases(
  { seed, seconds, at }: FuzzOptions,
  attack: (random: Random, seed: number) => string | null | Promise<string | null>,
): Promise<FuzzResult> {
  const end = performance.now() + seconds * 1000;
  const finds: Find[] = [];
  let cases = 0;
  let turn = 0;
  do {
    const own = (seed + cases) >>> 0;
    if (performance.now() > turn) {
      at?.(own);
      await new Promise((resolve) => setImmediate(resolve));
      turn = performance.now() + turnTime;
    }
    cases++;
    try {
      const what = await attack(randomFrom(own), own);
      if (what !== null) finds.push({ seed: own, what });
    } catch (error) {
      const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
      finds.push({ seed: own, what });
    }
  } while (finds.length < enoughFinds && performance.now() < end);
  return { cases, finds };
}
