/**
 * How far a running attempt is: the worker's frame counts turned into percent, speed and time left. Nothing is guessed:
 * what is not yet known is absent.
 */
import type { RenderPhase, RenderProgress } from '../../shared/api.ts';

/** Where a phase ends, in percent of the whole. A phase starts where the one before it ends. */
const ends = {
  waiting: 10,
  transcribing: 20,
  rendering: 97,
  finishing: 99,
} as const satisfies Record<RenderPhase, number>;

/** Milliseconds of drawing to average the speed over; without a frame for that long it is unknown. */
const window = 10_000;
/** Time left is reported after this many ms of drawing and this share of the frames. */
const settle = { time: 3_000, share: 0.02 };

/** What the worker says. */
export interface WorkerProgress {
  readonly phase: RenderPhase;
  readonly frame: number;
  readonly frames: number;
  /** While transcribing (`frame` then counts recordings from 1): the share of all that is done, 0–1. */
  readonly share?: number;
  /** While waiting: bytes fetched, and the total if all sizes are known. */
  readonly bytes?: number;
  readonly bytesTotal?: number;
}

/** Follows one attempt. */
export class ProgressMeter {
  #phase: RenderPhase = 'waiting';
  #phaseStart = 0;
  #percent = 0;
  /** Frame counts of the last ten seconds of drawing, oldest first. */
  #samples: { time: number; frame: number }[] = [];
  #drawingSince: number | null = null;
  #lastFrameAt = 0;

  /** @param now steady time in ms. */
  update(progress: WorkerProgress, now: number): RenderProgress {
    const { phase, frame, frames, bytes, bytesTotal } = progress;
    if (phase !== this.#phase) {
      this.#phase = phase;
      this.#phaseStart = this.#percent;
    }
    const share = shareOf(progress);
    const percent = this.#phaseStart + share * (ends[phase] - this.#phaseStart);
    this.#percent = Math.max(this.#percent, percent);
    if (phase !== 'rendering') {
      return {
        phase,
        frame,
        frames,
        percent: this.#percent,
        ...(bytes !== undefined && { bytes }),
        ...(bytesTotal !== undefined && { bytesTotal }),
      };
    }

    this.#sample(frame, now);
    const framesPerSecond = this.#speed(now);
    const drawn = now - (this.#drawingSince ?? now);
    const told = framesPerSecond !== null && drawn >= settle.time && share >= settle.share;
    return {
      phase,
      frame,
      frames,
      percent: this.#percent,
      ...(framesPerSecond !== null && { framesPerSecond }),
      ...(told && { secondsLeft: (frames - frame) / framesPerSecond }),
    };
  }

  #sample(frame: number, now: number): void {
    this.#drawingSince ??= now;
    const last = this.#samples.at(-1);
    if (!last || frame > last.frame) this.#lastFrameAt = now;
    this.#samples.push({ time: now, frame });
    // One sample older than the window stays, so that the average spans all of it.
    while ((this.#samples[1]?.time ?? now) < now - window) this.#samples.shift();
  }

  /** Frames per second; null while unknown. */
  #speed(now: number): number | null {
    const [first] = this.#samples;
    const last = this.#samples.at(-1);
    if (!first || !last || last.frame === first.frame) return null;
    if (now - this.#lastFrameAt >= window) return null;
    return ((last.frame - first.frame) * 1000) / (last.time - first.time);
  }
}

/** How much of a phase is done, 0–1. */
function shareOf({ frame, frames, share, bytes = 0, bytesTotal }: WorkerProgress): number {
  if (share !== undefined) return Math.min(1, share);
  return bytesTotal === undefined ? part(frame, frames) : part(bytes, bytesTotal);
}

function part(done: number, all: number): number {
  return all > 0 ? Math.min(1, done / all) : 0;
}
