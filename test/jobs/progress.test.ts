/** Percent, speed and time left from frame counts. */
import { expect, test } from 'vitest';
import { elementNameAt } from '../../server/jobs/desk/desk-tasks.ts';
import { ProgressMeter, type WorkerProgress } from '../../server/jobs/progress.ts';

const at = (phase: WorkerProgress['phase'], frame = 0, frames = 0): WorkerProgress => ({
  phase,
  frame,
  frames,
});

test('phases share the bar, and it never goes down', () => {
  const meter = new ProgressMeter();
  const rows: [progress: WorkerProgress, percent: number][] = [
    [at('waiting'), 0],
    [at('waiting', 1, 2), 5],
    [at('waiting', 2, 2), 10],
    [at('rendering', 0, 100), 10],
    [at('rendering', 50, 100), 53.5],
    [at('rendering', 40, 100), 53.5],
    [at('rendering', 100, 100), 97],
    [at('finishing', 100, 100), 99],
  ];
  rows.forEach(([progress, percent], index) => {
    expect(meter.update(progress, index * 100).percent).toBeCloseTo(percent, 6);
  });
});

test('bytes move the bar as soon as all sizes are known', () => {
  const meter = new ProgressMeter();
  const rows: [progress: WorkerProgress, percent: number][] = [
    [at('waiting', 0, 2), 0],
    // Nobody knows of how many.
    [{ ...at('waiting', 1, 4), bytes: 500 }, 2.5],
    [{ ...at('waiting', 1, 4), bytes: 600, bytesTotal: 1000 }, 6],
    // A file that is larger than it said.
    [{ ...at('waiting', 2, 4), bytes: 1000, bytesTotal: 4000 }, 6],
    [{ ...at('waiting', 4, 4), bytes: 4000, bytesTotal: 4000 }, 10],
    [at('rendering', 0, 100), 10],
  ];
  rows.forEach(([progress, percent], index) => {
    const told = meter.update(progress, index * 100);
    expect(told.percent).toBeCloseTo(percent, 6);
    expect([told.bytes, told.bytesTotal]).toEqual([progress.bytes, progress.bytesTotal]);
  });
});

test('transcribing has its own part of the bar, moved by what is done of all recordings', () => {
  const rows: [progress: WorkerProgress, percent: number][] = [
    [at('waiting', 2, 2), 10],
    [{ ...at('transcribing', 1, 2), share: 0 }, 10],
    [{ ...at('transcribing', 1, 2), share: 0.2 }, 12],
    [{ ...at('transcribing', 2, 2), share: 0.5 }, 15],
    [{ ...at('transcribing', 2, 2), share: 0.4 }, 15],
    [{ ...at('transcribing', 2, 2), share: 1 }, 20],
    [at('rendering', 0, 100), 20],
    [at('rendering', 50, 100), 58.5],
  ];
  const meter = new ProgressMeter();
  rows.forEach(([progress, percent], index) => {
    const told = meter.update(progress, index * 100);
    expect(told.percent).toBeCloseTo(percent, 6);
    expect([told.frame, told.frames]).toEqual([progress.frame, progress.frames]);
  });
});

test('without media, drawing begins at 0', () => {
  const meter = new ProgressMeter();
  meter.update(at('waiting'), 0);
  expect(meter.update(at('rendering', 50, 100), 100).percent).toBeCloseTo(48.5, 6);
});

test('speed is the average of ten seconds; time left is told after three', () => {
  const meter = new ProgressMeter();
  // 20 frames a second for 20 s, then 40 a second.
  let frame = 0;
  let told: { framesPerSecond?: number; secondsLeft?: number } = {};
  const run = (from: number, to: number, rate: number): void => {
    for (let time = from; time <= to; time += 250) {
      told = meter.update(at('rendering', Math.round(frame), 2000), time);
      frame += rate / 4;
    }
  };
  run(0, 2750, 20);
  expect(told.framesPerSecond).toBeCloseTo(20, 6);
  expect(told.secondsLeft).toBeUndefined();
  run(3000, 19_750, 20);
  expect(told.framesPerSecond).toBeCloseTo(20, 6);
  expect(told.secondsLeft).toBeCloseTo((2000 - 395) / 20, 6);
  run(20_000, 30_250, 40);
  expect(told.framesPerSecond).toBeCloseTo(40, 6);
});

test('when no frame comes for ten seconds, nothing is said', () => {
  const meter = new ProgressMeter();
  for (let second = 0; second <= 5; second++) {
    meter.update(at('rendering', second * 30, 300), second * 1000);
  }
  expect(meter.update(at('rendering', 150, 300), 14_900).secondsLeft).toBeGreaterThan(0);
  const stuck = meter.update(at('rendering', 150, 300), 15_100);
  expect(stuck.framesPerSecond).toBeUndefined();
  expect(stuck.secondsLeft).toBeUndefined();
});

test('the element at a place', () => {
  const source = {
    elements: [
      { type: 'text' },
      { type: 'composition', name: 'Scene', elements: [{ type: 'video' }, { type: 'video' }] },
      { type: 'text' },
    ],
  };
  const rows: [path: string, name: string | undefined][] = [
    ['width', undefined],
    ['', undefined],
    ['elements[2].text', 'Text 2'],
    ['elements[1]', 'Scene'],
    ['elements[1].elements[1].source', 'Video 2'],
    ['elements[1].elements[9].source', 'Scene'],
    ['elements[7]', undefined],
  ];
  for (const [path, name] of rows) expect(elementNameAt(source, path), path).toBe(name);
});
