/**
 * Where the time of a render goes, for `npm run bench -- profile`. Runs in a worker whose environment names the file
 * for the result (`FRAMEWRIGHT_PROFILE`); the server never passes that on to its workers, where `timed` is a plain
 * call.
 *
 * The times are those of the drawing thread and add up to its render: the innermost work is charged. Data that arrive
 * from decoders while the thread waits for the encoder count as `bytes of videos`, not as waiting.
 */
import { writeFileSync } from 'node:fs';
import { computedBy } from '../system/programs.ts';

/** The parts of a render that take time. */
export type Part =
  | 'fetch and probe'
  | 'fonts'
  | 'decode pictures'
  | 'compile'
  | 'sizes of clips'
  | 'mix sounds'
  | 'code sound'
  | 'start encoder'
  | 'layout'
  | 'wait for decoder'
  | 'bytes of videos'
  | 'paint'
  | 'read back'
  | 'convert'
  | 'pipe'
  | 'wait for encoder'
  | 'wait for painting threads'
  | 'finish and check'
  | 'write picture'
  | 'receipt';

interface Sum {
  milliseconds: number;
  count: number;
}

interface Program {
  readonly name: string;
  /** Seconds of computing. */
  readonly cpu: number;
}

class Stopwatch {
  readonly #file: string;
  readonly #parts = new Map<string, Sum>();
  readonly #elements = new Map<string, Sum>();
  readonly #programs: Program[] = [];
  /** Innermost last. */
  readonly #open: string[] = [];
  #begun = 0;
  #last = 0;
  #before = process.cpuUsage();
  #childrenBefore = 0;
  #element: string | null = null;
  #elementBegun = 0;

  constructor(file: string) {
    this.#file = file;
  }

  begin(): void {
    for (const sums of [this.#parts, this.#elements]) sums.clear();
    this.#programs.length = 0;
    this.#open.length = 0;
    this.#begun = this.#last = performance.now();
    this.#before = process.cpuUsage();
    this.#childrenBefore = childrenCpu();
  }

  timed<T>(part: string, work: () => T): T {
    this.#lap();
    this.#open.push(part);
    sumOf(this.#parts, part).count++;
    const end = (): void => {
      this.#lap();
      const at = this.#open.lastIndexOf(part);
      if (at >= 0) this.#open.splice(at, 1);
    };
    let isLater = false;
    try {
      const result = work();
      if (result instanceof Promise) {
        isLater = true;
        // The caller sees the failure.
        result.then(end, end);
      }
      return result;
    } finally {
      if (!isLater) end();
    }
  }

  /** Charges the time since the last call to the element named then. */
  atElement(path: string | null): void {
    const now = performance.now();
    if (this.#element !== null) {
      const sum = sumOf(this.#elements, this.#element);
      sum.milliseconds += now - this.#elementBegun;
      sum.count++;
    }
    this.#element = path;
    this.#elementBegun = now;
  }

  ended(name: string): void {
    const all = childrenCpu();
    // If several end at the same moment, the first is charged with all.
    this.#programs.push({ name, cpu: all - this.#childrenBefore });
    this.#childrenBefore = all;
  }

  finish(): void {
    this.#lap();
    const { user, system } = process.cpuUsage(this.#before);
    writeFileSync(
      this.#file,
      JSON.stringify({
        milliseconds: this.#last - this.#begun,
        parts: Object.fromEntries(this.#parts),
        elements: Object.fromEntries(this.#elements),
        programs: [{ name: 'worker', cpu: (user + system) / 1e6 }, ...this.#programs],
      }),
    );
  }

  #lap(): void {
    const now = performance.now();
    const part = this.#open.at(-1) ?? 'other';
    sumOf(this.#parts, part).milliseconds += now - this.#last;
    this.#last = now;
  }
}

function sumOf(sums: Map<string, Sum>, name: string): Sum {
  let sum = sums.get(name);
  if (!sum) sums.set(name, (sum = { milliseconds: 0, count: 0 }));
  return sum;
}

/** Computing seconds of all ended programs that this process started; 0 if the system doesn't say. */
function childrenCpu(): number {
  return computedBy('self')?.children ?? 0;
}

const file = process.env['FRAMEWRIGHT_PROFILE'];
const watch = file === undefined ? null : new Stopwatch(file);

/** True if time is measured. */
export const isTimed = watch !== null;

/** Runs work and charges its time to a part of the render. */
export function timed<T>(part: Part, work: () => T): T {
  return watch ? watch.timed(part, work) : work();
}

/** Starts measuring a render. */
export function beginProfile(): void {
  watch?.begin();
}

/** Writes the measurements. */
export function finishProfile(): void {
  watch?.finish();
}

/** Sets the element being drawn; null: none. */
export function timeElement(path: string | null): void {
  watch?.atElement(path);
}

/** Records that a program has ended that computed for the render. */
export function programEnded(name: string): void {
  watch?.ended(name);
}
