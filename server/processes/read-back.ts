/**
 * Measures what it costs to read a drawn frame back. Frames come and go as large blocks of memory; we tell glibc to
 * keep them (jobs/worker/fork-worker.ts), but another allocator, as in Electron, ignores that. Runs in the worker
 * process.
 */
import { createCanvas } from '@napi-rs/canvas';

const size = { width: 1920, height: 1080 };
/** The first rounds allocate memory that the others may reuse. */
const rounds = { before: 2, measured: 4 };

/** Reads a frame of 1920 × 1080 back a few times. @returns milliseconds and new memory pages per frame */
export function measureReadBack(): { milliseconds: number; pages: number } {
  const canvas = createCanvas(size.width, size.height);
  const context = canvas.getContext('2d');
  const read = (times: number): void => {
    for (let time = 0; time < times; time++) {
      context.fillRect(time, 0, 9, 9);
      canvas.data();
    }
  };
  const pagesSoFar = (): number => process.resourceUsage().minorPageFault;
  read(rounds.before);
  const [begun, pages] = [performance.now(), pagesSoFar()];
  read(rounds.measured);
  return {
    milliseconds: (performance.now() - begun) / rounds.measured,
    pages: (pagesSoFar() - pages) / rounds.measured,
  };
}
